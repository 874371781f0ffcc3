/* SPDX-License-Identifier: MIT */
#include "analyse/flow/parts/tasks.h"

#include <stdlib.h>
#include "base/hash.h"
#include "base/memory.h"
#include "core/flow/log.h"

void flow_tasks_start(struct flow_tasks *t)
{
	*t = (struct flow_tasks){0};
}

void flow_tasks_free(struct flow_tasks *t)
{
	free(t->groups);
	free(t->edges);
	free(t->units);
	free(t->unused);
	free(t->tracks);
	lookup_free(&t->by_group);
	lookup_free(&t->by_edge);
	map_free(&t->by_number);
}

/* ---- groups and edges ---- */

static bool same_group(const void *array, size_t number, const void *what)
{
	const struct flow_group *a = (const struct flow_group *)array + number, *b = what;
	return a->kind == b->kind && a->spot == b->spot;
}

static uint32_t group_of(struct flow_tasks *t, enum flows_task_kind kind, uint64_t spot)
{
	struct flow_group key = {.kind = kind, .spot = spot};
	size_t *place = lookup_at(&t->by_group, hash_number(hash_number(HASH_START, spot), kind), same_group, t->groups, &key);
	if (!*place) {
		MEMORY_GROW(t->groups, t->group_count, t->group_room);
		t->groups[t->group_count++] = key;
		*place = t->group_count;
	}
	return (uint32_t)*place - 1;
}

static bool same_edge(const void *array, size_t number, const void *what)
{
	const struct flow_edge *a = (const struct flow_edge *)array + number, *b = what;
	return a->from == b->from && a->to == b->to && a->wait == b->wait;
}

static void add_edge(struct flow_tasks *t, uint32_t from, uint32_t to, uint32_t wait, uint64_t ticks)
{
	struct flow_edge key = {.from = from, .to = to, .wait = wait};
	uint64_t hash = hash_number(hash_number(HASH_START, (uint64_t)from << 32 | to), wait);
	size_t *place = lookup_at(&t->by_edge, hash, same_edge, t->edges, &key);
	if (!*place) {
		MEMORY_GROW(t->edges, t->edge_count, t->edge_room);
		t->edges[t->edge_count++] = key;
		*place = t->edge_count;
	}
	t->edges[*place - 1].count++;
	t->edges[*place - 1].ticks += ticks;
}

/* ---- units ---- */

static uint32_t new_unit(struct flow_tasks *t, uint32_t group)
{
	struct flow_group *g = &t->groups[group];
	uint32_t unit;
	if (t->unused_count) {
		unit = t->unused[--t->unused_count];
	} else {
		MEMORY_GROW(t->units, t->unit_count, t->unit_room);
		unit = (uint32_t)t->unit_count++;
	}
	t->units[unit] = (struct flow_unit){.group = group};
	g->count++;
	g->alive++;
	g->most = g->alive > g->most ? g->alive : g->most;
	return unit + 1;
}

static void end_unit(struct flow_tasks *t, uint32_t unit)
{
	struct flow_unit *u = &t->units[unit - 1];
	struct flow_group *g = &t->groups[u->group];
	g->longest = u->work > g->longest ? u->work : g->longest;
	g->alive--;
	MEMORY_GROW(t->unused, t->unused_count, t->unused_room);
	t->unused[t->unused_count++] = unit - 1;
}

static struct flow_unit_track *track_of(struct flow_tasks *t, uint32_t strand)
{
	while (strand >= t->track_count) {
		MEMORY_GROW(t->tracks, t->track_count, t->track_room);
		t->tracks[t->track_count++] = (struct flow_unit_track){0};
	}
	return &t->tracks[strand];
}

/* What the strand has done since belongs to what it runs. */
static void book(struct flow_tasks *t, struct flow_unit_track *track, const struct flow_strand *s)
{
	if (!track->now || !s)
		return;
	struct flow_unit *u = &t->units[track->now - 1];
	struct flow_sums *sums = &t->groups[u->group].sums;
	u->work += s->work - track->since.work;
	sums->work += s->work - track->since.work;
	sums->load += s->load - track->since.load;
	sums->waited += s->waited - track->since.waited;
	sums->outside += s->outside - track->since.outside;
	track->since = (struct flow_sums){s->work, s->load, s->waited, s->outside};
}

