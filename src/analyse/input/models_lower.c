/* SPDX-License-Identifier: MIT */
/* models_lower.c: a model and its next lower term.
 *
 * Problem: a merge sort costs b n log n + d n, and d n is not small before n is very large: no line through n log n
 * fits, and a power law with some exponent fits better, although n log n is the usual name.
 * Idea: a + b (f(n) + k g(n)), where g is the next lower term, is a line through one x again once k is known; k is
 * found by golden sections. f must be at least half of the sum at the largest size, of n log n a quarter, since log n
 * takes long to become large: else the lower term is the model.
 * Cost: some dozens of lines for each of four models. */
#include <math.h>
#include <string.h>
#include "analyse/input/models_data.h"

enum { SECTIONS = 30 };

enum model models_next_lower(enum model model)
{
	switch (model) {
	case MODEL_N_LOG:
	case MODEL_N2: return MODEL_N;
	case MODEL_N2_LOG:
	case MODEL_N3: return MODEL_N2;
	default: return MODEL_NONE;
	}
}

static void mix(const struct models_data *data, enum model model, double k, double *x)
{
	enum model lower = models_next_lower(model);
	double largest = models_f(model, data->largest) + k * models_f(lower, data->largest);
	for (size_t i = 0; i < data->count; i++)
		x[i] = (models_f(model, data->n[i]) + k * models_f(lower, data->n[i])) / largest;
}

static double squares_with(const struct models_data *data, enum model model, double k, struct models_mixed *to)
{
	to->model = model;
	to->k = k;
	mix(data, model, k, to->x);
	to->squares = models_relative(data, to->x, &to->line);
	return to->squares;
}

static void best_share(const struct models_data *data, enum model model, struct models_mixed *best)
{
	const double golden = 0.6180339887498949;
	double low = 0,
	       high = (model == MODEL_N_LOG ? 3 : 1) * models_f(model, data->largest) / models_f(models_next_lower(model), data->largest);
	for (int i = 0; i < SECTIONS; i++) {
		double l = high - golden * (high - low), h = low + golden * (high - low);
		if (squares_with(data, model, l, best) < squares_with(data, model, h, best))
			high = h;
		else
			low = l;
	}
	squares_with(data, model, (low + high) / 2, best);
}

void models_mix(const struct models_data *data, struct models_mixed *best)
{
	best->squares = INFINITY;
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		struct models_mixed mixed;
		if (models_next_lower(m) == MODEL_NONE)
			continue;
		best_share(data, m, &mixed);
		if (mixed.squares < best->squares)
			*best = mixed;
	}
}
