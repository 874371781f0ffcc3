/* SPDX-License-Identifier: MIT */
#include "report/sheet.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { POUR_ROWS = 1024 };

void sheet_start(struct sheet *sheet, bool keeps_all)
{
	memset(sheet, 0, sizeof *sheet);
	sheet->keeps_all = keeps_all;
}

void sheet_free(struct sheet *sheet)
{
	free(sheet->columns);
	free(sheet->rows);
	free(sheet->cells);
	pool_free(&sheet->pool);
	memset(sheet, 0, sizeof *sheet);
}

/* A column's name is the same pointer in each row. */
bool sheet_keeps(const struct sheet *sheet, const char *name)
{
	if (!sheet->only)
		return name || sheet->keeps_all;
	for (size_t c = 0; name && c < sheet->column_count; c++)
		if (sheet->columns[c].name == name)
			return true;
	return false;
}

static bool is_wanted(const struct sheet *sheet, const char *name)
{
	for (size_t i = 0; name && sheet->only[i]; i++)
		if (strcmp(sheet->only[i], name) == 0)
			return true;
	return false;
}

void sheet_declare(struct sheet *sheet, const struct column *column)
{
	if (sheet->only ? !is_wanted(sheet, column->name) : !sheet_keeps(sheet, column->name))
		return;
	MEMORY_GROW(sheet->columns, sheet->column_count, sheet->column_room);
	sheet->columns[sheet->column_count++] = *column;
}

void sheet_row(struct sheet *sheet, unsigned rank)
{
	assert(sheet->column_count && (!sheet->row_count || sheet->rows[sheet->row_count - 1].cells == sheet->column_count));
	if (sheet->pour && sheet->row_count == POUR_ROWS)
		out_csv_pour(sheet);
	MEMORY_GROW(sheet->rows, sheet->row_count, sheet->row_room);
	sheet->rows[sheet->row_count++] = (struct sheet_row){.rank = rank,
	                                                     .about = SHEET_NO_ROUTINE,
	                                                     .own = SHEET_NO_ROUTINE,
	                                                     .first_cell = sheet->cell_count,
	                                                     .head = sheet->cell_count};
}

void sheet_follow(struct sheet *sheet, unsigned rank)
{
	size_t head = sheet->row_count ? sheet->rows[sheet->row_count - 1].head : sheet->cell_count;
	sheet_row(sheet, rank);
	sheet->rows[sheet->row_count - 1].head = head;
}

void sheet_nest(struct sheet *sheet, uint32_t depth)
{
	sheet->rows[sheet->row_count - 1].depth = depth;
	sheet->is_tree = true;
}

void sheet_about(struct sheet *sheet, uint32_t routine)
{
	sheet->rows[sheet->row_count - 1].about = routine;
}

void sheet_own(struct sheet *sheet, uint32_t routine)
{
	sheet->rows[sheet->row_count - 1].own = routine;
}

void sheet_gap(struct sheet *sheet, size_t row)
{
	sheet->rows[row].gap = true;
}

void sheet_put(struct sheet *sheet, struct cell cell)
{
	MEMORY_GROW(sheet->cells, sheet->cell_count, sheet->cell_room);
	sheet->cells[sheet->cell_count++] = cell;
	sheet->rows[sheet->row_count - 1].cells++;
}

void sheet_put_text(struct sheet *sheet, const char *text)
{
	sheet_put(sheet, (struct cell){.kind = CELL_TEXT, .text = text});
}

void sheet_put_number(struct sheet *sheet, int64_t number)
{
	sheet_put(sheet, (struct cell){.kind = number != -1 ? CELL_NUMBER : CELL_EMPTY, .number = number});
}

void sheet_put_real(struct sheet *sheet, double real)
{
	sheet_put(sheet, (struct cell){.kind = isfinite(real) ? CELL_REAL : CELL_EMPTY, .real = real});
}

const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column)
{
	return &sheet->cells[sheet->rows[row].first_cell + column];
}

double sheet_value(const struct cell *cell)
{
	return cell->kind == CELL_REAL ? cell->real : cell->kind == CELL_NUMBER ? (double)cell->number : 0;
}

/* ---- sorting ---- */

int sheet_order(const void *a, const void *b, void *context)
{
	const struct sheet_key *key = context;
	const struct sheet_row *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	const struct cell *p = &key->sheet->cells[x->head + key->column], *q = &key->sheet->cells[y->head + key->column];
	if ((p->kind == CELL_EMPTY) != (q->kind == CELL_EMPTY))
		return p->kind != CELL_EMPTY ? -1 : 1;
	int order = 0;
	if (p->kind == CELL_TEXT && q->kind == CELL_TEXT)
		order = strcmp(p->text, q->text);
	else if (sheet_value(p) != sheet_value(q))
		order = sheet_value(p) > sheet_value(q) ? -1 : 1;
	if (order)
		return order;
	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	return x->first_cell < y->first_cell ? -1 : x->first_cell > y->first_cell; /* stable: cells lie in the order of insertion */
}

/* The headings of text, or the names that only CSV has. */
static const char *list_columns(struct pool *pool, const struct sheet *sheet, bool titles)
{
	const char *list = "";
	for (size_t i = 0; i < sheet->column_count; i++) {
		const struct column *c = &sheet->columns[i];
		bool has_title = c->title && *c->title, is_same = has_title && c->name && strcmp(c->title, c->name) == 0;
		if (titles ? has_title : c->name && !is_same)
			list = pool_print(pool, "%s%s%s", list, *list ? ", " : "", titles ? c->title : c->name);
	}
	return list;
}

static int unknown_column(const struct sheet *sheet, const char *name, struct fail *why)
{
	struct pool pool = {0};
	const char *names = list_columns(&pool, sheet, false);
	fail_set(why, FAIL_USAGE, "there is no column %.100s to sort by; this view has %.400s%s%.450s", name,
	         list_columns(&pool, sheet, true), *names ? ", and in CSV " : "", names);
	pool_free(&pool);
	return -1;
}

static bool is_called(const char *name, const char *asked)
{
	return name && *name && strcasecmp(name, asked) == 0;
}

static size_t find_column(const struct sheet *sheet, const char *asked)
{
	size_t count = sheet->column_count, named = count, titled = count;
	for (size_t c = count; c-- > 0;) {
		if (is_called(sheet->columns[c].sorts, asked))
			return c;
		named = is_called(sheet->columns[c].name, asked) ? c : named;
		titled = is_called(sheet->columns[c].title, asked) ? c : titled;
	}
	return named < count ? named : titled;
}

bool sheet_has(const struct sheet *sheet, const char *name)
{
	size_t column = find_column(sheet, name);
	for (size_t row = 0; column < sheet->column_count && row < sheet->row_count; row++)
		if (sheet_cell(sheet, row, column)->kind != CELL_EMPTY)
			return true;
	return false;
}

int sheet_sort(struct sheet *sheet, const char *column, struct fail *why)
{
	struct sheet_key key = {.sheet = sheet, .column = find_column(sheet, column)};
	if (key.column == sheet->column_count)
		return unknown_column(sheet, column, why);
	sheet->sorted_by = key.column + 1;
	if (sheet->is_tree)
		sheet_tree_sort(sheet, &key);
	else if (sheet->row_count)
		qsort_r(sheet->rows, sheet->row_count, sizeof *sheet->rows, sheet_order, &key);
	return 0;
}

void sheet_top(struct sheet *sheet, size_t rows)
{
	if (sheet->row_count <= rows)
		return;
	if (sheet->is_tree && sheet->sorted_by)
		sheet_tree_top(sheet, rows);
	else
		sheet->row_count = rows;
}
