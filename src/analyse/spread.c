/* SPDX-License-Identifier: MIT */
/* spread.c: the bootstrap of a median.
 *
 * Problem: run times have no known distribution: a few runs are late, none is early. How far may the median be off?
 * Idea: Efron's percentile bootstrap (1979). From the n values draw n with replacement, and take the median, again and again;
 * 95 % of these medians lie between two of them. The farther one of the two is the spread, so that one figure tells it.
 * Cost: a draw only counts how often each value, in sorted order, was taken: DRAWS * n steps.
 * What it cannot do: with fewer than six values, more than 2.5 % of the medians are the smallest value, and as many the largest: the
 * spread is the distance to one of these. Chance is a fixed sequence: the same values always have the same spread. */
#include "analyse/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { DRAWS = 2000, TAIL = DRAWS / 40 }; /* 2.5 % on each side */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double middle(const double *sorted, size_t count)
{
	return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

/* xorshift64*, of Marsaglia and Vigna; the upper half is used. */
static uint32_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (uint32_t)((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32);
}

static size_t draw_below(uint64_t *state, size_t count)
{
	return (size_t)((uint64_t)draw(state) * count >> 32);
}

/* The value at that place, from 0, of the sorted sample that has value i `taken[i]` times. */
static double at_place(const double *sorted, const uint32_t *taken, size_t place)
{
	size_t i = 0;
	for (size_t seen = taken[0]; seen <= place; seen += taken[i])
		i++;
	return sorted[i];
}

static double draw_median(const double *sorted, uint32_t *taken, size_t count, uint64_t *state)
{
	memset(taken, 0, count * sizeof *taken);
	for (size_t i = 0; i < count; i++)
		taken[draw_below(state, count)]++;
	return (at_place(sorted, taken, (count - 1) / 2) + at_place(sorted, taken, count / 2)) / 2;
}

static double resample(const double *sorted, size_t count, double median)
{
	uint64_t state = HASH_START;
	uint32_t *taken = memory_resize(NULL, count, sizeof *taken);
	double *medians = memory_resize(NULL, DRAWS, sizeof *medians);
	for (size_t i = 0; i < DRAWS; i++)
		medians[i] = draw_median(sorted, taken, count, &state);
	qsort(medians, DRAWS, sizeof *medians, by_value);
	double below = median - medians[TAIL], above = medians[DRAWS - 1 - TAIL] - median;
	free(taken);
	free(medians);
	return below > above ? below : above;
}

struct spread spread_of(const double *values, size_t count)
{
	if (!count)
		return (struct spread){NAN, NAN, NAN, NAN};
	double *sorted = memory_resize(NULL, count, sizeof *sorted);
	memcpy(sorted, values, count * sizeof *sorted);
	qsort(sorted, count, sizeof *sorted, by_value);
	struct spread s = {.median = middle(sorted, count), .least = sorted[0], .most = sorted[count - 1]};
	if (s.least < s.most)
		s.plus_minus = resample(sorted, count, s.median);
	free(sorted);
	return s;
}
