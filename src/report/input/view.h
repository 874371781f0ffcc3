/* SPDX-License-Identifier: MIT */
/* view.h: the views of the input lens, each a function that lists the columns of a row, and one that makes the rows.
 *
 * The first columns of routines, points and summary are promised to scripts; more may follow them. `thread` is a number
 * in --view runs' order, or `all`. Columns ending in _pct are in percent of: the program's cost (cost, x10), all input
 * of the routine (thread, external), its induced first accesses (thread_induced, external_induced). */
#ifndef SKEIN_VIEW_INPUT_H
#define SKEIN_VIEW_INPUT_H

#include "analyse/input/result.h"
#include "report/diff/table.h"
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
		long thread;          /* only this one; -1: all */
		bool svg;             /* a picture */
		bool overlay, linear; /* plots: rms and trms in one, and no logarithms */
	} asked;
};

extern const struct diff_lens view_input_diff;
extern const struct view view_input_routines, view_input_points, view_input_workload, view_input_sources, view_input_distribution,
	view_input_threads, view_input_contexts, view_input_runs, view_input_summary;
extern const struct figure_set figures_input; /* figures.c */

bool view_input_wants(const struct input_data *d, const char *asked, uint32_t routine);
const char *view_input_thread(struct pool *pool, uint32_t thread);            /* number of the thread, or "all" */
const char *view_input_model(const struct models_fit *g);                     /* as scripts have it; "" if there is none */
const char *view_input_growth(struct pool *pool, const struct models_fit *g); /* "n^2", "n^1.5", or why there is none */
const char *view_input_why(struct pool *pool, const struct models_fit *g);    /* why there is none: "only 3 sizes" */

/* Threads that ran the routine and were asked for, in order; the caller frees. */
uint32_t *view_input_threads_of(const struct input_data *d, uint32_t routine, size_t *count);

/* ---- pictures ---- */

/* Which options of plots a view takes: --overlay and --linear; --linear; neither. */
enum view_input_plot { VIEW_PLOT_OF_SIZES, VIEW_PLOT_OF_SHARES, VIEW_PLOT_NONE };
/* Refuses options of plots where nothing is drawn as they say; is_in_text: text has the plot, too. */
int view_input_check_plot(const struct input_data *d, enum view_input_plot plot, bool is_in_text, struct fail *why);
int view_input_check_no_plot(const void *data, const struct view_ask *ask, struct fail *why);

/* --svg of the views: one routine, or a gallery of all that were asked for and have a cost function */
int view_input_draw_cost(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_input_draw_workload(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_input_draw_sources(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_input_draw_distribution(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);

/* ---- what tables and pictures of the whole program share ---- */

/* The routines asked for, the one with the largest share of induced input first; the caller frees the list. */
const struct inputs_result **view_input_by_source(const struct input_data *d, const struct view_ask *ask, size_t *count);
uint64_t view_input_induced(const struct inputs_result *r); /* induced reads, of other threads' and the kernel's writes */

/* The metrics of --view distribution: names as scripts have them, and the value of each routine that has one, the largest first. */
enum view_input_metric { VIEW_RICHNESS, VIEW_VOLUME, VIEW_THREAD, VIEW_EXTERNAL, VIEW_METRICS };
extern const char *const view_input_metric_names[VIEW_METRICS];
size_t view_input_values(const struct input_data *d, enum view_input_metric metric,
                         double *values); /* room for all routines; returns how many */

#endif
