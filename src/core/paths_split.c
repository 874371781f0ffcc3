/* SPDX-License-Identifier: MIT */
/* paths_split.c: who counts what, by what is executed.
 *
 * Problem: the slowest of k copies is to have as few hits as can be. P3 divides functions by their shape and takes each probe for as expensive as any other;
 * but a program's hits are those of few functions, of few loops in them, and P3 does not touch functions that are called from two places.
 * Idea: begin with whole functions, the most expensive first, each to the copy that has least. Then mend: of the slowest copy take an expensive function,
 * or a part of one, and an arc of it. What it counts falls into the paths over that arc and those that do without it: each such division leaves every
 * path in one of the two. One of them stays, the other goes to a copy that has little. Both are planned anew and what they would cost is computed from
 * the weights, exactly; the division by which the slower of the two copies becomes fastest is made. So on until nothing helps. The slowest copy is
 * never slower than it would be with whole functions.
 * Cost: for each division that is made, two prices for each of the heaviest arcs of branches, in a few functions. */
#include <string.h>
#include "core/paths_split.h"

enum { FUNCTIONS = 8 };
#define WORTH 0.9995 /* what a division must bring the slower copy down to */

struct split {
	struct paths_share *s;
	const struct paths_function *function;
	struct paths_memory *memory;
	const double *whole; /* what a function costs that is not divided */
	double *cost;       /* of a function in a copy */
	struct paths_effort effort;
	double *left;       /* of effort.arcs_priced */
	uint32_t widest;    /* arcs of the largest graph */
};

/* A function leaves `stays` in the slowest copy and `goes` to another. */
struct division {
	uint32_t function, to;
	uint8_t *stays, *goes; /* arcs; goes is joined with what is there already */
	double cost_from, cost_to, slower;
};

static uint8_t **arcs_of(const struct split *k, uint32_t copy, uint32_t f)
{
	return &k->s->chosen[(size_t)copy * k->s->functions + f];
}

static double *cost_of(const struct split *k, uint32_t copy, uint32_t f)
{
	return &k->cost[(size_t)copy * k->s->functions + f];
}

static bool is_empty(const struct paths_graph *g, const uint8_t *arcs)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		if (arcs[a])
			return false;
	return true;
}

/* What it would cost to count these arcs' paths. */
static enum paths_status price(const struct split *k, uint32_t f, const uint8_t *arcs, double *cost)
{
	const struct paths_function *fn = &k->function[f];
	*cost = 0;
	*k->left -= fn->graph->arcs;
	return arcs && is_empty(fn->graph, arcs) ? PATHS_OK : paths_price(cost, fn->graph, arcs, fn->weights, k->memory);
}

static uint32_t slowest(const struct paths_share *s)
{
	uint32_t worst = 0;
	for (uint32_t c = 1; c < s->copies; c++)
		if (s->load[c] > s->load[worst])
			worst = c;
	return worst;
}

uint32_t paths_idlest(const struct paths_share *s, uint32_t rank)
{
	for (uint32_t c = 0; c < s->copies; c++) {
		uint32_t below = 0;
		for (uint32_t d = 0; d < s->copies; d++)
			below += s->load[d] < s->load[c] || (s->load[d] <= s->load[c] && d < c);
		if (below == rank)
			return c;
	}
	return 0;
}

/* Arcs of `all` on paths over arc a. */
static void through(const struct paths_graph *g, const uint8_t *all, uint32_t a, uint8_t *part, uint8_t *seen)
{
	memset(seen, 0, g->vertices);
	memset(part, 0, g->arcs);
	seen[g->arc[a].to] = part[a] = 1;
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t v = g->order[i], b = g->out[v]; seen[v] && b < g->out[v + 1]; b++)
			if (all[b])
				part[b] = seen[g->arc[b].to] = 1;
	memset(seen, 0, g->vertices);
	seen[g->arc[a].from] = 1;
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t v = g->order[i], j = g->in[v]; seen[v] && j < g->in[v + 1]; j++)
			if (all[g->in_arc[j]])
				part[g->in_arc[j]] = seen[g->arc[g->in_arc[j]].from] = 1;
}

