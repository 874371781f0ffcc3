/* SPDX-License-Identifier: MIT */
/* models_resample.c: how sure an exponent is, by resampling.
 *
 * Problem: the textbook's interval takes errors to be independent and of one size. Costs of programs are not so:
 * neighbouring sizes are off in the same direction where the model is not quite right, some sizes were called once and
 * others a thousand times.
 * Idea: the wild bootstrap in blocks (Cameron, Gelbach and Miller, 2008). The errors of a curve are kept, and each block
 * of neighbours gets a sign by chance. What matters is how far such errors reach in one direction: the derivative of
 * the curve by its exponent, without what the curve's other terms take of it. So a draw costs one sum over blocks, and
 * no curve is fitted again.
 * Chance is a fixed sequence: the same costs always have the same interval. */
#include <math.h>
#include "analyse/input/models_data.h"

enum { DRAWS = 200, BLOCKS = 16 };
#define NORMAL_95 1.959963985
#define FAR 2.5        /* errors beyond this many standard deviations are far off */
#define LEAST_FAR 0.01 /* the least standard deviation that is taken */

static double length_of(const double *v, size_t n)
{
	double squares = 0;
	for (size_t i = 0; i < n; i++)
		squares += v[i] * v[i];
	return sqrt(squares);
}

/* Makes v orthogonal to `count` vectors of length 1, and its length 1 or 0. */
static void orthogonalise(double *v, double vectors[][MODELS_SAMPLES], int count, size_t n)
{
	double before = length_of(v, n);
	for (int s = 0; s < count; s++) {
		double product = 0;
		for (size_t i = 0; i < n; i++)
			product += v[i] * vectors[s][i];
		for (size_t i = 0; i < n; i++)
			v[i] -= product * vectors[s][i];
	}
	double length = length_of(v, n), factor = length > 1e-7 * before ? 1 / length : 0;
	for (size_t i = 0; i < n; i++)
		v[i] *= factor;
}

static void find_direction(const struct models_data *data, const struct models_curve *c, double *d)
{
	const struct models_curve lead = {.model = c->model, .exponent = c->exponent, .lead = 1};
	int count = c->model == MODEL_1 ? 1 : c->lower == TERM_1 ? 2 : 3;
	double terms[3][MODELS_SAMPLES];
	for (size_t i = 0; i < data->count; i++) {
		double x = c->model == MODEL_1 ? 1 : models_value(data, &lead, data->n[i]);
		d[i] = data->root[i] * x * data->log_n[i];
		terms[0][i] = data->root[i];
		terms[1][i] = data->root[i] * x;
		terms[2][i] = data->term[c->lower][i];
	}
	for (int t = 0; t < count; t++)
		orthogonalise(terms[t], terms, t, data->count);
	orthogonalise(d, terms, count, data->count);
}

/* The sum that 95 % of the draws stay below. */
static double reach(const double *part, size_t blocks)
{
	double sums[DRAWS];
	uint64_t chance = 88172645463325252;
	for (int draw = 0; draw < DRAWS; draw++) {
		double sum = 0;
		chance ^= chance << 13;
		chance ^= chance >> 7;
		chance ^= chance << 17;
		for (size_t b = 0; b < blocks; b++)
			sum += chance >> (16 + b) & 1 ? part[b] : -part[b];
		sum = fabs(sum);
		int at = draw;
		for (; at && sums[at - 1] > sum; at--)
			sums[at] = sums[at - 1];
		sums[at] = sum;
	}
	return sums[DRAWS * 95 / 100];
}

double models_resample(const struct models_data *data, const struct models_curve *curve, double variance)
{
	double d[MODELS_SAMPLES], part[BLOCKS] = {0}, degrees = fmax((double)data->count - curve->parameters - 1, 1);
	size_t blocks = data->count < BLOCKS ? data->count : BLOCKS;
	if (variance <= 0)
		return 1;
	find_direction(data, curve, d);
	for (size_t i = 0; i < data->count; i++)
		part[i * blocks / data->count] += d[i] * data->root[i] * (data->y[i] - models_value(data, curve, data->n[i]));
	double z = reach(part, blocks) / NORMAL_95;
	return fmax(z * z / variance * (double)data->count / degrees, 1);
}

void models_calm(struct models_data *data, const double *about)
{
	double off[MODELS_SAMPLES], sorted[MODELS_SAMPLES] = {0};
	size_t n = data->count;
	for (size_t i = 0; i < n; i++) {
		size_t at = i;
		off[i] = fabs(log(data->y[i] / fmin(fmax(about[i], data->y[i] / 100), data->y[i] * 100)));
		for (; at && sorted[at - 1] > off[i]; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = off[i];
	}
	/* 1.4826 times the median of normal errors is their standard deviation. */
	double far = FAR * fmax(1.4826 * (sorted[n / 2] + sorted[(n - 1) / 2]) / 2, LEAST_FAR);
	for (size_t i = 0; i < n; i++)
		if (off[i] > far)
			data->weight[i] *= far / off[i];
}
