/* SPDX-License-Identifier: MIT */
/* map.h: two hash tables with open addressing.
 *
 * A map leads from a number to a pointer, for what was looked up once:
 *
 *     void **found = map_at(&map, address);      place of the value, NULL if it is new; valid until the next call
 *     void *value = map_find(&map, address);     NULL: there is none
 *     map_drop(&map, address);
 *     for (size_t i = 0; i < map.room; i++) if (map.at[i].value) …
 *     map_free(&map);                            the values are the caller's
 *
 * A lookup finds an element of the caller's array by its contents. It stores indices of elements, and a function of
 * the caller compares an element with the wanted one:
 *
 *     size_t *place = lookup_at(&lookup, hash_text(HASH_START, name), is_named, list, name);
 *     if (!*place) {                             0: there is none
 *             list[count++] = …;
 *             *place = count;                    its index in the array + 1; valid until the next call
 *     }
 *     lookup_free(&lookup); */
#ifndef SKEIN_MAP_H
#define SKEIN_MAP_H

#include <stdbool.h>
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
void *map_find(const struct map *map, uint64_t key);
void map_drop(struct map *map, uint64_t key); /* a key that is not there is none to drop */
void map_free(struct map *map);

struct lookup {
	struct lookup_item {
		uint64_t hash;
		size_t number; /* of the element, from 1; 0: free */
	} *at;
	size_t count, room;
};

/* Whether element `number` of the array, from 0, is `what`. */
typedef bool lookup_same(const void *array, size_t number, const void *what);
size_t *lookup_at(struct lookup *lookup, uint64_t hash, lookup_same *same, const void *array, const void *what);
void lookup_free(struct lookup *lookup);

#endif
