/* SPDX-License-Identifier: MIT */
#include "rt/counters.h"

#include <stdatomic.h>
#include "raw/writer.h"
#include "threads/arena.h"

/* Counters that found no space in the recording. */
struct unwritten {
	struct unwritten *next;
	uint64_t count;
	uint64_t *words;
};
static _Atomic(struct unwritten *) unwritten;

static uint64_t *count_in_memory(uint64_t words)
{
	struct unwritten *u = arena_take(sizeof *u);
	struct raw_table *table = u ? arena_take(sizeof *table + words * sizeof *u->words) : NULL;
	if (!table)
		return NULL;
	u->count = words;
	u->words = raw_rows(table);
	u->next = atomic_load(&unwritten);
	while (!atomic_compare_exchange_weak(&unwritten, &u->next, u))
		;
	return u->words;
}

uint64_t *counters_take(uint32_t kind, uint32_t lane, const struct skein_object *object)
{
	struct raw_table *table = raw_add_table(kind, lane, object->slot, object->sites);
	if (!table)
		return count_in_memory(raw_row_bytes(kind) / sizeof(uint64_t) * (uint64_t)object->sites);
	table->used = object->sites;
	return raw_rows(table);
}

void counters_lose_unwritten(bool tell)
{
	uint64_t lost = 0;
	for (struct unwritten *u = atomic_load(&unwritten); u; u = u->next)
		for (uint64_t i = 0; i < u->count; i++) {
			lost += u->words[i];
			u->words[i] = 0;
		}
	if (lost && tell)
		raw_lose(RAW_LOST_NO_SPACE, lost);
}
