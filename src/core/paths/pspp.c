/* SPDX-License-Identifier: MIT */
/* pspp.c: precise selective path profiling, Algorithm 1 of P3, and SPP, which PSPP corrects.
 *
 * Problem: number the paths of chosen arcs so that as few arcs as possible have a label, and no other path has the
 * number of one of them.
 * Idea: numbers as Ball and Larus's, with arcs that are not chosen before those that are. A label on the only arc into
 * a vertex is handed on to the arcs out of it. Then labels of arcs that are not chosen are dropped. That makes
 * numbers of other paths smaller, and could make them equal to the number of a chosen path. So at each vertex the
 * chosen arcs come in falling order of the smallest number of a chosen path behind them, so that every reduced
 * number is smaller than that of any chosen path (Appendix A). SPP has no such order, and is wrong. A chosen path
 * keeps its original number, which decodes it.
 * Cost: linear, and a sort of the arcs of each vertex. Does not differ from the paper; arcs may be parallel. */
#include "core/paths/label.h"

struct numbering {
	uint64_t *ways, *least; /* by vertex: ways to the exit; the smallest number of a chosen path */
	uint64_t *key;          /* by arc: the key by which its vertex sorts */
	uint32_t *sorted;
};

static void number_vertex(struct paths_labels *l, const struct paths_graph *g, struct numbering *n, uint32_t v, bool in_order)
{
	uint32_t count = 0;
	uint64_t sum = 0, least = UINT64_MAX;
	for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
		if (l->chosen[a]) {
			n->key[a] = in_order ? n->least[g->arc[a].to] : 0;
			n->sorted[count++] = a;
		} else {
			sum += n->ways[g->arc[a].to];
		}
	}
	paths_sort(n->sorted, count, n->key);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = n->sorted[i], w = g->arc[a].to;
		l->base[a] = l->value[a] = sum;
		if (n->least[w] + sum < least)
			least = n->least[w] + sum;
		sum += n->ways[w];
	}
	n->ways[v] = sum;
	n->least[v] = least;
}

static void hand_on(struct paths_labels *l, const struct paths_graph *g)
{
	for (uint32_t i = 0; i < g->reached; i++) {
		uint32_t v = g->order[i];
		if (v == g->exit || g->in[v + 1] - g->in[v] != 1)
			continue;
		uint64_t *value = &l->value[g->in_arc[g->in[v]]];
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++)
			l->value[a] += *value;
		*value = 0;
	}
}

static enum paths_status label(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, bool in_order,
                               struct paths_memory *memory)
{
	enum paths_status status = paths_labels_begin(l, g, chosen, memory);
	struct paths_mark mark = paths_mark(memory);
	struct numbering n = {
		.ways = paths_take(memory, g->vertices, sizeof *n.ways),
		.least = paths_take(memory, g->vertices, sizeof *n.least),
		.key = paths_take(memory, g->arcs, sizeof *n.key),
		.sorted = paths_take(memory, g->arcs, sizeof *n.sorted),
	};
	if (status != PATHS_OK || memory->failed)
		return PATHS_NO_MEMORY;
	n.ways[g->exit] = 1;
	for (uint32_t i = g->reached; i-- > 0;)
		if (g->order[i] != g->exit)
			number_vertex(l, g, &n, g->order[i], in_order);
	hand_on(l, g);
	for (uint32_t a = 0; a < g->arcs; a++)
		if (!l->chosen[a])
			l->value[a] = 0;
	l->paths = l->keys = n.ways[g->entry];
	paths_release(memory, mark);
	return PATHS_OK;
}

enum paths_status paths_label_some(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory)
{
	return label(l, g, chosen, true, memory);
}

enum paths_status paths_label_spp(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen, struct paths_memory *memory)
{
	return label(l, g, chosen, false, memory);
}
