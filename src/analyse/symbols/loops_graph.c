/* SPDX-License-Identifier: MIT */
/* loops_graph.c: dominators, back edges, natural loops.
 *
 * Problem: which nodes are in a loop together, which loops are in which, when loops share nodes and the graph may be irreducible.
 * Idea: an edge to a node that dominates its source is a back edge; the loop is all that reaches the source without the
 * dominator. Dominators are found by iteration in reverse postorder (Cooper, Harvey and Kennedy, "A Simple, Fast
 * Dominance Algorithm", 2001). Heads are taken innermost first, that is in postorder; a walk against the edges that
 * meets a loop already found takes it whole as an inner one and goes on from its head.
 * Cost: near linear where the graph is reducible, as compilers' are. An irreducible cycle has no dominating node and
 * is not a loop. */
#include "analyse/symbols/loops_graph.h"

#include <stdlib.h>

#include "base/memory.h"

/* Numbers are positions in postorder from here on, so that a dominator has a higher number than the nodes it
 * dominates. */
struct work {
	const struct loops_graph *g;
	uint32_t *order;             /* node by position */
	uint32_t *position;          /* position by node */
	uint32_t *region;            /* by node: the entry it was reached from; edges between regions are not followed */
	uint32_t *above;             /* immediate dominator by position; an entry is its own */
	uint32_t *first_from, *from; /* predecessors by node, of the same region */
	uint32_t *stack;
	uint64_t steps; /* steps taken upwards in the trees of dominators and loops */
};

/* No compiler's graph needs that many steps. A graph made to need more gets no loops. */
#define STEPS_LIMIT (UINT64_C(1) << 27)

static uint32_t *numbers(size_t count)
{
	return memory_resize(NULL, count, sizeof(uint32_t));
}

/* ---- order ---- */

/* Walks all nodes that a node reaches and that were not reached before, and numbers them as they are left. */
static void walk_from(struct work *w, uint32_t entry, uint32_t *left, uint32_t *next_edge)
{
	size_t depth = 0;
	w->stack[depth++] = entry;
	w->region[entry] = entry;
	while (depth > 0) {
		uint32_t node = w->stack[depth - 1];
		if (next_edge[node] < w->g->first[node + 1]) {
			uint32_t to = w->g->to[next_edge[node]++];
			if (w->region[to] == LOOPS_NONE) {
				w->region[to] = entry;
				w->stack[depth++] = to;
			}
		} else {
			w->order[*left] = node;
			w->position[node] = (*left)++;
			depth--;
		}
	}
}

static void number_nodes(struct work *w)
{
	uint32_t n = w->g->count, left = 0;
	uint32_t *next_edge = numbers(n);
	bool *is_target = memory_zeroed(n, sizeof *is_target);
	for (uint32_t i = 0; i < n; i++) {
		next_edge[i] = w->g->first[i];
		w->region[i] = LOOPS_NONE;
	}
	for (uint32_t i = 0; i < w->g->first[n]; i++)
		is_target[w->g->to[i]] = true;
	walk_from(w, 0, &left, next_edge);
	for (int any = 0; any < 2; any++)
		for (uint32_t i = 0; i < n; i++)
			if (w->region[i] == LOOPS_NONE && (any || !is_target[i]))
				walk_from(w, i, &left, next_edge);
	free(next_edge);
	free(is_target);
}

static void turn_edges(struct work *w)
{
	const struct loops_graph *g = w->g;
	for (uint32_t i = 0; i <= g->count; i++)
		w->first_from[i] = 0;
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t i = 0; i < g->count; i++)
			for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
				if (w->region[g->to[e]] == w->region[i]) {
					if (fill)
						w->from[--w->first_from[g->to[e]]] = i;
					else
						w->first_from[g->to[e]]++;
				}
		for (uint32_t i = 1; !fill && i <= g->count; i++)
			w->first_from[i] += w->first_from[i - 1];
	}
}

/* ---- dominators ---- */

static uint32_t meet(struct work *w, uint32_t a, uint32_t b)
{
	while (a != b) {
		for (; a < b; w->steps++)
			a = w->above[a];
		for (; b < a; w->steps++)
			b = w->above[b];
	}
	return a;
}