static struct flow_unit_track *met(struct flow_tasks *t, uint32_t strand)
{
	struct flow_unit_track *track = track_of(t, strand);
	if (!track->own) {
		enum flows_task_kind kind = track->is_process ? FLOWS_PROCESS : FLOWS_THREAD;
		track->group = group_of(t, kind, track->created);
		track->own = track->now = new_unit(t, track->group);
	}
	return track;
}

static uint64_t number_key(const struct flow_event_about *about, uint32_t number)
{
	return (uint64_t)about->process << 32 | number;
}

static void drop_task(struct flow_tasks *t, struct flow_unit_track *track)
{
	if (!track->number || track->now == track->own)
		return;
	map_drop(&t->by_number, track->number);
	end_unit(t, track->now);
}

static void run(struct flow_tasks *t, struct flow_unit_track *track, const struct flow_event *e, const struct flow_event_about *about)
{
	uint64_t key = number_key(about, e->count);
	if (about->value & FLOW_RUN_ENDED)
		drop_task(t, track);
	track->number = 0;
	track->now = track->own;
	track->group = t->units[track->own - 1].group;
	if (!e->count)
		return;
	if (about->value & FLOW_RUN_BEGINS && !map_find(&t->by_number, key))
		*map_at(&t->by_number, key) = (void *)(uintptr_t)new_unit(t, group_of(t, FLOWS_TASK, e->mark));
	const void *unit = map_find(&t->by_number, key);
	if (!unit)
		return;
	track->number = key;
	track->now = (uint32_t)(uintptr_t)unit;
	track->group = t->units[track->now - 1].group;
}

/* ---- events ---- */

static uint32_t running(struct flow_tasks *t, uint32_t strand)
{
	return met(t, strand)->group;
}

static void create(struct flow_tasks *t, const struct flow_event *e, const struct flow_event_about *about)
{
	uint32_t from = running(t, e->strand);
	struct flow_unit_track *made = track_of(t, e->object);
	made->created = e->mark;
	made->is_process = about->forks;
	add_edge(t, from, group_of(t, about->forks ? FLOWS_PROCESS : FLOWS_THREAD, e->mark), FLOW_WAITS, 0);
}

void flow_tasks_event(struct flow_tasks *t, const struct flow_event *e, const struct flow_event_about *about, const struct flow *flow)
{
	struct flow_unit_track *track = met(t, e->strand);
	book(t, track, flow->memory.strand(flow->memory.context, e->strand));
	if (flow->cause.waited && flow->cause.is_known) {
		uint32_t wait = track->wait, from = running(t, e->strand);
		add_edge(t, from, running(t, flow->cause.strand), wait, e->time - flow->cause.since);
		track = track_of(t, e->strand);
	}
	if (e->kind == FLOW_PAUSE) {
		track->wait = about->wait;
	} else if (e->kind == FLOW_CREATE) {
		create(t, e, about);
	} else if (e->kind == FLOW_OFFER && e->mark) /* of a task: other offers come from no call */
		add_edge(t, running(t, e->strand), group_of(t, FLOWS_TASK, e->mark), FLOW_WAITS, 0);
	else if (e->kind == FLOW_RUN)
		run(t, track, e, about);
	else if (e->kind == FLOW_END && track->now) {
		end_unit(t, track->own);
		track->now = 0;
	}
}

/* What did not end is as long as it was. */
void flow_tasks_end(struct flow_tasks *t, const struct flow *flow)
{
	for (size_t i = 0; i < t->track_count; i++) {
		struct flow_unit_track *track = &t->tracks[i];
		book(t, track, flow->memory.strand(flow->memory.context, (uint32_t)i));
		for (int k = 0; k < 2 && track->now; k++) {
			uint32_t unit = k ? track->own : track->now;
			if (t->units[unit - 1].work > t->groups[t->units[unit - 1].group].longest)
				t->groups[t->units[unit - 1].group].longest = t->units[unit - 1].work;
		}
	}
}
