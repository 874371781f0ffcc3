/* SPDX-License-Identifier: MIT */
/* table.h: what recordings of a lens are compared by: which rows of which views, how rows of two recordings are known to be the same,
 * which figures, and what of them is worse. A lens has one list of such tables, as data, beside its views; so the numbers of a diff
 * are those of its reports.
 *
 *     static const struct diff_figure figures[] = {
 *             {"direct_ns", "direct time", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
 *             {"calls", "calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
 *             {0},
 *     };
 *     static const struct diff_table tables[] = {
 *             {.what = "routine", .view = &view_routines, .shape = DIFF_ROUTINES, .figures = figures},
 *             {0},
 *     };
 *     const struct diff_lens view_calls_diff = {tables};
 *
 * Rows are known by the routine that they are about (sheet_about) and by the columns in `keys`, never by numbers of a link. */
#ifndef SKEIN_DIFF_TABLE_H
#define SKEIN_DIFF_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include "report/sheet.h"

struct view;

enum diff_worse { DIFF_NEITHER, DIFF_MORE, DIFF_LESS };

enum diff_kind {
	DIFF_EXACT,    /* runs that do the same have the same figure: each difference is one of the programs */
	DIFF_MEASURED, /* a time, or what depends on times: runs differ by chance */
	DIFF_CLOCK,    /* exact if the clock counts instructions (the row `clock` of the summary is insn), else measured */
	DIFF_INTERVAL, /* estimated, with a confidence interval of 95 %: the two figures that follow in the list, as DIFF_BOUND */
	DIFF_BOUND,
	DIFF_WORD, /* a text */
	DIFF_PAIR  /* computed from both recordings by `pair`; exact */
};

enum { DIFF_KEYS = 3, DIFF_FIGURES = 12, DIFF_PARTS = 3 };

/* A value that a column must have. */
struct diff_where {
	const char *column, *value;
};

struct diff_figure {
	const char *name;  /* as CSV of the diff has it; NULL ends a list */
	const char *words; /* in sentences */
	enum unit unit;
	enum diff_kind kind;
	enum diff_worse worse;
	bool adds_up;                  /* the figures of all rows, or of the root of a tree, are a whole of which a row has a share */
	const char *parts[DIFF_PARTS]; /* the columns whose sum it is; none: the column that has its name */
	const char *per;               /* of a summary: divided by this figure */
	struct diff_where where[2];    /* only of rows that have this */
};

enum diff_shape {
	DIFF_RUN,      /* a summary: each row is a figure of the one row `run` */
	DIFF_ROUTINES, /* a row is its routine */
	DIFF_THINGS,   /* a row is its routine, if it is about one, its keys, and its place in the routine */
	DIFF_TREE      /* likewise, below its parent; rows that `where` leaves out have their children given to their parents */
};

struct diff_table {
	const char *what;
	const struct view *view;
	enum diff_shape shape;
	bool all_rows;               /* the view has them in CSV only */
	struct diff_where where[2];  /* rows that have one of these values; none: all */
	const char *keys[DIFF_KEYS]; /* columns */
	const char *lines;           /* a column that lists lines: also a key, by their distance from the routine's first line */
	const char *title;           /* what a row is called: %0 is its routine, %1 to %3 are its keys, %l its lines; NULL: the routine */
	const struct diff_figure *figures;
	/* The figure of DIFF_PAIR of one routine, by the data of both; not a number: there is none. */
	void (*pair)(const void *old, uint32_t old_routine, const void *new, uint32_t new_routine, double *before, double *after);
};

struct diff_lens {
	const struct diff_table *tables; /* ended by one without a name */
	const char *const *agree;        /* rows of the summary that must be the same in all recordings, ended by NULL; may be NULL */
};

#endif
