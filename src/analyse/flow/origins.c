/* SPDX-License-Identifier: MIT */
#include "analyse/flow/origins.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/memory.h"

enum { MOST_IN_SET = 512, MOST_ROUTINES = 1 << 24 }; /* of all sets; a recording may come from anywhere */

static bool same_origin(const void *array, size_t number, const void *what)
{
	const struct origin *a = (const struct origin *)array + number, *b = what;
	return a->routine == b->routine && a->groups == b->groups && a->states == b->states && a->set == b->set;
}

uint32_t origins_at(struct origins *o, const struct origin *what)
{
	uint64_t hash = hash_number(hash_number(HASH_START, (uint64_t)what->routine << 32 | what->groups),
	                            (uint64_t)what->states << 32 | what->set);
	size_t *place = lookup_at(&o->by_content, hash, same_origin, o->all, what);
	if (!*place) {
		MEMORY_GROW(o->all, o->count, o->room);
		o->all[o->count++] = *what;
		*place = o->count;
	}
	return (uint32_t)(*place - 1);
}

size_t origins_set(const struct origins *o, uint32_t set, const uint32_t **routines)
{
	if (!set)
		return 0;
	*routines = o->routines + o->sets[set - 1].first;
	return o->sets[set - 1].count;
}

static bool same_set(const void *array, size_t number, const void *what)
{
	const struct origins *o = array;
	const struct origins_set *a = &o->sets[number], *b = what;
	return a->count == b->count && memcmp(o->routines + a->first, o->routines + b->first, a->count * sizeof *o->routines) == 0;
}

static void add_routine(struct origins *o, uint32_t routine)
{
	MEMORY_GROW(o->routines, o->routine_count, o->routine_room);
	o->routines[o->routine_count++] = routine;
}

/* Written behind the others, and taken away again if it is one of them. */
static uint32_t make_set(struct origins *o, uint32_t set, uint32_t routine)
{
	struct origins_set all = {.first = o->routine_count}, old = set ? o->sets[set - 1] : (struct origins_set){0};
	size_t i = 0;
	if (old.count >= MOST_IN_SET || o->routine_count >= MOST_ROUTINES)
		return set;
	while (i < old.count && o->routines[old.first + i] < routine)
		add_routine(o, o->routines[old.first + i++]);
	if (i < old.count && o->routines[old.first + i] == routine) {
		o->routine_count = all.first;
		return set;
	}
	add_routine(o, routine);
	while (i < old.count)
		add_routine(o, o->routines[old.first + i++]);
	all.count = o->routine_count - all.first;
	uint64_t hash = HASH_START;
	for (i = 0; i < all.count; i++)
		hash = hash_number(hash, o->routines[all.first + i]);
	size_t *place = lookup_at(&o->sets_by_content, hash, same_set, o, &all);
	if (*place) {
		o->routine_count = all.first;
		return (uint32_t)*place;
	}
	MEMORY_GROW(o->sets, o->set_count, o->set_room);
	o->sets[o->set_count++] = all;
	*place = o->set_count;
	return (uint32_t)o->set_count;
}

uint32_t origins_with(struct origins *o, uint32_t set, uint32_t routine)
{
	void **found = map_at(&o->more, (uint64_t)set << 32 | routine);
	if (!*found)
		*found = (void *)((uintptr_t)make_set(o, set, routine) + 1);
	return (uint32_t)((uintptr_t)*found - 1);
}

void origins_free(struct origins *o)
{
	free(o->all);
	free(o->sets);
	free(o->routines);
	lookup_free(&o->by_content);
	lookup_free(&o->sets_by_content);
	map_free(&o->more);
}
