/* SPDX-License-Identifier: MIT */
/* split.c: divides a function into several parts, by what is executed.
 *
 * Problem: the paths of one function are to be counted by several copies, each having few hits. P3 divides a
 * function by its shape and gives each probe the same cost; but nearly all hits are in a few loops, and a divided
 * function costs more in total than an undivided one.
 * Idea: begin with all paths in one part. Then improve step by step: take the largest part, a branch and some of its
 * arcs. The paths of the part are divided into those over these arcs and those without: every path is in one of the
 * two. One set stays, the other goes to the smallest part. Both parts are planned again and their costs computed
 * exactly from the weights. The division with the smallest larger part is made, if that is worth the additional
 * total cost. This is repeated until nothing helps. The heaviest arcs are tried one by one; of branches with many
 * arcs, as in interpreters, also a group of arcs that would make both parts equal. Cost: for each division, four
 * prices for each trial. */
#include "core/paths/split.h"
#include <string.h>

/* bounds on what is tried: arcs to divide by, divisions per copy, arcs of a branch that has many */
enum { ARCS = 16, DIVISIONS_EACH = 3, MANY = 4 };
#define ARCS_PRICED 4e6 /* bound on the arcs in all prices, and so on time: about four million per second */
#define WORTH 0.9995    /* the factor to which a division must reduce the larger part */

struct split {
	struct paths_parts *p;
	const struct paths_function *f;
	struct paths_memory *memory;
	double extra; /* how much an additional hit in total counts against the largest part */
	double left;  /* what is left of ARCS_PRICED */
};

/* The largest part is left with `stays`, the smallest gets `goes`. */
struct division {
	uint32_t from, to;
	uint8_t *stays, *goes; /* arcs; `goes` is joined with the arcs that are there already */
	double load_from, load_to, value;
};

/* Memory for a trial. */
struct trial {
	uint8_t *group, *over, *without, *joined; /* by arc */
	uint8_t *seen, *tried;                    /* by vertex */
	uint32_t *items;
	uint64_t *key;
};

double paths_worth(const double *load, uint32_t copies, double doubt)
{
	double sum = 0, largest = 0;
	for (uint32_t c = 0; c < copies; c++) {
		sum += load[c];
		largest = load[c] > largest ? load[c] : largest;
	}
	return doubt * largest + (1 - doubt) * sum / copies;
}

static bool is_empty(const struct paths_graph *g, const uint8_t *arcs)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		if (arcs[a])
			return false;
	return true;
}

static double weight(const struct paths_function *f, uint32_t a)
{
	return f->weights ? f->weights[a] : 1;
}

/* The cost of counting the paths of these arcs. */
static enum paths_status price(struct split *k, const uint8_t *arcs, double *cost)
{
	*cost = 0;
	k->left -= k->f->graph->arcs;
	return is_empty(k->f->graph, arcs) ? PATHS_OK : paths_price(cost, k->f->graph, arcs, k->f->weights, k->memory);
}

uint32_t paths_idlest(const double *load, uint32_t copies, uint32_t rank)
{
	for (uint32_t c = 0; c < copies; c++) {
		uint32_t below = 0;
		for (uint32_t d = 0; d < copies; d++)
			below += load[d] < load[c] || (load[d] <= load[c] && d < c);
		if (below == rank)
			return c;
	}
	return 0;
}

/* Finds the arcs of `all` on paths over any arc of the group; the group has arcs out of one vertex. */
static void through(const struct paths_graph *g, const uint8_t *all, const uint8_t *group, uint32_t from, uint8_t *part, uint8_t *seen)
{
	memset(seen, 0, g->vertices);
	memset(part, 0, g->arcs);
	for (uint32_t a = g->out[from]; a < g->out[from + 1]; a++)
		if (group[a])
			seen[g->arc[a].to] = part[a] = 1;
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t v = g->order[i], b = g->out[v]; seen[v] && b < g->out[v + 1]; b++)
			if (all[b])
				part[b] = seen[g->arc[b].to] = 1;
	memset(seen, 0, g->vertices);
	seen[from] = 1;
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t v = g->order[i], j = g->in[v]; seen[v] && j < g->in[v + 1]; j++)
			if (all[g->in_arc[j]])
				part[g->in_arc[j]] = seen[g->arc[g->in_arc[j]].from] = 1;
}

