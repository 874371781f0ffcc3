/* SPDX-License-Identifier: MIT */
#include "analyse/flow/tally.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/number.h"

enum { MOST_LEVELS = 1 << 16 };

void flow_tally_start(struct flow_tally *t, const struct flow_spots *spots, uint64_t begin, uint64_t end, uint32_t slices)
{
	*t = (struct flow_tally){
		.spots = spots, .begin = begin, .end = end > begin ? end : begin + 1, .slices = slices, .level_since = begin};
}

void flow_tally_free(struct flow_tally *t)
{
	for (size_t i = 0; i < t->worker_count; i++)
		free(t->workers[i]);
	free(t->workers);
	free(t->tracks);
	free(t->alike);
	free(t->charges);
	free(t->levels);
	lookup_free(&t->by_alike);
	lookup_free(&t->by_charge);
}

static struct flow_track *track_of(struct flow_tally *t, uint32_t strand)
{
	while (strand >= t->track_count) {
		MEMORY_GROW(t->tracks, t->track_count, t->track_room);
		t->tracks[t->track_count++] = (struct flow_track){.thread = FLOWS_NONE, .worker = FLOWS_NONE};
	}
	return &t->tracks[strand];
}

void flow_tally_strand(struct flow_tally *t, uint32_t strand, uint32_t thread, uint32_t worker)
{
	struct flow_track *track = track_of(t, strand);
	track->thread = thread;
	track->worker = worker;
}

bool flow_tally_knows(const struct flow_tally *t, uint32_t strand)
{
	return strand < t->track_count && t->tracks[strand].worker != FLOWS_NONE;
}

/* ---- time ---- */

static struct flow_tally_slice *slices_of(struct flow_tally *t, uint32_t worker)
{
	while (worker >= t->worker_count) {
		MEMORY_GROW(t->workers, t->worker_count, t->worker_room);
		t->workers[t->worker_count++] = memory_zeroed(t->slices, sizeof **t->workers);
	}
	return t->workers[worker];
}

static uint64_t *sum_in(struct flow_tally_slice *slice, enum flow_tally_state state)
{
	return state == FLOW_TALLY_WORKS ? &slice->work : state == FLOW_TALLY_OFF ? &slice->load : &slice->wait;
}

/* The beginning of a slice. */
static uint64_t slice_at(const struct flow_tally *t, uint64_t slice)
{
	uint64_t whole = t->end - t->begin;
	return t->begin + whole / t->slices * slice + whole % t->slices * slice / t->slices;
}

static void add_time(struct flow_tally *t, const struct flow_track *track, uint64_t until)
{
	uint64_t from = track->since > t->begin ? track->since : t->begin, whole = t->end - t->begin;
	if (track->worker == FLOWS_NONE || track->state == FLOW_TALLY_GONE)
		return;
	struct flow_tally_slice *slices = slices_of(t, track->worker);
	until = until < t->end ? until : t->end;
	uint64_t i = from < t->end ? number_count((double)(from - t->begin) / (double)whole * t->slices) : t->slices;
	while (i > 0 && slice_at(t, i) > from)
		i--;
	for (; i < t->slices && from < until; i++) {
		uint64_t end = slice_at(t, i + 1), to = end < until ? end : until;
		if (to > from) {
			*sum_in(&slices[i], track->state) += to - from;
			from = to;
		}
	}
}

/* Threads that lack a core are at work. */
static bool is_at_work(enum flow_tally_state state)
{
	return state == FLOW_TALLY_WORKS || state == FLOW_TALLY_OFF;
}

static void add_level(struct flow_tally *t, uint64_t time)
{
	size_t level = t->working < MOST_LEVELS ? (size_t)t->working : MOST_LEVELS;
	while (level >= t->level_count) {
		MEMORY_GROW(t->levels, t->level_count, t->level_room);
		t->levels[t->level_count++] = 0;
	}
	t->levels[level] += time > t->level_since ? time - t->level_since : 0;
	t->level_since = time;
}

static void turn(struct flow_tally *t, struct flow_track *track, enum flow_tally_state state, uint64_t time)
{
	if (state == track->state)
		return;
	add_time(t, track, time);
	if (is_at_work(state) != is_at_work(track->state)) {
		add_level(t, time);
		t->working += is_at_work(state) ? 1 : UINT64_MAX;
	}
	track->state = state;
	track->since = time;
}

enum flow_tally_state flow_tally_state_behind(enum flow_tally_state before, enum flow_kind kind)
{
	switch (kind) {
	case FLOW_CREATE: return before == FLOW_TALLY_WAITS ? before : FLOW_TALLY_WORKS; /* of a program that another thread started */
	case FLOW_PAUSE: return FLOW_TALLY_WAITS;
	case FLOW_OFF: return before == FLOW_TALLY_WORKS ? FLOW_TALLY_OFF : before;
	case FLOW_ON: return before == FLOW_TALLY_OFF ? FLOW_TALLY_WORKS : before;
	case FLOW_END:
	case FLOW_EXIT: return FLOW_TALLY_GONE;
	default: return FLOW_TALLY_WORKS;
	}
}

/* ---- waits ---- */

static bool same_alike(const void *array, size_t number, const void *what)
{
	const struct flow_alike *a = (const struct flow_alike *)array + number, *b = what;
	return a->thread == b->thread && a->kind == b->kind && a->object == b->object && a->for_thread == b->for_thread &&
		a->outcome == b->outcome && a->spot == b->spot && a->for_spot == b->for_spot;
}

