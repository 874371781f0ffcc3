/* SPDX-License-Identifier: MIT */
/* best.c: prices plans, and takes the cheapest.
 *
 * None of the ways to label a chosen part is the best for all graphs: PSPP has no labels for paths that return to
 * chosen arcs, but has labels for paths that are not chosen at all; labels of the inside are fewer, but each return
 * costs one; Ball and Larus's labels are hard to beat where nearly all paths are chosen. All are valid and each
 * takes linear time, so all are made and their costs compared. */
#include <string.h>
#include "core/paths/plan.h"

#define COST_OF_ZEROING 0.01
#define COST_OF_HASH 2.0

enum way { ALL, SOME, INSIDE, WAYS };

static void add_hits(struct paths_hits *h, const struct paths_op *op, double passed)
{
	switch (op->kind) {
	case PATHS_SET: *(op->value ? &h->increments : &h->zeroed) += passed; break;
	case PATHS_ADD: h->increments += passed; break;
	default: h->updates += passed;
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

static enum paths_status make(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                              enum way way, bool relaxed, struct paths_memory *memory)
{
	struct paths_labels l;
	enum paths_status status = PATHS_OK;
	switch (way) {
	case SOME: status = paths_label_some(&l, g, chosen, memory); break;
	case INSIDE: status = paths_label_inside(&l, g, chosen, memory); break;
	default:
		status = paths_label_all(&l, g, memory);
		if (status == PATHS_OK && chosen) {
			memcpy(l.chosen, chosen, g->arcs);
			paths_prune(g, l.chosen, memory);
		}
	}
	if (status == PATHS_OK)
		status = paths_place(&l, g, weights, memory);
	if (status != PATHS_OK)
		return status;
	return relaxed ? paths_plan_loosened(plan, g, &l, weights, memory) : paths_plan_moved(plan, g, &l, memory);
}

/* The cheapest kind of labels, and its cost. */
static enum paths_status compare(const struct paths_graph *g, const uint8_t *chosen, const double *weights, bool relaxed, enum way *best,
                                 double *least, struct paths_memory *memory)
{
	uint64_t keys = 0;
	for (unsigned way = ALL; way < WAYS; way++) {
		struct paths_mark mark = paths_mark(memory);
		struct paths_plan plan;
		enum paths_status status = make(&plan, g, chosen, weights, way, relaxed, memory);
		if (status != PATHS_OK)
			return status;
		double cost = paths_plan_cost(&plan, g, weights);
		if (way == ALL || cost < *least || (cost <= *least && plan.keys < keys)) {
			*best = way;
			*least = cost;
			keys = plan.keys;
		}
		paths_release(memory, mark);
		if (!chosen)
			break;
	}
	return PATHS_OK;
}

static enum paths_status cheapest(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                  bool relaxed, struct paths_memory *memory)
{
	enum way best = ALL;
	double least;
	if (g->cuts || paths_all_chosen(g, chosen))
		return make(plan, g, NULL, weights, ALL, false, memory);
	enum paths_status status = compare(g, chosen, weights, relaxed, &best, &least, memory);
	return status == PATHS_OK ? make(plan, g, chosen, weights, best, relaxed, memory) : status;
}

enum paths_status paths_plan_best(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                  struct paths_memory *memory)
{
	return cheapest(plan, g, chosen, weights, false, memory);
}

enum paths_status paths_plan_relaxed(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                     struct paths_memory *memory)
{
	return cheapest(plan, g, chosen, weights, true, memory);
}

enum paths_status paths_price(double *cost, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                              struct paths_memory *memory)
{
	bool all = g->cuts || paths_all_chosen(g, chosen);
	enum way best;
	return compare(g, all ? NULL : chosen, weights, !all, &best, cost, memory);
}
