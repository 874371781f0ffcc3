/* SPDX-License-Identifier: MIT */
/* symbols_map.h: from a number to a pointer, for what was looked up once.
 *
 *     void **found = symbols_map_at(&map, address);      the place for it, holding NULL if it is new; true until the next call
 *     for (size_t i = 0; i < map.room; i++) if (map.at[i].value) …
 *     symbols_map_free(&map);                            the values are the caller's
 */
#ifndef SKEIN_SYMBOLS_MAP_H
#define SKEIN_SYMBOLS_MAP_H

#include <stddef.h>
#include <stdint.h>

struct symbols_map {
	struct symbols_map_item {
		uint64_t key;
		void *value; /* NULL: free */
	} *at;
	size_t count, room; /* room is a power of two, or 0 */
};

void **symbols_map_at(struct symbols_map *map, uint64_t key);
void symbols_map_free(struct symbols_map *map);

#endif
