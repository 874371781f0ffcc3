/* SPDX-License-Identifier: MIT */
/* map.h: a table from numbers to words, in memory that a port hands out.
 *
 *     struct input_map map = {0};
 *     uint64_t *value = input_map_put(&map, port, 42);     0 at first; NULL: no memory left
 *     value = input_map_find(&map, 42);                    NULL: not there
 *     for (uint32_t i = 0; i < input_map_slots(&map); i++)
 *             if (map.slots[i].key) …                      the key is map.slots[i].key - 1
 *     input_map_free(&map, port);
 *
 * One thread. A pointer to a value is valid until the next put or remove. Keys are below 2^64 - 1. */
#ifndef SKEIN_CORE_INPUT_MAP_H
#define SKEIN_CORE_INPUT_MAP_H

#include <stddef.h>
#include <stdint.h>

/* The source of the input lens's memory. Large blocks need not be backed before they are touched. */
struct input_port {
	void *(*take)(void *context, size_t bytes); /* zeroed, aligned to 16 bytes; NULL: no more */
	void (*give)(void *context, void *memory, size_t bytes);
	void *context;
	const struct input_shelf *shelf; /* where rows of points are kept (points.h); NULL: in other memory */
};

struct input_slot {
	uint64_t key; /* key + 1; 0: empty */
	uint64_t value;
};

struct input_map {
	struct input_slot *slots;
	uint32_t used;
	uint32_t log2_slots;
};

uint64_t *input_map_find(const struct input_map *map, uint64_t key);
uint64_t *input_map_put(struct input_map *map, const struct input_port *port, uint64_t key);
void input_map_remove(struct input_map *map, uint64_t key);
void input_map_clear(struct input_map *map); /* empties the map and keeps its memory */
void input_map_free(struct input_map *map, const struct input_port *port);

static inline uint32_t input_map_slots(const struct input_map *map)
{
	return map->slots ? UINT32_C(1) << map->log2_slots : 0;
}

#endif
