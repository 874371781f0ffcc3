/* SPDX-License-Identifier: MIT */
/* models_data.h: costs ready to be fitted, and the two halves of fitting: a line through f(n), and how sure an exponent
 * is. For models*.c only. */
#ifndef SKEIN_MODELS_DATA_H
#define SKEIN_MODELS_DATA_H

#include "analyse/input/models.h"

#define MODELS_SAMPLES 128 /* more points than this are merged, by equal steps of log n */

struct models_data {
	size_t count;
	double largest; /* size */
	double n[MODELS_SAMPLES];
	double log_n[MODELS_SAMPLES]; /* log(n / largest) */
	double y[MODELS_SAMPLES];     /* cost, above 0 */
	double weight[MODELS_SAMPLES];
};

/* Where no model is right, costs of neighbouring sizes err in the same direction. However many points there are, at
 * most this many count as independent. */
#define MODELS_INDEPENDENT 24.0
static inline double models_independent(const struct models_data *data)
{
	return data->count < MODELS_INDEPENDENT ? (double)data->count : MODELS_INDEPENDENT;
}

struct models_line {
	double a, b; /* y = a + b x */
};

double models_f(enum model model, double n); /* of a model with a name; log is to the base of 2 */

/* x of n^d times a model with a name up to n^3, scaled to 1 at the largest size; of n^d alone (n^d - 1) / d, which is
 * log n at d = 0. */
void models_grow(const struct models_data *data, enum model base, double d, double *x);

/* Least squares with weights u. b is not below 0. Returns the sum of weighted squares. */
double models_solve(const struct models_data *data, const double *x, const double *u, struct models_line *line);

/* The same least squares, with weights that make errors relative to the line. Returns the mean of squared log(y /
 * line). */
double models_relative(const struct models_data *data, const double *x, struct models_line *line);
void models_weigh(const struct models_data *data, const double *x, const struct models_line *line, double *u);

/* The d for which a + b n^d times the base fits best, with weights u, and its 95 % confidence interval. */
struct models_interval {
	double best, low, high;
};
struct models_interval models_interval(const struct models_data *data, enum model base, const double *u);
struct models_interval models_slope(const struct models_data *data); /* slope of log y by log n */

/* models_lower.c: a + b (f(n) + k g(n)), where g is the next lower term of a model with one; of all such models the one that fits best. */
struct models_mixed {
	enum model model;
	double k;
	struct models_line line;
	double squares;
	double x[MODELS_SAMPLES];
};
void models_mix(const struct models_data *data, struct models_mixed *best);
enum model models_next_lower(enum model model); /* MODEL_NONE: the model has no lower term */

#define MODELS_D_LOW (-2.0) /* the range in which d is searched */
#define MODELS_D_HIGH 8.0
double models_best_growth(const struct models_data *data, enum model base, const double *u);

#endif
