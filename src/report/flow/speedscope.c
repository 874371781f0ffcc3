/* SPDX-License-Identifier: MIT */
/* speedscope.c: `skein export speedscope flow`: what each thread did over time, as profiles of speedscope that are "evented".
 *
 * A thread's slices follow each other: work, no core, waits. A wait lies in the routine that waited. A profile holds one thread and is
 * written whole, so slices are gathered first: 16 bytes for each. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/flow/replay.h"
#include "analyse/flow/tally.h"
#include "report/export/speedscope.h"
#include "report/flow/view.h"

/* Up to where the next one begins. */
struct slice {
	uint64_t from_ns;
	uint32_t routine, frame; /* functions; STACKS_NOWHERE: none */
};

struct strand {
	enum flow_tally_state state;
	struct slice *slices;
	size_t count, room;
};

struct gather {
	const struct flows *flows;
	struct flows_replay replay;
	struct stacks frames;
	struct strand *strands;
	size_t count, room;
};

static uint32_t frame_of(struct gather *g, const char *name, const char *file, uint32_t line)
{
	return stacks_function(&g->frames, &(struct stacks_function){name, "", file, line, RUN_NO_OBJECT});
}

/* Frames of a wait that begins with the event. */
static struct slice wait_of(struct gather *g, const struct flow_event *e)
{
	const struct flows_where *w = flows_replay_where(&g->replay, e->mark);
	const char *name = view_flow_wait_name(g->flows, g->replay.about.wait, flows_replay_object(&g->replay, e), &g->frames.pool);
	struct slice slice = {.routine = STACKS_NOWHERE, .frame = frame_of(g, name, w->file, w->line)};
	if (w->routine != RUN_OUTSIDE) {
		const struct run_routine *r = &g->flows->run->routines[w->routine];
		slice.routine = frame_of(g, r->name, r->file, r->line);
	}
	return slice;
}

static struct strand *strand_of(struct gather *g, uint32_t number)
{
	while (number >= g->count) {
		MEMORY_GROW(g->strands, g->count, g->room);
		g->strands[g->count++] = (struct strand){0};
	}
	return &g->strands[number];
}

static void take_event(struct gather *g)
{
	const struct flow_event *e = &g->replay.event;
	struct strand *strand = strand_of(g, e->strand);
	enum flow_tally_state state = flow_tally_state_behind(strand->state, e->kind);
	struct slice slice = {.routine = STACKS_NOWHERE, .frame = STACKS_NOWHERE};
	if (state == strand->state && e->kind != FLOW_PAUSE)
		return;
	if (e->kind == FLOW_PAUSE)
		slice = wait_of(g, e);
	else if (state == FLOW_TALLY_WORKS || state == FLOW_TALLY_OFF)
		slice.frame = frame_of(g, state == FLOW_TALLY_WORKS ? "work" : "no core", "", 0);
	slice.from_ns = flows_replay_ns(&g->replay, e->time);
	if (strand->count && strand->slices[strand->count - 1].from_ns == slice.from_ns)
		strand->count--; /* the slice had no length */
	MEMORY_GROW(strand->slices, strand->count, strand->room);
	strand->slices[strand->count++] = slice;
	strand->state = state;
}

static void put_frame(FILE *file, const char **comma, char type, uint32_t frame, uint64_t at)
{
	if (frame == STACKS_NOWHERE)
		return;
	fprintf(file, "%s{\"type\":\"%c\",\"frame\":%u,\"at\":%" PRIu64 "}", *comma, type, frame, at);
	*comma = ",";
}

static void put_strand(struct gather *g, uint32_t number, uint64_t end, bool *is_first, FILE *file)
{
	const struct strand *strand = &g->strands[number];
	struct flows_runner runner = flows_replay_runner(&g->replay, number);
	const char *name = stacks_thread(&g->frames, runner.thread), *comma = "";
	if (!strand->count)
		return;
	speedscope_profile(file, is_first, "evented", name ? name : "a thread", "nanoseconds", (int64_t)end);
	fputs(",\"events\":[", file);
	for (size_t i = 0; i < strand->count; i++) {
		const struct slice *s = &strand->slices[i];
		uint64_t to = i + 1 < strand->count ? s[1].from_ns : end;
		if (to <= s->from_ns)
			continue;
		put_frame(file, &comma, 'O', s->routine, s->from_ns);
		put_frame(file, &comma, 'O', s->frame, s->from_ns);
		put_frame(file, &comma, 'C', s->frame, to);
		put_frame(file, &comma, 'C', s->routine, to);
	}
	fputs("]}", file);
}

int view_flow_speedscope(const void *data, FILE *file, struct fail *why)
{
	const struct flow_data *mine = data;
	const struct flows_kept *kept = view_flow_kept(mine, why);
	if (!kept)
		return -1;
	struct gather g = {.flows = &mine->flows};
	bool is_first = true;
	stacks_start(&g.frames, &mine->run);
	flows_replay_start(&g.replay, kept, mine->flows.run);
	while (flows_replay_next(&g.replay))
		take_event(&g);
	uint64_t end = flows_replay_ns(&g.replay, g.replay.pass.flow.end);
	speedscope_begin(&g.frames, file);
	for (uint32_t i = 0; i < g.count; i++)
		if (mine->thread < 0 || flows_replay_runner(&g.replay, i).thread == (uint32_t)mine->thread)
			put_strand(&g, i, end, &is_first, file);
	speedscope_end(&g.frames, file);
	for (size_t i = 0; i < g.count; i++)
		free(g.strands[i].slices);
	free(g.strands);
	flows_replay_free(&g.replay);
	stacks_free(&g.frames);
	return 0;
}
