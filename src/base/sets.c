/* SPDX-License-Identifier: MIT */
#include "base/sets.h"

#include <stdlib.h>
#include <string.h>
#include "base/hash.h"
#include "base/memory.h"

size_t sets_members(const struct sets *s, uint32_t set, const uint32_t **members)
{
	if (!set)
		return 0;
	*members = s->members + s->all[set - 1].first;
	return s->all[set - 1].count;
}

static bool same_members(const void *array, size_t number, const void *what)
{
	const struct sets *s = array;
	const struct sets_one *a = &s->all[number], *b = what;
	return a->count == b->count && memcmp(s->members + a->first, s->members + b->first, a->count * sizeof *s->members) == 0;
}

static void add(struct sets *s, uint32_t member)
{
	MEMORY_GROW(s->members, s->member_count, s->member_room);
	s->members[s->member_count++] = member;
}

/* Behind the others. False: the set has the member. */
static bool write_larger(struct sets *s, const struct sets_one *old, uint32_t member)
{
	size_t i = 0;
	for (; i < old->count && s->members[old->first + i] < member; i++)
		add(s, s->members[old->first + i]);
	if (i < old->count && s->members[old->first + i] == member)
		return false;
	add(s, member);
	for (; i < old->count; i++)
		add(s, s->members[old->first + i]);
	return true;
}

/* What was written goes again if there is such a set. */
static uint32_t make(struct sets *s, uint32_t set, uint32_t member)
{
	struct sets_one old = set ? s->all[set - 1] : (struct sets_one){0}, larger = {.first = s->member_count};
	uint64_t hash = HASH_START;
	if (old.count >= SETS_MEMBERS || s->member_count >= SETS_ALL)
		return set;
	if (!write_larger(s, &old, member)) {
		s->member_count = larger.first;
		return set;
	}
	larger.count = s->member_count - larger.first;
	for (size_t i = 0; i < larger.count; i++)
		hash = hash_number(hash, s->members[larger.first + i]);
	size_t *place = lookup_at(&s->by_members, hash, same_members, s, &larger);
	if (*place) {
		s->member_count = larger.first;
		return (uint32_t)*place;
	}
	MEMORY_GROW(s->all, s->count, s->room);
	s->all[s->count++] = larger;
	*place = s->count;
	return (uint32_t)s->count;
}

uint32_t sets_with(struct sets *s, uint32_t set, uint32_t member)
{
	void **found = map_at(&s->larger, (uint64_t)set << 32 | member);
	if (!*found)
		*found = (void *)((uintptr_t)make(s, set, member) + 1);
	return (uint32_t)((uintptr_t)*found - 1);
}

void sets_free(struct sets *s)
{
	free(s->all);
	free(s->members);
	lookup_free(&s->by_members);
	map_free(&s->larger);
	*s = (struct sets){0};
}
