/* SPDX-License-Identifier: MIT */
/* p3.c: P3 as published, Algorithm 2.
 *
 * Idea: a function that is called from one place at most is divided into tasks: from its entry on, paths are
 * enumerated until there are as many beginnings as the threshold says; a beginning with everything that can follow
 * is a task. Conditionals with empty arms (diamonds, triangles) count as one arc, so paths that differ only there
 * stay together. Other functions are one task. A task costs the probes that it needs. The most expensive task goes
 * to the copy with the least load, and so on; tasks of one function in one copy become one set of arcs.
 * Differs from the paper: a vertex is finished before beginnings are counted (as printed, the loop is left in the
 * middle of it, and the arcs that were not reached are in no task); a diamond becomes an arc instead of a vertex, so
 * that its ends may have other arcs; any number of arms between the same ends become one. A graph with cuts is one
 * task.
 * Cost: tasks times arcs. */
#include <string.h>
#include "core/paths/share.h"

struct beginning {
	struct beginning *next;
	uint8_t *arcs;
};

struct task {
	struct task *next;
	uint32_t function;
	double cost;
	uint8_t *arcs;
};

struct work {
	const struct paths_function *function;
	const struct paths_p3 *how;
	struct paths_memory *memory;
	struct task *tasks;
	uint32_t count;
};

enum paths_status paths_plan_p3(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                struct paths_memory *memory)
{
	struct paths_labels l;
	bool all = g->cuts || paths_all_chosen(g, chosen);
	enum paths_status status = all ? paths_label_all(&l, g, memory) : paths_label_some(&l, g, chosen, memory);
	if (status == PATHS_OK && all)
		status = paths_place(&l, g, weights, memory);
	return status == PATHS_OK ? paths_plan_plain(plan, g, &l, memory) : status;
}

static enum paths_status cost_of(const struct work *w, const struct paths_function *f, const uint8_t *arcs, double *cost)
{
	struct paths_mark mark = paths_mark(w->memory);
	struct paths_plan plan;
	enum paths_status status = paths_plan_p3(&plan, f->graph, arcs, f->weights, w->memory);
	*cost = 0;
	for (uint32_t a = 0; status == PATHS_OK && a < f->graph->arcs; a++)
		*cost += plan.labels.value[a] != 0;
	if (status == PATHS_OK && w->how->measured)
		*cost = paths_plan_cost(&plan, f->graph, f->weights);
	paths_release(w->memory, mark);
	return status;
}

static enum paths_status add_task(struct work *w, uint32_t function, uint8_t *arcs)
{
	struct task *t = paths_take(w->memory, 1, sizeof *t);
	if (!t || !arcs)
		return PATHS_NO_MEMORY;
	*t = (struct task){w->tasks, function, 0, arcs};
	w->tasks = t;
	w->count++;
	return cost_of(w, &w->function[function], arcs, &t->cost);
}

static uint8_t *all_arcs(const struct paths_graph *g, struct paths_memory *memory)
{
	uint8_t *arcs = paths_take(memory, g->arcs, 1);
	if (arcs)
		memset(arcs, 1, g->arcs);
	return arcs;
}

/* The arc out of v if v has one arc in and one arc out. */
static uint32_t only_way(const struct paths_graph *g, uint32_t v)
{
	return v < g->blocks && g->in[v + 1] - g->in[v] == 1 && g->out[v + 1] - g->out[v] == 1 ? g->out[v] : PATHS_NONE;
}

/* By arc: if it begins an arm of a diamond or triangle, the first arm's arc, else the arc itself. */
static void find_diamonds(const struct paths_graph *g, uint32_t *with)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		with[a] = a;
	for (uint32_t a = 0; a < g->arcs; a++) {
		uint32_t way = only_way(g, g->arc[a].to), end = way == PATHS_NONE ? g->arc[a].to : g->arc[way].to, v = g->arc[a].from;
		for (uint32_t b = g->out[v]; v != g->entry && b < a && with[a] == a; b++) {
			uint32_t other = only_way(g, g->arc[b].to), other_end = other == PATHS_NONE ? g->arc[b].to : g->arc[other].to;
			if (other_end == end && (way != PATHS_NONE || other != PATHS_NONE))
				with[a] = with[b];
		}
	}
}

/* Marks the arcs of all arms that belong to `first`; returns the vertex where they end. */
static uint32_t mark_arms(const struct paths_graph *g, const uint32_t *with, uint32_t first, uint8_t *arcs)
{
	uint32_t v = g->arc[first].from, arms = 0, end = g->arc[first].to, way;
	for (uint32_t a = first; a < g->out[v + 1]; a++)
		arms += with[a] == first;
	for (uint32_t a = first; a < g->out[v + 1]; a++) {
		if (with[a] != first)
			continue;
		arcs[a] = 1;
		if (arms > 1 && (way = only_way(g, g->arc[a].to)) != PATHS_NONE) {
			arcs[way] = 1;
			end = g->arc[way].to;
		}
	}
	return end;
}

