/* SPDX-License-Identifier: MIT */
/* plan.c: turns labels into operations, as few as possible.
 *
 * Problem: labels say what is added along each path, but every executed operation costs, also on paths that are not
 * chosen.
 * Idea: three passes over the graph, each linear.
 * 1. Onwards: find the vertices at which the register is a constant, on whichever way they are reached. There the
 *    register need not exist. It is SET on the arcs that leave such vertices for others, to the sum so far.
 * 2. Backwards: a counter behind a vertex with one arc out of it can be moved to the arcs into the vertex. There it
 *    takes their values into its index, is left out on arcs that are not chosen, and needs no register where that is
 *    constant. It is moved where that saves one of these. It is not moved over a block with a call that may not
 *    return: a path that was not completed must not be counted. Arcs to the exit that are not chosen have no counter.
 * 3. Backwards, together with 2: find where the register is used later on. Elsewhere it is not changed.
 * For chosen paths, counters, indices and counts are those of the plain plan. Differs from Ball and Larus, who join
 * the first value with the SET and the last with the COUNT, in its use of arcs that are not chosen.
 *
 * A relaxed plan, for one of several copies, has two more rules, so that hot loops that end in a branch can be divided:
 * a. A vertex has one *main* arc, the heaviest. The counter of a main arc may move over a vertex that has others, if
 *    every path that leaves by these ends. The counter then also counts paths that leave by the others, as if they had
 *    continued on main arcs.
 * b. Where chosen paths begin at the head of a loop, a path that reaches the head from outside by an arc that is not
 *    chosen counts as one that begins there.
 * A path q that is counted with p either begins earlier, or begins where p does and has an arc that is not main after
 * all such arcs of p. So there is no cycle: in the order of the earliest beginning and the latest such arc, each count
 * is that of its counter minus the counts that are already known. */
#include "core/paths/plan.h"
#include <string.h>

enum { CHAIN_MAX = 16 };

struct look {
	const struct paths_graph *g;
	struct paths_labels *l;
	uint64_t *constant; /* by vertex */
	uint64_t *extra;    /* by arc with a counter: sum of the values that the counter was moved over */
	uint8_t *known;     /* by vertex: the register is a constant there */
	uint8_t *counter;   /* by arc: a counter is on it */
	uint8_t *needed;    /* by vertex: the register is used later on */
	uint8_t *may_stop;  /* by vertex: a frame may stop for good there, or later on */
	const double *weights;
	bool loose;
};

static enum paths_status begin(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                               struct paths_memory *memory)
{
	*plan = (struct paths_plan){.labels = *labels, .keys = labels->keys};
	plan->labels.value = paths_take(memory, g->arcs, sizeof *plan->labels.value);
	plan->op = paths_take(memory, (size_t)4 * g->edges, sizeof *plan->op);
	plan->known = paths_take(memory, g->vertices, 1);
	plan->constant = paths_take(memory, g->vertices, sizeof *plan->constant);
	if (labels->beyond)
		plan->labels.beyond = paths_take(memory, g->vertices, sizeof *plan->labels.beyond);
	if (memory->failed)
		return PATHS_NO_MEMORY;
	memcpy(plan->labels.value, labels->value, g->arcs * sizeof *labels->value);
	if (labels->beyond)
		memcpy(plan->labels.beyond, labels->beyond, g->vertices * sizeof *labels->beyond);
	return PATHS_OK;
}

static void put(struct paths_plan *plan, const struct paths_graph *g, uint32_t edge, uint32_t arc, unsigned kind, uint64_t value)
{
	plan->op[plan->count++] = (struct paths_op){value, edge, arc, (uint8_t)kind};
	plan->pinned += g->edge[edge].flags & PATHS_PINNED ? 1 : 0;
}

static bool ends_path(const struct paths_graph *g, uint32_t a)
{
	return g->arc[a].to == g->exit && g->arc[a].kind != PATHS_CUT_TAIL;
}

/* Operations on a cut edge: look up the prefix, and continue with the value of the arc that begins there. */
static void put_cut(struct paths_plan *plan, const struct paths_graph *g, uint32_t edge)
{
	const uint64_t *value = plan->labels.value;
	put(plan, g, edge, g->arc_of[edge], PATHS_LOOK_UP, value[g->arc_of[edge]]);
	if (value[g->head_of[edge]])
		put(plan, g, edge, g->head_of[edge], PATHS_ADD, value[g->head_of[edge]]);
}

