/* SPDX-License-Identifier: MIT */
/* sure.c: a test of two groups of runs, and Holm's correction of many such tests.
 *
 * Problem: times of equal runs differ, so two profiles of one program differ in every time, and of thousands of routines some differ
 * much. A difference is worth telling only if it is larger than what equal runs would show.
 * Idea: from SURE_RANKED runs in each group on, Wilcoxon's rank-sum test, exact: it counts the ways to divide the runs into two groups that
 * are at least as far apart in their order. It asks nothing of how times are distributed, and a slow run now and then hardly matters to it.
 * With fewer runs there are too few such ways to be sure of anything among many routines: then Welch's t-test, which does not take the
 * groups to vary alike. Its times are not normally distributed: they have a tail of slow runs, which raises the variance, so it finds less,
 * and raises no alarm. Holm's step-down correction holds the chance of even one false alarm in a report, whatever routines have to do with
 * each other.
 * Cost: O(runs^4) a comparison by ranks, for at most MOST_RANKED runs (20 in each group: 0.1 ms), else O(runs); O(n log n) for the
 * correction of n.
 *
 * Small groups without any variance of their own (a clock that is coarse, a time that is always 0) would give certainty from two runs;
 * for these the number of ways to divide the runs decides, too. */
#include "analyse/diff/sure.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { STEPS = 300, MOST_RANKED = 60 };
#define SMALL 1e-300
#define CLOSE 1e-14

double sure_mean(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / (double)count : NAN;
}

/* Of the mean: the variance of the values divided by their number. */
static double variance_of_mean(const double *values, size_t count)
{
	double mean = sure_mean(values, count), squares = 0;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return squares / (double)(count - 1) / (double)count;
}

static double not_zero(double value)
{
	return fabs(value) < SMALL ? SMALL : value;
}

/* The continued fraction of the incomplete beta function (DLMF 8.17.22), from its beginning on (Lentz, with Thompson and Barnett's care
 * for zeros). It converges fast for x < (a + 1) / (a + b + 2). */
static double fraction(double x, double a, double b)
{
	double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), value = d;
	for (int m = 1; m <= STEPS; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
		       odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), last = value;
		d = 1 / not_zero(1 + even * d);
		c = not_zero(1 + even / c);
		value *= c * d;
		d = 1 / not_zero(1 + odd * d);
		c = not_zero(1 + odd / c);
		value *= c * d;
		if (fabs(value - last) <= CLOSE * fabs(value))
			break;
	}
	return value;
}

/* log of the gamma function by Stirling's series; x > 0. The C library's has a global sign. */
static double log_gamma(double x)
{
	double shift = 0;
	for (; x < 10; x++)
		shift -= log(x);
	double z = 1 / (x * x), series = (1.0 / 12 - z * (1.0 / 360 - z * (1.0 / 1260 - z * (1.0 / 1680 - z / 1188)))) / x;
	return shift + (x - 0.5) * log(x) - x + 0.91893853320467274178 + series;
}

/* The regularised incomplete beta function. */
static double beta(double x, double a, double b)
{
	if (!(x > 0))
		return 0;
	if (!(x < 1))
		return 1;
	double front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * fraction(x, a, b) / a : 1 - front * fraction(1 - x, b, a) / b;
}

double sure_student(double t, double degrees)
{
	return isfinite(t) ? beta(degrees / (degrees + t * t), degrees / 2, 0.5) : 0;
}

/* The least chance that a permutation test can give: the two extreme ones of all ways to divide the runs. */
static double by_division(size_t old_count, size_t new_count)
{
	double ways = 1;
	for (size_t i = 1; i <= old_count; i++)
		ways = ways * (double)(new_count + i) / (double)i;
	return 2 / ways < 1 ? 2 / ways : 1;
}

/* ---- ranks ---- */

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Twice the rank of each value among all, so that equal values can share the mean of their ranks; `all` becomes sorted. */
static void rank(double *all, size_t count, size_t *ranks)
{
	qsort(all, count, sizeof *all, by_value);
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first; end < count && all[end] == all[first];)
			end++;
		for (size_t i = first; i < end; i++)
			ranks[i] = first + end + 1;
	}
}

