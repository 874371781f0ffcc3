/* SPDX-License-Identifier: MIT */
/* figure.h: the figures of a lens that a claim can be about (`skein check`), each found in a view of the lens.
 *
 * A figure is a column of a view, or a row of the view `summary`: the view that prints the figure finds it here, too, so numbers
 * agree with `skein report LENS --csv`. A lens lists its figures in src/report/LENS/figures.c:
 *
 *     static const struct figure_rows routine = {FIGURE_ROUTINE, &view_routines, .name = "routine", .where = {{"worker", "all"}}};
 *     static const struct figure list[] = {
 *             {"calls", UNIT_COUNT, FIGURE_EXACT, &routine, "calls", .meaning = "calls of the routine"},
 *             {0},
 *     };
 *
 *     struct figures_found found = {0};
 *     if (figures_find(lens, data, figure, "parse_*", NULL, &found, &why) == 0) … found.list[i].value …
 *     figures_free(&found);
 *
 * `data` are those of lens_open. A thing that the claim names is a name or a pattern, and each match is an element of its own. */
#ifndef SKEIN_FIGURE_H
#define SKEIN_FIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include "base/fail.h"
#include "base/memory.h"
#include "report/sheet.h"

struct lens;
struct view;

/* clang-format off */
#define FIGURE_ABOUT_LIST(X)       \
	X(RUN, "whole run")        \
	X(ROUTINE, "routine")      \
	X(SITE, "caller -> callee") \
	X(OBJECT, "object")
#define FIGURE_KIND_LIST(X)                                                                             \
	X(EXACT, "exact")       /* the same in each run of a deterministic program, on any machine */   \
	X(MEASURED, "measured") /* a time, or what depends on times */                                  \
	X(SAMPLED, "sampled")   /* estimated; the recording tells how far off it may be */
/* clang-format on */
enum figure_about {
#define X(name, text) FIGURE_##name,
	FIGURE_ABOUT_LIST(X)
#undef X
		FIGURE_ABOUTS
};
enum figure_kind {
#define X(name, text) FIGURE_##name,
	FIGURE_KIND_LIST(X)
#undef X
		FIGURE_KINDS
};
extern const char *const figure_about_names[FIGURE_ABOUTS], *const figure_kind_names[FIGURE_KINDS];

enum { FIGURE_FILTERS = 2 };

/* Which rows of a view have the figure. */
struct figure_rows {
	enum figure_about about;
	const struct view *view; /* about the whole run: the view with the columns name and value */
	const char *name;        /* the column with the name of what the row is about; of a site: its callee */
	const char *caller;      /* of a site */
	struct {
		const char *column, *is;
	} where[FIGURE_FILTERS]; /* only rows with this text */
	bool adds_up;            /* the rows of one name are added; otherwise each row counts by itself */
	bool none_is_zero;       /* a routine of this recording without a row has 0 of this */
	const char *none;        /* why there may be no row of a right name; NULL: then the name is wrong */
	const char *missing;     /* what to do if nothing was recorded: "record with --routines"; may be NULL */
};

/* What is known of a value besides itself: in which range the true one is, with 95 % confidence. */
struct figure_range {
	double low, high;
};

struct figure_cell {
	const void *data;
	const struct sheet *sheet;
	size_t row;
	double value;
};

struct figure {
	const char *name;
	enum unit unit; /* UNIT_COUNT, UNIT_NS, UNIT_PERCENT or UNIT_RATIO */
	enum figure_kind kind;
	const struct figure_rows *rows;
	const char *column;    /* or the row of the summary */
	const char *less, *of; /* of the same row: is subtracted; of which the value is a percentage */
	const char *of_run;    /* a row of the summary of which it is a percentage */
	struct figure_range (*range)(const struct figure_cell *cell); /* of what is sampled; low is not a number: nothing is known */
	const char *meaning;
};

struct figure_set {
	const struct figure *list; /* ended by one without a name */
	const struct view *summary;
	bool (*is_exact)(const void *data); /* whether what can be exact is so in this recording; NULL: always */
};

struct figure_found {
	const char *name, *place; /* of what it is about; "": of the whole run, or not known */
	bool is_known;            /* the figure was measured */
	enum figure_kind kind;
	long double value;
	double low, high;     /* the same as value, unless it is sampled or events were lost */
	bool is_small_sample; /* nothing is known of the error: too few samples */
};

struct figures_found {
	struct figure_found *list;
	size_t count, room;
	uint64_t lost;       /* events of this recording that are missing in exact figures */
	const char *missing; /* why there is no value, in a sentence without its end; NULL: there are values */
	struct pool pool;
};

/* -1: the recording has no such routine, site or object. `caller` is NULL, but for a site. */
int figures_find(const struct lens *lens, const void *data, const struct figure *figure, const char *name, const char *caller,
                 struct figures_found *found, struct fail *why);
void figures_free(struct figures_found *found);

/* A number of that unit as people read it; `digits` more digits than usual after the point. */
const char *figure_text(struct pool *pool, enum unit unit, long double value, int digits);
/* With 95 % confidence, by Wilson: the true part, if `part` (0 to 1) of n samples was seen. */
struct figure_range figure_part_of(double part, double n);
/* For a range: the number in a column of the cell's row; not a number: it is empty. */
double figure_beside(const struct figure_cell *cell, const char *column);

#endif
