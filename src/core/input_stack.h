/* SPDX-License-Identifier: MIT */
/* input_stack.h: input_call and input_return in line (see input.h), for producers whose subjects do little else. */
#ifndef SKEIN_CORE_INPUT_STACK_H
#define SKEIN_CORE_INPUT_STACK_H

#include "core/input.h"

bool input_deepen(struct input_thread *t); /* room for twice as many frames; false: no memory */

INPUT_INLINE void input_tick_here(struct input_thread *t)
{
	if (INPUT_RARELY(t->count >= t->count_max)) {
		t->renumber(t);
		t->renumbered++;
	}
	t->count++;
}

INPUT_INLINE void input_push(struct input_thread *t, struct input_routine *routine)
{
	if (INPUT_RARELY(t->too_deep || (t->depth >= t->room && !input_deepen(t)))) {
		t->too_deep++;
		t->lost++;
		return;
	}
	input_tick_here(t);
	t->frames[t->depth++] = (struct input_frame){.start = t->count, .routine = routine, .cost = t->cost};
	t->limit = t->count << 1;
	if (routine)
		routine->open++;
}

INPUT_INLINE void input_collect(struct input_thread *t, const struct input_frame *f, struct input_activation *a)
{
	*a = (struct input_activation){.thread = f->thread, .external = f->external, .cost = t->cost - f->cost};
	a->self = a->cost - f->callees;
	for (int m = 0; m < INPUT_METRICS; m++)
		a->size[m] = (uint64_t)(f->size[INPUT_RMS] + (m == INPUT_RMS ? 0 : f->size[m]));
	if (INPUT_RARELY(!f->routine)) {
		t->routines.lost++;
		return;
	}
	a->outermost = !--f->routine->open;
	if (INPUT_RARELY(!input_routine_add_quick(f->routine, a)))
		input_routine_add(&t->routines, f->routine, a);
}

/* The thread's own frame stays, however often there is a return. */
INPUT_INLINE void input_pop(struct input_thread *t, struct input_activation *a)
{
	if (INPUT_RARELY(t->too_deep || t->depth <= 1)) {
		t->too_deep -= t->too_deep > 0;
		return;
	}
	const struct input_frame *f = input_top(t);
	input_collect(t, f, a);
	t->depth--;
	struct input_frame *caller = input_top(t);
	for (int m = 0; m < INPUT_METRICS; m++)
		caller->size[m] += f->size[m];
	caller->thread += f->thread;
	caller->external += f->external;
	caller->callees += a->cost;
	input_set_limit(t);
}

#endif
