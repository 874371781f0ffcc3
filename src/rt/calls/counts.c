/* SPDX-License-Identifier: MIT */
/* counts.c: counting without a stack and without times: the slow halves of the hooks of `--counts`. */
#include "rt/calls/calls.h"

#include "threads/arena.h"

/* Site counters that found no space in the recording: what they hold is lost, and counted as that at the end. */
struct unwritten {
	struct unwritten *next;
	uint32_t sites;
	uint64_t *rows;
};
static _Atomic(struct unwritten *) unwritten;

static uint64_t *count_in_memory(uint32_t sites)
{
	struct unwritten *u = arena_take(sizeof *u);
	if (u)
		u->rows = arena_take(sites * sizeof(struct raw_site_count));
	if (!u || !u->rows)
		return NULL;
	u->sites = sites;
	u->next = atomic_load(&unwritten);
	while (!atomic_compare_exchange_weak(&unwritten, &u->next, u))
		;
	return u->rows;
}

void counts_lose_unwritten(bool tell)
{
	uint64_t lost = 0;
	for (struct unwritten *u = atomic_load(&unwritten); u; u = u->next)
		for (uint32_t i = 0; i < 2 * u->sites; i++) {
			lost += u->rows[i];
			u->rows[i] = 0;
		}
	if (lost && tell)
		raw_lose(RAW_LOST_NO_SPACE, lost);
}

static uint64_t *rows_for(struct worker *w, const struct skein_object *object)
{
	struct raw_table *table = raw_add_table(RAW_CALLS_SITES, w->lane.number, object->slot, object->sites);
	if (!table)
		return count_in_memory(object->sites);
	table->used = object->sites;
	return raw_rows(table);
}

/* The calling thread's counters for an object; some that nobody reads where there can be none. */
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
			rows = w->tables[object->slot] = rows_for(w, object);
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
		arch_add(&skein_rt_arc(&w->lane, calls_key(from, routine, concurrent))->calls, 1);
	else
		raw_lose(skein_self.vforked ? RAW_LOST_VFORK : RAW_LOST_TOO_EARLY, 1);
}
