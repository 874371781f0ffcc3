/* SPDX-License-Identifier: MIT */
/* stack.h: inline versions of input_call, input_return and input_first (see input.h), for producers whose subjects
 * do little else. */
#ifndef SKEIN_CORE_INPUT_STACK_H
#define SKEIN_CORE_INPUT_STACK_H

#include "core/input/input.h"

bool input_deepen(struct input_thread *t); /* room for twice as many frames; false: no memory */
void input_renumber(struct input_thread *t);

INPUT_INLINE void input_tick_here(struct input_thread *t)
{
	if (INPUT_RARELY(t->count >= t->count_max))
		input_renumber(t);
	t->count++;
}

/* There is room, and the counter has grown. Fields for induced accesses are not filled in. */
INPUT_INLINE void input_push_frame(struct input_thread *t, struct input_routine *routine)
{
	struct input_frame *f = &t->frames[t->depth];
	f->start = t->count;
	f->limit = t->limit;
	f->deep = t->deep;
	t->deep = t->limit;
	t->limit = t->count << 1;
	if (INPUT_RARELY(!t->depth))
		t->deep = t->limit;
	else
		f[-1].firsts = t->firsts;
	f->is_induced = false;
	f->is_parents = false;
	f->chosen = 0;
	f->routine = routine;
	f->cost = t->cost;
	f->callees = 0;
	f->size = 0;
	t->firsts = 0;
	t->depth++;
}

INPUT_INLINE void input_push(struct input_thread *t, struct input_routine *routine)
{
	if (INPUT_RARELY(t->too_deep || (t->depth >= t->room && !input_deepen(t)))) {
		t->too_deep++;
		t->lost++;
		return;
	}
	input_tick_here(t);
	input_push_frame(t, routine);
	if (routine)
		routine->open++;
}

/* adds the activation that ends with the frame */
void input_collect(struct input_thread *t, const struct input_frame *f, struct input_activation *a);

/* Adds an activation without induced accesses if the row of its size is at hand; returns whether. */
INPUT_INLINE bool input_collect_here(struct input_thread *t, const struct input_frame *f)
{
	uint64_t size = (uint64_t)f->size + t->firsts, cost = t->cost - f->cost;
	if (INPUT_RARELY(f->is_induced || f->chosen > 1 || !f->routine))
		return false;
	struct input_routine *into = f->chosen ? f->routine->only : f->routine;
	struct input_point *p = into ? input_point_near(into, size) : NULL;
	if (INPUT_RARELY(!p))
		return false;
	input_point_add(p, size, cost, cost - f->callees, !--f->routine->open);
	return true;
}

INPUT_SLOW void input_hand_down(struct input_frame *caller, const struct input_frame *f); /* adds induced accesses to the caller */

/* The firsts of a callee were subtracted from its caller, and now become the caller's own. */
INPUT_INLINE void input_pop_frame(struct input_thread *t, const struct input_frame *f)
{
	struct input_frame *caller = &t->frames[t->depth - 2];
	caller->size += f->size;
	caller->callees += t->cost - f->cost;
	if (INPUT_RARELY(f->is_induced))
		input_hand_down(caller, f);
	t->firsts = caller->firsts;
	t->depth--;
	t->limit = f->limit;
	t->deep = f->deep;
	if (INPUT_RARELY(t->base > f->start)) /* others may have written since the activation began */
		input_set_limit(t);
}

/* The thread's own frame stays, however many returns there are. */
INPUT_INLINE void input_pop(struct input_thread *t)
{
	if (INPUT_RARELY(t->too_deep || t->depth <= 1)) {
		t->too_deep -= t->too_deep > 0;
		return;
	}
	const struct input_frame *f = input_top(t);
	if (INPUT_RARELY(!input_collect_here(t, f))) {
		struct input_activation a;
		input_collect(t, f, &a);
	}
	input_pop_frame(t, f);
}

/* Like input_first, for a stamp that is not 0 and not older than base. Mostly the caller of the top routine had
 * accessed the cells. */
INPUT_INLINE void input_first_here(struct input_thread *t, uint32_t stamp, uint32_t cells)
{
	if (INPUT_RARELY(stamp < t->deep)) {
		input_first(t, stamp, cells);
		return;
	}
	t->firsts += cells;
}

#endif