enum paths_status paths_plan_plain(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory)
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
			put(plan, g, e, a, PATHS_SET, labels->beyond[g->arc[a].to]);
		else if (e == g->edges - 1)
			put(plan, g, e, a, PATHS_SET, value[a]);
		else if (value[a])
			put(plan, g, e, a, PATHS_ADD, value[a]);
		if (ends_path(g, a))
			put(plan, g, e, a, PATHS_COUNT, 0);
		if (head != PATHS_NONE && g->arc[head].kind == PATHS_HEAD)
			put(plan, g, e, head, PATHS_SET,
			    labels->beyond && !labels->chosen[head] ? labels->beyond[g->arc[head].to] : value[head]);
	}
	return status;
}

/* A path that arrives by an arc that is not chosen where chosen paths begin counts as one that begins there. */
static void send_home(struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t a = g->out[g->entry]; k->l->beyond && a < g->out[g->entry + 1]; a++)
		if (k->l->chosen[a] && g->arc[a].kind == PATHS_HEAD)
			k->l->beyond[g->arc[a].to] = k->l->value[a];
}

/* The value of the register behind an arc, if that is a constant. */
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

static void find_stops(struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		k->may_stop[v] = v < g->blocks && g->stops && g->stops[v];
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++)
			k->may_stop[v] |= k->may_stop[g->arc[a].to];
	}
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

static double weight(const struct look *k, uint32_t a)
{
	return k->weights ? k->weights[a] : 1;
}

static uint32_t main_arc(const struct look *k, uint32_t v)
{
	uint32_t best = k->g->out[v];
	for (uint32_t a = best + 1; a < k->g->out[v + 1]; a++)
		if (weight(k, a) > weight(k, best))
			best = a;
	return best;
}

/* Whether each path that leaves v by another arc ends, and has its own counter. */
static bool others_end(const struct look *k, uint32_t v, uint32_t but)
{
	const struct paths_graph *g = k->g;
	for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++)
		if (a != but && k->may_stop[g->arc[a].to])
			return false;
	return true;
}

/* Whether a counter on the main arc out of v might move at all. */
static bool can_move(const struct look *k, uint32_t v)
{
	const struct paths_graph *g = k->g;
	if (v == g->entry || v == g->exit || (g->stops && g->stops[v]))
		return false;
	if (g->out[v + 1] - g->out[v] != 1 && (!k->loose || !others_end(k, v, main_arc(k, v))))
		return false;
	for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
		const struct paths_arc *arc = &g->arc[g->in_arc[j]];
		if (arc->kind == PATHS_CUT_HEAD || (arc->edge != PATHS_NONE && (g->edge[arc->edge].flags & PATHS_PINNED)))
			return false;
	}
	return true;
}

static bool looked_at_by(const struct look *k, uint32_t a)
{
	return k->counter[a] || k->needed[k->g->arc[a].to] || k->g->arc[a].kind == PATHS_CUT_TAIL;
}

/* Whether moving the counter on the only arc out of v saves something; it never costs anything. */
static bool gains(const struct look *k, uint32_t v)
{
	const struct paths_graph *g = k->g;
	bool gain = g->in[v + 1] - g->in[v] == 1;
	for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
		uint32_t a = g->in_arc[j];
		gain |= !k->l->chosen[a] || (k->known[g->arc[a].from] ? !k->known[v] : k->l->value[a] != 0);
	}
	return gain;
}

/* What moving the counter saves where v has other arcs, by weight: paths that leave by these are counted in vain,
 * but the register may become unnecessary. */
static double saves(const struct look *k, uint32_t v, uint32_t counted, int chain)
{
	const struct paths_graph *g = k->g;
	double saved = weight(k, counted);
	bool others = false;
	for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++)
		others |= a != counted && looked_at_by(k, a);
	for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
		uint32_t a = g->in_arc[j];
		uint64_t c;
		saved -= k->l->chosen[a] ? weight(k, a) : 0;
		if (!others && !k->known[v] && (constant_behind(k, a, &c) || k->l->value[a]))
			saved += weight(k, a);
	}
	uint32_t only = g->in_arc[g->in[v]], u = g->arc[only].from;
	if (chain && g->in[v + 1] - g->in[v] == 1 && can_move(k, u) && main_arc(k, u) == only) {
		double further = saves(k, u, only, chain - 1);
		saved += further > 0 ? further : 0;
	}
	return saved;
}

static void move_counter(struct look *k, uint32_t v, uint32_t from)
{
	const struct paths_graph *g = k->g;
	uint64_t behind = k->l->value[from] + k->extra[from];
	k->counter[from] = 0;
	for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
		uint32_t a = g->in_arc[j];
		k->counter[a] = k->l->chosen[a];
		k->extra[a] = behind;
	}
}

