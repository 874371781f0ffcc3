/* SPDX-License-Identifier: MIT */
/* graphs.c: derives from the graph of a function which edges are back edges, how many paths there are, the number of
 * each path, and how often edges and blocks were passed. The graph is rebuilt from the edges at each use: that is
 * faster than reading a stored graph. */
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/paths.h"
#include "core/paths/label.h"

/* ---- memory ---- */

struct chunk {
	struct chunk *next;
	_Alignas(16) char bytes[];
};

static void *more(void *context, size_t bytes)
{
	struct chunk **first = context, *c = malloc(sizeof *c + bytes);
	if (!c)
		return NULL;
	c->next = *first;
	*first = c;
	return c->bytes;
}

void paths_memory_start(struct paths_memory *memory)
{
	*memory = (struct paths_memory){.more = more, .context = memory_zeroed(1, sizeof(struct chunk *))};
}

void paths_memory_free(struct paths_memory *memory)
{
	struct chunk **first = memory->context;
	while (*first) {
		struct chunk *c = *first;
		*first = c->next;
		free(c);
	}
	free(first);
	memset(memory, 0, sizeof *memory);
}

/* ---- graphs ---- */

bool paths_graph_of(const struct paths *paths, const struct paths_profile *f, struct paths_graph *g, struct paths_memory *memory)
{
	static const struct paths_limits uncut = {.whole = UINT64_MAX, .piece = PATHS_PIECE_MAX};
	return paths_graph_build(g, f->blocks, paths->edges + f->first_edge, f->edges, paths->block_stops + f->first_block, &uncut,
	                         memory) == PATHS_OK;
}

/* ---- one path ---- */

static uint32_t first_arc(const struct paths_graph *g, uint32_t begin)
{
	if (begin == PATHS_NONE)
		return g->arc_of[g->edges - 1];
	for (uint32_t a = g->out[g->entry]; a < g->out[g->entry + 1]; a++)
		if (g->arc[a].kind == PATHS_HEAD && g->arc[a].to == begin)
			return a;
	return PATHS_NONE;
}

/* Whether these edges in sequence are arcs of the graph that lead to the end of a path, or to `stop`. */
static bool is_way(const struct paths_graph *g, uint32_t begin, const uint32_t *step, uint32_t length, uint32_t stop)
{
	uint32_t at = begin == PATHS_NONE ? 0 : begin;
	bool ended = false;
	if (at >= g->blocks || first_arc(g, begin) == PATHS_NONE)
		return false;
	for (uint32_t i = 0; i < length; i++) {
		if (ended || step[i] >= g->edges - 1 || g->edge[step[i]].from != at || g->arc_of[step[i]] == PATHS_NONE)
			return false;
		const struct paths_arc *arc = &g->arc[g->arc_of[step[i]]];
		ended = arc->to == g->exit;
		at = arc->to;
	}
	return stop == PATHS_NONE ? ended : !ended && at == stop;
}

static uint64_t hash_of(const struct paths_path *p, const uint32_t *step)
{
	uint64_t h = p->begin * UINT64_C(0x9e3779b97f4a7c15) + p->length;
	for (uint32_t i = 0; i < p->length; i++) {
		h = (h ^ step[i]) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return h >> 2;
}

static uint64_t number_of(const struct paths_graph *g, const struct paths_labels *l, const struct paths_path *p, const uint32_t *step)
{
	uint64_t number = l->base[first_arc(g, p->begin)];
	for (uint32_t i = 0; i < p->length; i++)
		number += l->base[g->arc_of[step[i]]];
	return number;
}

/* ---- all of a profile ---- */

struct fill {
	struct paths *paths;
	struct paths_profile *f;
	struct paths_graph g;
	struct paths_labels labels;
};

static void pass_edges(struct fill *c, uint32_t begin, const uint32_t *step, uint32_t length, uint64_t count)
{
	uint64_t *passed = c->paths->passed + c->f->first_edge;
	passed[c->f->edges] += begin == PATHS_NONE ? count : 0;
	for (uint32_t i = 0; i < length; i++)
		passed[step[i]] += count;
}

/* Blocks are counted by the paths through them, not by edges: where setjmp returns again, a path begins without an
 * edge. */
static uint64_t pass_blocks(struct fill *c, struct paths_walk walk, uint64_t count, uint32_t *blocks)
{
	uint64_t instructions = 0;
	*blocks = 0;
	for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE; ++*blocks) {
		struct paths_block *block = &c->paths->blocks[c->f->first_block + b];
		block->count += count;
		instructions += block->instructions;
	}
	return instructions;
}

static bool fill_path(struct fill *c, struct paths_path *p)
{
	const uint32_t *step = c->paths->steps + p->first_step;
	if (!p->length || !is_way(&c->g, p->begin, step, p->length, PATHS_NONE))
		return false;
	bool ends = c->paths->edges[c->f->first_edge + step[p->length - 1]].to == PATHS_EXIT;
	p->kind = p->begin == PATHS_NONE ? (ends ? PATHS_ENTRY_TO_EXIT : PATHS_ENTRY_TO_BACK)
		: ends                   ? PATHS_BACK_TO_EXIT
					 : PATHS_BACK_TO_BACK;
	p->number = c->f->possible < PATHS_NUMBERED ? number_of(&c->g, &c->labels, p, step) : hash_of(p, step);
	p->instructions = pass_blocks(c, paths_walk(c->paths, p), p->count, &p->blocks);
	pass_edges(c, p->begin, step, p->length, p->count);
	return true;
}

static bool fill_stop(struct fill *c, const struct paths_stop *s)
{
	uint32_t blocks;
	if (s->block >= c->f->blocks)
		return false;
	if (!s->is_known)
		return true;
	const uint32_t *step = c->paths->steps + s->first_step;
	if (!is_way(&c->g, s->begin, step, s->length, s->block))
		return false;
	pass_edges(c, s->begin, step, s->length, s->count);
	pass_blocks(c, paths_walk_stop(c->paths, s), s->count, &blocks);
	return true;
}

static int by_count(const void *a, const void *b)
{
	const struct paths_path *x = a, *y = b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

bool paths_complete(struct paths *paths, struct paths_profile *f, struct paths_memory *memory)
{
	struct fill c = {.paths = paths, .f = f};
	struct paths_mark mark = paths_mark(memory);
	bool good = paths_graph_of(paths, f, &c.g, memory);
	if (good) {
		f->possible = paths_possible(&c.g, memory);
		good = f->possible >= PATHS_NUMBERED || paths_label_all(&c.labels, &c.g, memory) == PATHS_OK;
	}
	memset(paths->passed + f->first_edge, 0, (f->edges + 1) * sizeof *paths->passed);
	for (uint32_t b = 0; b < f->blocks; b++)
		paths->blocks[f->first_block + b].count = 0;
	for (size_t i = 0; good && i < f->paths; i++)
		good = fill_path(&c, &paths->list[f->first_path + i]);
	for (size_t i = 0; good && i < f->stops; i++)
		good = fill_stop(&c, &paths->stops[f->first_stop + i]);
	if (good && f->paths)
		qsort(paths->list + f->first_path, f->paths, sizeof *paths->list, by_count);
	paths_release(memory, mark);
	return good && !memory->failed;
}
