/* SPDX-License-Identifier: MIT */
/* map.c: open addressing, one slot after the other; never more than three quarters full unless memory has run out. */
#include "core/input/map.h"
#include <stdbool.h>
#include "core/hash.h"

enum { FIRST_LOG2 = 3 };

static uint32_t home_of(const struct input_map *map, uint64_t key)
{
	return (uint32_t)(hash_spread(key) >> (64 - map->log2_slots));
}

/* The slot of the key, or the empty slot where it belongs. There is always an empty slot. */
static struct input_slot *slot_of(const struct input_map *map, uint64_t key)
{
	uint32_t mask = input_map_slots(map) - 1;
	uint32_t at = home_of(map, key);
	while (map->slots[at].key && map->slots[at].key != key + 1)
		at = (at + 1) & mask;
	return &map->slots[at];
}

uint64_t *input_map_find(const struct input_map *map, uint64_t key)
{
	if (!map->slots)
		return NULL;
	struct input_slot *slot = slot_of(map, key);
	return slot->key ? &slot->value : NULL;
}

static bool grow(struct input_map *map, const struct input_port *port)
{
	uint32_t slots = input_map_slots(map);
	struct input_map larger = {.log2_slots = map->slots ? map->log2_slots + 1 : FIRST_LOG2, .used = map->used};
	if (larger.log2_slots > 31)
		return false;
	larger.slots = port->take(port->context, sizeof *larger.slots << larger.log2_slots);
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < slots; i++)
		if (map->slots[i].key)
			*slot_of(&larger, map->slots[i].key - 1) = map->slots[i];
	input_map_free(map, port);
	*map = larger;
	return true;
}

uint64_t *input_map_put(struct input_map *map, const struct input_port *port, uint64_t key)
{
	uint64_t *there = input_map_find(map, key);
	if (there)
		return there;
	uint32_t slots = input_map_slots(map);
	if (map->used + 1 > slots / 4 * 3 && !grow(map, port) && map->used + 2 > slots)
		return NULL;
	struct input_slot *slot = slot_of(map, key);
	slot->key = key + 1;
	map->used++;
	return &slot->value;
}

/* Later keys of the same run of slots move up, unless a key would move before its home slot. */
void input_map_remove(struct input_map *map, uint64_t key)
{
	if (!input_map_find(map, key))
		return;
	uint32_t mask = input_map_slots(map) - 1;
	uint32_t gap = (uint32_t)(slot_of(map, key) - map->slots);
	for (uint32_t at = (gap + 1) & mask; map->slots[at].key; at = (at + 1) & mask) {
		uint32_t home = home_of(map, map->slots[at].key - 1);
		if (((at - home) & mask) < ((at - gap) & mask))
			continue;
		map->slots[gap] = map->slots[at];
		gap = at;
	}
	map->slots[gap] = (struct input_slot){0};
	map->used--;
}

void input_map_clear(struct input_map *map)
{
	for (uint32_t i = 0; i < input_map_slots(map); i++)
		map->slots[i] = (struct input_slot){0};
	map->used = 0;
}

void input_map_free(struct input_map *map, const struct input_port *port)
{
	if (map->slots)
		port->give(port->context, map->slots, sizeof *map->slots << map->log2_slots);
	*map = (struct input_map){0};
}
