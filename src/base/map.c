/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t start_of(const struct map *map, uint64_t key)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->room - 1);
}

static struct map_item *item_for(const struct map *map, uint64_t key)
{
	size_t at = start_of(map, key);
	while (map->at[at].value && map->at[at].key != key)
		at = (at + 1) & (map->room - 1);
	return &map->at[at];
}

static void grow(struct map *map)
{
	struct map old = *map;
	map->room = old.room ? 2 * old.room : 256;
	map->at = memory_zeroed(map->room, sizeof *map->at);
	map->count = 0;
	for (size_t i = 0; i < old.room; i++)
		if (old.at[i].value) {
			*item_for(map, old.at[i].key) = old.at[i];
			map->count++;
		}
	free(old.at);
}

/* An item whose value stays NULL counts although it is free: the map only grows earlier, and growing counts again. */
void **map_at(struct map *map, uint64_t key)
{
	if (2 * (map->count + 1) > map->room)
		grow(map);
	struct map_item *item = item_for(map, key);
	if (!item->value) {
		item->key = key;
		map->count++;
	}
	return &item->value;
}

void *map_find(const struct map *map, uint64_t key)
{
	return map->room ? item_for(map, key)->value : NULL;
}

/* Items behind the gap move into it, unless that is in front of where their search starts. */
void map_drop(struct map *map, uint64_t key)
{
	struct map_item *gap = map->room ? item_for(map, key) : NULL;
	if (!gap || !gap->value)
		return;
	size_t mask = map->room - 1, hole = (size_t)(gap - map->at);
	for (size_t at = (hole + 1) & mask; map->at[at].value; at = (at + 1) & mask)
		if (((at - start_of(map, map->at[at].key)) & mask) >= ((at - hole) & mask)) {
			map->at[hole] = map->at[at];
			hole = at;
		}
	map->at[hole].value = NULL;
	map->count--;
}

void map_free(struct map *map)
{
	free(map->at);
	*map = (struct map){0};
}

/* ---- lookups ---- */

static size_t begin_at(const struct lookup *lookup, uint64_t hash)
{
	return (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (lookup->room - 1);
}

static void grow_lookup(struct lookup *lookup)
{
	struct lookup old = *lookup;
	lookup->room = old.room ? 2 * old.room : 64;
	lookup->at = memory_zeroed(lookup->room, sizeof *lookup->at);
	lookup->count = 0;
	for (size_t i = 0; i < old.room; i++) {
		if (!old.at[i].number)
			continue;
		size_t at = begin_at(lookup, old.at[i].hash);
		while (lookup->at[at].number)
			at = (at + 1) & (lookup->room - 1);
		lookup->at[at] = old.at[i];
		lookup->count++;
	}
	free(old.at);
}

/* As in map_at, a place that the caller leaves empty counts until the lookup grows. */
size_t *lookup_at(struct lookup *lookup, uint64_t hash, lookup_same *same, const void *array, const void *what)
{
	if (2 * (lookup->count + 1) > lookup->room)
		grow_lookup(lookup);
	size_t at = begin_at(lookup, hash);
	for (; lookup->at[at].number; at = (at + 1) & (lookup->room - 1))
		if (lookup->at[at].hash == hash && same(array, lookup->at[at].number - 1, what))
			return &lookup->at[at].number;
	lookup->at[at].hash = hash;
	lookup->count++;
	return &lookup->at[at].number;
}

void lookup_free(struct lookup *lookup)
{
	free(lookup->at);
	*lookup = (struct lookup){0};
}
