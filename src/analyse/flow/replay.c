/* SPDX-License-Identifier: MIT */
#include "analyse/flow/replay.h"

#include <stdlib.h>
#include "base/memory.h"
#include "base/number.h"

void flows_kept_input(const struct flows_kept *k, struct flow_input *input, struct flow_spots *spots)
{
	flow_spots_start_given(spots, k->count);
	for (size_t i = 0; i < k->place_count; i++)
		flow_spots_give(spots, k->places[i].process, k->places[i].place, k->places[i].path, &k->places[i].where);
	*input = (struct flow_input){.logs = k->logs, .count = k->count, .spots = spots, .skip = k->skip};
	if (!k->count || !k->switches.size)
		return;
	input->switches = k->switches.at;
	input->switches_bytes = k->switches.size;
	input->clock = k->clocks[0];
}

static uint64_t worker_key(uint32_t process, uint32_t lane)
{
	return (uint64_t)process << 32 | lane;
}

static void read_workers(struct flows_replay *r)
{
	for (size_t i = 0; i < r->run->worker_count; i++)
		*map_at(&r->workers, worker_key(r->run->workers[i].process, r->run->workers[i].lane)) = (void *)(i + 1);
}

/* No question is asked: what a pass tells of an event, and of what ended a wait, needs none. */
void flows_replay_start(struct flows_replay *r, const struct flows_kept *kept, const struct run *run)
{
	*r = (struct flows_replay){.kept = kept, .run = run, .begin = UINT64_MAX};
	flows_kept_input(kept, &r->input, &r->spots);
	flow_pass_start(&r->pass, &r->input, NULL, 0);
	read_workers(r);
	for (size_t i = 0; i < kept->count; i++)
		r->begin = kept->clocks[i].tick < r->begin ? kept->clocks[i].tick : r->begin;
}

static struct flows_runner *runner_of(struct flows_replay *r, uint32_t strand)
{
	while (strand >= r->runner_count) {
		MEMORY_GROW(r->runners, r->runner_count, r->runner_room);
		r->runners[r->runner_count++] = (struct flows_runner){FLOWS_NONE, FLOWS_NONE, FLOWS_NONE};
	}
	return &r->runners[strand];
}

static void meet(struct flows_replay *r, struct flows_runner *runner)
{
	const void *worker = map_find(&r->workers, worker_key(r->about.process, r->about.lane));
	runner->thread = run_find_thread(r->run, r->run->thread_count, r->about.process, r->about.thread);
	runner->process = r->about.process;
	runner->worker = worker ? (uint32_t)((uintptr_t)worker - 1) : FLOWS_NONE;
}

bool flows_replay_next(struct flows_replay *r)
{
	if (!flow_pass_step(&r->pass, &r->event, &r->about))
		return false;
	struct flows_runner *runner = runner_of(r, r->event.strand);
	if (r->about.thread != UINT32_MAX)
		meet(r, runner);
	r->by = *runner;
	return true;
}

struct flows_runner flows_replay_runner(const struct flows_replay *r, uint32_t strand)
{
	return strand < r->runner_count ? r->runners[strand] : (struct flows_runner){FLOWS_NONE, FLOWS_NONE, FLOWS_NONE};
}

const struct flows_where *flows_replay_where(const struct flows_replay *r, uint64_t mark)
{
	return &r->spots.spots[mark].where;
}

uint32_t flows_replay_object(const struct flows_replay *r, const struct flow_event *e)
{
	bool is_strand = e->kind == FLOW_CREATE || e->kind == FLOW_JOIN || e->kind == FLOW_DETACH;
	return !is_strand && e->object < r->kept->member_count ? r->kept->members[e->object] : FLOWS_NONE;
}

uint64_t flows_replay_ns(const struct flows_replay *r, uint64_t time)
{
	return time > r->begin ? number_count((double)(time - r->begin) * r->kept->clocks[0].ns_per_tick + 0.5) : 0;
}

void flows_replay_free(struct flows_replay *r)
{
	flow_pass_free(&r->pass);
	flow_spots_free(&r->spots);
	map_free(&r->workers);
	free(r->runners);
	*r = (struct flows_replay){0};
}
