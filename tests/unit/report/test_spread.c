/* SPDX-License-Identifier: MIT */
/* The spread of a median is that of all samples that can be drawn, as far as draws can tell. */
#include "unit/lib.h"

#include <math.h>
#include <stdlib.h>

#include "analyse/spread.h"

enum { MOST = 6, MOST_SAMPLES = 46656 }; /* 6^6 */

static uint64_t state = 7;

static double any_value(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return 1000 + (double)(state >> 44);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double median_of(const double *values, size_t n)
{
	double sorted[MOST];
	memcpy(sorted, values, n * sizeof *values);
	qsort(sorted, n, sizeof *sorted, by_value);
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The medians of all n^n samples, sorted. */
static size_t all_medians(const double *values, size_t n, double *medians)
{
	size_t count = 1;
	for (size_t i = 0; i < n; i++)
		count *= n;
	for (size_t code = 0; code < count; code++) {
		double sample[MOST];
		size_t rest = code;
		for (size_t i = 0; i < n; i++, rest /= n)
			sample[i] = values[rest % n];
		medians[code] = median_of(sample, n);
	}
	qsort(medians, count, sizeof *medians, by_value);
	return count;
}

/* How far the medians reach that leave such a part out on each side. */
static double reach(const double *medians, size_t count, double median, double part)
{
	double rank = part * (double)count;
	size_t low = (size_t)rank;
	return fmax(median - medians[low], medians[count - 1 - low] - median);
}

static void draws_agree_with_all_samples(void **unused)
{
	static double medians[MOST_SAMPLES];
	(void)unused;
	for (int round = 0; round < 40; round++)
		for (size_t n = 2; n <= MOST; n++) {
			double values[MOST];
			for (size_t i = 0; i < n; i++)
				values[i] = any_value();
			struct spread s = spread_of(values, n);
			size_t count = all_medians(values, n, medians);
			assert_true(s.median == median_of(values, n));
			assert_true(s.plus_minus <= reach(medians, count, s.median, 0.015) + 1e-9);
			assert_true(s.plus_minus >= reach(medians, count, s.median, 0.037) - 1e-9);
		}
}

static void few_values_reach_to_the_ends(void **unused)
{
	(void)unused;
	double five[] = {10, 13, 11, 12, 20}, two[] = {1, 2}, one[] = {4};
	struct spread s = spread_of(five, 5);
	assert_true(s.median == 12 && s.plus_minus == 8 && s.least == 10 && s.most == 20);
	s = spread_of(two, 2);
	assert_true(s.median == 1.5 && s.plus_minus == 0.5);
	s = spread_of(one, 1);
	assert_true(s.median == 4 && s.plus_minus == 0 && s.least == 4 && s.most == 4);
	s = spread_of(NULL, 0);
	assert_true(isnan(s.median) && isnan(s.plus_minus));
}

static void equal_values_have_no_spread(void **unused)
{
	(void)unused;
	double values[] = {3, 3, 3, 3};
	struct spread s = spread_of(values, 4);
	assert_true(s.median == 3 && s.plus_minus == 0);
}

static void the_same_values_have_the_same_spread(void **unused)
{
	(void)unused;
	double values[300], copy[300];
	for (size_t i = 0; i < 300; i++)
		values[i] = any_value();
	memcpy(copy, values, sizeof copy);
	struct spread a = spread_of(values, 300), b = spread_of(values, 300);
	assert_memory_equal(&a, &b, sizeof a);
	assert_memory_equal(values, copy, sizeof copy);
	assert_true(a.plus_minus > 0 && a.plus_minus < (a.most - a.least) / 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_agree_with_all_samples),
		cmocka_unit_test(few_values_reach_to_the_ends),
		cmocka_unit_test(equal_values_have_no_spread),
		cmocka_unit_test(the_same_values_have_the_same_spread),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
