/* SPDX-License-Identifier: MIT */
/* out_text.c: a page for people: the verdict, the sheet, what may be wrong.
 *
 * The sheet is made to fit the width: first the least important columns go, then names are shortened in the middle,
 * where they differ least from each other, and lines of code at their end. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/locale.h"
#include "base/number.h"
#include "base/text.h"
#include "report/sheet.h"

enum { NAME_LEAST = 20, LIST_LEAST = 16, CONTEXT_LEAST = 42, FIGURE_LEAST = 26, GAP = 2, BAR_WIDTH = 20, WIDE_RATIO = 10000 };

struct layout {
	const char **texts; /* row_count x column_count, escaped */
	size_t *widths;     /* 0: the column is not shown */
	struct pool pool;
	bool ascii;
};

/* What the terminal can show. */
struct style {
	const char *bold, *dim, *end;
	bool ascii;
};

static struct style style_of(bool colour)
{
	struct style style = colour ? (struct style){"\033[1m", "\033[2m", "\033[0m", false} : (struct style){"", "", "", false};
	style.ascii = !locale_is_utf8();
	return style;
}

/* Text with nothing in it that a terminal would obey, or cannot show. */
static const char *shown(struct pool *pool, const char *text, bool ascii)
{
	const char *plain = escape_plain(pool, text);
	return ascii ? locale_ascii(pool, plain) : plain;
}

static bool is_right(enum unit kind)
{
	return kind != UNIT_NAME && kind != UNIT_CONTEXT && kind != UNIT_CODE && kind != UNIT_LIST && kind != UNIT_TEXT && kind != UNIT_BAR;
}

/* By how much a column of that kind and width can shrink. A figure may be a long text; a number in its column stays whole. */
static size_t slack(enum unit kind, size_t width)
{
	size_t least = kind == UNIT_CONTEXT ? CONTEXT_LEAST
		: kind == UNIT_FIGURE       ? FIGURE_LEAST
		: kind == UNIT_LIST         ? LIST_LEAST
					    : NAME_LEAST;
	bool can = kind == UNIT_NAME || kind == UNIT_CODE || kind == UNIT_LIST || kind == UNIT_CONTEXT || kind == UNIT_FIGURE;
	return can && width > least ? width - least : 0;
}

static char *draw_bar(struct pool *pool, double share)
{
	size_t cells = (size_t)number_within(share * BAR_WIDTH + 0.5, 0, BAR_WIDTH);
	char *bar = pool_bytes(pool, BAR_WIDTH + 1);
	memset(bar, '#', cells);
	bar[cells] = 0;
	return bar;
}

/* A large one has no use for digits after the point. */
static const char *ratio_text(struct pool *pool, double ratio)
{
	return ratio < WIDE_RATIO ? pool_print(pool, "%.2f", ratio) : text_amount(pool, number_whole(ratio));
}

static const char *cell_text(struct pool *pool, const struct column *column, const struct cell *cell, bool ascii)
{
	if (cell->kind == CELL_EMPTY)
		return "";
	if (cell->kind == CELL_TEXT)
		return shown(pool, cell->text, ascii);
	switch (column->unit) {
	case UNIT_ID: return pool_print(pool, "%" PRId64, cell->number);
	case UNIT_NS: return text_ns(pool, (double)cell->number);
	case UNIT_PERCENT: return pool_print(pool, "%.1f", sheet_value(cell));
	case UNIT_RATIO: return ratio_text(pool, sheet_value(cell));
	case UNIT_BAR: return draw_bar(pool, sheet_value(cell));
	case UNIT_FIGURE: return text_count(pool, cell->number);
	default: return text_amount(pool, cell->number);
	}
}

