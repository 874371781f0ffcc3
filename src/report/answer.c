/* SPDX-License-Identifier: MIT */
#include "report/answer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/text.h"

/* ---- values ---- */

/* Seventeen digits tell every real from all others, but fewer are enough for most. */
static const char *real_text(struct pool *pool, double real)
{
	const char *text = pool_print(pool, "%.15g", real);
	return strtod(text, NULL) == real ? text : pool_print(pool, "%.17g", real);
}

/* Not of texts. */
static const char *value_text(struct pool *pool, const struct store_value *value)
{
	switch (value->kind) {
	case STORE_NUMBER: return pool_print(pool, "%" PRId64, value->number);
	case STORE_REAL: return real_text(pool, value->real);
	case STORE_BYTES: return pool_print(pool, "(%" PRId64 " bytes)", value->number);
	default: return "";
	}
}

static bool is_number(const struct store_value *value)
{
	return value->kind == STORE_NUMBER || value->kind == STORE_REAL;
}

/* ---- row by row ---- */

static void put_csv(const struct store_query *q, FILE *file)
{
	struct pool pool = {0};
	for (size_t c = 0; c < store_query_columns(q); c++) {
		struct store_value value = store_query_value(q, c);
		fputs(c ? "," : "", file);
		if (value.kind == STORE_TEXT)
			escape_csv(file, value.text);
		else
			fputs(value_text(&pool, &value), file);
	}
	fputc('\n', file);
	pool_free(&pool);
}

static void put_json(const struct store_query *q, FILE *file)
{
	struct pool pool = {0};
	fputc('{', file);
	for (size_t c = 0; c < store_query_columns(q); c++) {
		struct store_value value = store_query_value(q, c);
		fputs(c ? ", " : "", file);
		escape_json(file, store_query_name(q, c));
		fputs(": ", file);
		if (value.kind == STORE_NULL || (value.kind == STORE_REAL && !isfinite(value.real)))
			fputs("null", file);
		else if (is_number(&value))
			fputs(value_text(&pool, &value), file);
		else
			escape_json(file, value.kind == STORE_TEXT ? value.text : value_text(&pool, &value));
	}
	fputc('}', file);
	pool_free(&pool);
}

static int pour(struct store_query *q, bool is_json, size_t top, FILE *file, struct fail *why)
{
	size_t rows = 0;
	int more = 0;
	for (size_t c = 0; !is_json && c < store_query_columns(q); c++) {
		fputs(c ? "," : "", file);
		escape_csv(file, store_query_name(q, c));
	}
	fputs(is_json ? "[" : "\n", file);
	while ((top == 0 || rows < top) && (more = store_query_next(q, why)) > 0) {
		if (is_json)
			fputs(rows ? ",\n " : "\n ", file);
		(is_json ? put_json : put_csv)(q, file);
		rows++;
	}
	if (is_json)
		fputs("\n]\n", file);
	return more < 0 ? -1 : 0;
}

/* ---- text ---- */

struct text_cell {
	const char *text;
	size_t width;
	bool is_number;
};

struct text_table {
	struct text_cell *cells; /* names, then rows */
	size_t count, room, columns;
	size_t *widths;
	struct pool pool;
};

static void add_cell(struct text_table *t, const char *plain, bool is_a_number)
{
	size_t width = escape_width(plain), column = t->count % t->columns;
	MEMORY_GROW(t->cells, t->count, t->room);
	t->cells[t->count++] = (struct text_cell){plain, width, is_a_number};
	t->widths[column] = width > t->widths[column] ? width : t->widths[column];
}

static void add_row(struct text_table *t, const struct store_query *q)
{
	for (size_t c = 0; c < t->columns; c++) {
		struct store_value value = store_query_value(q, c);
		add_cell(t, value.kind == STORE_TEXT ? escape_plain(&t->pool, value.text) : value_text(&t->pool, &value),
		         is_number(&value));
	}
}

/* A heading stands as the first value below it does; the last text of a line has nothing behind it. */
static void put_table(const struct text_table *t, FILE *file)
{
	for (size_t i = 0; i < t->count; i++) {
		size_t c = i % t->columns;
		const struct text_cell *cell = &t->cells[i];
		bool right = i < t->columns && i + t->columns < t->count ? cell[t->columns].is_number : cell->is_number;
		int pad = (int)(t->widths[c] - cell->width);
		bool is_last = c + 1 == t->columns;
		fprintf(file, "%*s%s%*s%s", right ? pad : 0, "", cell->text, right || is_last ? 0 : pad, "", is_last ? "\n" : "  ");
	}
}

static int print_text(struct store_query *q, size_t top, FILE *file, struct fail *why)
{
	struct text_table t = {.columns = store_query_columns(q)};
	size_t rows = 0;
	int more;
	t.widths = memory_zeroed(t.columns, sizeof *t.widths);
	for (size_t c = 0; c < t.columns; c++)
		add_cell(&t, escape_plain(&t.pool, store_query_name(q, c)), false);
	while ((more = store_query_next(q, why)) > 0 && (top == 0 || rows < top)) {
		add_row(&t, q);
		rows++;
	}
	if (more >= 0)
		put_table(&t, file);
	if (more > 0)
		fprintf(file, "The first %s rows; --top 0 shows all.\n", text_count(&t.pool, (int64_t)rows));
	free(t.cells);
	free(t.widths);
	pool_free(&t.pool);
	return more < 0 ? -1 : 0;
}

int answer_print(struct store_query *q, enum report_form form, size_t top, FILE *file, struct fail *why)
{
	int result = form == REPORT_TEXT ? print_text(q, top, file, why) : pour(q, form == REPORT_JSON, top, file, why);
	if (result == 0 && (fflush(file) != 0 || ferror(file)))
		result = fail_set(why, FAIL_INTERNAL, "cannot write the answer: no space left, or the reader closed the pipe");
	return result;
}