static void without(const struct split *k, const struct paths_graph *g, const uint8_t *all, uint32_t a, uint8_t *part)
{
	memcpy(part, all, g->arcs);
	part[a] = 0;
	paths_prune(g, part, k->memory);
}

/* Prices one division, and keeps it in `best` if it is better. */
static enum paths_status consider(const struct split *k, uint32_t from, uint32_t to, uint32_t f, const uint8_t *stays, const uint8_t *goes,
	uint8_t *joined, struct division *best)
{
	const struct paths_graph *g = k->function[f].graph;
	const uint8_t *there = *arcs_of(k, to, f);
	double cost_from, cost_to;
	memcpy(joined, goes, g->arcs);
	for (uint32_t a = 0; there && a < g->arcs; a++)
		joined[a] |= there[a];
	enum paths_status status = price(k, f, stays, &cost_from);
	double load_from = k->s->load[from] - *cost_of(k, from, f) + cost_from;
	if (status != PATHS_OK || load_from >= best->slower)
		return status;
	status = price(k, f, joined, &cost_to);
	double load_to = k->s->load[to] - *cost_of(k, to, f) + cost_to, slower = load_to > load_from ? load_to : load_from;
	if (status != PATHS_OK || slower >= best->slower)
		return status;
	best->function = f;
	best->to = to;
	best->cost_from = cost_from;
	best->cost_to = cost_to;
	best->slower = slower;
	memcpy(best->stays, stays, g->arcs);
	memcpy(best->goes, joined, g->arcs);
	return PATHS_OK;
}

/* The heaviest arcs of branches among those that the copy counts. */
static uint32_t candidates(const struct split *k, const struct paths_function *fn, const uint8_t *all, uint32_t *items, uint64_t *key)
{
	const struct paths_graph *g = fn->graph;
	uint32_t count = 0;
	for (uint32_t a = 0; a < g->arcs; a++) {
		uint32_t v = g->arc[a].from;
		double w = fn->weights ? fn->weights[a] : 1;
		if (!all[a] || g->out[v + 1] - g->out[v] < 2 || !(w > 0))
			continue;
		memcpy(&key[a], &w, sizeof w);
		items[count++] = a;
	}
	paths_sort(items, count, key);
	return count < k->effort.arcs ? count : k->effort.arcs;
}

/* The best division of what copy `from` counts of function f. */
static enum paths_status divide(const struct split *k, uint32_t from, uint32_t f, struct division *best)
{
	const struct paths_function *fn = &k->function[f];
	const struct paths_graph *g = fn->graph;
	const uint8_t *all = *arcs_of(k, from, f);
	uint32_t *items = paths_take(k->memory, g->arcs, sizeof *items);
	uint64_t *key = paths_take(k->memory, g->arcs, sizeof *key);
	uint8_t *a_part = paths_take(k->memory, g->arcs, 1), *rest = paths_take(k->memory, g->arcs, 1), *joined = paths_take(k->memory, g->arcs, 1);
	uint8_t *none = paths_take(k->memory, g->arcs, 1), *seen = paths_take(k->memory, g->vertices, 1);
	if (k->memory->failed)
		return PATHS_NO_MEMORY;
	enum paths_status status = PATHS_OK;
	uint32_t count = g->cuts ? 0 : candidates(k, fn, all, items, key);
	for (uint32_t rank = 0; rank < k->effort.targets && rank + 1 < k->s->copies && status == PATHS_OK; rank++) {
		uint32_t to = paths_idlest(k->s, rank);
		status = consider(k, from, to, f, none, all, joined, best);
		for (uint32_t i = 0; i < count && status == PATHS_OK && *k->left > 0; i++) {
			through(g, all, items[i], a_part, seen);
			without(k, g, all, items[i], rest);
			status = consider(k, from, to, f, rest, a_part, joined, best);
			if (status == PATHS_OK)
				status = consider(k, from, to, f, a_part, rest, joined, best);
		}
	}
	return status;
}

