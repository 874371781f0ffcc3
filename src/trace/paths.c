/* SPDX-License-Identifier: MIT */
/* paths.c: a tree of frames, found by hashing.
 *
 * Problem: a thread waits every few microseconds, mostly on one of few paths, some 20 frames deep.
 * Idea: a frame is its place and its caller's row. Both are the key of an open hash table, so a path is entered from its outermost
 * frame inwards with a look-up for each frame. The table has all that a look-up compares: rows are written and not read.
 * Cost: some 10 ns for each frame, walk included; 16 bytes of the recording and 21 to 43 of memory for each row. */
#include "trace/paths.h"

#include <string.h>
#include "core/hash.h"
#include "raw/writer.h"
#include "threads/arena.h"
#include "threads/threads.h"
#include "unwind/modules.h"

enum { FIRST_SLOTS = 256, FIRST_ROWS = 64, MOST_ROWS = 4096, OWN_FRAMES = 16 };

struct paths_slot {
	uint64_t place;
	uint32_t parent;
	uint32_t row; /* 0: the slot is free */
};

/* ---- rows ---- */

static struct raw_table *table_with_room(struct paths *p, uint32_t lane)
{
	uint32_t capacity = p->table ? 2 * p->table->capacity : FIRST_ROWS;
	if (p->table && p->table->used < p->table->capacity)
		return p->table;
	struct raw_table *table = raw_add_table(RAW_FLOW_PATHS, lane, p->rows + 1, capacity < MOST_ROWS ? capacity : MOST_ROWS);
	if (table)
		p->table = table;
	return table;
}

/* A killed program leaves whole rows: a row is counted once it is written. */
static uint32_t add_row(struct paths *p, uint32_t lane, uint32_t parent, uint64_t place)
{
	struct raw_table *table = table_with_room(p, lane);
	if (!table)
		return 0;
	struct raw_flow_path *row = (struct raw_flow_path *)raw_rows(table) + table->used;
	*row = (struct raw_flow_path){.place = place, .parent = parent};
	__atomic_store_n(&table->used, table->used + 1, __ATOMIC_RELEASE);
	return ++p->rows;
}

/* ---- the hash ---- */

/* The slot of the key, or the free one where it belongs. */
static struct paths_slot *slot_of(struct paths_slot *slots, uint32_t count, uint32_t parent, uint64_t place)
{
	uint32_t at = (uint32_t)((hash_spread(place ^ (uint64_t)parent << 32) >> 32) * count >> 32);
	for (;; at++) {
		struct paths_slot *slot = &slots[at & (count - 1)];
		if (!slot->row || (slot->place == place && slot->parent == parent))
			return slot;
	}
}

static bool grow(struct paths *p)
{
	uint32_t count = p->slots ? 2 * p->slot_count : FIRST_SLOTS;
	struct paths_slot *fresh = arena_take(count * sizeof *fresh), *old = p->slots;
	if (!fresh) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return false;
	}
	for (uint32_t i = 0; i < p->slot_count; i++)
		if (old[i].row)
			*slot_of(fresh, count, old[i].parent, old[i].place) = old[i];
	arena_give(old, p->slot_count * sizeof *old);
	p->slots = fresh;
	p->slot_count = count;
	return true;
}

uint32_t paths_intern(struct paths *p, uint32_t lane, const uint64_t *places, uint32_t count)
{
	uint32_t parent = 0;
	while (count--) {
		if (p->rows >= p->slot_count / 4 * 3 && !grow(p))
			return 0;
		struct paths_slot *slot = slot_of(p->slots, p->slot_count, parent, places[count]);
		if (!slot->row) {
			uint32_t row = add_row(p, lane, parent, places[count]);
			if (!row)
				return 0;
			*slot = (struct paths_slot){places[count], parent, row};
		}
		parent = slot->row;
	}
	return parent;
}

/* ---- walks ---- */

static bool find_caller(struct unwind *u, uintptr_t caller)
{
	for (unsigned i = 0; u->frame.ip != caller; i++)
		if (i == OWN_FRAMES || unwind_step(u) != UNWIND_FRAME)
			return false;
	return true;
}

/* Returns the number of frames: none if the caller is not on the stack, or there is no memory. */
static uint32_t walk(struct paths *p, uintptr_t caller)
{
	struct unwind u;
	uint32_t count = 0;
	if (!p->cache && !(p->cache = arena_take(UNWIND_CACHE_BYTES)))
		return 0;
	stack_reach(&p->stack, (uintptr_t)&u);
	unwind_here(&u, p->cache, p->stack.low, p->stack.high);
	if (!find_caller(&u, caller))
		return 0;
	do
		p->walked[count++] = u.place;
	while (count < PATHS_FRAMES && unwind_step(&u) == UNWIND_FRAME && !threads_is_start(u.frame.ip));
	return count;
}

uint32_t paths_here(struct paths *p, uint32_t lane, const void *caller)
{
	uint32_t count = walk(p, (uintptr_t)caller);
	if (!count)
		p->walked[count++] = modules_place((uintptr_t)caller);
	return paths_intern(p, lane, p->walked, count);
}

/* ---- threads ---- */

void paths_begin(struct paths *p)
{
	stack_begin(&p->stack);
}

/* Memory is left as it is: the fork may have come in the middle of a change to it, by a signal handler. */
void paths_restart(struct paths *p)
{
	*p = (struct paths){.stack = p->stack};
}
