/* SPDX-License-Identifier: MIT */
/* out_json.c: a page as one JSON object: lens, view, verdict, rows (an object a row, null where nothing was measured)
 * and caveats. */
#include "base/escape.h"
#include "report/sheet.h"

static void put_list(FILE *file, const char *name, const char *const *lines, size_t count)
{
	fprintf(file, "  \"%s\": [", name);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n    " : "\n    ", file);
		escape_json(file, lines[i]);
	}
	fputs(count ? "\n  ]" : "]", file);
}

static void put_cell(FILE *file, const struct column *column, const struct cell *cell)
{
	escape_json(file, column->name);
	fputs(": ", file);
	if (cell->kind == CELL_EMPTY)
		fputs("null", file);
	else if (cell->kind == CELL_TEXT)
		escape_json(file, cell->text);
	else
		out_number(file, column, cell);
}

static void put_rows(FILE *file, const struct sheet *sheet)
{
	fputs("  \"rows\": [", file);
	for (size_t r = 0; r < sheet->row_count; r++) {
		const char *comma = "";
		fputs(r ? ",\n    {" : "\n    {", file);
		for (size_t c = 0; c < sheet->column_count; c++)
			if (sheet->columns[c].name) {
				fputs(comma, file);
				put_cell(file, &sheet->columns[c], sheet_cell(sheet, r, c));
				comma = ", ";
			}
		fputc('}', file);
	}
	fputs(sheet->row_count ? "\n  ]" : "]", file);
}

void out_json(FILE *file, const struct page *page)
{
	fputs("{\n  \"lens\": ", file);
	escape_json(file, page->lens);
	fputs(",\n  \"view\": ", file);
	escape_json(file, page->view);
	fputs(",\n", file);
	put_list(file, "verdict", page->verdict, page->verdict_count);
	fputs(",\n", file);
	put_rows(file, page->sheet);
	fputs(",\n", file);
	put_list(file, "caveats", page->caveats, page->caveat_count);
	fputs("\n}\n", file);
}
