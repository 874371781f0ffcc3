/* SPDX-License-Identifier: MIT */
/* pgo_estimate.c: counts of blocks from counts of lines; the rules are in pgo.h.
 * Cost: linear in blocks and edges, times the rounds until nothing changes, which are bounded. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"

#include "analyse/paths/pgo.h"

enum { ROUNDS = 64 };

struct edge {
	uint32_t from, to;
};

struct estimate {
	struct pgo *pgo;
	struct pgo_block *block;
	size_t blocks;
	struct edge *edge;
	size_t edges, edge_room;
	uint32_t *into, *out_of; /* number of edges of a block */
	double *before, *behind; /* sums of one round */
};

/* ---- edges ---- */

static void find_edges(struct estimate *e)
{
	for (size_t i = 0; i < e->blocks; i++)
		for (size_t k = 0; k < e->block[i].befores; k++) {
			uint32_t from = e->pgo->befores[e->block[i].first_before + k];
			MEMORY_GROW(e->edge, e->edges, e->edge_room);
			e->edge[e->edges++] = (struct edge){from, (uint32_t)i};
			e->into[i]++;
			e->out_of[from]++;
		}
}

/* ---- counts ---- */

static bool splits_an_edge(const struct estimate *e, size_t block)
{
	return e->block[block].instructions == 1 && e->into[block] == 1 && e->out_of[block] == 1;
}

typedef bool lookup_line(void *context, const char *file, uint32_t line, uint64_t *count);

static bool take_lines_of(const struct estimate *e, struct pgo_block *b, bool inlined, lookup_line *lookup, void *context)
{
	bool any = false;
	for (size_t k = 0; k < b->lines; k++) {
		const struct pgo_line *line = &e->pgo->lines[b->first_line + k];
		uint64_t count;
		if (line->inlined != inlined || !line->file || !line->line || !lookup(context, line->file, line->line, &count))
			continue;
		b->count = fmin(b->count, (double)count);
		any = true;
	}
	return any;
}

static bool take_lines(struct estimate *e, lookup_line *lookup, void *context)
{
	bool any = false;
	for (size_t i = 0; i < e->blocks; i++) {
		struct pgo_block *b = &e->block[i];
		b->count = INFINITY;
		if (!splits_an_edge(e, i))
			any |= take_lines_of(e, b, false, lookup, context) || take_lines_of(e, b, true, lookup, context);
	}
	return any;
}

static bool lower(double *count, double most)
{
	bool lowers = most < *count;
	*count = lowers ? most : *count;
	return lowers;
}

/* One round of rule 2. */
static bool bound(struct estimate *e)
{
	double ends = 0;
	bool changed = false;
	for (size_t i = 0; i < e->blocks; i++) {
		e->before[i] = e->behind[i] = 0;
		ends += e->block[i].leaves ? e->block[i].count : 0;
	}
	for (size_t i = 0; i < e->edges; i++) {
		e->before[e->edge[i].to] += e->block[e->edge[i].from].count;
		e->behind[e->edge[i].from] += e->block[e->edge[i].to].count;
	}
	for (size_t i = 0; i < e->blocks; i++) {
		if (i && e->into[i])
			changed |= lower(&e->block[i].count, e->before[i]);
		if (e->out_of[i] && !e->block[i].leaves)
			changed |= lower(&e->block[i].count, e->behind[i]);
	}
	if (ends > 0)
		changed |= lower(&e->block[0].count, ends);
	return changed;
}

/* Rule 3: what the other successors of the predecessor leave of its count; if these have other predecessors, what the
 * other predecessors of the successor leave of its count. */
static void split(struct estimate *e, size_t block)
{
	uint32_t from = 0, to = 0;
	for (size_t i = 0; i < e->edges; i++) {
		from = e->edge[i].to == block ? e->edge[i].from : from;
		to = e->edge[i].from == block ? e->edge[i].to : to;
	}
	double left = e->block[from].count, lacking = e->block[to].count, most = fmin(left, lacking);
	bool own_out = true, own_in = true;
	for (size_t i = 0; i < e->edges; i++) {
		uint32_t a = e->edge[i].from, b = e->edge[i].to;
		if (a == from && b != block) {
			own_out &= e->into[b] == 1 && !splits_an_edge(e, b);
			left -= e->block[b].count;
		}
		if (b == to && a != block) {
			own_in &= e->out_of[a] == 1 && !splits_an_edge(e, a);
			lacking -= e->block[a].count;
		}
	}
	double count = own_out ? left : own_in ? lacking : most / 2;
	e->block[block].count = isnan(count) || !isfinite(count) ? most : fmax(0, fmin(count, most));
}

bool pgo_estimate(struct pgo *pgo, const struct pgo_function *f,
                  bool (*lookup)(void *context, const char *file, uint32_t line, uint64_t *count), void *context)
{
	struct estimate e = {.pgo = pgo, .block = pgo->blocks + f->first_block, .blocks = f->blocks};
	e.into = memory_zeroed(f->blocks, sizeof *e.into);
	e.out_of = memory_zeroed(f->blocks, sizeof *e.out_of);
	e.before = memory_zeroed(f->blocks, sizeof *e.before);
	e.behind = memory_zeroed(f->blocks, sizeof *e.behind);
	find_edges(&e);
	bool known = take_lines(&e, lookup, context);
	for (int round = 0; known && round < ROUNDS && bound(&e); round++)
		;
	for (size_t i = 0; known && i < e.blocks; i++)
		if (splits_an_edge(&e, i))
			split(&e, i);
	free(e.edge);
	free(e.into);
	free(e.out_of);
	free(e.before);
	free(e.behind);
	return known;
}

static uint64_t whole(double count)
{
	uint64_t near = number_count(count + 0.5);
	return near < NUMBER_MOST ? near : 0;
}

static void write_sites(const struct pgo_function *f, FILE *file)
{
	unsigned kinds = 0;
	for (unsigned k = 0; k < PGO_KINDS; k++)
		kinds += f->sites[k] > 0;
	if (kinds)
		fprintf(file, "# Num Value Kinds:\n%u\n", kinds);
	for (unsigned k = 0; k < PGO_KINDS; k++) {
		if (f->sites[k])
			fprintf(file, "# Value Kind:\n%u\n# Num Value Sites:\n%" PRIu32 "\n", k, f->sites[k]);
		for (uint32_t i = 0; i < f->sites[k]; i++)
			fputs("0\n", file);
	}
}

void pgo_write_function(const struct pgo *pgo, const struct pgo_function *f, FILE *file)
{
	uint64_t *value = memory_zeroed(f->counters, sizeof *value);
	for (size_t i = 0; i < f->blocks; i++) {
		const struct pgo_block *b = &pgo->blocks[f->first_block + i];
		if (b->counter < f->counters)
			value[b->counter] = whole(b->count);
	}
	for (size_t i = 0; i < f->choices; i++) {
		const struct pgo_choice *c = &pgo->choices[f->first_choice + i];
		if (c->counter < f->counters)
			value[c->counter] = whole(pgo->blocks[c->block].count / 2);
	}
	fprintf(file, "%s\n# Func Hash:\n%" PRIu64 "\n# Num Counters:\n%" PRIu32 "\n# Counter Values:\n", f->name, f->hash, f->counters);
	for (uint32_t i = 0; i < f->counters; i++)
		fprintf(file, "%" PRIu64 "\n", value[i]);
	write_sites(f, file);
	fputc('\n', file);
	free(value);
}
