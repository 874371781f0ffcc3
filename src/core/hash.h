/* SPDX-License-Identifier: MIT */
/* hash.h: hash functions for keys of tables.
 *
 *     at = hash_spread(key) >> (64 - log2_slots);      the upper bits depend on every bit of the key
 *     h = hash_add(hash_add(seed, a), b);              any bits
 *     h = hash_bytes(seed, text, bytes);               any bits; a text in pieces has the hash of the whole text
 *
 * Problem: keys are numbers that follow one another, or addresses, whose low bits are equal.
 * Idea: multiplication by 2^64 divided by the golden ratio (Knuth, volume 3, section 6.4); for bytes, FNV-1a. */
#ifndef SKEIN_CORE_HASH_H
#define SKEIN_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hash_spread(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

/* Number of slots for `items` items: a power of two, at least half of them free. */
static inline uint32_t hash_slots(uint64_t items)
{
	uint32_t slots = 16;
	while (slots < 2 * items)
		slots *= 2;
	return slots;
}

static inline uint64_t hash_add(uint64_t h, uint64_t x)
{
	h = hash_spread(h ^ x);
	return h ^ h >> 29;
}

static inline uint64_t hash_bytes(uint64_t h, const void *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		h = (h ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
	return h;
}

#endif
