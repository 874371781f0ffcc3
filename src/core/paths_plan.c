/* SPDX-License-Identifier: MIT */
/* paths_plan.c: from labels to operations, as few as can be on the way.
 *
 * Problem: labels say what is added along each path, but every operation that is executed costs, also on paths that are not chosen.
 * Idea: three looks at the graph, each linear.
 * 1. Onwards: at which vertices the register is a constant, whichever way they were come to. There it need not exist. It is SET on the arcs that leave such
 *    vertices for others, to the sum so far.
 * 2. Backwards: a counter behind a vertex with one arc out of it can be moved to the arcs into the vertex. There it takes their values into its index, is left out on
 *    arcs that are not chosen, and needs no register where that is constant. It is moved where one of these is to be had. It is not moved over a block
 *    that holds a call which may not come back: what was not completed is not counted. Arcs to the exit that are not chosen have no counter.
 * 3. Backwards: whether the register is looked at later on. If not, nothing is done to it.
 * The counters, their indices and what they count are those of the plain plan, for chosen paths.
 * Goes past Ball and Larus, who join the first value with the SET and the last with the COUNT, in the use that it makes of arcs that are not chosen. */
#include <string.h>
#include "core/paths_plan.h"

struct look {
	const struct paths_graph *g;
	struct paths_labels *l;
	uint64_t *constant; /* of a vertex */
	uint8_t *known;     /* of a vertex: it has one */
	uint8_t *counter;   /* of an arc: a counter is on it */
	uint8_t *needed;    /* of a vertex: the register is looked at further on */
};

static enum paths_status begin(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels, struct paths_memory *memory)
{
	*plan = (struct paths_plan){.labels = *labels, .keys = labels->keys};
	plan->labels.value = paths_take(memory, g->arcs, sizeof *plan->labels.value);
	plan->op = paths_take(memory, (size_t)3 * g->edges, sizeof *plan->op);
	if (memory->failed)
		return PATHS_NO_MEMORY;
	memcpy(plan->labels.value, labels->value, g->arcs * sizeof *labels->value);
	return PATHS_OK;
}

static void put(struct paths_plan *plan, const struct paths_graph *g, uint32_t edge, unsigned kind, uint64_t value)
{
	plan->op[plan->count++] = (struct paths_op){value, edge, (uint8_t)kind};
	plan->pinned += g->edge[edge].flags & PATHS_PINNED ? 1 : 0;
}

static bool ends_path(const struct paths_graph *g, uint32_t a)
{
	return g->arc[a].to == g->exit && g->arc[a].kind != PATHS_CUT_TAIL;
}

/* On the edge of a cut: the prefix, and on with the value of the arc that begins there. */
static void put_cut(struct paths_plan *plan, const struct paths_graph *g, uint32_t edge)
{
	const uint64_t *value = plan->labels.value;
	put(plan, g, edge, PATHS_LOOK_UP, value[g->arc_of[edge]]);
	if (value[g->head_of[edge]])
		put(plan, g, edge, PATHS_ADD, value[g->head_of[edge]]);
}

enum paths_status paths_plan_plain(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels, struct paths_memory *memory)
{
	enum paths_status status = begin(plan, g, labels, memory);
	const uint64_t *value = plan->labels.value;
	for (uint32_t e = 0; status == PATHS_OK && e < g->edges; e++) {
		uint32_t a = g->arc_of[e], head = g->head_of[e];
		if (a == PATHS_NONE)
			continue;
		if (g->arc[a].kind == PATHS_CUT_TAIL)
			put_cut(plan, g, e);
		else if (labels->beyond && !labels->chosen[a])
			put(plan, g, e, PATHS_SET, labels->beyond[g->arc[a].to]);
		else if (e == g->edges - 1)
			put(plan, g, e, PATHS_SET, value[a]);
		else if (value[a])
			put(plan, g, e, PATHS_ADD, value[a]);
		if (ends_path(g, a))
			put(plan, g, e, PATHS_COUNT, 0);
		if (head != PATHS_NONE && g->arc[head].kind == PATHS_HEAD)
			put(plan, g, e, PATHS_SET, labels->beyond && !labels->chosen[head] ? labels->beyond[g->arc[head].to] : value[head]);
	}
	return status;
}

/* What the register is behind an arc, if that is a constant. */
static bool constant_behind(const struct look *k, uint32_t a, uint64_t *c)
{
	const struct paths_arc *arc = &k->g->arc[a];
	if (arc->kind == PATHS_CUT_HEAD)
		return false;
	if (k->l->beyond && !k->l->chosen[a]) {
		*c = k->l->beyond[arc->to];
		return true;
	}
	*c = k->constant[arc->from] + k->l->value[a];
	return k->known[arc->from];
}

