/* SPDX-License-Identifier: MIT */
/* map.h: from a number to a pointer, for what was looked up once.
 *
 *     void **found = map_at(&map, address);      the place for it, holding NULL if it is new; true until the next call
 *     for (size_t i = 0; i < map.room; i++) if (map.at[i].value) …
 *     map_free(&map);                            the values are the caller's
 */
#ifndef SKEIN_MAP_H
#define SKEIN_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map {
	struct map_item {
		uint64_t key;
		void *value; /* NULL: free */
	} *at;
	size_t count, room; /* room is a power of two, or 0 */
};

void **map_at(struct map *map, uint64_t key);
void map_free(struct map *map);

#endif