static uint64_t hash_alike(const struct flow_alike *a)
{
	uint64_t hash = hash_number(hash_number(HASH_START, a->spot), a->for_spot);
	hash = hash_number(hash, (uint64_t)a->thread << 32 | a->for_thread);
	return hash_number(hash_number(hash, a->object), a->kind * FLOWS_OUTCOMES + a->outcome);
}

enum flows_outcome flow_tally_outcome(enum flow_kind kind, uint32_t wait)
{
	switch (kind) {
	case FLOW_ACQUIRE:
	case FLOW_SHARE:
	case FLOW_TAKE: return FLOWS_ACQUIRED;
	case FLOW_ENTER:
	case FLOW_HEAR: return FLOWS_SIGNALLED;
	case FLOW_IGNORE: return FLOWS_TIMED_OUT;
	case FLOW_PASS: return FLOWS_PASSED;
	case FLOW_FOLLOW:
	case FLOW_JOIN: return FLOWS_JOINED;
	case FLOW_GO: return wait == RAW_WAIT_LOCK || wait == RAW_WAIT_SEMAPHORE ? FLOWS_TIMED_OUT : FLOWS_ENDED;
	default: return FLOWS_ENDED;
	}
}

static void add_wait(struct flow_tally *t, const struct flow_alike *wait)
{
	size_t *place = lookup_at(&t->by_alike, hash_alike(wait), same_alike, t->alike, wait);
	if (!*place) {
		MEMORY_GROW(t->alike, t->alike_count, t->alike_room);
		t->alike[t->alike_count++] = *wait;
		*place = t->alike_count;
		return;
	}
	struct flow_alike *mine = &t->alike[*place - 1];
	mine->count += wait->count;
	mine->ticks += wait->ticks;
	mine->late += wait->late;
	mine->longest = wait->longest > mine->longest ? wait->longest : mine->longest;
}

static void end_wait(struct flow_tally *t, const struct flow_track *track, const struct flow_event *e, const struct flow_cause *cause)
{
	uint64_t ticks = e->time - cause->since, sent = cause->sent > cause->since ? cause->sent : cause->since;
	add_wait(t,
	         &(struct flow_alike){
			 .thread = track->thread,
			 .kind = track->wait,
			 .object = track->object != UINT32_MAX || e->kind != FLOW_ENTER ? track->object : e->object,
			 .for_thread = cause->is_known ? track_of(t, cause->strand)->thread : FLOWS_NONE,
			 .outcome = flow_tally_outcome(e->kind, track->wait),
			 .spot = track->spot,
			 .for_spot = cause->is_known ? cause->mark : 0,
			 .count = 1,
			 .ticks = ticks,
			 .longest = ticks,
			 .late = cause->is_known && e->time > sent ? e->time - sent : 0,
		 });
}

static bool same_charge(const void *array, size_t number, const void *what)
{
	const struct flow_charge *a = (const struct flow_charge *)array + number, *b = what;
	return a->object == b->object && a->spot == b->spot;
}

/* An acquisition that waited has its path; one that did not is known by its place, which the release has. */
static void add_charge(struct flow_tally *t, const struct flow_event *e, const struct flow *flow)
{
	const struct flow_object *o = flow->memory.object(flow->memory.context, e->object);
	uint64_t ticks = flow->charged, taken = o ? o->taken_mark : 0;
	struct flow_charge charge = {.object = e->object, .spot = flow_spots_same(t->spots, taken, e->mark) ? taken : e->mark};
	size_t *place = lookup_at(&t->by_charge, hash_number(hash_number(HASH_START, charge.object), charge.spot), same_charge, t->charges,
	                          &charge);
	if (!*place) {
		MEMORY_GROW(t->charges, t->charge_count, t->charge_room);
		t->charges[t->charge_count++] = charge;
		*place = t->charge_count;
	}
	t->charges[*place - 1].ticks += ticks;
}

/* ---- events ---- */

void flow_tally_event(struct flow_tally *t, const struct flow_event *e, const struct flow_event_about *about, const struct flow *flow)
{
	struct flow_track *track = track_of(t, e->strand);
	track->events++;
	if (flow->cause.waited) {
		struct flow_track waited = *track; /* the other strand's track may move it */
		end_wait(t, &waited, e, &flow->cause);
		track = track_of(t, e->strand);
	}
	if (flow->charged)
		add_charge(t, e, flow);
	if (e->kind == FLOW_CREATE) {
		track_of(t, e->object)->created = e->mark;
		track = track_of(t, e->strand);
	}
	if (e->kind == FLOW_PAUSE) {
		track->spot = e->mark;
		track->wait = about->wait;
		track->object = e->object;
	}
	turn(t, track, flow_tally_state_behind(track->state, e->kind), e->time);
}

void flow_tally_end(struct flow_tally *t, uint64_t end)
{
	for (size_t i = 0; i < t->track_count; i++) {
		struct flow_track *track = &t->tracks[i];
		if (track->state == FLOW_TALLY_WAITS && end > track->since)
			add_wait(t,
			         &(struct flow_alike){.thread = track->thread,
			                              .kind = track->wait,
			                              .object = track->object,
			                              .for_thread = FLOWS_NONE,
			                              .outcome = FLOWS_UNFINISHED,
			                              .spot = track->spot,
			                              .count = 1,
			                              .ticks = end - track->since,
			                              .longest = end - track->since});
		turn(t, track, FLOW_TALLY_GONE, end);
	}
	add_level(t, end);
}
