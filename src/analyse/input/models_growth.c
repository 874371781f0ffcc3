/* SPDX-License-Identifier: MIT */
/* models_growth.c: lines through f(n), and how sure an exponent is.
 *
 * Problem: errors are relative, so weights depend on the unknown line. An exponent c of a + b n^c trades against a:
 * an interval from the curvature at the best c is too narrow where the range of sizes is narrow.
 * Idea: the line is solved for, its values become the weights, some times over. For the interval a and b are solved for
 * at each exponent; the interval has all exponents whose squares are not larger than the least by more than Student's
 * t allows (the profile of the likelihood).
 * Cost: some hundred solutions of two by two, in at most 128 points each. */
#include <math.h>
#include "analyse/input/models_data.h"

enum { REWEIGH = 4, GOLDEN = 24, BISECT = 20 };
#define GRID 0.25
#define LEAST_ERROR 0.005 /* counted costs have no noise, but lower-order terms: no exponent is surer than this */

double models_f(enum model model, double n)
{
	switch (model) {
	case MODEL_LOG: return log2(n);
	case MODEL_N: return n;
	case MODEL_N_LOG: return n * log2(n);
	case MODEL_N2: return n * n;
	case MODEL_N2_LOG: return n * n * log2(n);
	case MODEL_N3: return n * n * n;
	case MODEL_2N: return exp2(n);
	default: return 1;
	}
}

double models_power(enum model model)
{
	return model >= MODEL_N3 ? 3 : model >= MODEL_N2 ? 2 : model >= MODEL_N ? 1 : 0;
}

void models_grow(const struct models_data *data, enum model base, double d, double *x)
{
	bool has_log = base == MODEL_LOG || base == MODEL_N_LOG || base == MODEL_N2_LOG;
	double power = models_power(base) + d, log_largest = log(data->largest);
	for (size_t i = 0; i < data->count; i++)
		if (base == MODEL_1)
			x[i] = fabs(d) < 1e-6 ? data->log_n[i] : expm1(d * data->log_n[i]) / d;
		else
			x[i] = exp(power * data->log_n[i]) * (has_log ? 1 + data->log_n[i] / log_largest : 1);
}

double models_solve(const struct models_data *data, const double *x, const double *u, struct models_line *line)
{
	double w = 0, mx = 0, my = 0, xx = 0, xy = 0, squares = 0;
	for (size_t i = 0; i < data->count; i++) {
		w += u[i];
		mx += u[i] * x[i];
		my += u[i] * data->y[i];
	}
	mx /= w;
	my /= w;
	for (size_t i = 0; i < data->count; i++) {
		xx += u[i] * (x[i] - mx) * (x[i] - mx);
		xy += u[i] * (x[i] - mx) * (data->y[i] - my);
	}
	line->b = xx > 0 && xy > 0 ? xy / xx : 0;
	line->a = my - line->b * mx;
	for (size_t i = 0; i < data->count; i++) {
		double e = data->y[i] - line->a - line->b * x[i];
		squares += u[i] * e * e;
	}
	return squares;
}

/* A line may come near 0 or below it where costs are small: then it is taken to be off by a factor. */
static double value_of(const struct models_line *line, double x, double y, double factor)
{
	double value = line->a + line->b * x;
	return value < y / factor ? y / factor : value > y * factor ? y * factor : value;
}

void models_weigh(const struct models_data *data, const double *x, const struct models_line *line, double *u)
{
	for (size_t i = 0; i < data->count; i++) {
		double value = value_of(line, x[i], data->y[i], 4);
		u[i] = data->weight[i] / (value * value);
	}
}

double models_relative(const struct models_data *data, const double *x, struct models_line *line)
{
	double u[MODELS_SAMPLES], squares = 0, weight = 0;
	for (size_t i = 0; i < data->count; i++)
		u[i] = data->weight[i] / (data->y[i] * data->y[i]);
	for (int round = 0; round < REWEIGH; round++) {
		models_solve(data, x, u, line);
		models_weigh(data, x, line, u);
	}
	for (size_t i = 0; i < data->count; i++) {
		double e = log(data->y[i] / value_of(line, x[i], data->y[i], 100));
		squares += data->weight[i] * e * e;
		weight += data->weight[i];
	}
	return squares / weight;
}