static void without(const struct split *k, const uint8_t *all, const uint8_t *group, uint8_t *part)
{
	for (uint32_t a = 0; a < k->f->graph->arcs; a++)
		part[a] = all[a] && !group[a];
	paths_prune(k->f->graph, part, k->memory);
}

/* Prices one division, and keeps it in `best` if it is better. */
static enum paths_status consider(struct split *k, const uint8_t *stays, const uint8_t *goes, uint8_t *joined, struct division *best)
{
	const uint8_t *there = k->p->chosen[best->to];
	uint32_t arcs = k->f->graph->arcs;
	double load_from, load_to;
	memcpy(joined, goes, arcs);
	for (uint32_t a = 0; there && a < arcs; a++)
		joined[a] |= there[a];
	enum paths_status status = price(k, stays, &load_from);
	if (status != PATHS_OK || load_from >= best->value)
		return status;
	status = price(k, joined, &load_to);
	double more = load_from + load_to - k->p->load[best->from] - k->p->load[best->to];
	double value = (load_to > load_from ? load_to : load_from) + k->extra * (more > 0 ? more : 0);
	if (status != PATHS_OK || value >= best->value)
		return status;
	best->load_from = load_from;
	best->load_to = load_to;
	best->value = value;
	memcpy(best->stays, stays, arcs);
	memcpy(best->goes, joined, arcs);
	return PATHS_OK;
}

/* The heaviest arcs of branches in this part. */
static uint32_t candidates(const struct paths_function *f, const uint8_t *all, uint32_t *items, uint64_t *key)
{
	const struct paths_graph *g = f->graph;
	uint32_t count = 0;
	for (uint32_t a = 0; a < g->arcs; a++) {
		uint32_t v = g->arc[a].from;
		double w = weight(f, a);
		if (!all[a] || g->out[v + 1] - g->out[v] < 2 || !(w > 0))
			continue;
		memcpy(&key[a], &w, sizeof w);
		items[count++] = a;
	}
	paths_sort(items, count, key);
	return count < ARCS ? count : ARCS;
}

static enum paths_status get_ready(struct trial *t, const struct paths_graph *g, struct paths_memory *memory)
{
	*t = (struct trial){
		.group = paths_take(memory, g->arcs, 1),
		.over = paths_take(memory, g->arcs, 1),
		.without = paths_take(memory, g->arcs, 1),
		.joined = paths_take(memory, g->arcs, 1),
		.seen = paths_take(memory, g->vertices, 1),
		.tried = paths_take(memory, g->vertices, 1),
		.items = paths_take(memory, g->arcs, sizeof *t->items),
		.key = paths_take(memory, g->arcs, sizeof *t->key),
	};
	return memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

/* Tries a group of arcs out of one vertex: the paths over them go, or the paths without them. */
static enum paths_status divide(struct split *k, struct trial *t, uint32_t from, struct division *best)
{
	const uint8_t *all = k->p->chosen[best->from];
	through(k->f->graph, all, t->group, from, t->over, t->seen);
	without(k, all, t->group, t->without);
	enum paths_status status = consider(k, t->without, t->over, t->joined, best);
	return status == PATHS_OK ? consider(k, t->over, t->without, t->joined, best) : status;
}

/* Chooses so many arcs of a branch that both parts would be equal if there were no other branch. False: the branch
 * has few arcs. */
static bool choose_group(const struct split *k, struct trial *t, uint32_t v, const struct division *best)
{
	const struct paths_graph *g = k->f->graph;
	const uint8_t *all = k->p->chosen[best->from];
	double most = k->p->load[best->from], sum = 0, wanted, here = 0;
	uint32_t ways = 0;
	for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
		ways += all[a];
		sum += all[a] ? weight(k->f, a) : 0;
	}
	wanted = sum * (most - k->p->load[best->to]) / (2 * most);
	for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
		double w = weight(k->f, a);
		t->group[a] = all[a] && here + w / 2 <= wanted;
		here += t->group[a] ? w : 0;
	}
	return ways >= MANY;
}

