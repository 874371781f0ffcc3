/* SPDX-License-Identifier: MIT */
#include "sample/costs.h"

#include <string.h>
#include "core/hash.h"
#include "raw/writer.h"
#include "threads/arena.h"

enum { FIRST_SLOTS = 64, FIRST_ROWS = 16, MOST_ROWS = 1024 };

/* Kinds of rows that have a number beside their node. */
enum { EVENTS = 1u << 16, WHYS = 2u << 16, WAITS = 3u << 16, NUMBER = 0xffffu };

static uint32_t hash(uint32_t node, uint32_t what)
{
	return (uint32_t)((hash_spread(node) + what * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32);
}

static struct costs_slot *find(const struct costs *c, uint32_t node, uint32_t what)
{
	uint32_t at = hash(node, what) & (c->room - 1);
	while (c->slots[at].node && (c->slots[at].node != node || c->slots[at].what != what))
		at = (at + 1) & (c->room - 1);
	return &c->slots[at];
}

static bool grow(struct costs *c)
{
	struct costs bigger = *c;
	bigger.room = c->room ? c->room * 2 : FIRST_SLOTS;
	bigger.slots = arena_take(bigger.room * sizeof *bigger.slots);
	if (!bigger.slots)
		return false;
	for (uint32_t i = 0; i < c->room; i++)
		if (c->slots[i].node)
			*find(&bigger, c->slots[i].node, c->slots[i].what) = c->slots[i];
	arena_give(c->slots, c->room * sizeof *c->slots);
	*c = bigger;
	return true;
}

/* A row of the thread's newest table, or of a new one twice as large: most threads need few, some need many. */
static void *new_row(struct raw_table **table, uint32_t kind, uint32_t lane, uint32_t thread)
{
	if (!*table || (*table)->used == (*table)->capacity) {
		uint32_t rows = !*table ? FIRST_ROWS : (*table)->capacity < MOST_ROWS ? (*table)->capacity * 2 : MOST_ROWS;
		struct raw_table *fresh = raw_add_table(kind, lane, thread, rows);
		if (!fresh)
			return NULL;
		*table = fresh;
	}
	return (char *)raw_rows(*table) + (size_t)(*table)->row_bytes * (*table)->used;
}

/* The row is named before it counts as used: a reader of the file finds a whole row even after a kill. */
static void *row_of(struct costs *c, struct raw_table **table, uint32_t kind, uint32_t node, uint32_t what, uint32_t lane, uint32_t thread)
{
	if ((c->used + 1) * 4 > c->room * 3 && !grow(c))
		return NULL;
	struct costs_slot *slot = find(c, node, what);
	if (slot->node)
		return slot->row;
	uint32_t *row = new_row(table, kind, lane, thread);
	if (!row)
		return NULL;
	row[0] = node;
	if (what)
		row[1] = what & NUMBER;
	__atomic_store_n(&(*table)->used, (*table)->used + 1, __ATOMIC_RELEASE);
	*slot = (struct costs_slot){node, what, row};
	c->used++;
	return row;
}

struct raw_idle_cost *costs_row(struct costs *c, uint32_t node, uint32_t lane, uint32_t thread)
{
	return row_of(c, &c->costs, RAW_IDLE_COSTS, node, 0, lane, thread);
}

struct raw_idle_event *costs_event(struct costs *c, uint32_t node, uint32_t event, uint32_t lane, uint32_t thread)
{
	return row_of(c, &c->events, RAW_IDLE_EVENTS, node, EVENTS | event, lane, thread);
}

struct raw_idle_why *costs_why(struct costs *c, uint32_t node, uint32_t why, uint32_t lane, uint32_t thread)
{
	return row_of(c, &c->whys, RAW_IDLE_WHY, node, WHYS | why, lane, thread);
}

struct raw_idle_wait *costs_wait(struct costs *c, uint32_t node, uint32_t kind, uint32_t lane, uint32_t thread)
{
	return row_of(c, &c->waits, RAW_IDLE_WAITS, node, WAITS | kind, lane, thread);
}

void costs_forget(struct costs *c)
{
	if (c->used)
		memset(c->slots, 0, c->room * sizeof *c->slots);
	c->used = 0;
	c->costs = c->events = c->whys = c->waits = NULL;
}
