/* SPDX-License-Identifier: MIT */
/* key.c: finds the path that a key stands for (core/paths/graph.h: cuts), and the path of a frame that never ended.
 *
 * A key of a graph with cuts is a place among prefixes and the number of a segment. The key at that place stands for
 * the segments before. So the keys of a path are collected from its end, and its segments are then walked from its
 * beginning. A damaged file may say anything, so each arc must begin where the last one ended. */
#include <stdlib.h>
#include <string.h>

#include "analyse/paths/decode.h"
#include "core/paths/merge.h"

static bool append(struct decode *d, const struct paths_arc *arc, bool is_first)
{
	const struct paths_graph *g = &d->g;
	if (is_first) {
		bool enters = arc->kind == PATHS_STEP && arc->edge == g->edges - 1;
		d->begin = enters ? PATHS_NONE : arc->to;
		d->at = arc->to;
		d->length = 0;
		return enters || arc->kind == PATHS_HEAD;
	}
	if (arc->kind == PATHS_CUT_HEAD)
		return arc->to == d->at;
	if (arc->kind == PATHS_HEAD || arc->edge >= g->edges - 1 || g->edge[arc->edge].from != d->at || d->length > g->blocks)
		return false;
	d->steps[d->length++] = arc->edge;
	d->at = g->edge[arc->edge].to;
	return true;
}

/* Appends one segment. It ends with a cut if the path goes on. */
static bool append_segment(struct decode *d, uint32_t count, bool is_first, bool goes_on)
{
	for (uint32_t i = 0; i < count; i++) {
		const struct paths_arc *arc = &d->g.arc[d->arcs[i]];
		bool begins = i == 0 && !is_first && arc->kind != PATHS_CUT_HEAD; /* the segment after a cut begins there */
		if (begins || !append(d, arc, is_first && i == 0))
			return false;
	}
	const struct paths_arc *last = count ? &d->g.arc[d->arcs[count - 1]] : NULL;
	return last && (goes_on ? last->kind == PATHS_CUT_TAIL : last->kind != PATHS_CUT_TAIL);
}

/* Lists the keys before this one, nearest first. Each adds an edge, so there are at most as many as blocks. */
static bool follow(const struct decode *d, const struct gather *from, const struct gather_stream *stream, uint64_t paths, uint64_t key,
                   uint64_t *chain, uint32_t *depth)
{
	size_t count;
	const struct gather_key *keys = gather_keys(from, d->f->routine, &count);
	for (*depth = 0; key >= paths; (*depth)++) {
		const struct gather_key *prefix = stream && *depth <= d->g.blocks ? gather_prefix(keys, count, stream, key / paths) : NULL;
		if (!prefix)
			return false;
		chain[*depth] = key = prefix->key;
	}
	return true;
}

bool decode_key(struct decode *d, const struct gather *from, uint32_t part, const struct gather_stream *stream, uint64_t key,
                uint32_t known)
{
	const struct paths_labels *labels = &d->plan[part].labels;
	struct paths_mark mark = paths_mark(d->memory);
	uint64_t *chain = d->g.cuts ? paths_take(d->memory, d->g.blocks + 2, sizeof *chain) : NULL;
	uint32_t *last = paths_take(d->memory, known, sizeof *last), depth = 0;
	bool good = !d->memory->failed && labels->paths && (!d->g.cuts || follow(d, from, stream, labels->paths, key, chain, &depth));
	if (good && known)
		memcpy(last, d->arcs, known * sizeof *last);
	bool is_first = true;
	for (; good && depth; is_first = false) {
		uint32_t count = paths_decode(labels, &d->g, chain[--depth] % labels->paths, d->arcs);
		good = append_segment(d, count, is_first, true);
	}
	if (good && known) {
		memcpy(d->arcs, last, known * sizeof *last);
		good = d->g.arc[d->arcs[known - 1]].to != d->g.exit && append_segment(d, known, is_first, false);
	} else if (good) {
		uint32_t count = paths_decode(labels, &d->g, d->g.cuts ? key % labels->paths : key, d->arcs);
		good = append_segment(d, count, is_first, false) && d->g.arc[d->arcs[count - 1]].to == d->g.exit;
	}
	paths_release(d->memory, mark);
	return good;
}

/* ---- frames that never ended ---- */