static size_t rank_of(double value, const double *all, size_t count, const size_t *ranks)
{
	for (size_t i = 0; i < count; i++)
		if (all[i] == value)
			return ranks[i];
	return 0;
}

/* Of all choices of `chosen` ranks, the share whose sum is at least as far from the mean as `sum` is. ways[c][s]: choices of c ranks with
 * the sum s; 60 ranks have 10^17 choices, which a double can count closely enough. */
static double share_of_choices(const size_t *ranks, size_t count, size_t chosen, size_t sum)
{
	size_t most = count * (count + 1) + 1;
	double *ways = memory_zeroed((chosen + 1) * most, sizeof *ways), all = 0, far = 0;
	double mean = (double)chosen * (double)(count + 1), distance = fabs((double)sum - mean);
	size_t reached = 0; /* the sum of all ranks so far */
	ways[0] = 1;
	for (size_t i = 0; i < count; i++, reached += ranks[i - 1])
		for (size_t c = i < chosen ? i + 1 : chosen; c > 0; c--)
			for (size_t s = reached + ranks[i] + 1; s-- > ranks[i];)
				ways[c * most + s] += ways[(c - 1) * most + s - ranks[i]];
	for (size_t s = 0; s < most; s++) {
		all += ways[chosen * most + s];
		far += fabs((double)s - mean) >= distance - CLOSE ? ways[chosen * most + s] : 0;
	}
	free(ways);
	return far / all;
}

static double compare_ranks(const double *old, size_t old_count, const double *new, size_t new_count)
{
	size_t count = old_count + new_count, sum = 0, *ranks = memory_zeroed(count, sizeof *ranks);
	double *all = memory_zeroed(count, sizeof *all);
	memcpy(all, old, old_count * sizeof *old);
	memcpy(all + old_count, new, new_count * sizeof *new);
	rank(all, count, ranks);
	for (size_t i = 0; i < old_count; i++)
		sum += rank_of(old[i], all, count, ranks);
	double p = share_of_choices(ranks, count, old_count, sum);
	free(ranks);
	free(all);
	return p;
}

/* ---- any groups ---- */

double sure_compare(const double *old, size_t old_count, const double *new, size_t new_count)
{
	if (old_count < 2 || new_count < 2)
		return NAN;
	double difference = sure_mean(new, new_count) - sure_mean(old, old_count);
	double a = variance_of_mean(old, old_count), b = variance_of_mean(new, new_count), both = a + b;
	if (!isfinite(difference) || !isfinite(both))
		return NAN;
	if (difference == 0)
		return 1;
	if (old_count >= SURE_RANKED && new_count >= SURE_RANKED && old_count + new_count <= MOST_RANKED)
		return compare_ranks(old, old_count, new, new_count);
	if (both <= 0)
		return by_division(old_count, new_count);
	double degrees = both * both / (a * a / (double)(old_count - 1) + b * b / (double)(new_count - 1));
	return isfinite(degrees) ? sure_student(difference / sqrt(both), degrees) : by_division(old_count, new_count);
}

struct ranked {
	double p;
	size_t at;
};

static int by_p(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->p != y->p)
		return x->p < y->p ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void sure_correct(double *p, size_t count)
{
	struct ranked *list = memory_resize(NULL, count + 1, sizeof *list);
	size_t known = 0;
	double least = 0;
	for (size_t i = 0; i < count; i++)
		if (!isnan(p[i]))
			list[known++] = (struct ranked){p[i], i};
	if (known)
		qsort(list, known, sizeof *list, by_p);
	for (size_t i = 0; i < known; i++) {
		double corrected = list[i].p * (double)(known - i);
		least = corrected > least ? corrected : least;
		p[list[i].at] = least < 1 ? least : 1;
	}
	free(list);
}

double sure_level(double p)
{
	static const double levels[] = {0.999, 0.99, 0.95};
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (p <= 1 - levels[i])
			return levels[i];
	return 0;
}
