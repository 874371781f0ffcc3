/* SPDX-License-Identifier: MIT */
/* body.h: makes the graph and the plan of a function from its blocks, for the pass that instruments and the report
 * that decodes.
 *
 * Pass and report must agree on every number. So both begin with the same facts, which the pass writes to a file
 * (pass/shape.h), and call the same functions:
 *
 *     struct paths_body b = {.blocks = …, .edge = …, .edges = …, .stops = …, .passed = …};
 *     paths_body_graph(&b, &graph, &weights, memory);                     weights of the graph's arcs
 *     paths_body_plan(&plan, &graph, PATHS_HOW_BEST, chosen, weights, memory);
 *
 * A function with more than PATHS_BODY_WHOLE paths is cut (graph.h), at edges that are seldom passed; then an index
 * below plan.keys is a path that met no cut, and has its counter in an array; an index above is for a growing array,
 * or for a hash. */
#ifndef SKEIN_CORE_PATHS_BODY_H
#define SKEIN_CORE_PATHS_BODY_H

#include "core/paths/plan.h"

#define PATHS_BODY_WHOLE (1ull << 19) /* most paths of a function that is not cut */
#define PATHS_BODY_CUT (1ull << 15)   /* most segments of a function that is cut: few, so that keys behind cuts are dense */
#define PATHS_BODY_UNSEEN 0.01        /* part of the guess for one call that is added to each measured weight */

struct paths_body {
	uint32_t blocks, edges;
	const struct paths_edge *edge;
	const uint8_t *stops; /* by block; see graph.h */
	/* how often each edge, and last the function's beginning, is passed, measured or guessed; NULL: guess, for
	 * one call */
	const double *passed;
};

/* How a function's paths are counted. */
/* clang-format off */
#define PATHS_HOW_LIST(X)                                                                         \
	X(ALL, "all")   /* by one copy: paths_plan_best of all paths, or of the chosen ones */    \
	X(P3, "p3")     /* as published, and PBL: paths_plan_p3 */                                \
	X(BEST, "best") /* Skein's own, for one of several copies: paths_plan_relaxed */
/* clang-format on */
enum paths_how {
#define X(name, text) PATHS_HOW_##name,
	PATHS_HOW_LIST(X)
#undef X
		PATHS_HOWS
};

/* Weights of edges: the guess for one call, which is in `passed`, and the measured counts, or NULL. An edge that was
 * never passed gets a small weight, since the next run may pass it. */
void paths_body_weigh(double *passed, const double *counted, uint32_t edges);

enum paths_status paths_body_graph(const struct paths_body *b, struct paths_graph *g, double **weights, struct paths_memory *memory);
enum paths_status paths_body_plan(struct paths_plan *plan, const struct paths_graph *g, enum paths_how how, const uint8_t *chosen,
                                  const double *weights, struct paths_memory *memory);

/* How many paths a graph without cuts has; exact below 2^53. Paths have numbers if there are fewer than
 * PATHS_NUMBERED. */
#define PATHS_NUMBERED 0x1p62
double paths_possible(const struct paths_graph *g, struct paths_memory *memory);

#endif