static void move_counters(struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t a = 0; a < g->arcs; a++)
		k->counter[a] = g->arc[a].to == g->exit && g->arc[a].kind != PATHS_CUT_TAIL && k->l->chosen[a];
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i], a;
		if (can_move(k, v) && k->counter[a = main_arc(k, v)] &&
		    (g->out[v + 1] - g->out[v] == 1 ? gains(k, v) : saves(k, v, a, CHAIN_MAX) > 0))
			move_counter(k, v, a);
		for (a = g->out[v]; !k->known[v] && a < g->out[v + 1]; a++)
			k->needed[v] |= looked_at_by(k, a);
	}
}

/* The operations of one arc, on this edge. */
static void put_arc(struct paths_plan *plan, const struct look *k, uint32_t a, uint32_t edge)
{
	const struct paths_graph *g = k->g;
	uint64_t c = 0, value = k->l->value[a];
	bool known = constant_behind(k, a, &c);
	if (k->counter[a])
		put(plan, g, edge, a, known ? PATHS_COUNT_AT : PATHS_COUNT, (known ? c : value) + k->extra[a]);
	if (!k->needed[g->arc[a].to])
		return;
	if (known)
		put(plan, g, edge, a, PATHS_SET, c);
	else if (value)
		put(plan, g, edge, a, PATHS_ADD, value);
}

/* A cut uses the register: on the way out of a constant vertex it must be set. */
static void put_moved_cut(struct paths_plan *plan, const struct look *k, uint32_t e)
{
	uint32_t u = k->g->edge[e].from;
	if (k->known[u])
		put(plan, k->g, e, k->g->arc_of[e], PATHS_SET, k->constant[u]);
	put_cut(plan, k->g, e);
}

static void put_all(struct paths_plan *plan, const struct look *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t e = 0; e < g->edges; e++) {
		uint32_t a = g->arc_of[e], head = g->head_of[e];
		if (a == PATHS_NONE)
			continue;
		if (g->arc[a].kind == PATHS_CUT_TAIL) {
			put_moved_cut(plan, k, e);
			continue;
		}
		put_arc(plan, k, a, e);
		if (head != PATHS_NONE)
			put_arc(plan, k, head, e);
	}
}

static enum paths_status make(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels, bool loose,
                              const double *weights, struct paths_memory *memory)
{
	enum paths_status status = begin(plan, g, labels, memory);
	struct paths_mark mark = paths_mark(memory);
	struct look k = {
		.g = g,
		.l = &plan->labels,
		.constant = plan->constant,
		.known = plan->known,
		.extra = paths_take(memory, g->arcs, sizeof *k.extra),
		.counter = paths_take(memory, g->arcs, 1),
		.needed = paths_take(memory, g->vertices, 1),
		.may_stop = paths_take(memory, g->vertices, 1),
		.weights = weights,
		.loose = loose,
	};
	if (status != PATHS_OK || memory->failed)
		return PATHS_NO_MEMORY;
	if (loose)
		send_home(&k);
	find_stops(&k);
	find_constants(&k);
	move_counters(&k);
	put_all(plan, &k);
	paths_release(memory, mark);
	return PATHS_OK;
}

enum paths_status paths_plan_moved(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                   struct paths_memory *memory)
{
	return make(plan, g, labels, false, NULL, memory);
}

enum paths_status paths_plan_loosened(struct paths_plan *plan, const struct paths_graph *g, const struct paths_labels *labels,
                                      const double *weights, struct paths_memory *memory)
{
	return make(plan, g, labels, true, weights, memory);
}

/* Any chosen way from the block completes a path, whose number is the register plus what would have been added: the
 * path begins with the way that was taken. */
uint32_t paths_decode_prefix(const struct paths_plan *plan, const struct paths_graph *g, uint32_t block, uint64_t reg, uint64_t *key,
                             uint32_t *arcs)
{
	uint64_t sum = plan->known[block] ? plan->constant[block] : reg;
	for (uint32_t v = block, a; v != g->exit; v = g->arc[a].to) {
		for (a = g->out[v]; a < g->out[v + 1] && !plan->labels.chosen[a];)
			a++;
		if (a == g->out[v + 1])
			return 0;
		sum += plan->labels.value[a];
	}
	*key = sum;
	uint32_t count = paths_decode(&plan->labels, g, g->cuts ? sum % plan->labels.paths : sum, arcs);
	for (uint32_t i = 0; i < count; i++)
		if (g->arc[arcs[i]].to == block)
			return i + 1;
	return 0;
}
