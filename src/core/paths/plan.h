/* SPDX-License-Identifier: MIT */
/* plan.h: what has to be done on the edges of a function so that its paths, or a chosen part of them, are counted.
 *
 * A plan is a list of operations, by edge, in the order in which they are done on it, with one register for each frame:
 *
 *     SET       register = value
 *     ADD       register += value
 *     COUNT     counter[register + value]++
 *     COUNT_AT  counter[value]++
 *     LOOK_UP   register = place * paths, where place is that of register + value in the function's table of prefixes, from 1 (graph.h:
 *               cuts)
 *
 * Indices of counters are numbers of paths, or lie above them and below `keys`: those are no one's and are not
 * reported. With cuts an index is prefix * paths + number: below `keys` if no cut was met, else larger, for a hash;
 * there is no place above (2^64 - 1) / paths - 1, what needs one is lost. paths_decode gives the arcs, with the plan's
 * own labels. On an edge to PATHS_EXIT operations come before the frame ends, and before the call if that does not
 * return. The last edge of the graph is the function's beginning.
 *
 *     paths_plan_best(&plan, g, chosen, weights, memory);          chosen: of each arc, NULL for all
 *     for (i = 0; i < plan.count; i++) put(plan.op[i]);
 *     table = plan.keys <= limit ? array : hash;
 *     …
 *     n = paths_decode(&plan.labels, g, number, arcs);
 *
 * *Hits* are operations that are executed. An increment is an ADD or a SET to something else than 0; an update is a
 * COUNT or a LOOK_UP; SETs to 0 are counted apart (P3 has a probe wherever a label is not 0). They follow from how
 * often the edges are passed: paths_hits computes them from that, exactly. */
#ifndef SKEIN_CORE_PATHS_PLAN_H
#define SKEIN_CORE_PATHS_PLAN_H

#include "core/paths/label.h"

enum paths_op_kind { PATHS_SET, PATHS_ADD, PATHS_COUNT, PATHS_COUNT_AT, PATHS_LOOK_UP };

struct paths_op {
	uint64_t value;
	uint32_t edge;
	uint32_t arc; /* on whose behalf: an edge that is cut has two */
	uint8_t kind;
};

struct paths_plan {
	struct paths_labels labels;
	struct paths_op *op;
	uint32_t count;
	uint32_t pinned; /* operations that are on pinned edges for want of another place */
	uint64_t keys;
	uint8_t *known; /* of a block: the register has a constant there, and need not exist */
	uint64_t *constant;
};

struct paths_hits {
	double increments, updates, zeroed;
};

/* Values and counters where the labels say: a SET wherever a path begins, an ADD on each arc that has a value, a COUNT
 * wherever a path ends. As published. */
enum paths_status paths_plan_plain(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory);

/* The same counts by fewer operations: see plan.c. `labels` are copied. */
enum paths_status paths_plan_moved(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory);

/* The cheapest, by weights of arcs, of what the ways to label give when placed and moved. NULL weights: all arcs alike.
 * A graph with cuts is always counted whole: prefixes are made in one place. */
enum paths_status paths_plan_best(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                  struct paths_memory *memory);

/* Cheaper still, for one of several copies: the counter of a path may count others too, which have counters of their
 * own here or in another copy. To be told apart by merge.h, for which all copies must be planned with the same weights.
 * A frame that never ends, in a call that does not come back, is not counted, as in other plans. */
enum paths_status paths_plan_relaxed(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                     struct paths_memory *memory);

/* paths_plan_moved, by these weights, as paths_plan_relaxed does it. */
enum paths_status paths_plan_loosened(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                      const double *weights, struct paths_memory *memory);

/* The hits of a run that passes edge e as often as passed[e] says. */
struct paths_hits paths_hits(const struct paths_plan *plan, const double *passed);

/* The same by arcs, where only the cost matters: increments and updates, and a little for SETs to 0. An update of more
 * than PATHS_ARRAY_KEYS counters is taken to cost twice as much. */
#define PATHS_ARRAY_KEYS (1ull << 20)
double paths_plan_cost(const struct paths_plan *plan, const struct paths_graph *g, const double *weights);

/* The way that a frame took which never ended, from the register in the block where it stopped: its arcs, entry or head
 * first, and their number; 0: there is none. *key is that of a path which it began: with cuts its prefix is to be
 * followed. Only for blocks that stop (graph.h). With a plan of some paths, what it tells is right if the way begins
 * one of them: else there is none, or it is a wrong one (paths_merge_stops). */
uint32_t paths_decode_prefix(const struct paths_plan *plan, const struct paths_graph *g, uint32_t block, uint64_t reg, uint64_t *key,
                             uint32_t *arcs);

/* What paths_plan_relaxed would cost. */
enum paths_status paths_price(double *cost, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                              struct paths_memory *memory);

#endif
