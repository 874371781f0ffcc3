/* SPDX-License-Identifier: MIT */
#include "analyse/flow/what_if.h"

#include <stdlib.h>

#include "analyse/flow/replay.h"
#include "analyse/run.h"
#include "base/memory.h"
#include "base/number.h"

static uint64_t longest_ns(const struct flow_pass *pass, const struct flows_kept *k, size_t question)
{
	return k->count ? number_count((double)pass->flow.longest[question] * k->clocks[0].ns_per_tick + 0.5) : 0;
}

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
		ns[i] = longest_ns(&pass, k, i);
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

/* ---- routines ---- */

static uint64_t number_key(uint32_t process, uint32_t number)
{
	return (uint64_t)process << 32 | number;
}

static uint32_t routine_of(void *context, uint32_t process, uint32_t number)
{
	const void *found = map_find(context, number_key(process, number));
	return found ? (uint32_t)((uintptr_t)found - 1) : RUN_OUTSIDE;
}

/* groups: bits of routines; ns: by group. */
static void ask_faster(const struct flows *f, const struct flows_kept *k, const uint32_t *groups, uint32_t count, double factor,
                       uint64_t *ns)
{
	struct map numbers = {0};
	struct flow_faster faster = {.routine_of = routine_of, .context = &numbers};
	struct flow_question questions[FLOW_QUESTIONS];
	struct flow_input input;
	struct flow_spots spots;
	struct flow_pass pass;
	struct flow_event event;
	struct flow_event_about about;
	for (uint32_t i = 0; i < count; i++) {
		faster.factor[i] = factor;
		questions[i] = (struct flow_question){.without = UINT32_MAX, .cores = f->machine_cores};
	}
	for (size_t i = 0; i < k->number_count; i++)
		*map_at(&numbers, number_key(k->numbers[i].process, k->numbers[i].number)) = (void *)((uintptr_t)k->numbers[i].routine + 1);
	flow_routines_start(&faster.routines);
	faster.routines.groups = groups;
	faster.routines.group_count = f->run->routine_count;
	flows_kept_input(k, &input, &spots);
	flow_pass_start(&pass, &input, questions, count);
	flow_pass_faster(&pass, &faster);
	while (flow_pass_step(&pass, &event, &about))
		;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t run = longest_ns(&pass, k, i);
		ns[i] = run < f->idle_ns ? run : f->idle_ns;
	}
	flow_pass_free(&pass);
	flow_spots_free(&spots);
	flow_routines_free(&faster.routines);
	map_free(&numbers);
}

uint64_t flows_ask_faster(const struct flows *f, const struct flows_kept *k, const uint32_t *groups, double factor)
{
	uint64_t ns;
	ask_faster(f, k, groups, 1, factor, &ns);
	return ns;
}

void flows_ask_each_faster(const struct flows *f, const struct flows_kept *k, const uint32_t *routines, size_t count, double factor,
                           uint64_t *ns)
{
	uint32_t *groups = memory_zeroed(f->run->routine_count + 1, sizeof *groups);
	for (size_t i = 0; i < count; i++)
		groups[routines[i]] |= 1u << i;
	ask_faster(f, k, groups, (uint32_t)count, factor, ns);
	free(groups);
}
