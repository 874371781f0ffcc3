/* SPDX-License-Identifier: MIT */
/* counts.c: counting without a stack and without times: the slow paths of the hooks of `--counts`. */
#include "rt/calls/calls.h"

#include "rt/counters.h"

/* The calling thread's counters for an object; if there are none, counters that are never read. */
uint64_t *skein_rt_counts(struct skein_object *object)
{
	struct skein_self *self = &skein_self;
	if (!object->first_routine)
		skein_rt_register(object);
	if (self->calls == &self_nobody && !self->vforked)
		self = threads_meet();
	struct worker *w = self->vforked ? NULL : calls_mine(self);
	if (w && object->first_routine) {
		uint64_t *rows = w->tables[object->slot];
		if (!rows)
			rows = w->tables[object->slot] = counters_take(RAW_CALLS_SITES, w->lane.number, object);
		if (rows)
			return rows;
	}
	raw_lose(self->vforked ? RAW_LOST_VFORK : w ? RAW_LOST_NO_MEMORY : RAW_LOST_TOO_EARLY, 1);
	return object->nowhere;
}

void skein_rt_arrive(uint64_t from, uint32_t routine, uint64_t concurrent)
{
	struct worker *w = calls_mine(skein_self.calls == &self_nobody ? threads_meet() : &skein_self);
	if (w)
		arch_add(&calls_arc_of(&w->lane, calls_key(from, routine, concurrent))->calls, 1);
	else
		raw_lose(skein_self.vforked ? RAW_LOST_VFORK : RAW_LOST_TOO_EARLY, 1);
}
