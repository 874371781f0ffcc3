/* SPDX-License-Identifier: MIT */
/* targets.c: counts what each site that calls through a pointer calls.
 *
 * Problem: such a call may go anywhere, also into a library that is closed later, when its addresses may become those
 * of another one. The counter of a call must be found within nanoseconds, a kill must lose nothing, and a program that
 * makes code as it runs has any number of targets.
 * Idea: the counters of a lane are rows of the recording, one per site and target. A hash of site and address leads to
 * them. Which file an address belongs to is looked up when the lane sees the pair first, and again after a dlclose: an
 * address that means something else by then gets a row of its own. When a lane has TARGETS_MAX rows, each site has
 * one more, for all its further targets.
 * Cost: one probe of the hash per call; a few microseconds for a pair that is new, or for the first call of a pair after a
 * dlclose. Signals are blocked while a hash changes, so no handler finds it half changed. A hash that is replaced by a
 * larger one stays, since a handler may have interrupted a search in it. */
#include "rt/span/span.h"

#include <errno.h>
#include <string.h>
#include "core/hash.h"
#include "modules/modules.h"
#include "raw/kernel.h"
#include "rt/rt.h"
#include "threads/arena.h"

enum { TARGETS_MAX = 1 << 16, FIRST_ROWS = 32, FIRST_SLOTS = 2 * FIRST_ROWS };

#define OTHERS UINTPTR_MAX /* in place of an address: all targets of the site that have no row */

struct target {
	uintptr_t address;
	uint32_t key;                /* of the site: see struct span_entry */
	uint32_t generation;         /* of modules, in which the row was last known to be that of the address */
	struct raw_span_target *row; /* NULL: the slot is free */
};

struct targets_index {
	uint32_t mask;
	uint32_t shift; /* of a hash, which leaves the number of a slot */
	struct target slots[];
};

static inline uint32_t first_slot(const struct targets_index *x, uint32_t key, uintptr_t address)
{
	return (uint32_t)(hash_spread(address ^ (uint64_t)key << 40) >> x->shift);
}

static inline struct raw_span_target *find(const struct targets_index *x, uint32_t key, uintptr_t address)
{
	uint32_t generation = modules_generation();
	if (!x)
		return NULL;
	for (uint32_t i = first_slot(x, key, address);; i++) {
		const struct target *t = &x->slots[i & x->mask];
		if (!t->row || (t->address == address && t->key == key && t->generation == generation))
			return t->row;
	}
}

static void enter(struct targets_index *x, const struct target *t)
{
	uint32_t i = first_slot(x, t->key, t->address);
	while (x->slots[i & x->mask].row)
		i++;
	x->slots[i & x->mask] = *t;
}

static bool grow(struct span_targets *all)
{
	struct targets_index *old = all->index, *larger;
	uint64_t slots = old ? 2 * ((uint64_t)old->mask + 1) : FIRST_SLOTS;
	if (!(larger = arena_take(sizeof *larger + slots * sizeof *larger->slots)))
		return false;
	larger->mask = (uint32_t)slots - 1;
	larger->shift = 64 - (uint32_t)__builtin_ctzll(slots);
	for (uint64_t i = 0; old && i <= old->mask; i++)
		if (old->slots[i].row)
			enter(larger, &old->slots[i]);
	all->index = larger;
	return true;
}

/* Each table has as many rows as all those before it. NULL: no space. */
static struct raw_span_target *new_row(struct span_worker *w, uint32_t site, uint64_t place)
{
	struct span_targets *all = &w->targets;
	if (!all->table || all->table->used == all->table->capacity) {
		struct raw_table *table = raw_add_table(RAW_SPAN_TARGETS, w->number, 0, all->used < FIRST_ROWS ? FIRST_ROWS : all->used);
		if (!table)
			return NULL;
		all->table = table;
	}
	struct raw_span_target *row = (struct raw_span_target *)raw_rows(all->table) + all->table->used;
	row->site = site;
	row->place = place;
	all->table->used++;
	return row;
}

/* The row of a target that is not known in this generation: one that is known from an earlier one, or a new one. */
static struct raw_span_target *add(struct span_worker *w, uint32_t key, uintptr_t address)
{
	struct span_targets *all = &w->targets;
	struct target t = {address, key, modules_generation(), NULL};
	uint64_t place = address == OTHERS ? RAW_SPAN_OTHER_TARGETS : modules_place(address);
	for (uint32_t i = all->index ? first_slot(all->index, key, address) : 0; all->index; i++) {
		struct target *known = &all->index->slots[i & all->index->mask];
		if (!known->row)
			break;
		if (known->address == address && known->key == key && known->row->place == place) {
			known->generation = t.generation;
			return known->row;
		}
	}
	if ((!all->index || 2 * (all->used + 1) > all->index->mask) && !grow(all)) {
		raw_lose(RAW_LOST_NO_MEMORY, 1);
		return NULL;
	}
	if (!(t.row = new_row(w, key / SPAN_MEASURES, place)))
		return NULL;
	all->used++;
	enter(all->index, &t);
	return t.row;
}

static __attribute__((noinline)) struct raw_span_target *find_or_add(struct span_worker *w, uint32_t key, uintptr_t address)
{
	int saved_errno = errno;
	sigset_t saved;
	struct raw_span_target *row = w->targets.used < TARGETS_MAX ? NULL : find(w->targets.index, key, OTHERS);
	if (row)
		return row;
	kernel_block_signals(&saved);
	row = add(w, key, w->targets.used < TARGETS_MAX ? address : OTHERS);
	kernel_restore_signals(&saved);
	errno = saved_errno;
	return row;
}

void targets_count(const struct skein_object *object, uint32_t site, const void *target)
{
	struct span_worker *w = skein_self.lane->lens;
	uint32_t key = (uint32_t)(object->first_key + (uint64_t)site * SPAN_MEASURES);
	if (!object->slot || (span_rt.under && under_is_outside(w))) /* no one reads such rows */
		return;
	struct raw_span_target *row = find(w->targets.index, key, (uintptr_t)target);
	if (!row)
		row = find_or_add(w, key, (uintptr_t)target);
	if (row)
		row->count++;
}