static enum paths_status carry_out(const struct split *k, uint32_t from, const struct division *d)
{
	const struct paths_graph *g = k->function[d->function].graph;
	uint8_t **here = arcs_of(k, from, d->function), **there = arcs_of(k, d->to, d->function);
	if (!*there && !(*there = paths_take(k->memory, g->arcs, 1)))
		return PATHS_NO_MEMORY;
	memcpy(*there, d->goes, g->arcs);
	memcpy(*here, d->stays, g->arcs);
	if (is_empty(g, *here))
		*here = NULL;
	k->s->load[from] += d->cost_from - *cost_of(k, from, d->function);
	k->s->load[d->to] += d->cost_to - *cost_of(k, d->to, d->function);
	*cost_of(k, from, d->function) = d->cost_from;
	*cost_of(k, d->to, d->function) = d->cost_to;
	return PATHS_OK;
}

/* The most expensive functions of a copy, as far as they matter. */
static uint32_t dearest(const struct split *k, uint32_t copy, uint32_t *list)
{
	uint32_t count = 0;
	for (uint32_t f = 0; f < k->s->functions; f++) {
		double cost = *cost_of(k, copy, f);
		uint32_t at = count < FUNCTIONS ? count : FUNCTIONS;
		if (k->s->by_turns[f] || !*arcs_of(k, copy, f) || !(cost > 0))
			continue;
		while (at > 0 && cost > *cost_of(k, copy, list[at - 1])) {
			if (at < FUNCTIONS)
				list[at] = list[at - 1];
			at--;
		}
		if (at < FUNCTIONS)
			list[at] = f;
		count += count < FUNCTIONS;
	}
	return count;
}

/* One division of the slowest copy; *done if there is none that helps. The first function that offers one is taken. */
static enum paths_status mend(const struct split *k, struct division *best, bool *done)
{
	uint32_t from = slowest(k->s), list[FUNCTIONS], count = dearest(k, from, list);
	enum paths_status status = PATHS_OK;
	double limit = k->s->load[from] * WORTH;
	best->slower = limit;
	for (uint32_t i = 0; i < count && status == PATHS_OK && best->slower >= limit; i++) {
		struct paths_mark mark = paths_mark(k->memory);
		status = divide(k, from, list[i], best);
		paths_release(k->memory, mark);
	}
	*done = !(best->slower < limit);
	return status == PATHS_OK && !*done ? carry_out(k, from, best) : status;
}

static enum paths_status deal_out_whole(struct split *k)
{
	struct paths_share *s = k->s;
	uint32_t *order = paths_take(k->memory, s->functions, sizeof *order);
	uint64_t *key = paths_take(k->memory, s->functions, sizeof *key);
	uint32_t count = 0;
	if (k->memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t f = 0; f < s->functions; f++) {
		if (s->by_turns[f])
			continue;
		order[count++] = f;
		memcpy(&key[f], &k->whole[f], sizeof *key);
	}
	paths_sort(order, count, key);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t f = order[i], c = paths_idlest(s, 0), arcs = k->function[f].graph->arcs;
		uint8_t *chosen = *arcs_of(k, c, f) = paths_take(k->memory, arcs, 1);
		if (!chosen)
			return PATHS_NO_MEMORY;
		memset(chosen, 1, arcs);
		*cost_of(k, c, f) = k->whole[f];
		s->load[c] += k->whole[f];
		k->widest = arcs > k->widest ? arcs : k->widest;
	}
	return PATHS_OK;
}

enum paths_status paths_split(struct paths_share *s, const struct paths_function *functions, const double *whole, struct paths_effort effort,
	struct paths_memory *memory)
{
	double left = effort.arcs_priced;
	struct split k = {.s = s, .function = functions, .whole = whole, .memory = memory, .effort = effort, .left = &left};
	bool done = s->copies < 2;
	k.cost = paths_take(memory, (size_t)s->copies * s->functions, sizeof *k.cost);
	enum paths_status status = memory->failed ? PATHS_NO_MEMORY : deal_out_whole(&k);
	struct division best = {.stays = paths_take(memory, k.widest, 1), .goes = paths_take(memory, k.widest, 1)};
	if (memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t i = 0; i < effort.divisions && left > 0 && !done && status == PATHS_OK; i++) {
		status = mend(&k, &best, &done);
		s->tasks += !done;
	}
	return status;
}
