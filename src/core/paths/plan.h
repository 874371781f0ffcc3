/* SPDX-License-Identifier: MIT */
/* plan.h: the operations on the edges of a function that count its paths, or a chosen part of them.
 *
 * A plan is a list of operations, sorted by edge and by order on the edge, with one register per frame:
 *
 *     SET       register = value
 *     ADD       register += value
 *     COUNT     counter[register + value]++
 *     COUNT_AT  counter[value]++
 *     LOOK_UP   register = place * paths, where place is the index, from 1, of register + value in the function's
 *               table of prefixes (graph.h: cuts)
 *
 * Indices of counters are numbers of paths, or lie above them and below `keys`: these belong to no chosen path and
 * are not reported. With cuts an index is prefix * paths + number: below `keys` if no cut was met, else larger, for
 * a hash; there is no place above (2^64 - 1) / paths - 1; a path that needs one is lost. paths_decode gives the
 * arcs, with the plan's own labels. On an edge to PATHS_EXIT operations come before the frame ends, and before the
 * call if that does not return. The last edge of the graph is the function's beginning.
 *
 *     paths_plan_best(&plan, g, chosen, weights, memory);          chosen: by arc, NULL for all
 *     for (i = 0; i < plan.count; i++) put(plan.op[i]);
 *     table = plan.keys <= limit ? array : hash;
 *     …
 *     n = paths_decode(&plan.labels, g, number, arcs);
 *
 * *Hits* are operations that are executed. An increment is an ADD or a SET to something else than 0; an update is a
 * COUNT or a LOOK_UP; SETs to 0 are counted apart (P3 has a probe wherever a label is not 0). paths_hits computes
 * hits exactly, from how often the edges are passed. */
#ifndef SKEIN_CORE_PATHS_PLAN_H
#define SKEIN_CORE_PATHS_PLAN_H

#include "core/paths/label.h"

enum paths_op_kind { PATHS_SET, PATHS_ADD, PATHS_COUNT, PATHS_COUNT_AT, PATHS_LOOK_UP };

struct paths_op {
	uint64_t value;
	uint32_t edge;
	uint32_t arc; /* the arc of the operation: an edge that is cut has two */
	uint8_t kind;
};

struct paths_plan {
	struct paths_labels labels;
	struct paths_op *op;
	uint32_t count;
	uint32_t pinned; /* number of operations on pinned edges, for which there is no other place */
	uint64_t keys;
	uint8_t *known; /* by block: the register is a constant there, and need not exist */
	uint64_t *constant;
};

struct paths_hits {
	double increments, updates, zeroed;
};

/* The plan as published: a SET wherever a path begins, an ADD on each arc with a value, a COUNT wherever a path
 * ends. */
enum paths_status paths_plan_plain(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory);

/* The same counts by fewer operations: see plan.c. `labels` are copied. */
enum paths_status paths_plan_moved(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory);

/* The cheapest plan of all kinds of labels, placed and moved, by weights of arcs. NULL: all arcs have the same
 * weight. A graph with cuts is always counted whole: prefixes are made in one place. */
enum paths_status paths_plan_best(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                  struct paths_memory *memory);

/* A cheaper plan for one of several copies: the counter of a path may also count other paths, which have their own
 * counters in this copy or another. merge.h separates them, for which all copies must be planned with the same
 * weights. As in other plans, a frame that never ends, in a call that does not return, is not counted. */
enum paths_status paths_plan_relaxed(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                     struct paths_memory *memory);

/* paths_plan_moved with the rules of paths_plan_relaxed, by these weights. */
enum paths_status paths_plan_loosened(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                      const double *weights, struct paths_memory *memory);

/* The hits of a run that passes edge e as often as passed[e] says. */
struct paths_hits paths_hits(const struct paths_plan *plan, const double *passed);

/* The cost of a plan by weights of arcs: increments and updates, and a little for SETs to 0. An update among more
 * than PATHS_ARRAY_KEYS counters costs twice as much. */
#define PATHS_ARRAY_KEYS (1ull << 20)
double paths_plan_cost(const struct paths_plan *plan, const struct paths_graph *g, const double *weights);

/* The way of a frame that never ended, from the register in the block where it stopped: its arcs, entry or head
 * first; returns their number, 0: no way. *key is the key of a path that begins with the way; with cuts, follow its
 * prefix. Only for blocks with `stops` set (graph.h). If the plan counts only some paths, the result is right if the
 * way begins one of them; otherwise there is no result, or a wrong one (paths_merge_stops). */
uint32_t paths_decode_prefix(const struct paths_plan *plan, const struct paths_graph *g, uint32_t block, uint64_t reg, uint64_t *key,
                             uint32_t *arcs);

/* What paths_plan_relaxed would cost. */
enum paths_status paths_price(double *cost, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                              struct paths_memory *memory);

#endif
