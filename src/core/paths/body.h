/* SPDX-License-Identifier: MIT */
/* body.h: from the blocks of a function to its graph and its plan, in the one way that both who instruments and who decodes go.
 *
 * The pass and the report must agree on every number. So both begin with the same facts, which the pass writes down
 * (pass/shape.h), and come here:
 *
 *     struct paths_body b = {.blocks = …, .edge = …, .edges = …, .stops = …, .passed = …};
 *     paths_body_graph(&b, &graph, &weights, memory);                     weights: of its arcs
 *     paths_body_plan(&plan, &graph, PATHS_HOW_BEST, chosen, weights, memory);
 *
 * A function with more than PATHS_BODY_WHOLE paths is cut (graph.h), at edges that are seldom passed; then an index
 * below plan.keys is a path that met no cut, and has its counter in an array like any other; an index above is for an
 * array that grows, or for a hash. */
#ifndef SKEIN_CORE_PATHS_BODY_H
#define SKEIN_CORE_PATHS_BODY_H

#include "core/paths/plan.h"

#define PATHS_BODY_WHOLE (1ull << 19) /* paths of a function that is not cut */
#define PATHS_BODY_CUT (1ull << 15)   /* segments of one that is: few, so that keys behind cuts are dense */
#define PATHS_BODY_UNSEEN 0.01        /* of a guess for one call: what a measured weight has more than was measured */

struct paths_body {
	uint32_t blocks, edges;
	const struct paths_edge *edge;
	const uint8_t *stops; /* of a block; see graph.h */
	/* of an edge, and last of the function's beginning: how often it is passed, measured or guessed; NULL: guess, for one call */
	const double *passed;
};

/* How a function's paths are counted. */
/* clang-format off */
#define PATHS_HOW_LIST(X)                                                                         \
	X(ALL, "all")   /* by one copy: paths_plan_best of all, or of the chosen ones */          \
	X(P3, "p3")     /* as published, PBL too: paths_plan_p3 */                                \
	X(BEST, "best") /* ours, for one of several copies: paths_plan_relaxed */
/* clang-format on */
enum paths_how {
#define X(name, text) PATHS_HOW_##name,
	PATHS_HOW_LIST(X)
#undef X
		PATHS_HOWS
};

/* Weights of edges from what is guessed for one call, in `passed`, and what was measured, or NULL: what was never
 * passed may be next time. */
void paths_body_weigh(double *passed, const double *counted, uint32_t edges);

enum paths_status paths_body_graph(const struct paths_body *b, struct paths_graph *g, double **weights, struct paths_memory *memory);
enum paths_status paths_body_plan(struct paths_plan *plan, const struct paths_graph *g, enum paths_how how, const uint8_t *chosen,
                                  const double *weights, struct paths_memory *memory);

/* How many paths a graph without cuts has; exact below 2^53. Those of functions with fewer than PATHS_NUMBERED have numbers. */
#define PATHS_NUMBERED 0x1p62
double paths_possible(const struct paths_graph *g, struct paths_memory *memory);

#endif
