/* SPDX-License-Identifier: MIT */
/* input.c: shadow stacks: calls, returns, and for which activations a read is a first access (Figure 11; the
 * ancestor is found by a search that doubles its steps from the top). */
#include "core/input/choice.h"
#include "core/input/stack.h"

void input_tick(struct input_thread *t)
{
	input_tick_here(t);
}

void input_renumber(struct input_thread *t)
{
	t->renumber(t);
	t->renumbered++;
	if (t->depth)
		input_set_limit(t);
}

void input_look_again(struct input_thread *t)
{
	input_tick(t);
	t->base = t->count;
	input_set_limit(t);
}

bool input_deepen(struct input_thread *t)
{
	const struct input_port *port = t->routines.port;
	if (t->room > UINT32_MAX / 2)
		return false;
	uint32_t room = t->room ? 2 * t->room : 64;
	struct input_frame *frames = port->take(port->context, room * sizeof *frames);
	if (!frames)
		return false;
	if (t->frames) {
		__builtin_memcpy(frames, t->frames, t->depth * sizeof *frames);
		port->give(port->context, t->frames, t->room * sizeof *frames);
	}
	t->frames = frames;
	t->room = room;
	return true;
}

void input_call(struct input_thread *t, struct input_routine *routine)
{
	input_push(t, routine);
}

void input_collect(struct input_thread *t, const struct input_frame *f, struct input_activation *a)
{
	*a = (struct input_activation){.cost = t->cost - f->cost};
	if (f->is_induced) {
		a->thread = f->thread;
		a->external = f->external;
	}
	a->self = a->cost - f->callees;
	for (int m = 0; m < INPUT_METRICS; m++)
		a->size[m] = (uint64_t)f->size + t->firsts + (m != INPUT_RMS && f->is_induced ? (uint64_t)f->beyond[m - 1] : 0);
	if (f->routine) {
		a->outermost = !--f->routine->open;
		input_routine_add(&t->routines, input_choice_points(&t->routines, f), a);
	} else if (!f->is_parents) {
		t->routines.lost++;
	}
}

static void fill_in(struct input_frame *f)
{
	if (f->is_induced)
		return;
	f->is_induced = true;
	for (int m = 0; m < INPUT_METRICS - 1; m++)
		f->beyond[m] = 0;
	f->thread = f->external = 0;
}

void input_hand_down(struct input_frame *caller, const struct input_frame *f)
{
	fill_in(caller);
	for (int m = 0; m < INPUT_METRICS - 1; m++)
		caller->beyond[m] += f->beyond[m];
	caller->thread += f->thread;
	caller->external += f->external;
}

/* The thread's own frame stays, however many returns there are. */
void input_return(struct input_thread *t, struct input_activation *ended)
{
	if (INPUT_RARELY(t->too_deep || t->depth <= 1)) {
		t->too_deep -= t->too_deep > 0;
		return;
	}
	struct input_activation a;
	const struct input_frame *f = input_top(t);
	input_collect(t, f, &a);
	if (ended)
		*ended = a;
	input_pop_frame(t, f);
}

void input_return_to(struct input_thread *t, uint32_t depth)
{
	t->too_deep = 0;
	while (t->depth > depth && t->depth > 1)
		input_return(t, NULL);
}

/* The thread's own frame counts in each process, from the fork on. */
void input_forked(struct input_thread *t)
{
	for (uint32_t i = 1; i < t->depth; i++) {
		struct input_frame *f = &t->frames[i];
		if (f->routine)
			f->routine->open--;
		f->routine = NULL;
		f->is_parents = true;
	}
	if (t->depth) {
		t->frames[0].cost = t->cost;
		t->frames[0].callees = 0;
	}
}

bool input_thread_start(struct input_thread *t, uint32_t id, struct input_routine *routine)
{
	if (!t->frames)
		input_lane_start(&t->lane);
	t->id = id;
	t->depth = 0;
	t->too_deep = 0;
	t->firsts = 0;
	input_call(t, routine);
	t->base = t->count;
	return t->depth;
}

void input_thread_end(struct input_thread *t)
{
	struct input_activation a;
	input_return_to(t, 1);
	if (t->depth)
		input_collect(t, input_top(t), &a);
	t->depth = 0;
}

void input_thread_clear(struct input_thread *t)
{
	input_routines_free(&t->routines);
	input_map_free(&t->sources, t->routines.port);
	t->routines.lost = 0;
	t->lost = 0;
}

/* Searches from the top: the frame is mostly near it. */
uint32_t input_rank(const struct input_frame *frames, uint32_t count, uint32_t at)
{
	uint32_t low = count, high = count; /* frames from high on began after `at` */
	for (uint32_t step = 1; low && frames[low - 1].start > at; step *= 2) {
		high = low - 1;
		low = low - 1 > step ? low - 1 - step : 0;
	}
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (frames[middle].start > at)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool is_in(const struct input_thread *t, uint32_t frame, uint32_t at)
{
	return frame < t->depth && t->frames[frame].start <= at && (frame + 1 == t->depth || t->frames[frame + 1].start > at);
}

/* The latest frame that began at or before the stamp: mostly the caller of the top frame, or the frame that was
 * found last. A stamp that is not stale is at least as late as the thread's own frame, so such a frame exists. */
static struct input_frame *had_it(struct input_thread *t, uint32_t stamp)
{
	uint32_t at = stamp >> 1;
	if (t->depth > 1 && is_in(t, t->depth - 2, at))
		return &t->frames[t->depth - 2];
	if (!is_in(t, t->had, at))
		t->had = input_rank(t->frames, t->depth, at) - 1;
	return &t->frames[t->had];
}

void input_first(struct input_thread *t, uint32_t stamp, uint32_t cells)
{
	input_top(t)->size += cells;
	if (!stamp)
		return;
	had_it(t, stamp)->size -= cells;
}

/* An induced read counts for all frames in TRMS and, if the kernel wrote, in RMS + external. For the other metrics
 * it may be a first access. */
void input_induced(struct input_thread *t, uint32_t stamp, uint32_t writer, uint32_t cells)
{
	struct input_frame *top = input_top(t), *beyond = top;
	fill_in(top);
	*(writer == INPUT_KERNEL ? &top->external : &top->thread) += cells;
	uint64_t *source = input_map_put(&t->sources, t->routines.port, writer);
	if (source)
		*source += cells;
	else
		t->lost++;
	if (stamp >> 1 < top->start) {
		top->size += cells;
		if (!stamp)
			return;
		beyond = had_it(t, stamp);
		beyond->size -= cells;
		fill_in(beyond);
	}
	for (int m = writer == INPUT_KERNEL ? INPUT_RMS_EXTERNAL : INPUT_TRMS; m < INPUT_METRICS; m++)
		beyond->beyond[m - 1] += cells;
}
