/* SPDX-License-Identifier: MIT */
/* input_stack.h: input_call, input_return and what a first access means, in line (see input.h), for producers whose subjects do little else. */
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

void input_collect(struct input_thread *t, const struct input_frame *f, struct input_activation *a); /* adds the activation that ends with the frame */

/* Whether it could be added here: one without induced accesses, of a size that is at hand. */
INPUT_INLINE bool input_collect_here(struct input_thread *t, const struct input_frame *f)
{
	uint64_t size = (uint64_t)f->size[INPUT_RMS], cost = t->cost - f->cost;
	if (INPUT_RARELY(f->size[INPUT_RMS_EXTERNAL] | f->size[INPUT_TRMS] | (int64_t)(f->thread | f->external) || !f->routine))
		return false;
	struct input_point *p = input_point_near(f->routine, size);
	if (INPUT_RARELY(!p))
		return false;
	input_point_add(p, size, cost, cost - f->callees, !--f->routine->open);
	return true;
}

/* The thread's own frame stays, however often there is a return. */
INPUT_INLINE void input_pop(struct input_thread *t)
{
	if (INPUT_RARELY(t->too_deep || t->depth <= 1)) {
		t->too_deep -= t->too_deep > 0;
		return;
	}
	struct input_frame *f = input_top(t), *caller = f - 1;
	uint64_t cost = t->cost - f->cost;
	if (INPUT_RARELY(!input_collect_here(t, f))) {
		struct input_activation a;
		input_collect(t, f, &a);
		for (int m = INPUT_RMS + 1; m < INPUT_METRICS; m++)
			caller->size[m] += f->size[m];
		caller->thread += f->thread;
		caller->external += f->external;
	}
	caller->size[INPUT_RMS] += f->size[INPUT_RMS];
	caller->callees += cost;
	t->depth--;
	input_set_limit(t);
}

/* The same as input_first: of a stamp that is not 0. Mostly it was the top routine's caller that had accessed the cells. */
INPUT_INLINE void input_first_here(struct input_thread *t, uint32_t stamp, uint32_t cells)
{
	struct input_frame *top = input_top(t);
	if (INPUT_RARELY(t->depth < 2 || top[-1].start > stamp >> 1)) {
		input_first(t, stamp, cells);
		return;
	}
	top->size[INPUT_RMS] += cells;
	top[-1].size[INPUT_RMS] -= cells;
}

#endif
