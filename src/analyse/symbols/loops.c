/* SPDX-License-Identifier: MIT */
/* loops.c: finds loops in machine code.
 *
 * Problem: DWARF does not know loops, and a profile that names them tells much more than one of routines and lines
 * (Tallent and Mellor-Crummey show theirs as scopes).
 * Idea: make the control-flow graph (loops_code.h), find its natural loops (loops_graph.h), and keep for each the
 * branches that make it one: they tell its line. Landing pads of exceptions are entered by the unwinder, from nowhere:
 * that cannot hide a loop (loops_graph.h). */
#include "analyse/symbols/loops.h"

#include <stdlib.h>

#include "analyse/symbols/loops_code.h"
#include "base/memory.h"

/* A branch that belongs to a loop: it goes back to the head, or leaves. */
struct control {
	uint32_t loop;
	bool leaves;
	uint64_t branch;
};

struct controls {
	struct control *at;
	size_t count, room;
};

static void add_control(struct controls *all, uint32_t loop, bool leaves, uint64_t branch)
{
	MEMORY_GROW(all->at, all->count, all->room);
	all->at[all->count++] = (struct control){loop, leaves, branch};
}

/* Records whether an edge between two blocks closes or leaves the loops around its first block. */
static void judge_edge(struct controls *all, const struct loops_graph *g, uint32_t from, uint32_t to, uint64_t branch)
{
	uint32_t loop = g->innermost[from];
	for (; loop != LOOPS_NONE && !loops_graph_holds(g, loop, to); loop = g->parents[loop])
		add_control(all, loop, true, branch);
	if (loop != LOOPS_NONE && g->heads[g->innermost[to]] == to && loops_graph_holds(g, g->innermost[to], from))
		add_control(all, g->innermost[to], false, branch);
}

static int by_loop(const void *a, const void *b)
{
	const struct control *x = a, *y = b;
	if (x->loop != y->loop)
		return x->loop < y->loop ? -1 : 1;
	if (x->leaves != y->leaves)
		return x->leaves - y->leaves;
	return (x->branch > y->branch) - (x->branch < y->branch);
}

static void keep_controls(struct loops *l, struct controls *all)
{
	if (all->count)
		qsort(all->at, all->count, sizeof *all->at, by_loop);
	l->branches = memory_resize(NULL, all->count, sizeof *l->branches);
	for (size_t i = 0; i < all->count; i++) {
		struct loops_loop *loop = &l->loops[all->at[i].loop];
		uint32_t *count = all->at[i].leaves ? &loop->exit_count : &loop->latch_count;
		if ((*count)++ == 0)
			*(all->at[i].leaves ? &loop->first_exit : &loop->first_latch) = (uint32_t)i;
		l->branches[i] = all->at[i].branch;
	}
	l->branch_count = all->count;
	free(all->at);
}

/* If a head is not a block, but stands for copies of one jump, the loop's first block becomes the head. */
static void set_heads(struct loops *l, const struct loops_code *c, const struct loops_graph *g)
{
	for (uint32_t i = 0; i < g->loop_count; i++) {
		l->loops[i].head = g->heads[i] < c->count ? c->blocks[g->heads[i]].low : UINT64_MAX;
		l->loops[i].parent = g->parents[i];
	}
	for (uint32_t b = 0; b < c->count; b++)
		for (uint32_t i = g->innermost[b]; i != LOOPS_NONE; i = g->parents[i])
			if (g->heads[i] >= c->count && c->blocks[b].low < l->loops[i].head)
				l->loops[i].head = c->blocks[b].low;
}

static void keep_loops(struct loops *l, const struct loops_code *c, const struct loops_graph *g)
{
	struct controls all = {0};
	l->loop_count = g->loop_count;
	l->loops = memory_zeroed(g->loop_count, sizeof *l->loops);
	l->block_count = c->count;
	l->blocks = memory_resize(NULL, c->count, sizeof *l->blocks);
	set_heads(l, c, g);
	for (uint32_t b = 0; b < c->count; b++)
		l->blocks[b] = (struct loops_block){c->blocks[b].low, c->blocks[b].high, g->innermost[b]};
	for (uint32_t n = 0; n < g->count; n++)
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			judge_edge(&all, g, n, g->to[e], n < c->count ? c->blocks[n].branch : c->table_branches[n - c->count]);
	keep_controls(l, &all);
}

void loops_find(struct loops *l, const unsigned char *bytes, uint64_t address, size_t count)
{
	struct loops_code c;
	*l = (struct loops){0};
	if (count == 0 || count > LOOPS_LARGEST)
		return;
	loops_code_read(&c, bytes, address, count);
	struct loops_graph g = {.count = c.node_count, .first = c.first, .to = c.to};
	loops_graph_find(&g);
	keep_loops(l, &c, &g);
	loops_graph_free(&g);
	loops_code_free(&c);
}

uint32_t loops_at(const struct loops *l, uint64_t address)
{
	size_t from = 0, to = l->block_count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (l->blocks[middle].low <= address)
			from = middle + 1;
		else
			to = middle;
	}
	return from > 0 && address < l->blocks[from - 1].high ? l->blocks[from - 1].loop : LOOPS_NONE;
}

void loops_free(struct loops *l)
{
	free(l->loops);
	free(l->blocks);
	free(l->branches);
	*l = (struct loops){0};
}
