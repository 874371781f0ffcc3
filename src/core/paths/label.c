/* SPDX-License-Identifier: MIT */
/* label.c: numbers all paths, or those inside a part of the graph, as Ball and Larus do, and decodes numbers.
 *
 * Idea: from the exit backwards, count the ways of each vertex to the exit. The label of an arc out of a vertex is
 * the sum of the ways of the arcs before it. A number is decoded by taking at each vertex the arc with the largest
 * label that is not above what is left. Linear.
 *
 * Inside a part: ways that leave the chosen arcs are not counted, so numbers are dense however few paths are chosen.
 * A path that leaves the part and returns must not be taken for another: where it returns, the register is set so
 * that the final sum lies between `paths` and `keys`. */
#include "core/paths/label.h"
#include <string.h>

static void sift(uint32_t *items, uint32_t at, uint32_t count, const uint64_t *key)
{
	uint32_t item = items[at];
	for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
		/* the last item is at the top of the heap */
		if (child + 1 < count &&
		    (key[items[child + 1]] < key[items[child]] ||
		     (key[items[child + 1]] == key[items[child]] && items[child + 1] > items[child])))
			child++;
		if (key[items[child]] > key[item] || (key[items[child]] == key[item] && items[child] < item))
			break;
		items[at] = items[child];
	}
	items[at] = item;
}

void paths_sort(uint32_t *items, uint32_t count, const uint64_t *key)
{
	for (uint32_t i = count / 2; i-- > 0;)
		sift(items, i, count, key);
	for (uint32_t n = count; n-- > 1;) {
		uint32_t last = items[0];
		items[0] = items[n];
		items[n] = last;
		sift(items, 0, n, key);
	}
}

uint32_t paths_prune(const struct paths_graph *g, uint8_t *chosen, struct paths_memory *memory)
{
	enum { FROM_ENTRY = 1, TO_EXIT = 2 };
	struct paths_mark mark = paths_mark(memory);
	uint8_t *seen = paths_take(memory, g->vertices, 1);
	uint32_t left = 0;
	if (!seen)
		return 0;
	seen[g->entry] |= FROM_ENTRY;
	seen[g->exit] |= TO_EXIT;
	for (uint32_t i = 0; i < g->reached; i++)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			if (chosen[a] && (seen[v] & FROM_ENTRY))
				seen[g->arc[a].to] |= FROM_ENTRY;
	for (uint32_t i = g->reached; i-- > 0;)
		for (uint32_t v = g->order[i], a = g->out[v]; a < g->out[v + 1]; a++)
			if (chosen[a] && (seen[g->arc[a].to] & TO_EXIT))
				seen[v] |= TO_EXIT;
	for (uint32_t a = 0; a < g->arcs; a++) {
		chosen[a] = chosen[a] && (seen[g->arc[a].from] & FROM_ENTRY) && (seen[g->arc[a].to] & TO_EXIT);
		left += chosen[a];
	}
	paths_release(memory, mark);
	return left;
}

bool paths_all_chosen(const struct paths_graph *g, const uint8_t *chosen)
{
	for (uint32_t a = 0; chosen && a < g->arcs; a++)
		if (!chosen[a])
			return false;
	return true;
}

enum paths_status paths_labels_begin(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory)
{
	*l = (struct paths_labels){
		.base = paths_take(memory, g->arcs, sizeof *l->base),
		.value = paths_take(memory, g->arcs, sizeof *l->value),
		.chosen = paths_take(memory, g->arcs, 1),
	};
	if (memory->failed)
		return PATHS_NO_MEMORY;
	if (chosen) {
		memcpy(l->chosen, chosen, g->arcs);
		paths_prune(g, l->chosen, memory);
	} else {
		memset(l->chosen, 1, g->arcs);
	}
	return memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

/* Numbers paths of the chosen arcs only. `ways` is filled in. */
static void number(struct paths_labels *l, const struct paths_graph *g, uint64_t *ways)
{
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		uint64_t sum = v == g->exit;
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
			if (!l->chosen[a])
				continue;
			l->base[a] = l->value[a] = sum;
			sum += ways[g->arc[a].to];
		}
		ways[v] = sum;
	}
	l->paths = l->keys = ways[g->entry];
}

enum paths_status paths_label_all(struct paths_labels *l, const struct paths_graph *g, struct paths_memory *memory)
{
	enum paths_status status = paths_labels_begin(l, g, NULL, memory);
	struct paths_mark mark = paths_mark(memory);
	uint64_t *ways = paths_take(memory, g->vertices, sizeof *ways);
	if (status != PATHS_OK || !ways)
		return PATHS_NO_MEMORY;
	number(l, g, ways);
	paths_release(memory, mark);
	return PATHS_OK;
}

enum paths_status paths_label_inside(struct paths_labels *l, const struct paths_graph *g, const uint8_t *chosen,
                                     struct paths_memory *memory)
{
	enum paths_status status = paths_labels_begin(l, g, chosen, memory);
	l->beyond = paths_take(memory, g->vertices, sizeof *l->beyond);
	struct paths_mark mark = paths_mark(memory);
	uint64_t *ways = paths_take(memory, g->vertices, sizeof *ways);
	if (status != PATHS_OK || memory->failed)
		return PATHS_NO_MEMORY;
	number(l, g, ways);
	for (uint32_t v = 0; v < g->vertices; v++) {
		l->beyond[v] = l->paths;
		if (v != g->entry && l->keys < l->paths + ways[v])
			l->keys = l->paths + ways[v];
	}
	paths_release(memory, mark);
	return PATHS_OK;
}

uint32_t paths_decode(const struct paths_labels *l, const struct paths_graph *g, uint64_t number, uint32_t *arcs)
{
	uint32_t count = 0, v = g->entry;
	if (number >= l->paths)
		return 0;
	while (v != g->exit) {
		uint32_t best = PATHS_NONE;
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++)
			if (l->chosen[a] && l->base[a] <= number && (best == PATHS_NONE || l->base[a] > l->base[best]))
				best = a;
		if (best == PATHS_NONE)
			return 0;
		number -= l->base[best];
		arcs[count++] = best;
		v = g->arc[best].to;
	}
	return number ? 0 : count;
}
