/* SPDX-License-Identifier: MIT */
#include "analyse/paths/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH 90.0 /* percent */

static int by_flow(const void *a, const void *b, void *context)
{
	const struct paths *paths = context;
	size_t i = *(const size_t *)a, k = *(const size_t *)b;
	uint64_t x = paths_flow(&paths->list[i]), y = paths_flow(&paths->list[k]);
	if (x != y)
		return x > y ? -1 : 1;
	if (paths->list[i].count != paths->list[k].count)
		return paths->list[i].count > paths->list[k].count ? -1 : 1;
	return i < k ? -1 : i > k;
}

static void rank_some(const struct paths *paths, size_t first, size_t count, struct paths_rank *rank)
{
	*rank = (struct paths_rank){.order = memory_zeroed(count, sizeof *rank->order), .count = count};
	for (size_t i = 0; i < count; i++) {
		rank->order[i] = first + i;
		rank->flow += (double)paths_flow(&paths->list[first + i]);
		rank->taken += (double)paths->list[first + i].count;
	}
	if (count)
		qsort_r(rank->order, count, sizeof *rank->order, by_flow, (void *)(uintptr_t)paths);
}

void paths_rank(const struct paths *paths, struct paths_rank *rank)
{
	rank_some(paths, 0, paths->path_count, rank);
}

void paths_rank_free(struct paths_rank *rank)
{
	free(rank->order);
	memset(rank, 0, sizeof *rank);
}

size_t paths_rank_enough(const struct paths *paths, const struct paths_rank *rank, double percent)
{
	double sum = 0;
	size_t i = 0;
	while (i < rank->count && 100 * sum < percent * rank->flow)
		sum += (double)paths_flow(&paths->list[rank->order[i++]]);
	return i;
}

double paths_share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : isnan(whole) ? NAN : 0;
}

/* ---- of one function ---- */

static int outcome_order(const void *a, const void *b)
{
	const struct paths_outcome *x = a, *y = b;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->edge < y->edge ? -1 : 1;
}

/* Blocks with both edges that can carry code and edges that cannot: an invoke. */
static uint8_t *loose_blocks(const struct paths *paths, const struct paths_profile *f)
{
	uint8_t *loose = memory_zeroed(f->blocks, 1);
	for (uint32_t e = 0; e < f->edges; e++)
		if (!(paths->edges[f->first_edge + e].flags & PATHS_PINNED))
			loose[paths->edges[f->first_edge + e].from] = 1;
	return loose;
}

struct paths_outcome *paths_outcomes(const struct paths *paths, const struct paths_profile *f, size_t *count)
{
	struct paths_outcome *list = memory_zeroed(f->edges, sizeof *list);
	uint8_t *loose = loose_blocks(paths, f);
	size_t all = 0, kept = 0;
	for (uint32_t e = 0; e < f->edges; e++) {
		const struct paths_edge *edge = &paths->edges[f->first_edge + e];
		if (!(edge->flags & PATHS_PINNED) || !loose[edge->from])
			list[all++] = (struct paths_outcome){edge->from, edge->to, e, paths->passed[f->first_edge + e],
			                                     paths->blocks[f->first_block + edge->from].count};
	}
	if (all)
		qsort(list, all, sizeof *list, outcome_order);
	for (size_t i = 0; i < all; i++) {
		if (kept && list[kept - 1].block == list[i].block && list[kept - 1].to == list[i].to)
			list[kept - 1].taken += list[i].taken;
		else
			list[kept++] = list[i];
	}
	all = kept;
	kept = 0;
	for (size_t i = 0; i < all; i++)
		if ((i > 0 && list[i - 1].block == list[i].block) || (i + 1 < all && list[i + 1].block == list[i].block))
			list[kept++] = list[i];
	free(loose);
	*count = kept;
	return list;
}

struct paths_figures paths_figures(const struct paths *paths, const struct paths_profile *f)
{
	struct paths_rank rank;
	size_t count;
	struct paths_outcome *list = paths_outcomes(paths, f, &count);
	rank_some(paths, f->first_path, f->paths, &rank);
	struct paths_figures figures = {.flow = rank.flow, .taken = rank.taken, .enough = paths_rank_enough(paths, &rank, ENOUGH)};
	for (size_t i = 0; i < count; i++) {
		figures.outcomes += list[i].of > 0;
		figures.never += list[i].of && !list[i].taken;
	}
	free(list);
	paths_rank_free(&rank);
	return figures;
}

