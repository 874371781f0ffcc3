/* SPDX-License-Identifier: MIT */
#include "analyse/flow/pass.h"

#include <stdlib.h>
#include "analyse/run.h"
#include "base/number.h"

enum { IN_BLOCK = 256, MOST = 1 << 24, MOST_WAYS = 1 << 19, KEPT_STRETCHES = 20000 };

static void *shelf_at(struct flow_shelf *s, uint32_t number)
{
	size_t block = number / IN_BLOCK;
	if (number >= MOST)
		return NULL;
	while (block >= s->count) {
		MEMORY_GROW(s->blocks, s->count, s->room);
		s->blocks[s->count++] = NULL;
	}
	if (!s->blocks[block])
		s->blocks[block] = memory_zeroed(IN_BLOCK, s->bytes);
	return (char *)s->blocks[block] + number % IN_BLOCK * s->bytes;
}

static void shelf_free(struct flow_shelf *s)
{
	for (size_t i = 0; i < s->count; i++)
		free(s->blocks[i]);
	free(s->blocks);
}

static struct flow_strand *strand_at(void *context, uint32_t number)
{
	return shelf_at(&((struct flow_pass *)context)->strands, number);
}

static struct flow_object *object_at(void *context, uint32_t number)
{
	return shelf_at(&((struct flow_pass *)context)->objects, number);
}

static void *take(void *context, size_t bytes)
{
	(void)context;
	return memory_resize(NULL, 1, bytes);
}

static void give(void *context, void *memory, size_t bytes)
{
	(void)context;
	(void)bytes;
	free(memory);
}

void flow_pass_start(struct flow_pass *p, const struct flow_input *input, const struct flow_question *questions, uint32_t count)
{
	const struct flow_memory memory = {strand_at, object_at, take, give, p};
	*p = (struct flow_pass){.input = input,
	                        .events = flow_events_open(input->logs, input->count),
	                        .strands = {.bytes = sizeof(struct flow_strand)},
	                        .objects = {.bytes = sizeof(struct flow_object)},
	                        .most_ways = MOST_WAYS};
	if (input->switches)
		flow_events_switches(p->events, input->switches, input->switches_bytes, input->switches_mapped, &input->clock);
	flow_events_skip(p->events, input->skip);
	flow_start(&p->flow, &memory, questions, count);
}

static bool is_about_object(enum flow_kind kind)
{
	return kind != FLOW_CREATE && kind != FLOW_BEGIN && kind != FLOW_JOIN && kind != FLOW_DETACH && kind != FLOW_OFFER &&
		kind != FLOW_FOLLOW;
}

/* Stretches that are kept are so long that the run until now has at most so many of them; if that is not enough, longer ones go, too. */
static void thin(struct flow_pass *p)
{
	struct flow *f = &p->flow;
	uint64_t least = (f->end - f->begin) / KEPT_STRETCHES + 1;
	p->shortest = least > p->shortest ? least : 2 * p->shortest;
	p->turn++;
	for (uint32_t i = 0; i < p->strands.count * IN_BLOCK; i++)
		if (p->strands.blocks[i / IN_BLOCK])
			flow_thin_strand(f, strand_at(p, i), p->shortest, p->turn);
	for (uint32_t i = 0; i < p->objects.count * IN_BLOCK; i++)
		if (p->objects.blocks[i / IN_BLOCK])
			flow_thin_object(f, object_at(p, i), p->shortest, p->turn);
	p->most_ways = 2 * f->ways > MOST_WAYS ? 2 * f->ways : MOST_WAYS;
}

void flow_pass_faster(struct flow_pass *p, struct flow_faster *faster)
{
	p->faster = faster;
	flow_events_routines(p->events);
}

/* The stretch of work that ends here is shorter by a part of what was done in each group. A core that is lost ends no stretch. */
static void make_faster(struct flow_pass *p, struct flow_event *e)
{
	uint64_t *inside = flow_routines_inside(&p->faster->routines, e->strand);
	if (e->kind == FLOW_OFF || e->kind == FLOW_ON || !inside)
		return;
	for (uint32_t k = 0; k < p->flow.questions; k++) {
		p->less[k] = number_count((double)inside[k] * (1 - p->faster->factor[k]) + 0.5);
		inside[k] = 0;
	}
	e->less = p->less;
}

/* The next event that flow_step takes. */
static bool next(struct flow_pass *p, struct flow_event *e, struct flow_event_about *about)
{
	struct flow_faster *faster = p->faster;
	while (flow_events_next(p->events, e, about)) {
		if (!faster)
			return true;
		uint32_t routine = e->kind == FLOW_ENTRY ? faster->routine_of(faster->context, about->process, e->object) : RUN_OUTSIDE;
		flow_routines_event(&faster->routines, e, about, routine);
		if (e->kind >= FLOW_ENTRY)
			continue;
		make_faster(p, e);
		return true;
	}
	return false;
}

bool flow_pass_step(struct flow_pass *p, struct flow_event *e, struct flow_event_about *about)
{
	const struct flow_input *in = p->input;
	if (!next(p, e, about))
		return false;
	e->mark = flow_spots_at(in->spots, about->process, about->place, about->path);
	if (!is_about_object(e->kind) || e->object == UINT32_MAX)
		e->group = UINT32_MAX;
	else if (in->groups)
		e->group = in->groups[e->object];
	flow_step(&p->flow, e);
	if (p->flow.ways > p->most_ways)
		thin(p);
	return true;
}

struct flow_strand *flow_pass_strand(struct flow_pass *p, uint32_t number)
{
	return strand_at(p, number);
}

struct flow_object *flow_pass_object(struct flow_pass *p, uint32_t number)
{
	return object_at(p, number);
}

void flow_pass_free(struct flow_pass *p)
{
	for (uint32_t i = 0; i < p->strands.count * IN_BLOCK; i++)
		if (p->strands.blocks[i / IN_BLOCK])
			flow_forget_strand(&p->flow, strand_at(p, i));
	for (uint32_t i = 0; i < p->objects.count * IN_BLOCK; i++)
		if (p->objects.blocks[i / IN_BLOCK])
			flow_forget_object(&p->flow, object_at(p, i));
	flow_events_close(p->events);
	shelf_free(&p->strands);
	shelf_free(&p->objects);
}
