/* SPDX-License-Identifier: MIT */
/* decode.c: decodes the profile of one function.
 *
 * Graph and plans are made as the pass made them (core/paths/body.h). Where one copy has a counter for each path,
 * counters are decoded one by one. For a function counted by turns this is done in every copy, and the counts are
 * added. Where several copies share the paths, paths_merge tells them apart. */
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/decode.h"
#include "core/paths/merge.h"

/* ---- the paths that were found ---- */

static uint64_t hash_of(const struct decode *d)
{
	uint64_t h = d->begin + UINT64_C(0x9e3779b97f4a7c15) * d->length;
	for (uint32_t i = 0; i < d->length; i++) {
		h = (h ^ d->steps[i]) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return h;
}

static bool is_same(const void *list, size_t number, const void *what)
{
	const struct decode *d = what;
	const struct paths_path *p = (const struct paths_path *)list + number;
	return p->begin == d->begin && p->length == d->length &&
		memcmp(d->paths->steps + p->first_step, d->steps, d->length * sizeof *d->steps) == 0;
}

/* Adds `count` to the path in d->steps, which may be in the list already. */
static void add_path(struct decode *d, uint64_t count, uint32_t copy)
{
	struct paths *paths = d->paths;
	struct paths_profile *f = &paths->profiles[d->profile];
	size_t *place = lookup_at(&d->known, hash_of(d), is_same, paths->list, d);
	if (*place) {
		paths->list[*place - 1].count += count;
		return;
	}
	struct paths_path mine = {.profile = d->profile,
	                          .copy = copy,
	                          .count = count,
	                          .begin = d->begin,
	                          .length = d->length,
	                          .first_step = paths->step_count};
	for (uint32_t i = 0; i < d->length; i++)
		paths_add_step(paths, d->steps[i]);
	MEMORY_GROW(paths->list, paths->path_count, paths->path_room);
	paths->list[paths->path_count++] = mine;
	*place = paths->path_count;
	f->paths++;
}

/* ---- a copy whose counters are each one path's ---- */

void decode_pass(struct decode *d, uint64_t count)
{
	d->own[d->f->edges] += d->begin == PATHS_NONE ? (double)count : 0;
	for (uint32_t i = 0; i < d->length; i++)
		d->own[d->steps[i]] += (double)count;
}

static void take_key(struct decode *d, const struct gather *from, uint32_t part, const struct gather_stream *stream, uint64_t key,
                     uint64_t count)
{
	if (!count)
		return;
	if (!decode_key(d, from, part, stream, key, 0)) {
		d->paths->undecoded += d->chosen[part] ? 0 : count;
		return;
	}
	add_path(d, count, d->shape->parts[d->f->first_part + part].copy);
	if (d->own)
		decode_pass(d, count);
}

/* FIRST, ARRAY and ENTRY of a function differ between copies. */
static const struct shape_function *in_copy(const struct decode *d, const struct gather *from)
{
	return &from->shape.functions[d->f - d->shape->functions];
}

static void take_copy(struct decode *d, const struct gather *from, uint32_t part)
{
	const struct shape_function *f = in_copy(d, from);
	for (uint32_t i = 0; i < f->array; i++)
		take_key(d, from, part, NULL, i, gather_count(from, (uint64_t)f->first + i));
	size_t count;
	const struct gather_key *key = gather_keys(from, f->routine, &count);
	for (size_t i = 0; i < count; i++)
		if (key[i].kind == RAW_PATHS_COUNT)
			take_key(d, from, part, &key[i].stream, key[i].key, key[i].value);
}

/* ---- copies that share paths ---- */

static int counted_order(const void *a, const void *b)
{
	const struct paths_counted *x = a, *y = b;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Lists the counters that are not 0: each index once, over all lanes. */
static void list_counters(struct decode *d, const struct gather *from, struct paths_copy *copy)
{
	const struct shape_function *f = in_copy(d, from);
	size_t keys, all = 0, kept = 0;
	const struct gather_key *key = gather_keys(from, f->routine, &keys);
	struct paths_counted *list = paths_take(d->memory, f->array + keys, sizeof *list);
	if (!list)
		return;
	for (uint32_t i = 0; i < f->array; i++)
		if (gather_count(from, (uint64_t)f->first + i))
			list[all++] = (struct paths_counted){i, gather_count(from, (uint64_t)f->first + i)};
	for (size_t i = 0; i < keys; i++)
		if (key[i].kind == RAW_PATHS_COUNT)
			list[all++] = (struct paths_counted){key[i].key, key[i].value};
	qsort(list, all, sizeof *list, counted_order);
	for (size_t i = 0; i < all; i++) {
		if (kept && list[kept - 1].index == list[i].index)
			list[kept - 1].count += list[i].count;
		else
			list[kept++] = list[i];
	}
	copy->counted = list;
	copy->counters = (uint32_t)kept;
}

static void take_found(struct decode *d, const struct paths_found *found)
{
	bool good = found->length > 0;
	memcpy(d->arcs, found->arcs, found->length * sizeof *d->arcs);
	d->length = 0;
	for (uint32_t i = 0; i < found->length; i++) {
		const struct paths_arc *arc = &d->g.arc[d->arcs[i]];
		if (i == 0)
			d->begin = arc->kind == PATHS_HEAD ? arc->to : PATHS_NONE;
		else
			d->steps[d->length++] = arc->edge;
	}
	if (good)
		add_path(d, found->count, found->copy == PATHS_NONE ? 0 : d->shape->parts[d->f->first_part + found->copy].copy);
}

static enum paths_status merge(struct decode *d)
{
	struct paths_copy *copy = paths_take(d->memory, d->f->parts, sizeof *copy);
	struct paths_found *found;
	uint32_t count;
	for (uint32_t i = 0; copy && i < d->f->parts; i++) {
		const struct gather *from = d->copies[d->shape->parts[d->f->first_part + i].copy];
		copy[i].plan = from ? &d->plan[i] : NULL;
		if (from)
			list_counters(d, from, &copy[i]);
	}
	if (d->memory->failed)
		return PATHS_NO_MEMORY;
	enum paths_status status = paths_merge(&d->g, copy, d->f->parts, &found, &count, d->memory);
	d->disagrees = status == PATHS_DISAGREE;
	if (status != PATHS_OK && status != PATHS_DISAGREE)
		return status;
	for (uint32_t i = 0; i < count; i++)
		take_found(d, &found[i]);
	return PATHS_OK;
}

/* ---- what it takes ---- */

static void add_part(struct decode *d, uint32_t part, const double *passed)
{
	struct paths_part mine = {.profile = d->profile, .copy = d->shape->parts[d->f->first_part + part].copy, .of_arcs = d->g.arcs};
	for (uint32_t a = 0; a < d->g.arcs; a++)
		mine.arcs += !d->chosen[part] || d->chosen[part][a];
	if (d->f->asked == SHAPE_ALL)
		mine.hits = paths_hits(&d->plan[part], passed);
	mine.probes = d->probes[part];
	MEMORY_GROW(d->paths->parts, d->paths->part_count, d->paths->part_room);
	d->paths->parts[d->paths->part_count++] = mine;
	d->paths->profiles[d->profile].parts++;
}

/* The operations of a single copy that has no earlier recording as a guide: such a copy has another plan, and other
 * cuts. */
static enum paths_status price(struct decode *d)
{
	struct paths_profile *f = &d->paths->profiles[d->profile];
	struct paths_mark mark = paths_mark(d->memory);
	struct paths_body guess = shape_guess(d->shape, d->f);
	struct paths_graph g;
	struct paths_plan plan;
	double *passed = paths_take(d->memory, f->edges + 1, sizeof *passed), *weights;
	enum paths_status status = passed ? paths_body_graph(&guess, &g, &weights, d->memory) : PATHS_NO_MEMORY;
	if (status == PATHS_OK)
		status = paths_body_plan(&plan, &g, PATHS_HOW_ALL, NULL, weights, d->memory);
	if (status == PATHS_OK)
		status = paths_count_probes(&f->sequential_probes, &g, &plan, &(uint8_t *){NULL}, 1, d->memory);
	for (uint32_t e = 0; status == PATHS_OK && e <= f->edges; e++)
		passed[e] = (double)d->paths->passed[f->first_edge + e];
	if (status == PATHS_OK) {
		if (d->f->asked == SHAPE_ALL) /* otherwise other paths pass operations too, and their counts are not known */
			f->sequential = paths_hits(&plan, passed);
		for (uint32_t i = 0; !d->f->by_turns && i < d->f->parts; i++)
			add_part(d, i, passed);
	}
	paths_release(d->memory, mark);
	return status;
}

/* ---- a function ---- */

/* Returns the place of the first. */
static size_t add_lines(struct decode *d, size_t first, uint32_t count)
{
	struct paths *p = d->paths;
	size_t place = p->line_count;
	for (uint32_t i = 0; i < count; i++) {
		const struct shape_line *line = &d->shape->lines[first + i];
		MEMORY_GROW(p->lines, p->line_count, p->line_room);
		p->lines[p->line_count++] =
			(struct paths_line){line->file == SHAPE_NONE ? PATHS_NONE : d->first_file + line->file, line->line};
	}
	return place;
}

static void add_profile(struct decode *d, uint32_t routine)
{
	struct paths *p = d->paths;
	const struct shape_function *f = d->f;
	struct paths_profile mine = {.routine = routine,
	                             .blocks = f->blocks,
	                             .edges = f->edges,
	                             .first_block = p->block_count,
	                             .first_edge = p->edge_count,
	                             .first_path = p->path_count,
	                             .first_stop = p->stop_count,
	                             .first_part = p->part_count,
	                             .flags = (f->by_turns ? PATHS_IS_TURNS : 0) | (f->measured ? PATHS_IS_MEASURED : 0)};
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct shape_block *from = &d->shape->blocks[f->first_block + b];
		struct paths_block block = {.instructions = from->instructions, .lines = from->lines, .shown = from->shown};
		block.first_line = block.first_shown = add_lines(d, from->first_line, from->lines);
		if (from->first_shown != from->first_line)
			block.first_shown = add_lines(d, from->first_shown, from->shown);
		paths_add_block(p, &block, d->shape->stops[f->first_block + b]);
	}
	for (uint32_t e = 0; e <= f->edges; e++)
		paths_add_edge(p, &d->shape->edges[f->first_edge + e]);
	MEMORY_GROW(p->profiles, p->profile_count, p->profile_room);
	d->profile = (uint32_t)p->profile_count;
	p->profiles[p->profile_count++] = mine;
}

static void set_flags(struct decode *d)
{
	struct paths_profile *f = &d->paths->profiles[d->profile];
	bool whole = false;
	for (uint32_t i = 0; i < d->f->parts; i++)
		whole |= !d->chosen[i] || paths_all_chosen(&d->g, d->chosen[i]);
	f->flags |= d->g.cuts ? PATHS_IS_CUT : 0;
	f->flags |= d->f->parts == 0 ? PATHS_IS_NONE : 0;
	f->flags |= d->f->parts > 1 && !whole && !d->f->by_turns ? PATHS_IS_SPLIT : 0;
	f->flags |= d->f->asked != SHAPE_ALL ? PATHS_IS_PART : 0;
	f->flags |= d->f->asked == SHAPE_OTHERS ? PATHS_IS_REST : 0;
}

static void take_names(struct decode *d)
{
	struct paths *p = d->paths;
	struct paths_profile *f = &p->profiles[d->profile];
	f->first_name = p->name_count;
	f->names = d->f->names;
	for (size_t i = 0; i < d->f->names; i++) {
		MEMORY_GROW(p->names, p->name_count, p->name_room);
		p->names[p->name_count++] = d->shape->names[d->f->first_name + i];
	}
}

/* Paths that were counted although they were not asked for are reported only as a number. */
static bool leave_others(struct decode *d)
{
	struct paths *p = d->paths;
	struct paths_profile *f = &p->profiles[d->profile];
	size_t kept = f->first_path;
	for (size_t i = f->first_path; i < f->first_path + f->paths; i++) {
		bool asked = paths_is_asked(p, f, p->list[i].number);
		f->others += !asked;
		f->others_taken += asked ? 0 : p->list[i].count;
		if (asked)
			p->list[kept++] = p->list[i];
	}
	p->path_count = kept;
	f->paths = kept - f->first_path;
	return !f->others || paths_complete(p, f, d->memory);
}

/* By turns, a call that another copy counts runs uncounted here. */
static enum paths_status count_probes(struct decode *d)
{
	enum paths_status status = paths_count_probes(d->probes, &d->g, d->plan, d->chosen, d->f->parts, d->memory);
	for (uint32_t i = 0; d->f->by_turns && i < d->f->parts; i++)
		d->probes[i].overlapping = 0;
	return status;
}

static int make_plans(struct decode *d, struct fail *why)
{
	struct paths_body body = shape_body(d->shape, d->f);
	enum paths_status status = paths_body_graph(&body, &d->g, &d->weights, d->memory);
	if (status == PATHS_OK) {
		d->plan = paths_take(d->memory, d->f->parts, sizeof *d->plan);
		d->chosen = paths_take(d->memory, d->f->parts, sizeof *d->chosen);
		d->probes = paths_take(d->memory, d->f->parts, sizeof *d->probes);
		d->arcs = paths_take(d->memory, d->g.vertices + 2, sizeof *d->arcs);
		d->steps = paths_take(d->memory, d->g.vertices + 2, sizeof *d->steps);
		status = d->memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
	}
	for (uint32_t i = 0; status == PATHS_OK && i < d->f->parts; i++) {
		const struct shape_part *part = &d->shape->parts[d->f->first_part + i];
		d->chosen[i] = part->chosen ? paths_take(d->memory, d->g.arcs, 1) : NULL;
		if (d->memory->failed)
			status = PATHS_NO_MEMORY;
		else if (d->chosen[i] && !shape_chosen(part, d->g.arcs, d->chosen[i]))
			status = PATHS_BAD_EDGE;
		else
			status = paths_body_plan(&d->plan[i], &d->g, d->shape->how, d->chosen[i], d->weights, d->memory);
	}
	if (status == PATHS_OK)
		status = count_probes(d);
	if (status == PATHS_OK)
		return 0;
	return status == PATHS_NO_MEMORY
		? fail_set(why, FAIL_INTERNAL, "not enough memory to decode the recording")
		: fail_set(why, FAIL_INTERNAL,
	                   "the shape of a function is not a valid graph: empty the re-link cache (~/.cache/skein) and record again");
}

static enum paths_status take_counters(struct decode *d)
{
	const struct shape_part *part = d->shape->parts + d->f->first_part;
	bool one_by_one = d->g.cuts || d->f->by_turns || (d->f->parts == 1 && !d->chosen[0]);
	if (!one_by_one)
		return d->f->parts ? merge(d) : PATHS_OK;
	for (uint32_t i = 0; i < d->f->parts; i++) {
		if (!d->copies[part[i].copy])
			continue;
		d->own = d->f->by_turns ? paths_take(d->memory, d->f->edges + 1, sizeof *d->own) : NULL;
		take_copy(d, d->copies[part[i].copy], i);
		if (!d->f->by_turns)
			break; /* with cuts, one copy counts all paths */
		if (d->own) {
			decode_stops_of(d, d->copies[part[i].copy], i);
			add_part(d, i, d->own);
		}
	}
	d->own = NULL;
	return d->memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

int decode_function(struct decode *d, const struct shape_function *f, uint32_t routine, struct fail *why)
{
	struct paths_mark mark = paths_mark(d->memory);
	d->f = f;
	d->disagrees = false;
	add_profile(d, routine);
	lookup_free(&d->known);
	int result = make_plans(d, why);
	if (result == 0) {
		set_flags(d);
		take_names(d);
		enum paths_status status = take_counters(d);
		if (status == PATHS_OK) {
			if (!f->by_turns)
				decode_stops(d);
			if (!paths_complete(d->paths, &d->paths->profiles[d->profile], d->memory))
				result = fail_set(
					why, FAIL_INTERNAL,
					"the shape of a function is not a valid graph: empty the re-link cache (~/.cache/skein) and record again");
			else if ((status = price(d)) == PATHS_OK && !leave_others(d))
				status = PATHS_NO_MEMORY;
		}
		if (status != PATHS_OK)
			result = fail_set(why, FAIL_INTERNAL, "not enough memory to decode the recording");
	}
	paths_release(d->memory, mark);
	return result;
}
