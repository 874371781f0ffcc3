/* SPDX-License-Identifier: MIT */
/* view.h: the views of the flow lens. */
#ifndef SKEIN_VIEW_FLOW_H
#define SKEIN_VIEW_FLOW_H

#include "analyse/flow/kept.h"
#include "analyse/flow/verdict.h"
#include "report/diff/table.h"
#include "report/lens.h"
#include "report/view.h"

/* The events themselves: loaded when they are asked for first, since most views do without. */
struct flow_lazy {
	struct store *store;
	struct flows_kept kept;
	bool is_loaded;
};

struct flow_data {
	struct run run;
	struct flows flows;
	struct flow_lazy *lazy;
	long thread; /* only this one; -1: all */
	bool is_sorted;
	const char *dot; /* which graph --dot asks for */
};

extern const struct diff_lens view_flow_diff;
extern const struct view view_flow_objects, view_flow_waits, view_flow_path, view_flow_threads, view_flow_timeline, view_flow_concurrency,
	view_flow_cores, view_flow_calls, view_flow_arcs, view_flow_summary, view_flow_events, view_flow_slack, view_flow_tasks,
	view_flow_dot, view_flow_intervals, view_flow_marks, view_flow_what_ifs;
extern const struct figure_set figures_flow; /* figures.c */

const struct flows_kept *view_flow_kept(const struct flow_data *data, struct fail *why);    /* NULL: no events are in the recording */
int view_flow_what_if(struct flow_data *data, const struct arguments *a, struct fail *why); /* asks what --what-if wants to know */
int view_flow_stack(const void *data, bool arcs, struct stacks *stacks, struct fail *why);  /* waits, for exports */
int view_flow_chrome(const void *data, FILE *file, struct fail *why);
int view_flow_speedscope(const void *data, FILE *file, struct fail *why);
int view_flow_otf2(const void *data, const char *folder, struct fail *why); /* otf2.c */
/* "wait: table_lock (lock)"; the pool owns the text */
const char *view_flow_wait_name(const struct flows *flows, uint32_t wait, uint32_t object, struct pool *pool);

int64_t view_flow_ns(const struct flows *flows, uint64_t ns);                              /* not known where events have no times */
int view_flow_check_times(const void *data, const struct view_ask *ask, struct fail *why); /* `check` of views that show times only */
int view_flow_draw_timeline(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_flow_draw_waits(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
const char *view_flow_routine(const struct sheet *sheet, const struct flows *flows, const struct flows_where *where); /* "" if not known */
const char *view_flow_place(struct sheet *sheet, const struct flows_where *where);
int64_t view_flow_line(const struct flows_where *where); /* not known where its file is not */
const char *view_flow_object(const struct flows *flows, uint32_t object);
int64_t view_flow_thread(const struct flows *flows, uint32_t thread); /* threads without a record of their own have no number */

#endif