static void add_stop(struct decode *d, uint32_t block, uint64_t count, uint32_t ways)
{
	struct paths *paths = d->paths;
	bool is_known = ways == 1;
	struct paths_stop stop = {.profile = d->profile,
	                          .block = block,
	                          .is_known = is_known,
	                          .ways = ways,
	                          .begin = PATHS_NONE,
	                          .first_step = paths->step_count,
	                          .count = count};
	size_t first = paths->profiles[d->profile].first_stop;
	if (is_known) {
		stop.begin = d->begin;
		stop.length = d->length;
	} else {
		paths->profiles[d->profile].flags |= PATHS_IS_FOGGY;
	}
	for (size_t i = first; i < paths->stop_count; i++) {
		struct paths_stop *s = &paths->stops[i];
		if (s->block == block && s->ways == ways && s->begin == stop.begin && s->length == stop.length &&
		    (!s->length || memcmp(paths->steps + s->first_step, d->steps, s->length * sizeof *d->steps) == 0)) {
			s->count += count;
			return;
		}
	}
	for (uint32_t i = 0; i < stop.length; i++)
		paths_add_step(paths, d->steps[i]);
	MEMORY_GROW(paths->stops, paths->stop_count, paths->stop_room);
	paths->stops[paths->stop_count++] = stop;
	paths->profiles[d->profile].stops++;
}

void decode_stops_of(struct decode *d, const struct gather *from, uint32_t part)
{
	size_t count;
	bool can_decode = part < d->f->parts && !d->chosen[part];
	const struct gather_stop *stop = gather_stops(from, d->f->routine, &count);
	const uint8_t *stops = d->shape->stops + d->f->first_block;
	for (size_t i = 0; i < count; i++) {
		uint64_t key;
		uint32_t known = 0;
		if (stop[i].block >= d->f->blocks) {
			d->paths->undecoded += stop[i].count;
			continue;
		}
		if (can_decode && stops[stop[i].block])
			known = paths_decode_prefix(&d->plan[part], &d->g, stop[i].block, stop[i].reg, &key, d->arcs);
		bool good = known && decode_key(d, from, part, &stop[i].stream, key, known) && d->at == stop[i].block;
		add_stop(d, stop[i].block, stop[i].count, good ? 1 : 0);
		if (good && d->own)
			decode_pass(d, stop[i].count);
	}
}

/* Lists the stopped frames that one copy knows. */
static void list_stops(struct decode *d, const struct gather *from, struct paths_stopped_copy *copy)
{
	size_t count;
	const struct gather_stop *stop = gather_stops(from, d->f->routine, &count);
	const uint8_t *stops = d->shape->stops + d->f->first_block;
	struct paths_stopped *list = paths_take(d->memory, count, sizeof *list);
	for (size_t i = 0; list && i < count; i++) {
		if (stop[i].block < d->f->blocks && stops[stop[i].block])
			list[copy->stops++] = (struct paths_stopped){stop[i].block, stop[i].reg, stop[i].count};
		else
			d->paths->undecoded += stop[i].count;
	}
	copy->stopped = list;
}

/* For functions of which no single copy counts all paths. */
static void merge_stops(struct decode *d)
{
	struct paths_mark mark = paths_mark(d->memory);
	struct paths_stopped_copy *copy = paths_take(d->memory, d->f->parts, sizeof *copy);
	struct paths_stop_found *found;
	uint32_t count;
	for (uint32_t i = 0; copy && i < d->f->parts; i++) {
		const struct gather *from = d->copies[d->shape->parts[d->f->first_part + i].copy];
		copy[i].plan = from ? &d->plan[i] : NULL;
		if (from)
			list_stops(d, from, &copy[i]);
	}
	if (!d->memory->failed && paths_merge_stops(&d->g, copy, d->f->parts, &found, &count, d->memory) == PATHS_OK)
		for (uint32_t i = 0; i < count; i++) {
			if (found[i].ways == 1)
				memcpy(d->arcs, found[i].arcs, found[i].length * sizeof *d->arcs);
			bool good = found[i].ways == 1 && append_segment(d, found[i].length, true, false) && d->at == found[i].block;
			add_stop(d, found[i].block, found[i].count, good ? 1 : found[i].ways == 1 ? 0 : found[i].ways);
		}
	paths_release(d->memory, mark);
}

/* All copies have the same stopped frames. A copy that counts all paths knows how they got there; otherwise all
 * copies together do. */
void decode_stops(struct decode *d)
{
	const struct shape_part *part = d->shape->parts + d->f->first_part;
	uint32_t best = PATHS_NONE;
	for (uint32_t i = 0; i < d->f->parts; i++) {
		bool is_there = d->copies[part[i].copy] != NULL;
		if (is_there && (best == PATHS_NONE || (d->chosen[best] && !d->chosen[i])))
			best = i;
	}
	if (best != PATHS_NONE && d->chosen[best] && !d->g.cuts)
		merge_stops(d);
	else if (best != PATHS_NONE)
		decode_stops_of(d, d->copies[part[best].copy], best);
	else if (!d->f->parts && d->copies[0])
		decode_stops_of(d, d->copies[0], 0);
}
