/* SPDX-License-Identifier: MIT */
/* sheet.h: a table of results. Every view fills one; text, CSV and JSON are three ways to print it, so they have the
 * same numbers.
 *
 * A function lists the columns of a row. One statement has all that there is to say of a column: its unit, its name in CSV
 * and JSON, its heading in text, how its value is found, and what else struct column can say.
 *
 *     static void put_call(struct sheet *s, const struct call *r)
 *     {
 *             COLUMN(s, NAME, "routine", "routine", r->routine->name);
 *             COLUMN(s, COUNT, "calls", "calls", r->calls);
 *             COLUMN(s, NS, "wait_ns", "wait", r->wait_ns, .drop = 2, .meaning = "sum over workers");
 *             COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line));
 *     }
 *
 *     sheet_start(&sheet, true);
 *     put_call(&sheet, &(struct call){0});        before the first row: declares the columns and looks at no value
 *     sheet_row(&sheet, 0);
 *     put_call(&sheet, &call);                    the cells of that row
 *     if (sheet_sort(&sheet, "calls", &why) < 0) …
 *     out_csv(stdout, &page);
 *     sheet_free(&sheet);
 *
 * Texts are lent: they live as long as the sheet, in the recording, in the sheet's pool, or in the program. A row's rank
 * keeps kinds of rows apart: rows of a lower rank come first, however the sheet is sorted (totals before details). Rows may
 * be a tree, each parent followed by what is below it (sheet_nest): then siblings are sorted, and the top rows are those
 * with the largest values, with their parents. */
#ifndef SKEIN_SHEET_H
#define SKEIN_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "base/fail.h"
#include "base/memory.h"

/* What a value is: decides how each form shows it. */
enum unit {
	UNIT_NAME,    /* text that may be shortened in its middle to fit a terminal */
	UNIT_CONTEXT, /* like the unit before, but at least half a terminal wide: optional columns go first */
	UNIT_CODE,    /* text that may be cut off at its end */
	UNIT_LIST,    /* like the unit before, and may become shorter: its first words tell most */
	UNIT_TEXT,
	UNIT_ID,    /* a number that counts nothing, such as a line or a process: text shows its digits */
	UNIT_COUNT, /* text shows three digits and a letter of what has more than six */
	UNIT_NS,    /* nanoseconds; text shows them with a fitting unit */
	UNIT_PERCENT,
	UNIT_RATIO,
	UNIT_BAR,   /* a share from 0 to 1, drawn; only in text */
	UNIT_FIGURE /* a count, of which text shows every digit, or a text: the value is a cell */
};

struct column {
	const char *name;  /* in CSV and JSON; NULL: only in text. --sort takes names and titles */
	const char *title; /* in text; NULL: not in text */
	enum unit unit;
	int drop;            /* 0: always in text; else columns with the highest number are left out first when there is no room */
	const char *meaning; /* told below the table in text, if the title does not tell; may be NULL */
	const char *sorts;   /* --sort by this word means this column, though another one is called so; may be NULL */
};

