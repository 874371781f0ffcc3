/* SPDX-License-Identifier: MIT */
#include "report/flow/slices.h"

#include <stdlib.h>

static uint32_t frame_of(struct slices *g, const char *name, const char *file, uint32_t line)
{
	return stacks_function(&g->frames, &(struct stacks_function){name, "", file, line, RUN_NO_OBJECT});
}

/* Frames of a wait that begins with the event. */
static struct slice wait_of(struct slices *g, const struct flow_event *e)
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

static struct strand *strand_of(struct slices *g, uint32_t number)
{
	while (number >= g->count) {
		MEMORY_GROW(g->strands, g->count, g->room);
		g->strands[g->count++] = (struct strand){0};
	}
	return &g->strands[number];
}

static void take_event(struct slices *g)
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

int slices_gather(struct slices *g, const struct flow_data *data, struct fail *why)
{
	const struct flows_kept *kept = view_flow_kept(data, why);
	if (!kept)
		return -1;
	*g = (struct slices){.flows = &data->flows};
	stacks_start(&g->frames, &data->run);
	flows_replay_start(&g->replay, kept, data->flows.run);
	while (flows_replay_next(&g->replay))
		take_event(g);
	g->end_ns = flows_replay_ns(&g->replay, g->replay.pass.flow.end);
	return 0;
}

bool slices_are_asked(const struct slices *g, const struct flow_data *data, uint32_t strand)
{
	return g->strands[strand].count && (data->thread < 0 || flows_replay_runner(&g->replay, strand).thread == (uint32_t)data->thread);
}

uint64_t slices_until(const struct slices *g, const struct strand *strand, size_t slice)
{
	return slice + 1 < strand->count ? strand->slices[slice + 1].from_ns : g->end_ns;
}

void slices_free(struct slices *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->strands[i].slices);
	free(g->strands);
	flows_replay_free(&g->replay);
	stacks_free(&g->frames);
}
