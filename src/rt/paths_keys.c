/* SPDX-License-Identifier: MIT */
/* paths_keys.c: what no array has room for: paths far behind cuts, the prefixes by which they are told, and frames that never ended.
 *
 * Open addressing in a table of the recording, one a routine and lane (for frames one an object and lane). When it is half full its rows move to one twice as large, and the old one is
 * void. A handler that interrupts a change loses its event; a change that was left by a jump is over: whoever comes next is further up on the stack. A row
 * that was half written then has no value, and is free. */
#include "rt/paths.h"

#include <string.h>
#include "raw/writer.h"
#include "rt/rt.h"
#include "threads/arena.h"

enum { FIRST_ROWS = 64, ROWS_MAX = 1 << 26 };

/* Whose key it is, in one word: two that were stored one by one cannot be loaded as a pair without a wait. */
static inline uint64_t owner(uint32_t routine, uint32_t kind)
{
	return routine | (uint64_t)kind << 32;
}

static inline uint64_t owner_of(const struct raw_paths_key *row)
{
	return owner(row->routine, row->kind);
}

/* Where the row is, or would be. There is always a free one. */
static inline struct raw_paths_key *probe(struct raw_table *table, uint64_t owner, uint64_t key)
{
	struct raw_paths_key *rows = raw_rows(table);
	uint32_t mask = table->capacity - 1, i = (uint32_t)(((key ^ owner << 24) * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
	while (rows[i].value && (rows[i].key != key || owner_of(&rows[i]) != owner))
		i = (i + 1) & mask;
	return &rows[i];
}

static void move_rows(struct raw_table *to, struct raw_table *from, bool prefixes_only, uint32_t *used)
{
	const struct raw_paths_key *rows = raw_rows(from);
	for (uint32_t i = 0; i < from->capacity; i++)
		if (rows[i].value && (!prefixes_only || rows[i].kind == RAW_PATHS_PREFIX)) {
			*probe(to, owner_of(&rows[i]), rows[i].key) = rows[i];
			++*used;
		}
}

/* It is shown to readers when it has what the old one had. */
static bool replace(struct paths_hash *h, uint32_t kind, uint32_t lane, uint32_t object, uint32_t rows, bool prefixes_only)
{
	struct raw_table *old = h->table, *table = rows <= ROWS_MAX ? raw_add(RAW_PENDING, sizeof *table + rows * sizeof(struct raw_paths_key)) : NULL;
	if (!table)
		return false;
	table->kind = kind;
	table->lane = lane;
	table->object = object;
	table->row_bytes = sizeof(struct raw_paths_key);
	table->capacity = table->used = rows;
	h->used = 0;
	if (old) {
		move_rows(table, old, prefixes_only, &h->used);
		raw_done(&old->record, RAW_VOID);
	}
	h->table = table;
	raw_done(&table->record, RAW_TABLE);
	return true;
}

/* The value of a key, 0 if it is new: then it must be set. NULL: no space. */
static uint64_t *value_of(struct paths_hash *h, uint32_t kind, uint32_t lane, uint32_t object, const struct raw_paths_key *key)
{
	struct raw_paths_key *row = h->table ? probe(h->table, owner_of(key), key->key) : NULL;
	if (row && row->value)
		return &row->value;
	if (!h->table || h->used >= h->table->capacity / 2) {
		if (!replace(h, kind, lane, object, h->table ? 2 * h->table->capacity : FIRST_ROWS, false))
			return NULL;
		row = probe(h->table, owner_of(key), key->key);
	}
	row->routine = key->routine;
	row->kind = key->kind;
	row->key = key->key;
	h->used++;
	return &row->value;
}

/* Of the calling thread; NULL: there is none yet. */
static inline struct paths_hash *hash_of(const struct skein_object *object, uint32_t routine)
{
	const struct paths_worker *w = skein_self.lane && !skein_self.vforked ? skein_self.lane->lens : NULL;
	const struct paths_keys *k = w ? w->keys : NULL;
	while (k && k->object != object->slot)
		k = k->next;
	return k && k->keys ? &k->keys[routine] : NULL;
}

/* What is there already needs no care: the value of a key, or NULL. */
static inline uint64_t *quick(const struct paths_hash *h, uint32_t routine, uint32_t kind, uint64_t key)
{
	struct raw_paths_key *row = h && h->table ? probe(h->table, owner(routine, kind), key) : NULL;
	return row && row->value ? &row->value : NULL;
}

static struct paths_keys *keys_of(struct paths_worker *w, uint32_t object)
{
	struct paths_keys *k = w->keys;
	while (k && k->object != object)
		k = k->next;
	if (!k && (k = arena_take(sizeof *k))) {
		k->object = object;
		k->next = w->keys;
		w->keys = k;
	}
	return k;
}

/* false: it interrupted a change. */
static bool try_enter(struct paths_worker *w)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	if (w->busy && here < w->busy)
		return false;
	w->busy = here;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	return true;
}

bool paths_enter(struct paths_worker *w)
{
	bool entered = try_enter(w);
	if (!entered)
		raw_lose(RAW_LOST_IN_SIGNAL, 1);
	return entered;
}

void paths_leave(struct paths_worker *w)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	w->busy = 0;
}