static double squares_at(const struct models_data *data, enum model base, const double *u, double d)
{
	double x[MODELS_SAMPLES];
	struct models_line line;
	models_grow(data, base, d, x);
	return models_solve(data, x, u, &line);
}

/* By a grid, since there may be more than one valley, and golden sections in the deepest. */
double models_best_growth(const struct models_data *data, enum model base, const double *u)
{
	const double golden = 0.6180339887498949;
	double best = MODELS_D_LOW, least = INFINITY;
	for (double d = MODELS_D_LOW; d <= MODELS_D_HIGH; d += GRID) {
		double squares = squares_at(data, base, u, d);
		if (squares < least) {
			least = squares;
			best = d;
		}
	}
	double low = best - GRID, high = best + GRID;
	double l = high - golden * (high - low), h = low + golden * (high - low);
	double at_l = squares_at(data, base, u, l), at_h = squares_at(data, base, u, h);
	for (int i = 0; i < GOLDEN; i++)
		if (at_l < at_h) {
			high = h, h = l, at_h = at_l;
			l = high - golden * (high - low);
			at_l = squares_at(data, base, u, l);
		} else {
			low = l, l = h, at_l = at_h;
			h = low + golden * (high - low);
			at_h = squares_at(data, base, u, h);
		}
	return (low + high) / 2;
}

/* Student's t, of which 97.5 % lie below. */
static double student(double degrees)
{
	const double z = 1.959963985, z2 = z * z;
	return z + z * (z2 + 1) / (4 * degrees) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * degrees * degrees) +
		z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * degrees * degrees * degrees);
}

/* From the best d in one direction to where the squares are too large. */
static double edge(const struct models_data *data, enum model base, const double *u, double best, double end, double too_large)
{
	double step = end > best ? 0.01 : -0.01, inside = best, outside = best + step;
	while (squares_at(data, base, u, outside) <= too_large) {
		inside = outside;
		step *= 2;
		outside += step;
		if ((end - outside) * step <= 0)
			return end;
	}
	for (int i = 0; i < BISECT; i++) {
		double middle = (inside + outside) / 2;
		*(squares_at(data, base, u, middle) <= too_large ? &inside : &outside) = middle;
	}
	return inside;
}

struct models_interval models_interval(const struct models_data *data, enum model base, const double *u)
{
	double degrees = models_independent(data) - 3, weight = 0, t = student(degrees);
	struct models_interval in = {.best = models_best_growth(data, base, u)};
	double least = squares_at(data, base, u, in.best);
	for (size_t i = 0; i < data->count; i++)
		weight += data->weight[i] / (double)data->count;
	double variance = fmax(least / degrees, weight * LEAST_ERROR * LEAST_ERROR);
	in.low = edge(data, base, u, in.best, MODELS_D_LOW, least + t * t * variance);
	in.high = edge(data, base, u, in.best, MODELS_D_HIGH, least + t * t * variance);
	return in;
}

struct models_interval models_slope(const struct models_data *data)
{
	double w = 0, mx = 0, my = 0, xx = 0, xy = 0, squares = 0;
	for (size_t i = 0; i < data->count; i++) {
		w += data->weight[i];
		mx += data->weight[i] * data->log_n[i];
		my += data->weight[i] * log(data->y[i]);
	}
	mx /= w;
	my /= w;
	for (size_t i = 0; i < data->count; i++) {
		xx += data->weight[i] * (data->log_n[i] - mx) * (data->log_n[i] - mx);
		xy += data->weight[i] * (data->log_n[i] - mx) * (log(data->y[i]) - my);
	}
	double slope = xy / xx;
	for (size_t i = 0; i < data->count; i++) {
		double e = log(data->y[i]) - my - slope * (data->log_n[i] - mx);
		squares += data->weight[i] * e * e;
	}
	double degrees = models_independent(data) - 2,
	       variance = fmax(squares / degrees, w / (double)data->count * LEAST_ERROR * LEAST_ERROR);
	double width = student(degrees) * sqrt(variance / xx);
	return (struct models_interval){slope, slope - width, slope + width};
}
