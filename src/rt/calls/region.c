/* SPDX-License-Identifier: MIT */
/* region.c: marked regions (rt/region.h) are routines without a function. */
#include "rt/region.h"
#include "rt/calls/calls.h"

void region_begin(const char *name, const char *file, unsigned line)
{
	struct skein_self *self = threads_started() ? threads_meet() : &skein_self;
	struct worker *w = calls_mine(self);
	const struct rt_region *r = w && !self->vforked ? rt_region(name, file, line) : NULL;
	if (!r || !calls_deepen(w)) {
		raw_lose(RAW_LOST_TOO_EARLY, 1);
		return;
	}
	uint64_t concurrent = atomic_load_explicit(&skein_n_working, memory_order_relaxed) > 1;
	uint64_t as_caller = raw_header()->flags & RAW_COUNTS ? self->from & ~(uint64_t)15 : w->lane.top->as_caller;
	struct calls_arc *arc = calls_arc_of(&w->lane, calls_key(as_caller, r->routine, concurrent));
	if (raw_header()->flags & RAW_COUNTS)
		arc->calls++;
	else
		calls_time_from(&w->lane, calls_push(&w->lane, arc, r->routine, concurrent, true), 1, calls_now(w));
}

/* An end without a beginning is left alone: the frame on top is then a routine's. */
void region_end(void)
{
	struct worker *w = calls_mine(&skein_self);
	if (!w || w->lane.top == w->lane.base || w->lane.top->arc->flags & CALLS_ELSEWHERE)
		return;
	uint32_t routine = calls_routine_of(w->lane.top->as_caller);
	if (rt_region_has(routine))
		calls_pop(&w->lane, w->lane.top, routine, calls_spent(&w->lane, w->lane.top, calls_now(w)));
}
