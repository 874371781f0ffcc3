/* SPDX-License-Identifier: MIT */
/* paths_best.c: what a plan costs, and the cheapest of several.
 *
 * None of the ways to label a chosen part is the best for all graphs: PSPP spares paths that come back to chosen arcs, but has labels for paths that are not
 * chosen at all; labels of the inside are fewer, but each way back costs one; Ball and Larus's own are hard to beat where nearly all is chosen. All are valid and each
 * is made in linear time, so all are made and what they would cost is compared. */
#include <string.h>
#include "core/paths_plan.h"

#define COST_OF_ZEROING 0.01
#define COST_OF_HASH 2.0

enum way { ALL_PLACED, SOME, SOME_PLACED, INSIDE_PLACED, WAYS };

static void add_hits(struct paths_hits *h, const struct paths_op *op, double passed)
{
	switch (op->kind) {
	case PATHS_SET:
		*(op->value ? &h->increments : &h->zeroed) += passed;
		break;
	case PATHS_ADD:
		h->increments += passed;
		break;
	default:
		h->updates += passed;
	}
}

struct paths_hits paths_hits(const struct paths_plan *plan, const double *passed)
{
	struct paths_hits h = {0, 0, 0};
	for (uint32_t i = 0; i < plan->count; i++)
		add_hits(&h, &plan->op[i], passed[plan->op[i].edge]);
	return h;
}

double paths_plan_cost(const struct paths_plan *plan, const struct paths_graph *g, const double *weights)
{
	struct paths_hits h = {0, 0, 0};
	for (uint32_t i = 0; i < plan->count; i++)
		add_hits(&h, &plan->op[i], weights ? weights[g->arc_of[plan->op[i].edge]] : 1);
	return h.increments + h.updates * (plan->keys > PATHS_ARRAY_KEYS ? COST_OF_HASH : 1) + h.zeroed * COST_OF_ZEROING;
}

static bool all_chosen(const struct paths_graph *g, const uint8_t *chosen)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		if (!chosen[a])
			return false;
	return true;
}

static enum paths_status make(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights, enum way way,
	struct paths_memory *memory)
{
	struct paths_labels l;
	enum paths_status status = PATHS_OK;
	switch (way) {
	case SOME:
	case SOME_PLACED:
		status = paths_label_some(&l, g, chosen, memory);
		break;
	case INSIDE_PLACED:
		status = paths_label_inside(&l, g, chosen, memory);
		break;
	default:
		status = paths_label_all(&l, g, memory);
		if (status == PATHS_OK && chosen) {
			memcpy(l.chosen, chosen, g->arcs);
			paths_prune(g, l.chosen, memory);
		}
	}
	if (status == PATHS_OK && way != SOME)
		status = paths_place(&l, g, weights, memory);
	return status == PATHS_OK ? paths_plan_moved(plan, g, &l, memory) : status;
}

enum paths_status paths_plan_best(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
	struct paths_memory *memory)
{
	enum way best = ALL_PLACED;
	double least = 0;
	uint64_t keys = 0;
	if (g->cuts || (chosen && all_chosen(g, chosen)))
		chosen = NULL;
	for (unsigned way = ALL_PLACED; chosen && way < WAYS; way++) {
		struct paths_mark mark = paths_mark(memory);
		enum paths_status status = make(plan, g, chosen, weights, way, memory);
		if (status != PATHS_OK)
			return status;
		double cost = paths_plan_cost(plan, g, weights);
		if (way == ALL_PLACED || cost < least || (cost <= least && plan->keys < keys)) {
			best = way;
			least = cost;
			keys = plan->keys;
		}
		paths_release(memory, mark);
	}
	return make(plan, g, chosen, weights, best, memory);
}
