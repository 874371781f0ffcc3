/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>

#include "base/memory.h"

static struct map_item *item_for(const struct map *map, uint64_t key)
{
	size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->room - 1);
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

/* An item whose value stays NULL is counted though it is free: that only makes the map grow earlier, and growing counts anew. */
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

void map_free(struct map *map)
{
	free(map->at);
	*map = (struct map){0};
}
