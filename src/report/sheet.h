/* SPDX-License-Identifier: MIT */
/* sheet.h: a table of results. Every view fills one; text, CSV and JSON are three ways to print it, so they have the
 * same numbers.
 *
 *     static const struct column columns[] = {
 *             {"routine", "routine", COLUMN_NAME, 0, NULL}, {"calls", "calls", COLUMN_COUNT, 0, NULL}, {"wait_ns",
 *             "wait", COLUMN_NS, 2, "sum over workers"}};
 *     struct sheet sheet;
 *     sheet_start(&sheet, columns, 3);
 *     sheet_row(&sheet, 0);
 *     sheet_text(&sheet, "fib"); sheet_number(&sheet, 21891); sheet_empty(&sheet);
 *     if (sheet_sort(&sheet, "calls", &why) < 0) …
 *     out_csv(stdout, &page);
 *     sheet_free(&sheet);
 *
 * Cells are given in the order of the columns; a row may leave out the last ones, if only text shows them. Texts are
 * copied, or lent, by somebody who keeps them as long as the sheet. A row's rank keeps kinds of rows apart: rows of a
 * lower rank come first, however the sheet is sorted (totals before details). Rows may be a tree, each parent followed
 * by what is below it (sheet_nest): then siblings are sorted, and the top rows are those with the largest values, with
 * their parents. */
#ifndef SKEIN_SHEET_H
#define SKEIN_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/fail.h"
#include "base/memory.h"

enum column_kind {
	COLUMN_NAME,    /* text that may be shortened in its middle to fit a terminal */
	COLUMN_CONTEXT, /* so, but not below half a terminal: columns that may be left out go first */
	COLUMN_CODE,    /* text that may be cut off at its end */
	COLUMN_TEXT,
	COLUMN_COUNT,
	COLUMN_AMOUNT, /* a count of which text shows three digits and a thousands' letter */
	COLUMN_NS,     /* nanoseconds; text shows them with a fitting unit */
	COLUMN_PERCENT,
	COLUMN_RATIO,
	COLUMN_BAR /* a share from 0 to 1, drawn; only in text */
};

struct column {
	const char *name;  /* in CSV, JSON and --sort; NULL: only in text */
	const char *title; /* in text; NULL: not in text */
	enum column_kind kind;
	int drop;            /* 0: always in text; else columns with the highest number are left out first when there is no room */
	const char *meaning; /* told below the table in text, if the title does not tell; may be NULL */
};

/* A sheet may have a hundred million of them. */
enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_REAL };
struct cell {
	enum cell_kind kind;
	union {
		const char *text;
		int64_t number;
		double real;
	};
};

struct sheet_row {
	unsigned rank;
	bool gap; /* text leaves a line free before it */
	uint32_t cells;
	uint32_t depth; /* in a tree of rows */
	size_t first_cell;
	size_t head; /* first cell of the row that it stays below; its own if it goes by itself */
};

struct sheet {
	const struct column *columns;
	size_t column_count;
	struct sheet_row *rows;
	size_t row_count, row_room;
	struct cell *cells;
	size_t cell_count, cell_room;
	bool is_tree;
	bool is_plain;       /* text is the cells of each row and nothing else: what other programs read */
	size_t sorted_by;    /* column + 1; 0: not sorted */
	const char *legend;  /* what must be known of the whole table, in text; may be NULL */
	const char *drawing; /* lines that text shows below the table as they are; may be NULL */
	const char *doubt;   /* a sentence of what may be wrong with this table; may be NULL */
	struct pool pool;
};

void sheet_start(struct sheet *sheet, const struct column *columns, size_t count);
void sheet_free(struct sheet *sheet);
void sheet_row(struct sheet *sheet, unsigned rank);
void sheet_follow(struct sheet *sheet, unsigned rank); /* a row that stays below the last one that sheet_row made */
void sheet_nest(struct sheet *sheet, uint32_t depth);  /* the row that was begun last is so deep in a tree */
void sheet_gap(struct sheet *sheet);                   /* before the row that was begun last */
void sheet_text(struct sheet *sheet, const char *text);
void sheet_lend(struct sheet *sheet, const char *text);
void sheet_number(struct sheet *sheet, int64_t number); /* -1 leaves the cell empty: not measured */
void sheet_real(struct sheet *sheet, double real);      /* of PERCENT, RATIO and BAR; not a number leaves it empty */
void sheet_empty(struct sheet *sheet);
double sheet_value(const struct cell *cell); /* of a number or a real */
const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column);

int sheet_sort(struct sheet *sheet, const char *column, struct fail *why); /* numbers from the largest, texts from A; stable */
bool sheet_has(const struct sheet *sheet, const char *column);             /* anything in that column */
void sheet_top(struct sheet *sheet, size_t rows);

/* For sheet_sort and sheet_top: order of two rows (struct sheet_row) by the cells of a column, and the same of whole
 * trees (sheet_tree.c). */
struct sheet_key {
	const struct sheet *sheet;
	size_t column;
};
int sheet_order(const void *a, const void *b, void *key);
void sheet_tree_sort(struct sheet *sheet, struct sheet_key *key);
void sheet_tree_top(struct sheet *sheet, size_t rows);

/* A page: what is said before and after the sheet. */
struct page {
	const char *lens, *view, *heading;
	const char *const *verdict, *const *caveats;
	size_t verdict_count, caveat_count;
	struct sheet *sheet;
};

void out_text(FILE *file, const struct page *page, unsigned width, bool colour);
void out_csv(FILE *file, const struct page *page);
void out_json(FILE *file, const struct page *page);
void out_plain(FILE *file, const struct page *page); /* of a sheet that is_plain: cells divided by spaces, a row a line */

/* Room for these: 24 bytes are enough. */
char *sheet_format_ns(char *to, int64_t ns);        /* 1.23 s, 45.6 ms */
char *sheet_format_amount(char *to, int64_t count); /* 21.9 k, 1.23 G */
char *sheet_format_count(char *to, int64_t count);  /* 21,891 */

#endif
