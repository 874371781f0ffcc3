/* SPDX-License-Identifier: MIT */
#include "run/repeat/series.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "core/hash.h"

/* The upper bit of a hash of the pair's number. */
static bool is_swapped(size_t pair)
{
	return hash_spread(hash_spread(pair + 1) ^ (pair + 1) >> 3) >> 63;
}

struct series_step *series_steps(unsigned runs, unsigned warmups, unsigned sides, size_t *count)
{
	size_t rounds = (size_t)runs + warmups;
	struct series_step *steps = memory_resize(NULL, rounds * sides + 1, sizeof *steps);
	*count = 0;
	for (size_t i = 0; i < rounds; i++) {
		unsigned turn = i < warmups ? 0 : (unsigned)(i - warmups) + 1, first = sides > 1 && is_swapped(i);
		for (unsigned k = 0; k < sides; k++)
			steps[(*count)++] = (struct series_step){.side = first ^ k, .turn = turn};
	}
	return steps;
}