/* ---- hits ---- */

static const struct paths_hits unknown = {NAN, NAN, NAN};

static void add_hits(struct paths_hits *to, const struct paths_hits *hits)
{
	to->increments += hits->increments;
	to->updates += hits->updates;
	to->zeroed += hits->zeroed;
}

struct paths_hits paths_copy_hits(const struct paths *paths, uint32_t copy)
{
	struct paths_hits sum = paths_are_partial(paths) ? unknown : (struct paths_hits){0};
	for (size_t i = 0; i < paths->part_count; i++)
		if (paths->parts[i].copy == copy)
			add_hits(&sum, &paths->parts[i].hits);
	return sum;
}

struct paths_hits paths_sequential_hits(const struct paths *paths)
{
	struct paths_hits sum = paths_are_partial(paths) ? unknown : (struct paths_hits){0};
	for (size_t i = 0; i < paths->profile_count; i++)
		add_hits(&sum, &paths->profiles[i].sequential);
	return sum;
}

double paths_hits_sum(const struct paths_hits *hits)
{
	return hits->increments + hits->updates;
}

static void add_probes(struct paths_probes *to, const struct paths_probes *probes)
{
	to->increments += probes->increments;
	to->updates += probes->updates;
	to->overlapping += probes->overlapping;
}

struct paths_probes paths_copy_probes(const struct paths *paths, uint32_t copy)
{
	struct paths_probes sum = {0};
	for (size_t i = 0; i < paths->part_count; i++)
		if (paths->parts[i].copy == copy)
			add_probes(&sum, &paths->parts[i].probes);
	return sum;
}

struct paths_probes paths_sequential_probes(const struct paths *paths)
{
	struct paths_probes sum = {0};
	for (size_t i = 0; i < paths->profile_count; i++)
		add_probes(&sum, &paths->profiles[i].sequential_probes);
	return sum;
}

uint32_t paths_slowest(const struct paths *paths)
{
	uint32_t slowest = 0;
	double most = -1;
	for (uint32_t c = 0; c < paths->copies; c++) {
		struct paths_hits hits = paths_copy_hits(paths, c);
		if (paths_hits_sum(&hits) > most) {
			most = paths_hits_sum(&hits);
			slowest = c;
		}
	}
	return slowest;
}

uint64_t paths_hits_floor(const struct paths *paths)
{
	uint64_t most = 0;
	for (size_t i = 0; i < paths->path_count; i++)
		if (!(paths->profiles[paths->list[i].profile].flags & PATHS_IS_TURNS) && paths->list[i].count > most)
			most = paths->list[i].count;
	return most;
}

bool paths_is_divided(const struct paths_profile *f)
{
	return f->flags & (PATHS_IS_SPLIT | PATHS_IS_TURNS);
}

/* ---- what decides ---- */

struct paths_decision paths_decide(const struct paths *paths, const struct paths_path *path)
{
	const struct paths_profile *f = &paths->profiles[path->profile];
	const struct paths_edge *edge = paths->edges + f->first_edge;
	struct paths_decision best = {.edge = PATHS_NONE};
	double *through = memory_zeroed(f->blocks, sizeof *through), *by = memory_zeroed(f->edges, sizeof *by);
	for (size_t i = 0; i < f->paths; i++) {
		const struct paths_path *p = &paths->list[f->first_path + i];
		double flow = (double)paths_flow(p);
		for (uint32_t k = 0; k < p->length; k++) {
			uint32_t e = paths->steps[p->first_step + k];
			through[edge[e].from] += flow;
			by[e] += flow;
		}
	}
	for (uint32_t k = 0; k < path->length; k++) {
		uint32_t e = paths->steps[path->first_step + k], from = edge[e].from;
		uint64_t all = paths->blocks[f->first_block + from].count, taken = paths->passed[f->first_edge + e];
		if (through[from] - by[e] > best.apart && all > taken)
			best = (struct paths_decision){e, by[e], through[from] - by[e], taken, all - taken};
	}
	free(through);
	free(by);
	return best;
}
