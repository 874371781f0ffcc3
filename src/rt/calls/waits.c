/* SPDX-License-Identifier: MIT */
/* waits.c: what routines wait for, by kind and object.
 *
 * Problem: a lane's sums tell how long it waited for locks, not where and for which lock.
 * Idea: a row for each routine, kind and object that really made the thread wait, found by hashing when the wait begins, so
 * that another thread can add to the row of a wait that never ends. Names are left to the analysis: the row has places.
 * Cost: a probe per wait; two look-ups of a module per row. Calls that need not wait never come here.
 *
 * Only the thread of the lane adds rows, while it counts as waiting: a signal handler's waits are then part of its own. */
#include <signal.h>
#include "modules/modules.h"
#include "raw/kernel.h"
#include "rt/calls/calls.h"
#include "threads/arena.h"

enum {
	SLOTS = 256, /* a power of two */
	MOST_OBJECTS = 160,
	MOST_ROWS = 192, /* of them without an object: the rest */
	TABLE_ROWS = 16
};

struct slot {
	uint64_t routine_kind, object;
	struct raw_routine_wait *row; /* NULL: free */
};

struct waits {
	struct raw_routine_wait *now; /* row of the wait that goes on; NULL: it has none */
	uint64_t split_ticks;         /* of that wait, entered by other threads */
	struct raw_table *table;
	uint32_t rows;
	struct slot slots[SLOTS];
};

/* The slot of a key, or the free one where it belongs: there are more slots than rows. */
static struct slot *find(struct waits *w, uint64_t routine_kind, uint64_t object)
{
	for (uint64_t i = hash_spread(routine_kind ^ hash_spread(object)) >> 32;; i++) {
		struct slot *slot = &w->slots[i % SLOTS];
		if (!slot->row || (slot->routine_kind == routine_kind && slot->object == object))
			return slot;
	}
}

static struct raw_routine_wait *new_row(struct worker *w)
{
	struct waits *waits = w->waits;
	if (!waits->table || waits->table->used == waits->table->capacity)
		waits->table = raw_add_table(RAW_CALLS_WAITS, w->lane.number, 0, TABLE_ROWS);
	return waits->table ? (struct raw_routine_wait *)raw_rows(waits->table) + waits->table->used : NULL;
}

static uint64_t place_of(uint64_t address)
{
	sigset_t before;
	if (!address)
		return 0;
	kernel_block_signals(&before);
	uint64_t place = modules_place(address);
	kernel_restore_signals(&before);
	return place;
}

static struct raw_routine_wait *add(struct worker *w, uint64_t routine_kind, uint64_t object)
{
	struct waits *waits = w->waits;
	if (object && waits->rows >= MOST_OBJECTS) {
		object = 0;
		struct slot *slot = find(waits, routine_kind, 0);
		if (slot->row)
			return slot->row;
	}
	struct raw_routine_wait *row = waits->rows < MOST_ROWS ? new_row(w) : NULL;
	if (!row)
		return NULL;
	row->routine = (uint32_t)(routine_kind >> 32);
	row->kind = (uint32_t)routine_kind;
	row->object = place_of(object);
	waits->table->used++;
	waits->rows++;
	struct slot *slot = find(waits, routine_kind, object);
	slot->routine_kind = routine_kind;
	slot->object = object;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	slot->row = row;
	return row;
}

void waits_begin(struct skein_self *self)
{
	struct worker *w = calls_mine(self);
	if (!w || (!w->waits && !(w->waits = arena_take(sizeof *w->waits))))
		return;
	const struct calls_arc *arc = w->lane.top->arc;
	uint64_t routine_kind = (uint64_t)(arc->flags & CALLS_ELSEWHERE ? CALLS_OUTSIDE : arc->callee) << 32 | self->wait_kind,
		 object = (uintptr_t)self->wait_object;
	struct slot *slot = find(w->waits, routine_kind, object);
	struct raw_routine_wait *row = slot->row ? slot->row : add(w, routine_kind, object);
	if (row && !row->place && slot->row) /* also in a forked child, where rows begin anew */
		row->place = place_of((uintptr_t)self->wait_place);
	w->waits->split_ticks = 0;
	__atomic_store_n(&w->waits->now, row, __ATOMIC_RELAXED);
}

static void enter(struct raw_routine_wait *row, uint64_t ticks, uint64_t so_far)
{
	__atomic_fetch_add(&row->ticks, ticks, __ATOMIC_RELAXED);
	if (so_far > row->longest_ticks)
		row->longest_ticks = so_far;
}

void waits_end(struct worker *w, enum raw_wait kind, uint64_t ticks)
{
	struct raw_routine_wait *row = w->waits ? w->waits->now : NULL;
	if (!row || row->kind != kind)
		return;
	row->waits++;
	enter(row, ticks, w->waits->split_ticks + ticks);
	__atomic_store_n(&w->waits->now, NULL, __ATOMIC_RELAXED);
}

void waits_go_on(struct worker *w, uint64_t ticks)
{
	struct waits *waits = __atomic_load_n(&w->waits, __ATOMIC_RELAXED);
	struct raw_routine_wait *row = waits ? __atomic_load_n(&waits->now, __ATOMIC_RELAXED) : NULL;
	if (!row)
		return;
	waits->split_ticks += ticks;
	enter(row, ticks, waits->split_ticks);
}

void waits_restart(void)
{
	modules_restart();
}
