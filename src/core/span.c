/* SPDX-License-Identifier: MIT */
#include "core/span.h"

enum { DUE_AT_LEAST = 64, WORTH_MOVING = 4 };

static void add(struct span_sum *sum, const struct span_sum *more)
{
	sum->count += more->count;
	sum->work += more->work;
	sum->span += more->span;
}

static uint64_t at_least(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Adds up part of the log by site and measure, in place: each key's first entry takes the later ones in. `place` remembers
 * where that is, perhaps from an earlier time: it holds if such an entry is there. Returns what is left of it. */
static uint64_t sum_up(struct span_lane *lane, uint64_t start, uint64_t end)
{
	struct span_entry *part = lane->log + start;
	uint64_t to = 0;
	for (uint64_t from = 0; from < end - start; from++) {
		struct span_entry e = part[from];
		if (e.key == SPAN_GAP) {
			from += e.sum.count - 1;
			continue;
		}
		uint32_t *place = &lane->place[e.key];
		if (*place < to && part[*place].key == e.key) {
			add(&part[*place].sum, &e.sum);
		} else {
			*place = (uint32_t)to;
			part[to++] = e;
		}
	}
	lane->effort += end - start;
	return to;
}

static void sum_up_region(struct span_lane *lane)
{
	uint64_t left = sum_up(lane, lane->region, lane->end);
	lane->end = lane->region + left;
	lane->due = at_least(2 * left, DUE_AT_LEAST);
}

static void make_room(struct span_lane *lane)
{
	sum_up_region(lane);
	if (lane->end + SPAN_MEASURES > lane->room - lane->room / 4 && !lane->need_room(lane))
		lane->end = lane->region; /* the caller has counted the loss */
}

static void append(struct span_lane *lane, uint32_t site, enum span_measure measure, uint64_t work, uint64_t span)
{
	lane->log[lane->end++] = (struct span_entry){(uint64_t)site * SPAN_MEASURES + measure, {1, work, span}};
}

static void enter_region(struct span_lane *lane, uint64_t start, uint64_t due)
{
	lane->region = start;
	lane->due = due;
}

void span_call_begin(struct span_lane *lane, struct span_call *call, uint32_t site, uint32_t caller)
{
	call->clock = lane->clock;
	call->position = span_position(lane);
	call->child_work = lane->child_work;
	call->child_span = lane->child_span;
	lane->child_work = lane->child_span = 0;
	call->is_top_site = lane->site_depth[site]++ == 0;
	call->is_top_caller = lane->caller_depth[caller]++ == 0;
}

static void record(struct span_lane *lane, uint32_t site, enum span_measure measure, uint64_t work, uint64_t span)
{
	add(&lane->sites[site].on_work[measure], &(struct span_sum){1, work, span});
	append(lane, site, measure, work, span);
}

/* Leaves the span of the invocation. */
static uint64_t measure_call(struct span_lane *lane, struct span_call *call, uint32_t site, uint32_t caller)
{
	uint64_t work = lane->clock - call->clock, span = span_position(lane) - call->position;
	if (lane->end + SPAN_MEASURES > lane->room || lane->end - lane->region >= lane->due)
		make_room(lane);
	record(lane, site, SPAN_LOCAL, work - lane->child_work, span - lane->child_span);
	lane->site_depth[site]--;
	lane->caller_depth[caller]--;
	if (call->is_top_site)
		record(lane, site, SPAN_TOP_SITE, work, span);
	if (call->is_top_caller)
		record(lane, site, SPAN_TOP_CALLER, work, span);
	lane->child_work = call->child_work + work;
	lane->child_span = call->child_span;
	return span;
}

void span_call_end(struct span_lane *lane, struct span_call *call, uint32_t site, uint32_t caller)
{
	lane->child_span += measure_call(lane, call, site, caller);
}

void span_function_begin(struct span_lane *lane, struct span_function *f)
{
	*f = (struct span_function){.l0 = lane->end, .l1 = lane->end, .region = lane->region, .due = lane->due};
}

/* The first spawn since a sync closes the region that the function ran in: its entries are before any child now. */
void span_spawn_begin(struct span_lane *lane, struct span_function *f, struct span_spawn *spawn, uint32_t site, uint32_t caller)
{
	if (lane->end - lane->region >= lane->due)
		sum_up_region(lane);
	if (!f->best) {
		f->region = lane->region;
		f->due = lane->due;
		f->l0 = f->l1 = lane->end;
	}
	spawn->start = lane->end;
	spawn->due = lane->due;
	span_call_begin(lane, &spawn->call, site, caller);
	enter_region(lane, lane->end, DUE_AT_LEAST);
}

/* Takes [l0, l1) out of the log: [l1, end) moves down if that is not much more than what goes. Returns where what was at
 * `follow` is then. */
static uint64_t close_up(struct span_lane *lane, uint64_t l0, uint64_t l1, uint64_t follow)
{
	uint64_t gone = l1 - l0, behind = lane->end - l1;
	if (!gone)
		return follow;
	if (behind > WORTH_MOVING * gone) {
		lane->log[l0] = (struct span_entry){SPAN_GAP, {gone, 0, 0}};
		return follow;
	}
	for (uint64_t i = 0; i < behind; i++)
		lane->log[l0 + i] = lane->log[l1 + i];
	lane->effort += behind;
	lane->end -= gone;
	return follow - gone;
}

/* What came before the best child grows with every better one: it is summed up like a region. */
static void sum_up_prefix(struct span_lane *lane, struct span_function *f)
{
	if (f->l0 - f->region < f->due)
		return;
	uint64_t left = sum_up(lane, f->region, f->l0), best = f->l1 - f->l0;
	f->due = at_least(2 * left, DUE_AT_LEAST);
	f->l0 = close_up(lane, f->region + left, f->l0, f->l0);
	f->l1 = f->l0 + best;
}

void span_spawn_end(struct span_lane *lane, struct span_function *f, struct span_spawn *spawn, uint32_t site, uint32_t caller)
{
	uint64_t span = measure_call(lane, &spawn->call, site, caller), position = span_position(lane);
	if (position > f->best) {
		f->l0 = close_up(lane, f->l0, f->l1, spawn->start);
		f->l1 = lane->end;
		f->best = position;
		f->best_child_span = lane->child_span + span;
		f->best_due = lane->due;
		f->due = at_least(f->due, spawn->due);
		sum_up_prefix(lane, f);
		enter_region(lane, f->l1, DUE_AT_LEAST);
	} else {
		lane->end = spawn->start;
		enter_region(lane, f->best ? f->l1 : f->region, spawn->due);
	}
	lane->offset = spawn->call.position - lane->clock;
}

/* A region that takes another in is as summed up as the larger of them was. */
void span_sync(struct span_lane *lane, struct span_function *f)
{
	if (!f->best)
		return;
	if (span_position(lane) > f->best) {
		close_up(lane, f->l0, f->l1, lane->end);
		enter_region(lane, f->region, at_least(f->due, lane->due));
	} else {
		lane->end = f->l1;
		lane->offset = f->best - lane->clock;
		lane->child_span = f->best_child_span;
		enter_region(lane, f->region, at_least(f->due, f->best_due));
	}
	f->best = 0;
	f->l0 = f->l1 = lane->end;
}

void span_on_span(const struct span_lane *lane, struct span_sum *sums)
{
	for (uint64_t i = 0; i < lane->end; i++) {
		const struct span_entry *e = &lane->log[i];
		if (e->key == SPAN_GAP)
			i += e->sum.count - 1;
		else
			add(&sums[e->key], &e->sum);
	}
}