static void measure(struct layout *layout, const struct sheet *sheet)
{
	size_t columns = sheet->column_count;
	layout->texts = memory_zeroed(sheet->row_count * columns, sizeof *layout->texts);
	layout->widths = memory_zeroed(columns, sizeof *layout->widths);
	for (size_t c = 0; c < columns; c++) {
		const struct column *column = &sheet->columns[c];
		if (!column->title)
			continue;
		bool any = false;
		size_t widest = strlen(column->title);
		for (size_t r = 0; r < sheet->row_count; r++) {
			const char *text = cell_text(&layout->pool, column, sheet_cell(sheet, r, c), layout->ascii);
			size_t width = escape_width(text);
			layout->texts[r * columns + c] = text;
			any |= *text != 0;
			widest = width > widest ? width : widest;
		}
		layout->widths[c] = any || sheet->row_count == 0 ? (widest ? widest : 1) : 0; /* nothing was measured: no column */
	}
}

static size_t total_width(const struct layout *layout, size_t columns)
{
	size_t total = 0;
	for (size_t c = 0; c < columns; c++)
		total += layout->widths[c] ? layout->widths[c] + (total ? GAP : 0) : 0;
	return total;
}

/* The column to leave out next, or `columns` if all that are left must stay. */
static size_t least_important(const struct layout *layout, const struct sheet *sheet)
{
	size_t found = sheet->column_count;
	for (size_t c = 0; c < sheet->column_count; c++)
		if (layout->widths[c] && sheet->columns[c].drop &&
		    (found == sheet->column_count || sheet->columns[c].drop >= sheet->columns[found].drop))
			found = c;
	return found;
}

static size_t squeezable(const struct layout *layout, const struct sheet *sheet)
{
	size_t room = 0;
	for (size_t c = 0; c < sheet->column_count; c++)
		room += slack(sheet->columns[c].unit, layout->widths[c]);
	return room;
}

static void fit(struct layout *layout, const struct sheet *sheet, size_t width)
{
	size_t columns = sheet->column_count, column;
	while (total_width(layout, columns) > width + squeezable(layout, sheet) && (column = least_important(layout, sheet)) < columns)
		layout->widths[column] = 0;
	while (total_width(layout, columns) > width && squeezable(layout, sheet) > 0) {
		size_t widest = columns;
		for (size_t c = 0; c < columns; c++)
			if (slack(sheet->columns[c].unit, layout->widths[c]) &&
			    (widest == columns || layout->widths[c] > layout->widths[widest]))
				widest = c;
		layout->widths[widest]--;
	}
}

/* Bytes of the first `width` characters. */
static size_t bytes_of(const char *text, size_t width)
{
	const char *at = text;
	while (*at && (width > 0 || (*at & 0xc0) == 0x80)) {
		width -= (*at & 0xc0) != 0x80;
		at++;
	}
	return (size_t)(at - text);
}

static void put_padded(FILE *file, const char *text, size_t width, enum unit kind, bool last, const char *dots)
{
	size_t length = escape_width(text), gone = escape_width(dots);
	if (length > width && width > gone) {
		size_t head = kind == UNIT_CODE || kind == UNIT_LIST ? width - gone : (width - gone) / 2, tail = width - gone - head;
		fprintf(file, "%.*s%s%s", (int)bytes_of(text, head), text, dots, text + bytes_of(text, length - tail));
		return;
	}
	size_t pad = length < width ? width - length : 0;
	if (is_right(kind))
		fprintf(file, "%*s", (int)pad, "");
	fputs(text, file);
	if (!is_right(kind) && !last)
		fprintf(file, "%*s", (int)pad, "");
}

static void put_line(FILE *file, const struct layout *layout, const struct sheet *sheet, const char *const *texts)
{
	size_t last = 0;
	for (size_t c = 0; c < sheet->column_count; c++)
		if (layout->widths[c] && *texts[c])
			last = c;
	bool first = true;
	for (size_t c = 0; c <= last; c++) {
		if (!layout->widths[c])
			continue;
		fprintf(file, "%*s", first ? 0 : GAP, "");
		put_padded(file, texts[c], layout->widths[c], sheet->columns[c].unit, c == last, layout->ascii ? "..." : "…");
		first = false;
	}
	fputc('\n', file);
}

