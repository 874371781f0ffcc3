/* SPDX-License-Identifier: MIT */
#include "analyse/flow/what_if.h"

#include <stdlib.h>

#include "analyse/flow/replay.h"
#include "base/memory.h"
#include "base/number.h"

/* Asks as many questions at once as there is room for. ns[i]: what the run would take without the group i, on so many cores; 0: as many
 * as there are threads. */
static void ask(const struct flows_kept *k, const uint32_t *groups, const uint32_t *without, size_t count, uint32_t cores, uint64_t *ns)
{
	struct flow_question questions[FLOW_QUESTIONS];
	struct flow_input input;
	struct flow_spots spots;
	struct flow_pass pass;
	struct flow_event event;
	struct flow_event_about about;
	for (size_t i = 0; i < count; i++)
		questions[i] = (struct flow_question){.without = without[i], .cores = cores};
	flows_kept_input(k, &input, &spots);
	input.groups = groups;
	flow_pass_start(&pass, &input, questions, (uint32_t)count);
	while (flow_pass_step(&pass, &event, &about))
		;
	for (size_t i = 0; i < count; i++)
		ns[i] = k->count ? number_count((double)pass.flow.longest[i] * k->clocks[0].ns_per_tick + 0.5) : 0;
	flow_pass_free(&pass);
	flow_spots_free(&spots);
}

void flows_ask_alone(struct flows *f, const struct flows_kept *k, const uint32_t *objects, size_t count)
{
	for (size_t at = 0; at < count; at += FLOW_QUESTIONS) {
		uint64_t ns[FLOW_QUESTIONS];
		size_t left = count - at, now = left < FLOW_QUESTIONS ? left : FLOW_QUESTIONS;
		ask(k, k->members, &objects[at], now, 0, ns);
		for (size_t i = 0; i < now; i++)
			f->objects[objects[at + i]].free_ns = (int64_t)ns[i];
		ask(k, k->members, &objects[at], now, f->machine_cores, ns);
		for (size_t i = 0; i < now; i++)
			f->objects[objects[at + i]].free_idle_ns = (int64_t)(ns[i] < f->idle_ns ? ns[i] : f->idle_ns);
	}
}

/* All of them are one group, and what is not one of them is in none. */
uint64_t flows_ask_together(const struct flows *f, const struct flows_kept *k, const uint32_t *objects, size_t count)
{
	static const uint32_t group = 0;
	uint32_t *groups = memory_zeroed(k->member_count + 1, sizeof *groups);
	bool *chosen = memory_zeroed(f->object_count + 1, sizeof *chosen);
	uint64_t ns;
	for (size_t i = 0; i < count; i++)
		chosen[objects[i]] = true;
	for (size_t i = 0; i < k->member_count; i++)
		groups[i] = k->members[i] != FLOWS_NONE && chosen[k->members[i]] ? group : FLOWS_NONE;
	ask(k, groups, &group, 1, f->machine_cores, &ns);
	free(groups);
	free(chosen);
	return ns < f->idle_ns ? ns : f->idle_ns;
}
