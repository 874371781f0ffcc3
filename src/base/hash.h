/* SPDX-License-Identifier: MIT */
/* hash.h: hashes of what a thing consists of, for map.h. Text is hashed by FNV-1a.
 *
 *     uint64_t hash = hash_number(hash_text(HASH_START, routine->name), routine->line);
 */
#ifndef SKEIN_HASH_H
#define SKEIN_HASH_H

#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

static inline uint64_t hash_number(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

#endif
