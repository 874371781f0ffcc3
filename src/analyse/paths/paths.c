/* SPDX-License-Identifier: MIT */
#include "analyse/paths/paths.h"

#include <stdlib.h>
#include <string.h>

void paths_start(struct paths *paths, struct run *run)
{
	memset(paths, 0, sizeof *paths);
	paths->run = run;
	paths->share = "all";
}

void paths_free(struct paths *paths)
{
	free(paths->files);
	free(paths->lines);
	free(paths->profiles);
	free(paths->blocks);
	free(paths->block_stops);
	free(paths->edges);
	free(paths->passed);
	free(paths->list);
	free(paths->steps);
	free(paths->stops);
	free(paths->parts);
	free(paths->names);
	free(paths->twins);
	free(paths->differs);
	memset(paths, 0, sizeof *paths);
}

/* ---- adding ---- */

void paths_add_block(struct paths *paths, const struct paths_block *block, bool stops)
{
	if (paths->block_count == paths->block_stop_room) {
		paths->block_stop_room = paths->block_stop_room ? 2 * paths->block_stop_room : 256;
		paths->block_stops = memory_resize(paths->block_stops, paths->block_stop_room, sizeof *paths->block_stops);
	}
	paths->block_stops[paths->block_count] = stops;
	MEMORY_GROW(paths->blocks, paths->block_count, paths->block_room);
	paths->blocks[paths->block_count++] = *block;
}

void paths_add_edge(struct paths *paths, const struct paths_edge *edge)
{
	if (paths->edge_count == paths->passed_room) {
		paths->passed_room = paths->passed_room ? 2 * paths->passed_room : 256;
		paths->passed = memory_resize(paths->passed, paths->passed_room, sizeof *paths->passed);
	}
	paths->passed[paths->edge_count] = 0;
	MEMORY_GROW(paths->edges, paths->edge_count, paths->edge_room);
	paths->edges[paths->edge_count++] = *edge;
}

void paths_add_step(struct paths *paths, uint32_t edge)
{
	MEMORY_GROW(paths->steps, paths->step_count, paths->step_room);
	paths->steps[paths->step_count++] = edge;
}

/* ---- blocks ---- */

static struct paths_walk walk_from(const struct paths *paths, uint32_t profile, uint32_t begin, size_t first_step, uint32_t edges)
{
	return (struct paths_walk){paths, &paths->profiles[profile], paths->steps + first_step, edges, begin == PATHS_NONE ? 0 : begin};
}

/* The block behind the last edge belongs to the next path, or to none. */
struct paths_walk paths_walk(const struct paths *paths, const struct paths_path *path)
{
	return walk_from(paths, path->profile, path->begin, path->first_step, path->length - 1);
}

struct paths_walk paths_walk_stop(const struct paths *paths, const struct paths_stop *stop)
{
	return stop->is_known ? walk_from(paths, stop->profile, stop->begin, stop->first_step, stop->length)
			      : walk_from(paths, stop->profile, stop->block, 0, 0);
}

uint32_t paths_walk_next(struct paths_walk *walk)
{
	uint32_t block = walk->at;
	if (block != PATHS_NONE) {
		walk->at = walk->left ? walk->paths->edges[walk->profile->first_edge + *walk->step].to : PATHS_NONE;
		walk->step += walk->left ? 1 : 0;
		walk->left -= walk->left ? 1 : 0;
	}
	return block;
}

/* ---- what was asked for ---- */

bool paths_is_partial(const struct paths_profile *f)
{
	return f->flags & (PATHS_IS_PART | PATHS_IS_NONE);
}

bool paths_are_partial(const struct paths *paths)
{
	for (size_t i = 0; i < paths->profile_count; i++)
		if (paths_is_partial(&paths->profiles[i]))
			return true;
	return false;
}

static int name_order(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

bool paths_is_asked(const struct paths *paths, const struct paths_profile *f, uint64_t number)
{
	bool named = f->names && bsearch(&number, paths->names + f->first_name, f->names, sizeof number, name_order);
	return f->flags & PATHS_IS_PART ? named == !(f->flags & PATHS_IS_REST) : !(f->flags & PATHS_IS_NONE);
}

double paths_asked(const struct paths_profile *f)
{
	if (f->flags & PATHS_IS_NONE)
		return 0;
	return !(f->flags & PATHS_IS_PART) ? f->possible : f->flags & PATHS_IS_REST ? f->possible - (double)f->names : (double)f->names;
}

/* ---- sums ---- */

static uint64_t add_up(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;
	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t paths_flow(const struct paths_path *path)
{
	return times(path->count, path->instructions);
}

uint64_t paths_instructions(const struct paths *paths)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < paths->block_count; i++)
		sum = add_up(sum, times(paths->blocks[i].count, paths->blocks[i].instructions));
	return sum;
}
