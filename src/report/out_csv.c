/* SPDX-License-Identifier: MIT */
/* out_csv.c: a sheet as CSV after RFC 4180, but for its line ends: \n, as everything on this system. */
#include <inttypes.h>

#include "base/escape.h"
#include "report/sheet.h"

void out_number(FILE *file, const struct column *column, const struct cell *cell)
{
	if (cell->kind == CELL_EMPTY)
		return;
	if (column->unit == UNIT_PERCENT || column->unit == UNIT_RATIO || cell->kind == CELL_REAL)
		fprintf(file, "%.4f", sheet_value(cell));
	else
		fprintf(file, "%" PRId64, cell->number);
}

static void put_cell(FILE *file, const struct column *column, const struct cell *cell)
{
	if (cell->kind == CELL_TEXT)
		escape_csv(file, cell->text);
	else
		out_number(file, column, cell);
}

static void put_head(FILE *file, const struct sheet *sheet)
{
	const char *comma = "";
	for (size_t c = 0; c < sheet->column_count; c++)
		if (sheet->columns[c].name) {
			fprintf(file, "%s%s", comma, sheet->columns[c].name);
			comma = ",";
		}
	fputc('\n', file);
}

static void put_row(FILE *file, const struct sheet *sheet, size_t row)
{
	const char *comma = "";
	for (size_t c = 0; c < sheet->column_count; c++)
		if (sheet->columns[c].name) {
			fputs(comma, file);
			put_cell(file, &sheet->columns[c], sheet_cell(sheet, row, c));
			comma = ",";
		}
	fputc('\n', file);
}

void out_csv_pour(struct sheet *s)
{
	if (!s->poured)
		put_head(s->pour, s);
	for (size_t r = 0; r < s->row_count && (!s->pour_most || s->poured < s->pour_most); r++, s->poured++)
		put_row(s->pour, s, r);
	s->row_count = s->cell_count = 0;
}

void out_csv(FILE *file, const struct page *page)
{
	if (page->sheet->pour) {
		out_csv_pour(page->sheet);
		return;
	}
	put_head(file, page->sheet);
	for (size_t r = 0; r < page->sheet->row_count; r++)
		put_row(file, page->sheet, r);
}

void out_plain(FILE *file, const struct page *page)
{
	const struct sheet *sheet = page->sheet;
	struct pool pool = {0};
	for (size_t r = 0; r < sheet->row_count; r++)
		for (size_t c = 0; c < sheet->column_count; c++) {
			const struct cell *cell = sheet_cell(sheet, r, c);
			if (cell->kind == CELL_TEXT)
				fputs(escape_plain(&pool, cell->text), file);
			else
				put_cell(file, &sheet->columns[c], cell);
			fputc(c + 1 < sheet->column_count ? ' ' : '\n', file);
		}
	pool_free(&pool);
}
