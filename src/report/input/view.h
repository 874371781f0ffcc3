/* SPDX-License-Identifier: MIT */
/* view.h: the views of the input lens, each a function that lists the columns of a row, and one that makes the rows.
 *
 * The first columns of routines, points and summary are promised to scripts; more may follow them. `thread` is a number
 * in --view runs' order, or `all`. Columns ending in _pct are in percent of: the program's cost (cost, x10), all input
 * of the routine (thread, external), its induced first accesses (thread_induced, external_induced). */
#ifndef SKEIN_VIEW_INPUT_H
#define SKEIN_VIEW_INPUT_H

#include "analyse/input/result.h"
#include "report/lens.h"

struct input_data {
	struct run run;
	struct inputs inputs;
	enum input_metric metric;
	enum models_cost measure;
	struct inputs_result *results; /* one a routine, the one that matters most first */
	size_t result_count;
	struct input_asked {
		bool one_metric; /* one metric was asked for, not all of them */
		bool by_thread;
		long thread;     /* only this one; -1: all */
		const char *svg; /* a file for a picture, or NULL */
	} asked;
};

extern const struct view view_input_routines, view_input_points, view_input_workload, view_input_sources, view_input_distribution,
	view_input_threads, view_input_contexts, view_input_runs, view_input_summary;

bool view_input_wants(const struct input_data *d, const char *asked, uint32_t routine);
const char *view_input_thread(struct pool *pool, uint32_t thread);            /* number of the thread, or "all" */
const char *view_input_model(const struct models_fit *g);                     /* as scripts have it; "" if there is none */
const char *view_input_growth(struct pool *pool, const struct models_fit *g); /* "n^2", "n^1.5", or why there is none */
const char *view_input_why(struct pool *pool, const struct models_fit *g);    /* why there is none: "only 3 sizes" */

/* Threads that ran the routine and were asked for, in order; the caller frees. */
uint32_t *view_input_threads_of(const struct input_data *d, uint32_t routine, size_t *count);

/* ---- pictures ---- */

/* What both show: cost by size on logarithmic axes, and the fitted curve. */
struct input_picture {
	const char *title, *x, *y;
	const struct models_point *points;
	size_t count;
	enum models_cost measure; /* the measure that was fitted, and is shown */
	const struct models_fit *growth;
};

double input_picture_cost(const struct input_picture *picture, size_t point);
const char *input_plot(struct pool *pool, const struct input_picture *picture); /* lines of text */
int input_svg(const char *path, const struct input_picture *picture, struct fail *why);
int view_input_draw(const void *data, const struct view_ask *ask, struct fail *why); /* --svg */
/* of the routines asked for, the first few */
const char *view_input_plots(struct pool *pool, const struct input_data *d, const struct view_ask *ask);

#endif