static void put_wrapped(FILE *file, const char *mark, const char *text, size_t width, bool ascii);

/* What the columns that are there mean, in one paragraph. */
static void put_legend(FILE *file, struct layout *layout, const struct sheet *sheet, size_t width)
{
	const char *text = sheet->legend ? sheet->legend : "";
	for (size_t c = 0; c < sheet->column_count; c++)
		if (layout->widths[c] && sheet->columns[c].meaning)
			text = pool_print(&layout->pool, "%s%s%s: %s.", text, *text ? " " : "", sheet->columns[c].title,
			                  sheet->columns[c].meaning);
	if (*text)
		put_wrapped(file, "", text, width, layout->ascii);
}

static void put_sheet(FILE *file, const struct sheet *sheet, size_t width, struct style style)
{
	struct layout layout = {.ascii = style.ascii};
	measure(&layout, sheet);
	fit(&layout, sheet, width);
	const char **titles = memory_zeroed(sheet->column_count, sizeof *titles);
	for (size_t c = 0; c < sheet->column_count; c++)
		titles[c] = sheet->columns[c].title ? sheet->columns[c].title : "";
	fputs(style.bold, file);
	put_line(file, &layout, sheet, titles);
	fputs(style.end, file);
	for (size_t r = 0; r < sheet->row_count; r++) {
		if (sheet->rows[r].gap && r)
			fputc('\n', file);
		put_line(file, &layout, sheet, layout.texts + r * sheet->column_count);
	}
	if (sheet->drawing)
		fprintf(file, "\n%s\n", style.ascii ? locale_ascii(&layout.pool, sheet->drawing) : sheet->drawing);
	fputs(style.dim, file);
	put_legend(file, &layout, sheet, width);
	fputs(style.end, file);
	free(titles);
	free(layout.texts);
	free(layout.widths);
	pool_free(&layout.pool);
}

/* A sentence, broken at spaces, its further lines indented. */
static void put_wrapped(FILE *file, const char *mark, const char *text, size_t width, bool ascii)
{
	struct pool pool = {0};
	const char *at = shown(&pool, text, ascii);
	size_t indent = escape_width(mark), column = indent;
	fputs(mark, file);
	for (bool first = true; *at; first = false) {
		size_t bytes = strcspn(at, " ");
		if (at[bytes] && at[bytes + 1] == '%')
			bytes += 1 + strcspn(at + bytes + 1, " "); /* stays with its number */
		char *word = pool_print(&pool, "%.*s", (int)bytes, at);
		size_t length = escape_width(word);
		if (!first && column + 1 + length > width) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			fputc(' ', file);
			column++;
		}
		fputs(word, file);
		column += length;
		at += bytes + strspn(at + bytes, " ");
	}
	fputc('\n', file);
	pool_free(&pool);
}

void out_wrapped(FILE *file, const char *mark, const char *text, unsigned width)
{
	put_wrapped(file, mark, text, width, !locale_is_utf8());
}

void out_text(FILE *file, const struct page *page, unsigned width, bool colour)
{
	struct style style = style_of(colour);
	for (size_t i = 0; i < page->verdict_count; i++) {
		fputs(i == 0 ? style.bold : "", file);
		put_wrapped(file, i == 0 ? "" : "- ", page->verdict[i], width, style.ascii);
		fputs(i == 0 ? style.end : "", file);
	}
	if (page->verdict_count)
		fputc('\n', file);
	if (page->heading)
		put_wrapped(file, "", page->heading, width, style.ascii);
	put_sheet(file, page->sheet, width, style);
	fputs(style.dim, file);
	if (page->caveat_count)
		fputs("\nWhat may be wrong with this:\n", file);
	for (size_t i = 0; i < page->caveat_count; i++)
		put_wrapped(file, "- ", page->caveats[i], width, style.ascii);
	fputs(style.end, file);
}
