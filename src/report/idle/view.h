/* SPDX-License-Identifier: MIT */
/* view.h: the views of the idle lens.
 *
 * Three of them are trees: top-down (who called whom; figures with everything below), bottom-up (who ran, then who
 * called it) and flat (file, routine, loop, line). All three are a forest whose nodes costs are put into at the
 * innermost one (forest.c) and which is then shown in one way (rows.c): the columns that scripts may rely on, further
 * ones, one for each event and --derive, and those of text. */
#ifndef SKEIN_VIEW_IDLE_H
#define SKEIN_VIEW_IDLE_H

#include "analyse/idle/idle.h"
#include "analyse/idle/verdict.h"
#include "base/map.h"
#include "report/diff/table.h"
#include "report/idle/derive.h"
#include "report/lens.h"

struct idle_data {
	struct run run;
	struct idles idles;
	struct idle_asked {
		bool physical; /* stack frames as they were */
		bool by_thread;
		long thread;      /* only this one; -1: all */
		long depth;       /* rows deeper than that are left out; -1: as the view has it */
		int metric;       /* the metric that decides what is large; -1: the view's own */
		double threshold; /* rows with a smaller share of the effort are left out, in percent; below 0: as the form has it */
		struct idles_limits limits; /* what a verdict calls high */
		struct derive *derived;     /* columns of --derive */
		size_t derived_count;
		const char *source; /* the file whose lines are asked for, or NULL */
	} asked;
};

/* ---- a forest ---- */

enum { IDLE_FILE = IDLES_KINDS }; /* a kind of node that is no scope */
#define IDLE_NO_NODE 0xffffffffu

struct idle_three {
	uint64_t work_ns, idle_ns, overhead_ns;
};

void idle_three_add(struct idle_three *to, const struct idles_sums *sums);

struct idle_node {
	uint32_t parent; /* lower than its own index, or IDLE_NO_NODE */
	uint32_t kind;   /* enum idles_kind or IDLE_FILE */
	uint32_t routine;
	const char *file;
	uint32_t line;
	struct idles_sums sums;
	struct idle_three own, whole; /* excluding and including what is called; sums are one of them, as the view has it */
	uint64_t events[RAW_IDLE_EVENT_MAX];
};

struct idle_forest {
	const struct idles *idles;
	struct idle_node *nodes;
	size_t count, room;
	struct lookup index;
};

typedef void idle_plant(struct idle_forest *forest, enum idles_tree tree, long depth, uint32_t *nodes);
idle_plant idle_plant_top_down, idle_plant_bottom_up, idle_plant_flat; /* nodes[scope]: where a cost of the scope goes */

/* Plants the forest, puts costs and events of a thread (UINT32_MAX: of all) into it, and adds up what is below each node.
 * depth: of a bottom-up one; below 0: whatever there is. */
void idle_forest_grow(struct idle_forest *forest, const struct idles *idles, idle_plant *plant, enum idles_tree tree, long depth,
                      uint32_t thread);
void idle_forest_free(struct idle_forest *forest);
uint32_t idle_forest_enter(struct idle_forest *forest, const struct idle_node *node); /* finds the same node, or adds it */
const char *idle_node_name(struct pool *pool, const struct idles *idles, const struct idle_node *node);

/* ---- metrics ---- */

enum { IDLE_METRICS = 11 + RAW_IDLE_EVENT_MAX };
extern const char *const idle_metric_names[];                                    /* work_ns … cores; events follow */
size_t idle_metrics(const struct idles *idles, const char *names[IDLE_METRICS]); /* how many there are here */
void idle_metric_values(const struct idles *idles, const struct idles_sums *sums, const uint64_t *events, double values[IDLE_METRICS]);

/* The number of what --metric names (work, idle, overhead, effort, samples or an event), or -1. */
int idle_metric_find(const struct idles *idles, const char *name);

/* ---- views ---- */

extern const struct diff_lens view_idle_diff;
extern const struct view view_idle_top_down, view_idle_bottom_up, view_idle_flat, view_idle_threads, view_idle_summary, view_idle_folded,
	view_idle_source;
extern const struct figure_set figures_idle; /* figures.c */

enum idles_tree view_idle_tree(const struct idle_asked *asked);

/* Which threads a view has row sets for: calls `one` with each thread that was sampled, or once with UINT32_MAX. */
/* `last`: UINT32_MAX - 1 to begin; returns that at the end */
uint32_t view_idle_next_thread(const struct idles *idles, const struct idle_asked *asked, uint32_t last);

int view_idle_draw_top_down(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_idle_draw_bottom_up(const void *data, const struct view_ask *ask, FILE *file, struct fail *why);
int view_idle_stack(const void *data, bool arcs, struct stacks *stacks, struct fail *why); /* for exports */

#endif