#define COLUMN(sheet, unit_name, csv_name, heading, value, ...)                                                           \
	do {                                                                                                              \
		if ((sheet)->row_count == 0)                                                                              \
			sheet_declare(sheet, &(struct column){csv_name, heading, .unit = UNIT_##unit_name, __VA_ARGS__}); \
		else if (sheet_keeps(sheet, csv_name))                                                                    \
			SHEET_PUT_##unit_name(sheet, value);                                                              \
	} while (0)
#define SHEET_PUT_NAME sheet_put_text
#define SHEET_PUT_CONTEXT sheet_put_text
#define SHEET_PUT_CODE sheet_put_text
#define SHEET_PUT_LIST sheet_put_text
#define SHEET_PUT_TEXT sheet_put_text
#define SHEET_PUT_ID sheet_put_number
#define SHEET_PUT_COUNT sheet_put_number
#define SHEET_PUT_NS sheet_put_number
#define SHEET_PUT_PERCENT sheet_put_real
#define SHEET_PUT_RATIO sheet_put_real
#define SHEET_PUT_BAR sheet_put_real
#define SHEET_PUT_FIGURE sheet_put

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
	uint32_t about; /* the routine of the run that the row is about, SHEET_NO_ROUTINE: none */
	uint32_t own;   /* the routine whose own figures the row has, if that is another one; SHEET_NO_ROUTINE: it is not */
	size_t first_cell;
	size_t head; /* first cell of the row that it stays below; its own if it goes by itself */
};

#define SHEET_NO_ROUTINE UINT32_MAX

struct sheet {
	const char *const *only; /* names of the columns that are wanted, ended by NULL; NULL: all. Others cost nothing */
	struct column *columns;
	size_t column_count, column_room;
	bool is_text;   /* names are short */
	bool keeps_all; /* otherwise columns without a name, which are in text only, are dropped */
	struct sheet_row *rows;
	size_t row_count, row_room;
	struct cell *cells;
	size_t cell_count, cell_room;
	bool is_tree;
	bool is_plain;                   /* text is the cells of each row and nothing else: what other programs read */
	size_t sorted_by;                /* column + 1; 0: not sorted */
	const char *legend;              /* what must be known of the whole table, in text; may be NULL */
	const char *drawing;             /* lines that text shows below the table as they are; may be NULL */
	FILE *pour;                      /* rows are written there as CSV, and forgotten, while further ones are made; NULL: they stay */
	size_t poured, pour_most;        /* rows that were written; how many are to be, 0: all */
	const struct repeated *repeated; /* the runs of the lens (repeats/repeated.h); NULL: the views of one run are asked for */
	size_t left_out;                 /* rows that there was no room for; not in row_count */
	const char *doubt;               /* a sentence of what may be wrong with this table; may be NULL */
	struct pool pool;
};

void sheet_start(struct sheet *sheet, bool keeps_all); /* for text, and for whatever is sorted by a heading of text */
void sheet_free(struct sheet *sheet);
void sheet_row(struct sheet *sheet, unsigned rank);
void sheet_follow(struct sheet *sheet, unsigned rank);   /* a row that stays below the last one that sheet_row made */
void sheet_nest(struct sheet *sheet, uint32_t depth);    /* the row that was begun last is so deep in a tree */
void sheet_about(struct sheet *sheet, uint32_t routine); /* likewise, is about that routine: what a diff knows rows by */
void sheet_own(struct sheet *sheet, uint32_t routine);   /* likewise, has that routine's own figures, though it is about another one */
void sheet_gap(struct sheet *sheet, size_t row);         /* text leaves a line free before it */
double sheet_value(const struct cell *cell);             /* of a number or a real */
const struct cell *sheet_cell(const struct sheet *sheet, size_t row, size_t column);

/* For COLUMN. */
void sheet_declare(struct sheet *sheet, const struct column *column);
bool sheet_keeps(const struct sheet *sheet, const char *name);
void sheet_put(struct sheet *sheet, struct cell cell);
void sheet_put_text(struct sheet *sheet, const char *text);
void sheet_put_number(struct sheet *sheet, int64_t number); /* -1 leaves the cell empty: not measured */
void sheet_put_real(struct sheet *sheet, double real);      /* a value that is not a number leaves the cell empty too */

/* Numbers from the largest, texts from A; stable. The column is called so in CSV or, if none is, in text (in capitals or
 * not); a column that `sorts` by this word goes before both. A sheet that does not keep all columns knows no others. */
int sheet_sort(struct sheet *sheet, const char *column, struct fail *why);
bool sheet_has(const struct sheet *sheet, const char *column); /* anything in that column */
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

/* A number as scripts have it: all digits of a count, four behind the point of what is not whole. Nothing of an empty cell. */
void out_number(FILE *file, const struct column *column, const struct cell *cell);
void out_text(FILE *file, const struct page *page, unsigned width, bool colour);
void out_wrapped(FILE *file, const char *mark, const char *text, unsigned width); /* a sentence; its further lines are indented */
void out_csv(FILE *file, const struct page *page);
void out_csv_pour(struct sheet *sheet); /* for sheet_row */
void out_json(FILE *file, const struct page *page);
void out_plain(FILE *file, const struct page *page); /* of a sheet that is_plain: cells divided by spaces, a row a line */

#endif