static bool improve(struct work *w, uint32_t at)
{
	uint32_t node = w->order[at], best = LOOPS_NONE;
	if (w->region[node] == node)
		return false;
	for (uint32_t e = w->first_from[node]; e < w->first_from[node + 1]; e++) {
		uint32_t p = w->position[w->from[e]];
		if (w->above[p] != LOOPS_NONE)
			best = best == LOOPS_NONE ? p : meet(w, p, best);
	}
	bool better = best != w->above[at];
	w->above[at] = best;
	return better;
}

static void find_dominators(struct work *w)
{
	uint32_t n = w->g->count;
	for (uint32_t at = 0; at < n; at++)
		w->above[at] = w->region[w->order[at]] == w->order[at] ? at : LOOPS_NONE;
	for (bool changed = true; changed && w->steps < STEPS_LIMIT; w->steps += n) {
		changed = false;
		for (uint32_t at = n; at-- > 0 && w->steps < STEPS_LIMIT;)
			changed |= improve(w, at);
	}
}

static bool dominates(struct work *w, uint32_t head, uint32_t at)
{
	for (; at < head && w->above[at] != at; w->steps++)
		at = w->above[at];
	return at == head;
}

/* ---- loops ---- */

static uint32_t outermost(struct work *w, const struct loops_graph *g, uint32_t loop)
{
	for (; g->parents[loop] != LOOPS_NONE; w->steps++)
		loop = g->parents[loop];
	return loop;
}

/* Adds every node from which the stack's nodes can be reached without passing the head. */
static void fill_loop(struct work *w, struct loops_graph *g, uint32_t loop, size_t depth)
{
	while (depth > 0) {
		uint32_t node = w->stack[--depth];
		if (g->innermost[node] != LOOPS_NONE) {
			uint32_t inner = outermost(w, g, g->innermost[node]);
			if (inner == loop)
				continue;
			g->parents[inner] = loop;
			node = g->heads[inner];
		} else {
			g->innermost[node] = loop;
		}
		if (node == g->heads[loop])
			continue;
		for (uint32_t e = w->first_from[node]; e < w->first_from[node + 1]; e++)
			w->stack[depth++] = w->from[e];
	}
}

static void find_loop(struct work *w, struct loops_graph *g, uint32_t at)
{
	uint32_t head = w->order[at];
	size_t depth = 0;
	for (uint32_t e = w->first_from[head]; e < w->first_from[head + 1]; e++)
		if (dominates(w, at, w->position[w->from[e]]))
			w->stack[depth++] = w->from[e];
	if (depth == 0)
		return;
	uint32_t loop = g->loop_count++;
	g->heads[loop] = head;
	g->parents[loop] = LOOPS_NONE;
	g->innermost[head] = loop;
	fill_loop(w, g, loop, depth);
}

static void forget(struct loops_graph *g)
{
	g->loop_count = 0;
	for (uint32_t i = 0; i < g->count; i++)
		g->innermost[i] = LOOPS_NONE;
}

void loops_graph_find(struct loops_graph *g)
{
	uint32_t n = g->count, edges = n ? g->first[n] : 0;
	g->heads = numbers(n);
	g->parents = numbers(n);
	g->innermost = numbers(n);
	forget(g);
	if (n == 0)
		return;
	struct work w = {.g = g,
	                 .order = numbers(n),
	                 .position = numbers(n),
	                 .region = numbers(n),
	                 .above = numbers(n),
	                 .first_from = numbers(n + 1),
	                 .from = numbers(edges),
	                 .stack = numbers((size_t)n + edges)};
	number_nodes(&w);
	turn_edges(&w);
	find_dominators(&w);
	for (uint32_t at = 0; at < n && w.steps < STEPS_LIMIT; at++)
		find_loop(&w, g, at);
	if (w.steps >= STEPS_LIMIT)
		forget(g);
	uint32_t *all[] = {w.order, w.position, w.region, w.above, w.first_from, w.from, w.stack};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

bool loops_graph_holds(const struct loops_graph *g, uint32_t loop, uint32_t node)
{
	for (uint32_t l = g->innermost[node]; l != LOOPS_NONE; l = g->parents[l])
		if (l == loop)
			return true;
	return false;
}

void loops_graph_free(struct loops_graph *g)
{
	free(g->heads);
	free(g->parents);
	free(g->innermost);
}
