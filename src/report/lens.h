/* SPDX-License-Identifier: MIT */
/* lens.h: what reports know of a lens. Adding a lens means adding one struct to the list in lens.c; run/lens.h has what recording needs.
 *
 * `data` is the lens's own: load makes it from a recording, the other functions get it back. A view fills a sheet with
 * its own columns; what all views of a report share (verdict, caveats, sorting, printing) is done by cmd_report.c. */
#ifndef SKEIN_LENS_H
#define SKEIN_LENS_H

#include <limits.h>
#include "analyse/findings.h"
#include "options/arguments.h"
#include "report/sheet.h"
#include "store/store.h"

/* What was asked of a view. */
struct view_ask {
	const char *routine; /* only this one; NULL: all */
	long worker;         /* only this one; -1: all */
	bool by_worker;
	bool all_rows;      /* CSV and JSON: also what text leaves out */
	long top;           /* how many rows will be shown; 0: all; -1: as the view has it */
	const char *source; /* the file whose lines are shown, or NULL */
	long cores;         /* of the machine to judge by; 0: the one that recorded */
	bool physical;      /* idle: stack frames as they were */
	bool by_thread;
	long thread;                   /* only this one; -1: all */
	long depth;                    /* rows deeper than that are left out; -1: as the view has it */
	const char *metric;            /* that decides what is large; NULL: as the view has it */
	double threshold;              /* rows with a smaller share of the effort are left out, in percent; below 0: as the form has it */
	double min_idle, min_overhead; /* what a verdict calls high, in percent of the effort; below 0: the usual */
	long run;                      /* input: only this one, from 1; 0: all */
	const char *cost;              /* input: mean or worst; NULL: mean */
	const char *svg;               /* input: a file for a picture; NULL: none */
	const char *path;              /* paths: only this one; NULL: all */
	const struct arguments *arguments; /* for what may be repeated; NULL: nothing was asked */
};

struct view {
	const char *name, *help;
	const struct column *columns;
	size_t column_count;
	const char *sort;                                                             /* NULL: in the order in which the rows were made */
	const char *sort_else;                                                        /* where nothing of that column was measured */
	long top;                                                                     /* rows in text, unless somebody asks; 0: all */
	int (*check)(const void *data, const struct view_ask *ask, struct fail *why); /* whether it can be shown; may be NULL */
	void (*fill)(const void *data, const struct view_ask *ask, struct sheet *sheet);
};

struct lens {
	const char *name, *question;
	const struct view *views; /* the first one is the default */
	size_t view_count;
	void *(*load)(struct store *store, struct fail *why); /* NULL: why is filled */
	void (*unload)(void *data);
	void (*adapt)(void *data, const struct view_ask *ask); /* to what was asked, before all that follows; may be NULL */
	void (*judge)(const void *data, struct findings *verdict, struct findings *caveats);
	/* writes the picture that --svg asks for; may be NULL */
	int (*draw)(const void *data, const struct view_ask *ask, struct fail *why);
	bool (*knows_routine)(const void *data, const char *name);
};

extern const struct lens *const lenses[];
extern const size_t lens_count;
extern const struct lens lens_calls, lens_span, lens_idle, lens_input, lens_paths;

const struct lens *lens_find(const char *name);
int lens_unknown(const char *typed, struct fail *why);

#endif