static void find_constants(struct look *k)
{
	const struct paths_graph *g = k->g;
	k->known[g->entry] = 1;
	for (uint32_t i = 1; i < g->reached; i++) {
		uint32_t v = g->order[i];
		uint64_t c = 0, first = 0;
		bool same = constant_behind(k, g->in_arc[g->in[v]], &first);
		for (uint32_t j = g->in[v] + 1; same && j < g->in[v + 1]; j++)
			same = constant_behind(k, g->in_arc[j], &c) && c == first;
		k->known[v] = same;
		k->constant[v] = first;
	}
}

static bool counter_should_move(const struct look *k, uint32_t v)
{
	const struct paths_graph *g = k->g;
	if (v == g->entry || v == g->exit || g->out[v + 1] - g->out[v] != 1 || !k->counter[g->out[v]] || (g->stops && g->stops[v]))
		return false;
	bool gain = g->in[v + 1] - g->in[v] == 1;
	for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
		uint32_t a = g->in_arc[j], u = g->arc[a].from;
		if (g->arc[a].kind == PATHS_CUT_HEAD || (g->arc[a].edge != PATHS_NONE && (g->edge[g->arc[a].edge].flags & PATHS_PINNED)))
			return false;
		gain |= !k->l->chosen[a] || (k->known[u] ? !k->known[v] : k->l->value[a] != 0);
	}
	return gain;
}

static void move_counters(struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t a = 0; a < g->arcs; a++)
		k->counter[a] = ends_path(g, a) && k->l->chosen[a];
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		if (!counter_should_move(k, v))
			continue;
		uint64_t *behind = &k->l->value[g->out[v]];
		k->counter[g->out[v]] = 0;
		for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
			uint32_t a = g->in_arc[j];
			k->l->value[a] += *behind;
			k->counter[a] = k->l->chosen[a];
		}
		*behind = 0;
	}
}

static void find_needs(struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		for (uint32_t a = g->out[v]; !k->known[v] && a < g->out[v + 1]; a++)
			k->needed[v] |= k->counter[a] || k->needed[g->arc[a].to] || g->arc[a].kind == PATHS_CUT_TAIL;
	}
}

/* The operation of one arc, on this edge. */
static void put_arc(struct paths_plan *plan, const struct look *k, uint32_t a, uint32_t edge)
{
	const struct paths_graph *g = k->g;
	uint32_t u = g->arc[a].from, w = g->arc[a].to;
	uint64_t c = 0, value = k->l->value[a];
	bool known = constant_behind(k, a, &c);
	if (k->counter[a])
		put(plan, g, edge, k->known[u] ? PATHS_COUNT_AT : PATHS_COUNT, k->known[u] ? c : value);
	else if (k->needed[w] && known)
		put(plan, g, edge, PATHS_SET, c);
	else if (k->needed[w] && value)
		put(plan, g, edge, PATHS_ADD, value);
}

/* A cut looks at the register: on leaving a constant vertex it has to be there. */
static void put_moved_cut(struct paths_plan *plan, const struct look *k, uint32_t e)
{
	uint32_t u = k->g->edge[e].from;
	if (k->known[u])
		put(plan, k->g, e, PATHS_SET, k->constant[u]);
	put_cut(plan, k->g, e);
}

enum paths_status paths_plan_moved(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels, struct paths_memory *memory)
{
	enum paths_status status = begin(plan, g, labels, memory);
	struct paths_mark mark = paths_mark(memory);
	struct look k = {
		.g = g, .l = &plan->labels,
		.constant = paths_take(memory, g->vertices, sizeof *k.constant),
		.known = paths_take(memory, g->vertices, 1),
		.counter = paths_take(memory, g->arcs, 1),
		.needed = paths_take(memory, g->vertices, 1),
	};
	if (status != PATHS_OK || memory->failed)
		return PATHS_NO_MEMORY;
	find_constants(&k);
	move_counters(&k);
	find_needs(&k);
	for (uint32_t e = 0; e < g->edges; e++) {
		uint32_t a = g->arc_of[e], head = g->head_of[e];
		if (a == PATHS_NONE)
			continue;
		if (g->arc[a].kind == PATHS_CUT_TAIL) {
			put_moved_cut(plan, &k, e);
			continue;
		}
		put_arc(plan, &k, a, e);
		if (head != PATHS_NONE)
			put_arc(plan, &k, head, e);
	}
	paths_release(memory, mark);
	return PATHS_OK;
}
