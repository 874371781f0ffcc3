/* SPDX-License-Identifier: MIT */
/* body.c: see body.h. The graph is built twice if there are too many paths: cuts need weights of edges, which are
 * computed from the first graph. */
#include "core/paths/body.h"

#include "core/paths/guess.h"
#include "core/paths/share.h"

static enum paths_status build(const struct paths_body *b, struct paths_graph *g, const struct paths_limits *limits,
                               struct paths_memory *memory)
{
	return paths_graph_build(g, b->blocks, b->edge, b->edges, b->stops, limits, memory);
}

/* Saturates: only whether there are too many matters. */
static bool has_many_paths(const struct paths_graph *g, struct paths_memory *memory, enum paths_status *status)
{
	struct paths_mark mark = paths_mark(memory);
	uint64_t *ways = paths_take(memory, g->vertices, sizeof *ways);
	bool many = false;
	if (!ways) {
		*status = PATHS_NO_MEMORY;
		return false;
	}
	ways[g->exit] = 1;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		for (uint32_t a = g->out[v]; a < g->out[v + 1] && ways[v] <= PATHS_BODY_WHOLE; a++)
			ways[v] += ways[g->arc[a].to];
		many |= ways[v] > PATHS_BODY_WHOLE;
	}
	paths_release(memory, mark);
	return many;
}

void paths_body_weigh(double *passed, const double *counted, uint32_t edges)
{
	for (uint32_t e = 0; e <= edges; e++)
		passed[e] = PATHS_BODY_UNSEEN * passed[e] + (counted ? counted[e] : 0);
}

enum paths_status paths_body_graph(const struct paths_body *b, struct paths_graph *g, double **weights, struct paths_memory *memory)
{
	static const struct paths_limits none = {.whole = UINT64_MAX, .piece = PATHS_PIECE_MAX};
	double *guessed = paths_take(memory, b->edges + 1, sizeof *guessed);
	enum paths_status status = build(b, g, &none, memory);
	if (status == PATHS_OK && memory->failed)
		return PATHS_NO_MEMORY;
	if (status == PATHS_OK && !b->passed)
		status = paths_guess_edges(g, guessed, memory);
	if (status == PATHS_OK && has_many_paths(g, memory, &status))
		status = build(b, g, &(struct paths_limits){PATHS_BODY_WHOLE, PATHS_BODY_CUT, b->passed ? b->passed : guessed}, memory);
	*weights = paths_take(memory, g->arcs, sizeof **weights);
	if (status != PATHS_OK || memory->failed)
		return status != PATHS_OK ? status : PATHS_NO_MEMORY;
	paths_arc_weights(g, b->passed ? b->passed : guessed, *weights);
	return PATHS_OK;
}

enum paths_status paths_body_plan(struct paths_plan *plan, const struct paths_graph *g, enum paths_how how, const uint8_t *chosen,
                                  const double *weights, struct paths_memory *memory)
{
	if (how == PATHS_HOW_P3)
		return paths_plan_p3(plan, g, chosen, weights, memory);
	if (how == PATHS_HOW_BEST && chosen && !g->cuts)
		return paths_plan_relaxed(plan, g, chosen, weights, memory);
	return paths_plan_best(plan, g, chosen, weights, memory);
}

double paths_possible(const struct paths_graph *g, struct paths_memory *memory)
{
	struct paths_mark mark = paths_mark(memory);
	double *ways = paths_take(memory, g->vertices, sizeof *ways), all;
	if (!ways)
		return 0;
	ways[g->exit] = 1;
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t a = g->out[g->order[i]]; a < g->out[g->order[i] + 1]; a++)
			ways[g->order[i]] += ways[g->arc[a].to];
	all = ways[g->entry];
	paths_release(memory, mark);
	return all;
}
