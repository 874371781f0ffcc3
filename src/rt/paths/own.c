/* SPDX-License-Identifier: MIT */
/* own.c: tables of counters of single routines: of those that have too many paths for the object's table.
 *
 * Keys behind cuts are dense: a place is given to a prefix when it is first met, and a key is a place times the paths
 * of a segment and a number below that. So an array that is made larger when a key does not fit serves all but programs
 * with very many prefixes. Pages of a recording are dear, so a routine that is cut has no table until it has asked the
 * hash often enough, and a larger one only when it has done so again. The hash has all places; a table has those that
 * were asked for since it was made. An old table stays, and readers add its counts, so code that still uses it loses
 * nothing. */
#include "rt/paths/paths.h"

#include <string.h>
#include "raw/writer.h"
#include "threads/arena.h"

enum { FIRST_SIZE = 1 << 10, SIZE_MAX_GROWN = 1 << 21, FIRST_ASKED = 256, SIZE_FOR_ASKED = 64 };
#define ALL_BYTES (UINT64_C(512) << 20) /* of a process: what comes later is for the hash */

struct paths_owned {
	struct paths_owned *next;
	uint64_t *counts, row; /* where the pointer is; NULL: nowhere any more, but frames may have it */
	struct paths_own *own; /* the own table of the routine, for a child in which the row was cleared */
};

static struct paths_own vain = {.routine = PATHS_VAIN};
static _Atomic uint64_t all_bytes;

static struct raw_table *table_of(struct paths_own *own)
{
	return (struct raw_table *)own - 1;
}

static struct paths_own *make(const struct paths_worker *w, const struct skein_object *object, uint64_t routine, uint64_t size, bool cuts)
{
	uint64_t rows = 2 + (cuts ? 2 : 1) * size;
	if (all_bytes + rows * sizeof(uint64_t) > ALL_BYTES)
		return NULL;
	struct raw_table *table = raw_add_table(RAW_PATHS_OWN, w->lane, object->slot, (uint32_t)rows);
	if (!table)
		return NULL;
	all_bytes += rows * sizeof(uint64_t);
	struct paths_own *own = raw_rows(table);
	own->routine = routine;
	own->size = size;
	table->used = (uint32_t)rows;
	return own;
}

/* An entry without a table, so that the hash is used. */
static struct paths_own *make_none(uint64_t routine)
{
	struct paths_own *own = arena_take(sizeof *own);
	if (own)
		own->routine = routine;
	return own;
}

static void lead(struct paths_owned *o, struct paths_own *own)
{
	o->own = own;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	o->counts[o->row] = (uint64_t)(uintptr_t)own;
}

static struct paths_owned *add_owned(struct paths_worker *w, uint64_t *counts, uint64_t row, struct paths_own *own)
{
	struct paths_owned *o = arena_take(sizeof *o);
	if (!o)
		return NULL;
	*o = (struct paths_owned){.next = w->owned, .counts = counts, .row = row, .own = own};
	return w->owned = o;
}

static struct paths_owned *owned_at(struct paths_worker *w, const uint64_t *counts, uint64_t row)
{
	struct paths_owned *o = w->owned;
	while (o && (o->counts != counts || o->row != row))
		o = o->next;
	return o;
}

void paths_own(struct skein_object *object, uint64_t *counts, uint64_t row, uint32_t routine, uint64_t keys, uint64_t paths)
{
	struct paths_worker *w = counts == object->nowhere || skein_self.vforked ? NULL : paths_mine(&skein_self);
	struct paths_own *own = NULL;
	struct paths_owned *o;
	if (!w || !paths_enter(w)) {
		counts[row] = (uint64_t)(uintptr_t)&vain;
		return;
	}
	if (((o = owned_at(w, counts, row)) || (o = add_owned(w, counts, row, NULL))) &&
	    (paths || !(own = make(w, object, routine, keys, false))))
		own = make_none(routine);
	if (own)
		lead(o, own);
	else
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	if (!own)
		counts[row] = (uint64_t)(uintptr_t)&vain;
	paths_leave(w);
}

bool paths_own_is_wanted(const struct paths_own *own, uint32_t asked)
{
	uint64_t enough = own->size / SIZE_FOR_ASKED;
	return asked >= (enough > FIRST_ASKED ? enough : FIRST_ASKED);
}

void paths_own_grow(struct paths_worker *w, const struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths)
{
	struct paths_own *old = paths_own_at(counts, row), *larger;
	struct paths_owned *o;
	uint64_t size = FIRST_SIZE;
	while ((size <= key || size < paths) && size < SIZE_MAX_GROWN)
		size *= 2;
	if (key < old->size || key >= size || !(o = owned_at(w, counts, row)) || !(larger = make(w, object, old->routine, size, true)))
		return;
	if (!old->size || add_owned(w, NULL, 0, old))
		lead(o, larger);
}

/* The tables of counters were cleared, and these are void: they begin anew where they are, but with the places that
 * they had, which frames carry. */
void paths_restart_own(struct paths_worker *w, bool mine)
{
	for (struct paths_owned *o = mine ? w->owned : NULL; o; o = o->next) {
		if (o->own && o->own->size) {
			memset(o->own->words, 0, o->own->size * sizeof *o->own->words);
			table_of(o->own)->lane = w->lane;
			raw_done(&table_of(o->own)->record, RAW_TABLE);
		}
		if (o->own && o->counts)
			lead(o, o->own);
	}
	w->owned = mine ? w->owned : NULL;
}