static void forget_group(const struct paths_graph *g, struct trial *t, uint32_t v)
{
	memset(t->group + g->out[v], 0, g->out[v + 1] - g->out[v]);
}

/* The best division of the largest part. */
static enum paths_status find(struct split *k, struct trial *t, struct division *best)
{
	const struct paths_graph *g = k->f->graph;
	uint32_t count = candidates(k->f, k->p->chosen[best->from], t->items, t->key);
	enum paths_status status = PATHS_OK;
	for (uint32_t i = 0; i < count && status == PATHS_OK && k->left > 0; i++) {
		uint32_t a = t->items[i], v = g->arc[a].from;
		if (!t->tried[v] && choose_group(k, t, v, best))
			status = divide(k, t, v, best);
		t->tried[v] = 1;
		forget_group(g, t, v);
		t->group[a] = 1;
		if (status == PATHS_OK)
			status = divide(k, t, v, best);
		t->group[a] = 0;
	}
	return status;
}

static enum paths_status carry_out(const struct split *k, const struct division *d)
{
	uint32_t arcs = k->f->graph->arcs;
	uint8_t **here = &k->p->chosen[d->from], **there = &k->p->chosen[d->to];
	if (!*there && !(*there = paths_take(k->memory, arcs, 1)))
		return PATHS_NO_MEMORY;
	memcpy(*there, d->goes, arcs);
	memcpy(*here, d->stays, arcs);
	if (is_empty(k->f->graph, *here))
		*here = NULL;
	k->p->load[d->from] = d->load_from;
	k->p->load[d->to] = d->load_to;
	return PATHS_OK;
}

/* Makes one division; *done if none helps. */
static enum paths_status mend(struct split *k, struct division *best, bool *done)
{
	struct paths_mark mark = paths_mark(k->memory);
	struct trial trial;
	best->from = paths_idlest(k->p->load, k->p->copies, k->p->copies - 1);
	best->to = paths_idlest(k->p->load, k->p->copies, 0);
	double limit = best->value = k->p->load[best->from] * WORTH;
	enum paths_status status = get_ready(&trial, k->f->graph, k->memory);
	if (status == PATHS_OK && limit > 0)
		status = find(k, &trial, best);
	paths_release(k->memory, mark);
	*done = !(best->value < limit);
	return status == PATHS_OK && !*done ? carry_out(k, best) : status;
}

static enum paths_status begin(struct paths_parts *p, const struct paths_graph *g, double whole, uint32_t copies,
                               struct paths_memory *memory)
{
	*p = (struct paths_parts){copies, paths_take(memory, copies, sizeof *p->chosen), paths_take(memory, copies, sizeof *p->load)};
	uint8_t *all = paths_take(memory, g->arcs, 1);
	if (memory->failed)
		return PATHS_NO_MEMORY;
	memset(all, 1, g->arcs);
	p->chosen[0] = all;
	p->load[0] = whole;
	return PATHS_OK;
}

enum paths_status paths_split(struct paths_parts *p, const struct paths_function *f, double whole, uint32_t copies, double doubt,
                              struct paths_memory *memory)
{
	const struct paths_graph *g = f->graph;
	enum paths_status status = begin(p, g, whole, copies, memory);
	bool done = copies < 2 || g->cuts || !(whole > 0);
	if (status != PATHS_OK || done)
		return status;
	struct division best = {.stays = paths_take(memory, g->arcs, 1), .goes = paths_take(memory, g->arcs, 1)};
	double undivided = paths_worth(p->load, copies, doubt);
	struct split k = {.p = p, .f = f, .memory = memory, .extra = (1 - doubt) / (doubt * copies), .left = ARCS_PRICED};
	if (memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t i = 0; i < DIVISIONS_EACH * copies && k.left > 0 && !done && status == PATHS_OK; i++)
		status = mend(&k, &best, &done);
	/* Dividing one of several equal parts helps only if all are divided. */
	if (status == PATHS_OK && paths_worth(p->load, copies, doubt) > undivided)
		status = begin(p, g, whole, copies, memory);
	return status;
}
