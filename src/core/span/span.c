/* SPDX-License-Identifier: MIT */
#include "core/span/span.h"

enum { SUM_UP_AT_LEAST = 64 * sizeof(struct span_entry), WORTH_MOVING = 4 };

/* Adds up part of the log by site and measure, in place: each key's first entry takes the later ones in. `place`
 * remembers the index of that entry, and is valid if an entry of the key is there. Returns the new end. */
static uint64_t sum_up(struct span_lane *lane, uint64_t start, uint64_t end)
{
	struct span_entry *part = span_at(lane, start);
	uint64_t to = 0, count = (end - start) / sizeof *part;
	for (uint64_t from = 0; from < count; from++) {
		struct span_entry e = part[from];
		if (e.key == SPAN_GAP) {
			from += e.sum.count - 1;
			continue;
		}
		uint32_t *place = e.key < lane->place_bytes / sizeof *place ? &lane->place[e.key] : NULL;
		if (place && *place < to && part[*place].key == e.key) {
			span_add(&part[*place].sum, e.sum.count, e.sum.work, e.sum.span);
		} else {
			if (place)
				*place = (uint32_t)to;
			part[to++] = e;
		}
	}
	lane->effort += count;
	return to * sizeof *part;
}

/* A signal handler that runs profiled code may run between the updates of two related words: lengths must not become
 * negative then. The reader reports the loss, since sites do not add up to the program. */
static void put_right(struct span_lane *lane)
{
	if (lane->kept.end > lane->room)
		lane->kept.end = 0;
	if (lane->region > lane->kept.end)
		lane->region = lane->kept.end;
}

/* The log has reached its limit: the part of the running strand is summed up. If more than half is left, the limit
 * rises by the former size, so that as many new entries pay for the next summing up. */
void span_look_after(struct span_lane *lane)
{
	put_right(lane);
	uint64_t length = lane->kept.end - lane->region, left = length;
	if (length >= SUM_UP_AT_LEAST) {
		left = sum_up(lane, lane->region, lane->kept.end);
		lane->kept.end = lane->region + left;
	}
	if (left <= length / 2 && left < length)
		return;
	uint64_t more = length < SUM_UP_AT_LEAST ? SUM_UP_AT_LEAST : length;
	while (lane->limit + more + SPAN_SLACK > lane->room)
		if (!lane->need_room(lane)) {
			lane->kept.end = lane->region; /* the loss is counted */
			return;
		}
	lane->limit += more;
}

void span_tidy(struct span_lane *lane)
{
	put_right(lane);
	uint64_t left = lane->kept.end - lane->region;
	if (left > SUM_UP_AT_LEAST)
		left = sum_up(lane, lane->region, lane->kept.end);
	lane->kept.end = lane->region + left;
	lane->tidy_at = left < SUM_UP_AT_LEAST / 2 ? SUM_UP_AT_LEAST : 2 * left;
}

uint32_t span_open(struct span_site *row, struct span_site *callers, uint32_t count, uint64_t key)
{
	uint32_t top = ~row->open & 3;
	row->key = key;
	row->open |= 1;
	for (uint32_t i = 0; top & 2 && i < count; i++)
		callers[i].open |= 2;
	return top;
}

void span_close(struct span_lane *lane, uint32_t top, struct span_site *row, struct span_site *callers, uint32_t count, uint64_t key)
{
	uint64_t work = lane->left.work, span = lane->left.span;
	if (top & 1) {
		row->open &= ~1u;
		span_add(&row->on_work[SPAN_TOP_SITE], 1, work, span);
		span_append(lane, key + SPAN_TOP_SITE, work, span);
	}
	for (uint32_t i = 0; top & 2 && i < count; i++)
		callers[i].open &= ~2u;
	if (top & 2) {
		span_add(&row->on_work[SPAN_TOP_CALLER], 1, work, span);
		span_append(lane, key + SPAN_TOP_CALLER, work, span);
	}
}

/* Takes [l0, l1) out of the log: [l1, end) moves down if it is not much longer. Returns the new position of what was
 * at `follow`. */
static uint64_t cut_out(struct span_lane *lane, uint64_t l0, uint64_t l1, uint64_t follow)
{
	uint64_t gone = l1 - l0, behind = lane->kept.end - l1;
	if (l0 >= l1 || l1 > lane->kept.end) /* the range is empty, or put_right has changed the log */
		return follow;
	if (behind > WORTH_MOVING * gone) {
		*span_at(lane, l0) = (struct span_entry){SPAN_GAP, {gone / sizeof(struct span_entry), 0, 0}};
		return follow;
	}
	struct span_entry *to = span_at(lane, l0), *from = span_at(lane, l1);
	for (uint64_t i = 0; i < behind / sizeof *to; i++)
		to[i] = from[i];
	lane->effort += behind / sizeof *to;
	lane->kept.end -= gone;
	return follow - gone;
}

/* The part before the best child grows with every better child: it is summed up when it has doubled. */
static void sum_up_prefix(struct span_lane *lane, struct span_scope *s)
{
	uint64_t length = s->l0 - s->region;
	if (length < SUM_UP_AT_LEAST || length < s->due || s->region > s->l0 || s->l1 > lane->kept.end)
		return;
	uint64_t left = sum_up(lane, s->region, s->l0), best = s->l1 - s->l0;
	s->due = 2 * left;
	s->l0 = cut_out(lane, s->region + left, s->l0, s->l0);
	s->l1 = s->l0 + best;
}

/* The child whose entries begin at `start` takes the place of the best one. */
void span_beat(struct span_lane *lane, struct span_scope *s, uint64_t start)
{
	s->l0 = cut_out(lane, s->l0, s->l1, start);
	s->l1 = lane->kept.end;
	sum_up_prefix(lane, s);
}

void span_close_up(struct span_lane *lane, uint64_t l0, uint64_t l1)
{
	cut_out(lane, l0, l1, lane->kept.end);
}

void span_on_span(const struct span_entry *log, uint64_t entries, struct span_sum *sums, uint64_t keys)
{
	for (uint64_t i = 0; i < entries; i++) {
		const struct span_entry *e = &log[i];
		if (e->key == SPAN_GAP) {
			if (!e->sum.count || e->sum.count > entries - i)
				return; /* the log was not written by this file */
			i += e->sum.count - 1;
		} else if (e->key < keys) {
			span_add(&sums[e->key], e->sum.count, e->sum.work, e->sum.span);
		}
	}
}
