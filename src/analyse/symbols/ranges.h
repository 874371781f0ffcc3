/* SPDX-License-Identifier: MIT */
/* ranges.h: which of many ranges of addresses an address is in.
 *
 *     struct symbols_ranges r = {0};
 *     symbols_ranges_add(&r, low, high, number);        high is the first address behind it; an empty range is not added
 *     symbols_ranges_sort(&r);                          once, before the first question
 *     const struct symbols_range *hit = symbols_ranges_find(&r, address);
 *     symbols_ranges_free(&r);
 *
 * Ranges may overlap, as those of folded or nested routines do: the one that begins last is found, of those the shortest, of those the
 * one that was given the lowest number. */
#ifndef SKEIN_SYMBOLS_RANGES_H
#define SKEIN_SYMBOLS_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct symbols_range {
	uint64_t low, high;
	uint64_t reach; /* the highest end of this range and all before it */
	uint32_t what;
};

struct symbols_ranges {
	struct symbols_range *at;
	size_t count, room;
};

void symbols_ranges_add(struct symbols_ranges *r, uint64_t low, uint64_t high, uint32_t what);
void symbols_ranges_sort(struct symbols_ranges *r);
const struct symbols_range *symbols_ranges_find(const struct symbols_ranges *r, uint64_t address);
void symbols_ranges_free(struct symbols_ranges *r);

#endif
