/* SPDX-License-Identifier: MIT */
/* Whether differences are real: against a naive oracle, and how often equal runs raise an alarm. */
#include "unit/lib.h"

#include <math.h>

#include "analyse/diff/sure.h"

/* ---- chances that are the same every time ---- */

static uint64_t seed;

static double uniform(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* The time of a run of a program on a noisy machine: 2 % of normal noise, and one run in ten is up to a third slower. */
static double noisy(double time)
{
	return time * (1 + 0.02 * normal() + (uniform() < 0.1 ? 0.33 * uniform() : 0));
}

static double quiet(double time)
{
	return time * (1 + 0.02 * normal());
}

/* ---- the oracle: the density, added up ---- */

static double density(double t, double degrees)
{
	return exp(lgamma((degrees + 1) / 2) - lgamma(degrees / 2)) / sqrt(degrees * 3.14159265358979323846) *
		pow(1 + t * t / degrees, -(degrees + 1) / 2);
}

/* 1 less the part between -t and t, by Simpson's rule */
static double naive_student(double t, double degrees)
{
	int steps = 20000;
	double width = fabs(t) / steps, sum = density(0, degrees) + density(t, degrees);
	for (int i = 1; i < steps; i++)
		sum += (i % 2 ? 4 : 2) * density(i * width, degrees);
	return 1 - 2 * sum * width / 3;
}

static double naive_compare(const double *old, size_t n, const double *new, size_t m)
{
	double a = 0, b = 0, aa = 0, bb = 0;
	for (size_t i = 0; i < n; i++)
		a += old[i] / (double)n;
	for (size_t i = 0; i < m; i++)
		b += new[i] / (double)m;
	for (size_t i = 0; i < n; i++)
		aa += pow(old[i] - a, 2) / (double)(n - 1) / (double)n;
	for (size_t i = 0; i < m; i++)
		bb += pow(new[i] - b, 2) / (double)(m - 1) / (double)m;
	return naive_student((b - a) / sqrt(aa + bb), pow(aa + bb, 2) / (aa * aa / (double)(n - 1) + bb * bb / (double)(m - 1)));
}

/* Every way to divide the runs, by the sum of the ranks of one group; a rank is how many are smaller, and half of those that are equal. */
static double naive_ranks(const double *old, size_t n, const double *new, size_t m)
{
	double all[24], ranks[24], sum = 0, mean, far = 0, ways = 0;
	memcpy(all, old, n * sizeof *old);
	memcpy(all + n, new, m * sizeof *new);
	for (size_t i = 0; i < n + m; i++) {
		ranks[i] = 0;
		for (size_t k = 0; k < n + m; k++)
			ranks[i] += all[k] < all[i] ? 1 : all[k] == all[i] ? 0.5 : 0;
		sum += i < n ? ranks[i] : 0;
	}
	mean = (double)n * (double)(n + m) / 2;
	for (unsigned way = 0; way < 1u << (n + m); way++) {
		double its = 0;
		if ((size_t)__builtin_popcount(way) != n)
			continue;
		for (size_t i = 0; i < n + m; i++)
			its += way >> i & 1 ? ranks[i] : 0;
		ways++;
		far += fabs(its - mean) >= fabs(sum - mean) - 1e-9;
	}
	return far / ways;
}

static void chances_by_ranks_are_those_of_the_oracle(void **state)
{
	(void)state;
	seed = 3;
	for (int turn = 0; turn < 20; turn++) {
		double old[10], new[10];
		size_t n = 8 + (size_t)(uniform() * 2), m = 8 + (size_t)(uniform() * 2);
		for (size_t i = 0; i < n; i++)
			old[i] = floor(10 * uniform()); /* many are equal */
		for (size_t i = 0; i < m; i++)
			new[i] = floor(10 * uniform()) + turn % 5;
		double is = sure_compare(old, n, new, m), should = naive_ranks(old, n, new, m);
		if (sure_mean(old, n) != sure_mean(new, m) && fabs(is - should) > 1e-9)
			fail_msg("turn %d: %.12f, not %.12f", turn, is, should);
	}
}

static void chances_are_those_of_the_oracle(void **state)
{
	(void)state;
	seed = 1;
	for (int turn = 0; turn < 200; turn++) {
		double old[12], new[12];
		size_t n = 2 + (size_t)(uniform() * 6), m = 2 + (size_t)(uniform() * 11);
		for (size_t i = 0; i < n; i++)
			old[i] = 100 + 5 * normal();
		for (size_t i = 0; i < m; i++)
			new[i] = 102 + 9 * normal();
		double is = sure_compare(old, n, new, m), should = naive_compare(old, n, new, m);
		if (fabs(is - should) > 1e-6)
			fail_msg("turn %d: %.9f, not %.9f", turn, is, should);
	}
	assert_true(fabs(sure_student(2.228139, 10) - 0.05) < 1e-6); /* as tables have it */
	assert_true(fabs(sure_student(12.706205, 1) - 0.05) < 1e-6);
	assert_true(fabs(sure_student(1.959964, 1e9) - 0.05) < 1e-6);
}

static void one_run_tells_nothing(void **state)
{
	double one[] = {1}, two[] = {2, 2.1};
	(void)state;
	assert_true(isnan(sure_compare(one, 1, two, 2)));
	assert_true(isnan(sure_compare(two, 2, one, 1)));
	assert_true(isnan(sure_compare(NULL, 0, NULL, 0)));
	assert_true(sure_level(NAN) == 0);
}

static void runs_without_noise_count_by_their_number(void **state)
{
	double low[] = {1, 1, 1, 1, 1}, high[] = {2, 2, 2, 2, 2};
	(void)state;
	assert_true(sure_compare(low, 5, low, 5) == 1);
	assert_true(fabs(sure_compare(low, 2, high, 2) - 1.0 / 3) < 1e-9); /* 6 ways to divide 4 runs */
	assert_true(fabs(sure_compare(low, 5, high, 5) - 2.0 / 252) < 1e-9);
	double infinite[] = {1, INFINITY};
	assert_true(isnan(sure_compare(low, 2, infinite, 2)));
}

static void holm_corrects_in_steps(void **state)
{
	double p[] = {0.01, 0.04, NAN, 0.03, 0.005};
	(void)state;
	sure_correct(p, 5);
	assert_true(fabs(p[4] - 0.02) < 1e-12);
	assert_true(fabs(p[0] - 0.03) < 1e-12);
	assert_true(fabs(p[3] - 0.06) < 1e-12);
	assert_true(fabs(p[1] - 0.06) < 1e-12); /* never less than one before it */
	assert_true(isnan(p[2]));
	sure_correct(p, 0);
}

static void levels_are_those_that_are_documented(void **state)
{
	(void)state;
	assert_true(sure_level(0.06) == 0);
	assert_true(sure_level(0.05) == 0.95);
	assert_true(sure_level(0.009) == 0.99);
	assert_true(sure_level(0.0001) == 0.999);
}

/* ---- how often ---- */

enum { ROUTINES = 20, PAIRS = 400, MOST_RUNS = 20 };

/* Reports of `pairs` pairs of programs; the second one's routine 0 takes `factor` times as long. In how many reports something is called
 * real at 0.95: routine 0 if it was slowed down, else any. */
static int reports_that_tell(int pairs, int runs, double factor, double time_of(double))
{
	int told = 0;
	for (int pair = 0; pair < pairs; pair++) {
		double p[ROUTINES];
		for (int r = 0; r < ROUTINES; r++) {
			double old[MOST_RUNS], new[MOST_RUNS];
			for (int i = 0; i < runs; i++) {
				old[i] = time_of(10 + r);
				new[i] = time_of((10 + r) * (r ? 1 : factor));
			}
			p[r] = sure_compare(old, (size_t)runs, new, (size_t)runs);
		}
		sure_correct(p, ROUTINES);
		bool any = false;
		for (int r = 0; r < (factor > 1 ? 1 : ROUTINES); r++)
			any |= sure_level(p[r]) >= 0.95;
		told += any;
	}
	return told;
}

/* 400 pairs at 0.95 may have 20 false alarms, and 3 standard deviations more by chance. */
static void equal_runs_raise_few_alarms(void **state)
{
	(void)state;
	static const int runs[] = {2, 3, 5, 10, 20};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		seed = 42;
		int normal_alarms = reports_that_tell(PAIRS, runs[i], 1, quiet), noisy_alarms = reports_that_tell(PAIRS, runs[i], 1, noisy);
		print_message("# %d runs a side: of %d pairs of equal runs, %d (normal noise) and %d (noisy machine) raised an alarm\n",
		              runs[i], PAIRS, normal_alarms, noisy_alarms);
		assert_true(normal_alarms <= 33);
		assert_true(noisy_alarms <= 33);
	}
}

static void a_slow_down_of_5_percent_is_found(void **state)
{
	(void)state;
	seed = 7;
	int found = reports_that_tell(PAIRS, 10, 1.05, quiet);
	print_message("# 5 %% slower, 10 runs a side, noise of 2 %%, %d routines: found in %d of %d\n", ROUTINES, found, PAIRS);
	assert_true(found >= 9 * PAIRS / 10);
	for (int runs = 10; runs <= 20; runs += 10) {
		found = reports_that_tell(PAIRS, runs, 1.05, noisy);
		print_message("# the same on a noisy machine, %d runs a side: found in %d of %d\n", runs, found, PAIRS);
		assert_true(found >= (runs == 10 ? 4 : 9) * PAIRS / 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chances_are_those_of_the_oracle), cmocka_unit_test(chances_by_ranks_are_those_of_the_oracle),
		cmocka_unit_test(one_run_tells_nothing),           cmocka_unit_test(runs_without_noise_count_by_their_number),
		cmocka_unit_test(holm_corrects_in_steps),          cmocka_unit_test(levels_are_those_that_are_documented),
		cmocka_unit_test(equal_runs_raise_few_alarms),     cmocka_unit_test(a_slow_down_of_5_percent_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