/* Each beginning that has reached v continues along each arc out of v. */
static enum paths_status go_on(struct work *w, const struct paths_graph *g, const uint32_t *with, struct beginning **at, uint32_t v,
                               uint64_t *total)
{
	for (struct beginning *b = at[v]; b; b = b->next) {
		--*total;
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
			if (with[a] != a)
				continue;
			struct beginning *n = paths_take(w->memory, 1, sizeof *n);
			uint8_t *arcs = paths_take(w->memory, g->arcs, 1);
			if (!n || !arcs)
				return PATHS_NO_MEMORY;
			memcpy(arcs, b->arcs, g->arcs);
			uint32_t end = mark_arms(g, with, a, arcs);
			*n = (struct beginning){at[end], arcs};
			at[end] = n;
			++*total;
		}
	}
	at[v] = NULL;
	return PATHS_OK;
}

/* Marks all arcs that can follow v. */
static void mark_behind(const struct paths_graph *g, uint32_t v, uint8_t *arcs, uint8_t *seen)
{
	memset(seen, 0, g->vertices);
	seen[v] = 1;
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t u = g->order[i], a = g->out[u]; seen[u] && a < g->out[u + 1]; a++)
			arcs[a] = seen[g->arc[a].to] = 1;
}

static enum paths_status find_tasks(struct work *w, uint32_t function)
{
	const struct paths_graph *g = w->function[function].graph;
	uint32_t ways = g->out[g->entry + 1] - g->out[g->entry], i = 0;
	uint64_t threshold = w->how->threshold ? w->how->threshold : ways > w->how->copies ? ways : w->how->copies, total = 1;
	uint32_t *with = paths_take(w->memory, g->arcs, sizeof *with);
	struct beginning **at = paths_take(w->memory, g->vertices, sizeof *at);
	struct beginning *first = paths_take(w->memory, 1, sizeof *first);
	uint8_t *seen = paths_take(w->memory, g->vertices, 1);
	enum paths_status status = w->memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
	if (status != PATHS_OK || !(first->arcs = paths_take(w->memory, g->arcs, 1)))
		return PATHS_NO_MEMORY;
	find_diamonds(g, with);
	at[g->entry] = first;
	while (status == PATHS_OK && i + 1 < g->reached && total < threshold)
		status = go_on(w, g, with, at, g->order[i++], &total);
	for (uint32_t v = 0; v < g->vertices; v++)
		for (struct beginning *b = at[v]; b && status == PATHS_OK; b = b->next) {
			mark_behind(g, v, b->arcs, seen);
			status = add_task(w, function, b->arcs);
		}
	return status;
}

static uint32_t least_loaded(const struct paths_share *s)
{
	uint32_t best = 0;
	for (uint32_t c = 1; c < s->copies; c++)
		if (s->load[c] < s->load[best])
			best = c;
	return best;
}

static enum paths_status deal_out(struct paths_share *s, struct work *w)
{
	struct task **task = paths_take(w->memory, w->count, sizeof *task);
	uint32_t *order = paths_take(w->memory, w->count, sizeof *order), i = w->count;
	uint64_t *key = paths_take(w->memory, w->count, sizeof *key);
	if (w->memory->failed)
		return PATHS_NO_MEMORY;
	for (struct task *t = w->tasks; t; t = t->next) {
		task[--i] = t;
		order[i] = i;
		memcpy(&key[i], &t->cost, sizeof t->cost); /* non-negative doubles have the order of their bits */
	}
	paths_sort(order, w->count, key);
	for (i = 0; i < w->count; i++) {
		const struct task *t = task[order[i]];
		uint32_t c = least_loaded(s), arcs = w->function[t->function].graph->arcs;
		uint8_t **chosen = &s->chosen[(size_t)c * s->functions + t->function];
		s->load[c] += t->cost;
		if (!*chosen && !(*chosen = paths_take(w->memory, arcs, 1)))
			return PATHS_NO_MEMORY;
		for (uint32_t a = 0; a < arcs; a++)
			(*chosen)[a] |= t->arcs[a];
	}
	return PATHS_OK;
}

enum paths_status paths_share_p3(struct paths_share *s, const struct paths_function *functions, uint32_t count, const struct paths_p3 *how,
                                 struct paths_memory *memory)
{
	struct work w = {.function = functions, .how = how, .memory = memory};
	enum paths_status status = PATHS_OK;
	*s = (struct paths_share){
		.copies = how->copies,
		.functions = count,
		.chosen = paths_take(memory, (size_t)how->copies * count, sizeof *s->chosen),
		.by_turns = paths_take(memory, count, 1),
		.load = paths_take(memory, how->copies, sizeof *s->load),
	};
	if (memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t i = 0; status == PATHS_OK && i < count; i++) {
		uint32_t before = w.count;
		if (functions[i].once && !how->whole && !functions[i].graph->cuts)
			status = find_tasks(&w, i);
		else
			status = add_task(&w, i, all_arcs(functions[i].graph, memory));
		s->profitable += w.count - before > 1;
	}
	s->tasks = w.count;
	return status == PATHS_OK ? deal_out(s, &w) : status;
}
