/* SPDX-License-Identifier: MIT */
/* models_change.c: where the slope of costs changes.
 *
 * Problem: a step, or another algorithm from some size on, bends a curve as a large exponent does: counting sort, whose
 * slope rises from 4.5 to 8 and then stays, looks like n log n.
 * Idea: the points are split at each size in turn, and each half has a curve of its own. A change is seen if the best
 * split leaves far smaller errors than the best curve for all points. And growth is beyond doubt only if it cannot be
 * explained by a change either.
 * Small sizes may also have costs that no curve describes, while large ones have: then the upper half counts.
 * Cost: sums up to each point make each split cost a few operations per kind of curve. */
#include <math.h>
#include "analyse/input/models_data.h"

enum { KINDS = 6, LEAST_SIDE = 4, LEAST_DOUBT = 3, LEAST_FOR_THREE = 6 };
#define MUCH_BETTER 5.0 /* a change that is seen divides the squares by at least this */
#define NEAR 0.015      /* a curve that is off by less needs no change */
#define CLEARLY 40.0    /* the least decrease of squares, in units of the variance */
#define NO_ERROR 1e-3   /* relative errors below this are not compared */
#define TOP_PART 0.4    /* the part above a change has at least this part of the range of log n */
#define THIRD_TERM 1.2  /* factor on the squares of a curve that has a third term */

#define FAR_OFF 0.1 /* relative error of curves that describe nothing */
#define CALMER 25.0 /* how much smaller squares per point are in the upper half, if the trouble is in the lower one */

static const double powers[KINDS] = {0.1, 0.5, 1, 1.2, 2, 3}; /* kinds of curves: a + b n^power, b not below 0 */

struct sums {
	double w, x, y, xx, xy, yy;
};

static void sum_up(const struct models_data *data, double power, struct sums *to)
{
	to[0] = (struct sums){0};
	for (size_t i = 0; i < data->count; i++) {
		double u = data->root[i] * data->root[i], x = exp(power * data->log_n[i]), y = data->y[i];
		const struct sums *s = &to[i];
		to[i + 1] = (struct sums){s->w + u, s->x + u * x, s->y + u * y, s->xx + u * x * x, s->xy + u * x * y, s->yy + u * y * y};
	}
}

/* Squares that the line through points between two sums leaves. */
static double left(const struct sums *from, const struct sums *to)
{
	double w = to->w - from->w, x = to->x - from->x, y = to->y - from->y, all = to->xx - from->xx;
	double xx = all - x * x / w, xy = to->xy - from->xy - x * y / w, yy = to->yy - from->yy - y * y / w;
	return fmax(xx > 1e-12 * all && xy > 0 ? yy - xy * xy / xx : yy, 0);
}

/* The same for up to three terms: 1, a model and n. */
struct products {
	double g[3][3], r[3], zz;
};

static void multiply(const struct models_data *data, enum model model, struct products *to)
{
	double largest = models_f(model, data->largest);
	to[0] = (struct products){0};
	for (size_t i = 0; i < data->count; i++) {
		const double x[3] = {data->root[i], data->root[i] * models_f(model, data->n[i]) / largest, data->term[TERM_N][i]};
		to[i + 1] = to[i];
		to[i + 1].zz += data->z[i] * data->z[i];
		for (int a = 0; a < 3; a++) {
			to[i + 1].r[a] += x[a] * data->z[i];
			for (int b = 0; b < 3; b++)
				to[i + 1].g[a][b] += x[a] * x[b];
		}
	}
}

/* By elimination: each term takes its part of the squares away. A third term that is negative may be ruled out: n log n
 * - k n would bend as n^2 does. */
static double left_by_terms(const struct products *from, const struct products *to, int terms, bool may_be_negative)
{
	double m[3][4], squares = to->zz - from->zz;
	for (int i = 0; i < terms; i++) {
		for (int j = 0; j < terms; j++)
			m[i][j] = to->g[i][j] - from->g[i][j];
		m[i][3] = to->r[i] - from->r[i];
	}
	for (int i = 0; i < terms; i++) {
		if (m[i][i] <= 1e-9 * (to->g[i][i] - from->g[i][i]) || (i == 2 && m[i][3] < 0 && !may_be_negative))
			continue;
		squares -= m[i][3] * m[i][3] / m[i][i];
		for (int r = i + 1; r < terms; r++) {
			double f = m[r][i] / m[i][i];
			for (int j = i; j < 4; j++)
				m[r][j] -= f * m[i][j];
		}
	}
	return fmax(squares, 0);
}

struct halves {
	struct sums sums[KINDS][MODELS_SAMPLES + 1];
	struct products products[MODELS_SAMPLES + 1];
	size_t count;
};

static void set_halves(const struct models_data *data, enum model above, struct halves *h)
{
	h->count = data->count;
	multiply(data, above, h->products);
	for (int k = 0; k < KINDS; k++)
		sum_up(data, powers[k], h->sums[k]);
}

static double left_between(const struct halves *h, size_t from, size_t to)
{
	double least = INFINITY;
	for (int k = 0; k < KINDS; k++)
		least = fmin(least, left(&h->sums[k][from], &h->sums[k][to]));
	return least;
}

double models_changed_squares(const struct models_data *data, enum model above, int *parameters)
{
	struct halves h;
	double least = INFINITY;
	int terms = above == MODEL_1 ? 1 : above <= MODEL_N ? 2 : 3;
	*parameters = terms + 3; /* two below the change, and where it is */
	set_halves(data, above, &h);
	for (size_t i = LEAST_DOUBT; i + LEAST_DOUBT < h.count && data->log_n[i] < TOP_PART * data->log_n[0]; i++)
		least = fmin(least, left_between(&h, 0, i) + left_by_terms(&h.products[i], &h.products[h.count], terms, above == MODEL_N2));
	return least;
}

size_t models_change(const struct models_data *data, double squares)
{
	struct halves h;
	double least = INFINITY, weight = 0, degrees = fmax((double)data->count - 7, 1);
	size_t best = 0;
	set_halves(data, MODEL_N2, &h);
	for (size_t i = LEAST_SIDE; i + LEAST_SIDE <= h.count; i++) {
		double above = left_between(&h, i, h.count);
		if (h.count - i >= LEAST_FOR_THREE)
			above = fmin(above, THIRD_TERM * left_by_terms(&h.products[i], &h.products[h.count], 3, true));
		double both = left_between(&h, 0, i) + above;
		if (both < least) {
			least = both;
			best = i;
		}
	}
	for (size_t i = 0; i < data->count; i++)
		weight += data->weight[i];
	double variance = fmax(least / degrees, NO_ERROR * NO_ERROR * weight / (double)data->count);
	bool is_seen = squares > NEAR * NEAR * weight && squares > MUCH_BETTER * least &&
		squares - least > CLEARLY * (1 + 10 / degrees) * variance;
	return is_seen ? best : 0;
}

size_t models_calm_part(const struct models_data *data, double squares)
{
	struct halves h;
	double below = 0, above = 0;
	size_t from = 0;
	while (from < data->count && data->log_n[from] < data->log_n[0] / 2)
		from++;
	if (from == 0 || data->count - from < LEAST_FOR_THREE)
		return 0;
	for (size_t i = 0; i < data->count; i++)
		*(i < from ? &below : &above) += data->weight[i];
	set_halves(data, MODEL_N_LOG, &h);
	double left = fmin(left_between(&h, from, h.count), left_by_terms(&h.products[from], &h.products[h.count], 3, false));
	double all = squares / (below + above);
	return all > FAR_OFF * FAR_OFF && all > CALMER * left / above ? from : 0;
}
