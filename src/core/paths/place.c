/* SPDX-License-Identifier: MIT */
/* place.c: moves values to the arcs outside a maximum spanning tree.
 *
 * Problem: the sum of values along each path from entry to exit must stay, and be made of as few and as rare additions as possible.
 * Idea: give each vertex a potential, 0 at entry and exit, and an arc the value  value + potential of its source -
 * potential of its target: along a path the potentials cancel out. Along a tree they can be chosen so that every arc of
 * it has the value 0. The maximum tree leaves the rarest arcs. Kruskal's algorithm finds it, with a union-find
 * forest in which each vertex stores its potential relative to its parent. Entry and exit are joined first. Then
 * come arcs on which nothing can be put. Arcs to the exit come last: their values go into the index of the counter.
 *
 * Cost: that of the sort. If not all arcs are chosen and labels are those of the inside, only chosen arcs take part:
 * other arcs have no values. */
#include <stdbool.h>
#include <string.h>
#include "core/paths/label.h"

struct forest {
	uint32_t *parent;
	uint64_t *offset; /* potential minus that of the parent */
};

/* The root of v; *potential is that of v minus that of the root. Halves the path on the way. */
static uint32_t root_of(struct forest *f, uint32_t v, uint64_t *potential)
{
	uint64_t sum = 0;
	while (f->parent[v] != v) {
		uint32_t p = f->parent[v];
		if (f->parent[p] != p) {
			f->offset[v] += f->offset[p];
			f->parent[v] = f->parent[p];
		}
		sum += f->offset[v];
		v = f->parent[v];
	}
	*potential = sum;
	return v;
}

/* Sets the potential of w to that of u plus `value`, unless u and w are already joined. */
static void join(struct forest *f, uint32_t u, uint32_t w, uint64_t value)
{
	uint64_t pu, pw;
	uint32_t ru = root_of(f, u, &pu), rw = root_of(f, w, &pw);
	if (ru == rw)
		return;
	f->parent[rw] = ru;
	f->offset[rw] = pu + value - pw;
}

/* Non-negative doubles have the order of their bits. */
static uint64_t key_of(const struct paths_graph *g, uint32_t a, const double *weights)
{
	double w = weights ? weights[a] : 1;
	uint64_t bits = 0;
	const struct paths_arc *arc = &g->arc[a];
	if (arc->edge != PATHS_NONE && arc->kind == PATHS_STEP && (g->edge[arc->edge].flags & PATHS_PINNED))
		return UINT64_MAX;
	if (arc->to == g->exit || !(w > 0))
		return 0;
	memcpy(&bits, &w, sizeof bits);
	return bits;
}

enum paths_status paths_place(struct paths_labels *l, const struct paths_graph *g, const double *weights, struct paths_memory *memory)
{
	struct paths_mark mark = paths_mark(memory);
	struct forest f = {paths_take(memory, g->vertices, sizeof *f.parent), paths_take(memory, g->vertices, sizeof *f.offset)};
	uint32_t *arcs = paths_take(memory, g->arcs, sizeof *arcs), count = 0;
	uint64_t *key = paths_take(memory, g->arcs, sizeof *key), pu, pw, zero;
	if (memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t v = 0; v < g->vertices; v++)
		f.parent[v] = v;
	for (uint32_t a = 0; a < g->arcs; a++) {
		key[a] = key_of(g, a, weights);
		if (l->chosen[a] || !l->beyond)
			arcs[count++] = a;
	}
	paths_sort(arcs, count, key);
	join(&f, g->entry, g->exit, 0);
	for (uint32_t i = 0; i < count; i++)
		join(&f, g->arc[arcs[i]].from, g->arc[arcs[i]].to, l->value[arcs[i]]);
	for (uint32_t i = 0; i < count; i++) {
		root_of(&f, g->arc[arcs[i]].from, &pu);
		root_of(&f, g->arc[arcs[i]].to, &pw);
		l->value[arcs[i]] += pu - pw;
	}
	uint32_t home = root_of(&f, g->entry, &zero);
	for (uint32_t v = 0; l->beyond && v < g->vertices; v++)
		if (root_of(&f, v, &pw) == home)
			l->beyond[v] -= pw - zero;
	paths_release(memory, mark);
	return PATHS_OK;
}
