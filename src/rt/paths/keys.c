/* SPDX-License-Identifier: MIT */
/* keys.c: hashes for counts that no array has room for: paths far behind cuts, their prefixes, and frames that never
 * ended.
 *
 * Rows come one after the other in tables of the recording, for each routine and lane (for frames each object and
 * lane), and never move. They are found by a hash of numbers of rows outside of it, which is made anew when it is half
 * full; the old one stays, since a search may have been interrupted. A handler that interrupts a change loses its
 * event; a change that was left by a jump is over: the next change runs further up on the stack. A row that was half
 * written has no value, and is never found. */
#include "rt/paths/paths.h"

#include <string.h>
#include "core/hash.h"
#include "raw/writer.h"
#include "rt/rt.h"
#include "threads/arena.h"

enum { FIRST_ROWS = 64, FIRST_ENTRIES = 2 * FIRST_ROWS, DENSE_BYTES = 128 << 10 };

struct paths_index {
	uint32_t mask;
	uint64_t entry[]; /* the hash of a key in the upper half, the number of its row, from 1, in the lower; 0: free */
};

/* The owner of a key, in one word: two that were stored one by one cannot be loaded as a pair without a wait. */
static inline uint64_t owner(uint32_t routine, uint32_t kind)
{
	return routine | (uint64_t)kind << 32;
}

static inline uint64_t owner_of(const struct raw_paths_key *row)
{
	return owner(row->routine, row->kind);
}

static inline uint32_t hash(uint64_t owner, uint64_t key)
{
	return (uint32_t)(hash_spread(key ^ owner << 24) >> 32);
}

/* Each table has twice the rows of the one before it. */
static inline uint32_t table_of(uint32_t number, uint32_t *row)
{
	uint32_t n = number - 1 + FIRST_ROWS, table = 31 - (uint32_t)__builtin_clz(n / FIRST_ROWS);
	*row = n - (FIRST_ROWS << table);
	return table;
}

static inline struct raw_paths_key *row_at(const struct paths_hash *h, uint32_t number)
{
	uint32_t row, table = table_of(number, &row);
	return (struct raw_paths_key *)raw_rows(h->tables[table]) + row;
}

static inline struct raw_paths_key *find(const struct paths_hash *h, uint64_t owner, uint64_t key)
{
	const struct paths_index *x = h->index;
	uint32_t wanted = hash(owner, key), i = wanted;
	for (uint64_t entry; x && (entry = x->entry[i & x->mask]); i++) {
		struct raw_paths_key *row = entry >> 32 == wanted ? row_at(h, (uint32_t)entry) : NULL;
		if (row && row->key == key && owner_of(row) == owner)
			return row;
	}
	return NULL;
}

static void enter(struct paths_index *x, uint64_t entry)
{
	uint32_t i = (uint32_t)(entry >> 32);
	while (x->entry[i & x->mask])
		i++;
	x->entry[i & x->mask] = entry;
}

static bool grow_index(struct paths_hash *h)
{
	struct paths_index *old = h->index, *larger;
	uint64_t entries = old ? 2 * ((uint64_t)old->mask + 1) : FIRST_ENTRIES;
	if (!(larger = arena_take(sizeof *larger + entries * sizeof *larger->entry)))
		return false;
	larger->mask = (uint32_t)entries - 1;
	for (uint64_t i = 0; old && i <= old->mask; i++)
		if (old->entry[i])
			enter(larger, old->entry[i]);
	__atomic_signal_fence(__ATOMIC_RELEASE);
	h->index = larger;
	return true;
}

static bool add_table(struct paths_hash *h, uint32_t kind, uint32_t lane, uint32_t object, uint32_t number)
{
	struct raw_table *table = raw_add_table(kind, lane, object, FIRST_ROWS << number);
	if (table && (size_t)table->row_bytes * table->capacity >= DENSE_BYTES)
		raw_gather(table);
	h->tables[number] = table;
	return table;
}

/* The value of a key, 0 if it is new: then it must be set. NULL: no space. */
static uint64_t *value_of(struct paths_hash *h, uint32_t kind, uint32_t lane, uint32_t object, const struct raw_paths_key *key)
{
	struct raw_paths_key *row = find(h, owner_of(key), key->key);
	if (row)
		return &row->value;
	uint32_t at, table = table_of(h->used + 1, &at);
	if ((!h->index || h->used > h->index->mask / 2) && !grow_index(h))
		return NULL;
	if (table >= PATHS_HASH_TABLES || (!h->tables[table] && !add_table(h, kind, lane, object, table)))
		return NULL;
	row = row_at(h, ++h->used);
	*row = *key;
	h->tables[table]->used = at + 1;
	__atomic_signal_fence(__ATOMIC_RELEASE);
	enter(h->index, (uint64_t)hash(owner_of(key), key->key) << 32 | h->used);
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
	struct raw_paths_key *row = h ? find(h, owner(routine, kind), key) : NULL;
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

/* False: this code interrupted a change. */
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

/* Places are below this value; a path that gets it is not counted. */
static uint64_t lost_place(uint64_t paths)
{
	return UINT64_MAX / paths - 1;
}

static uint64_t *key_of(struct paths_worker *w, struct paths_keys *k, const struct skein_object *object, uint32_t routine, uint32_t kind,
                        uint64_t key)
{
	if (!k->keys)
		k->keys = arena_take((object->routines + 1) * sizeof *k->keys);
	return k->keys ? value_of(&k->keys[routine], RAW_PATHS_KEYS, w->lane, object->slot, &(struct raw_paths_key){routine, kind, key, 0})
		       : NULL;
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

/* A routine that uses the hash often gets a table, or a larger one. */
static void note_asked(struct paths_hash *h, const struct skein_object *object, uint64_t *counts, uint64_t row, uint64_t key,
                       uint64_t paths)
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
	uint64_t *count = k
		? value_of(&k->stops, RAW_PATHS_STOPS, w->lane, object, &(struct raw_paths_key){index, frame->block, frame->reg, 0})
		: NULL;
	if (count)
		++*count;
	else if (!k)
		raw_lose(RAW_LOST_NO_MEMORY, 1);
	paths_leave(w);
}

static void restart_tables(const struct paths_hash *h, uint32_t lane)
{
	for (uint32_t t = 0; t < PATHS_HASH_TABLES && h->tables[t]; t++) {
		struct raw_paths_key *rows = raw_rows(h->tables[t]);
		for (uint32_t i = 0; i < h->tables[t]->used; i++)
			if (rows[i].kind == RAW_PATHS_COUNT)
				rows[i].value = 0;
		h->tables[t]->lane = lane;
		raw_done(&h->tables[t]->record, RAW_TABLE);
	}
}

/* Frames that go on in the child carry prefixes; all that was counted was the parent's. Its tables are void, as raw_fork left them. */
void paths_restart_keys(struct paths_worker *w, bool mine)
{
	w->busy = 0;
	for (struct paths_keys *k = w->keys; k; k = k->next) {
		uint32_t routines = objects_routines_of(k->object) + 1;
		k->stops = (struct paths_hash){0};
		for (uint32_t i = 0; k->keys && i < routines; i++) {
			if (mine)
				restart_tables(&k->keys[i], w->lane);
			else
				k->keys[i] = (struct paths_hash){0};
		}
		if (!mine && k->places)
			memset(k->places, 0, routines * sizeof *k->places);
	}
}