static struct paths_worker *whose(const struct skein_object *object)
{
	struct paths_worker *w = skein_self.vforked || !object->slot ? NULL : paths_mine(&skein_self);
	if (!w)
		raw_lose(skein_self.vforked ? RAW_LOST_VFORK : RAW_LOST_TOO_EARLY, 1);
	return w && paths_enter(w) ? w : NULL;
}

/* Places are below this; who gets it is not counted. */
static uint64_t lost_place(uint64_t paths)
{
	return UINT64_MAX / paths - 1;
}

static uint64_t *key_of(struct paths_worker *w, struct paths_keys *k, const struct skein_object *object, uint32_t routine, uint32_t kind, uint64_t key)
{
	if (!k->keys)
		k->keys = arena_take((object->routines + 1) * sizeof *k->keys);
	return k->keys ? value_of(&k->keys[routine], RAW_PATHS_KEYS, w->lane, object->slot, &(struct raw_paths_key){routine, kind, key, 0}) : NULL;
}

static void count_key(struct paths_worker *w, struct skein_object *object, uint32_t routine, uint64_t index)
{
	struct paths_keys *k = keys_of(w, object->slot);
	uint64_t *count = k ? key_of(w, k, object, routine, RAW_PATHS_COUNT, index) : NULL;
	if (count)
		++*count;
	else if (!k || !k->keys)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
}

/* Whoever asks the hash often gets a table, or a larger one. */
static void note_asked(struct paths_hash *h, const struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths)
{
	if (!paths_own_is_wanted(paths_own_at(counts, row), ++h->asked))
		return;
	struct paths_worker *w = paths_mine(&skein_self);
	h->asked = 0;
	if (w && try_enter(w)) {
		paths_own_grow(w, object, counts, row, key, paths);
		paths_leave(w);
	}
}

void paths_count(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t index, uint64_t paths)
{
	uint64_t routine = paths_own_at(counts, row)->routine;
	if (routine == PATHS_VAIN || (paths && index / paths >= lost_place(paths))) /* was counted as lost when its prefix was */
		return;
	struct paths_hash *h = hash_of(object, (uint32_t)routine);
	uint64_t *count = quick(h, (uint32_t)routine, RAW_PATHS_COUNT, index);
	if (count) {
		++*count;
		if (paths)
			note_asked(h, object, counts, row, index, paths);
		return;
	}
	struct paths_worker *w = whose(object);
	if (!w)
		return;
	count_key(w, object, (uint32_t)routine, index);
	paths_leave(w);
}

/* 0: there is none left. */
static uint64_t new_place(struct paths_keys *k, const struct skein_object *object, uint32_t routine, uint64_t paths)
{
	if (!k->places)
		k->places = arena_take((object->routines + 1) * sizeof *k->places);
	return k->places && k->places[routine] < UINT32_MAX && k->places[routine] + 1 < lost_place(paths) ? ++k->places[routine] : 0;
}

/* Of a key that was never looked up. 0: it is lost. */
static uint64_t first_place(struct skein_object *object, uint32_t routine, uint64_t key, uint64_t paths)
{
	struct paths_worker *w = whose(object);
	if (!w)
		return 0;
	struct paths_keys *k = keys_of(w, object->slot);
	uint64_t *place = k ? key_of(w, k, object, routine, RAW_PATHS_PREFIX, key) : NULL;
	if (place && !*place)
		*place = new_place(k, object, routine, paths);
	if (!place || !*place)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	paths_leave(w);
	return place ? *place : 0;
}

uint64_t paths_look_up(struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key, uint64_t paths)
{
	struct paths_own *own = paths_own_at(counts, row);
	uint64_t lost = lost_place(paths) * paths, place = 0;
	if (own->routine == PATHS_VAIN || key >= lost)
		return lost;
	struct paths_hash *h = hash_of(object, (uint32_t)own->routine);
	uint64_t *known = quick(h, (uint32_t)own->routine, RAW_PATHS_PREFIX, key);
	place = known ? *known : first_place(object, (uint32_t)own->routine, key, paths);
	if (key < own->size)
		own->words[own->size + key] = place;
	else if (known)
		note_asked(h, object, counts, row, key, paths);
	return place ? place * paths : lost;
}

void paths_count_stop(struct paths_worker *w, const struct raw_paths_open *frame)
{
	uint32_t object, index;
	if (!objects_find(frame->routine, &object, &index) || !paths_enter(w))
		return;
	struct paths_keys *k = keys_of(w, object);
	uint64_t *count = k ? value_of(&k->stops, RAW_PATHS_STOPS, w->lane, object, &(struct raw_paths_key){index, frame->block, frame->reg, 0}) : NULL;
	if (count)
		++*count;
	else if (!k)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	paths_leave(w);
}

/* Frames that go on in the child carry prefixes; all that was counted was the parent's. Its tables are void, as raw_fork left them. */
void paths_restart_keys(struct paths_worker *w, bool mine)
{
	w->busy = 0;
	for (struct paths_keys *k = w->keys; k; k = k->next) {
		uint32_t routines = objects_routines_of(k->object) + 1;
		k->stops = (struct paths_hash){0};
		for (uint32_t i = 0; k->keys && i < routines; i++) {
			struct paths_hash *h = &k->keys[i];
			if (h->table && (!mine || !replace(h, RAW_PATHS_KEYS, w->lane, k->object, h->table->capacity, true)))
				*h = (struct paths_hash){0};
		}
		if (!mine && k->places)
			memset(k->places, 0, routines * sizeof *k->places);
	}
}
