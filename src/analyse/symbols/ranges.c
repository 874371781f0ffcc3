/* SPDX-License-Identifier: MIT */
/* ranges.c: looks up an address among overlapping, sorted ranges.
 *
 * Problem: ranges of routines hardly ever overlap, but they may, and a damaged file may make all of them overlap.
 * Idea: sort by beginning; the last one that begins at or before the address is the answer unless it has ended. If it
 * has ended, look back until no earlier range can reach the address: each range stores the highest end so far.
 * Cost: O(log n) where nothing overlaps. Looking back ends after a fixed number of steps: only a damaged file has more. */
#include "analyse/symbols/ranges.h"

#include <stdlib.h>

#include "base/memory.h"

enum { STEPS_BACK = 10000 };

void symbols_ranges_add(struct symbols_ranges *r, uint64_t low, uint64_t high, uint32_t what)
{
	if (low >= high)
		return;
	MEMORY_GROW(r->at, r->count, r->room);
	r->at[r->count++] = (struct symbols_range){.low = low, .high = high, .what = what};
}

static int by_beginning(const void *a, const void *b)
{
	const struct symbols_range *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return (x->what < y->what) - (x->what > y->what);
}

void symbols_ranges_sort(struct symbols_ranges *r)
{
	uint64_t reach = 0;
	if (r->count)
		qsort(r->at, r->count, sizeof *r->at, by_beginning);
	for (size_t i = 0; i < r->count; i++) {
		if (r->at[i].high > reach)
			reach = r->at[i].high;
		r->at[i].reach = reach;
	}
}

const struct symbols_range *symbols_ranges_find(const struct symbols_ranges *r, uint64_t address)
{
	size_t from = 0, to = r->count;
	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (r->at[middle].low <= address)
			from = middle + 1;
		else
			to = middle;
	}
	for (size_t i = from, steps = 0; i > 0 && r->at[i - 1].reach > address && steps < STEPS_BACK; i--, steps++)
		if (r->at[i - 1].high > address)
			return &r->at[i - 1];
	return NULL;
}

void symbols_ranges_free(struct symbols_ranges *r)
{
	free(r->at);
	*r = (struct symbols_ranges){0};
}
