/* SPDX-License-Identifier: MIT */
/* models_solve.c: curves through costs, by least squares of relative errors.
 *
 * Problem: costs have lower-order terms, n^2 + 60 n or n log n - n + 1, which bend any curve of one term.
 * Idea: a curve has a leading term, an offset and at most one lower term. All products of terms that do not depend on
 * the exponent are summed up once, so a curve costs one pass over the points and some solutions of two or three
 * equations. Factors are not negative, but an offset or a lower term may take away a part of the leading term at the
 * smallest size, as in n (n - 1) / 2.
 * Cost: about 15 operations per point. */
#include <math.h>
#include <string.h>
#include "analyse/input/models_data.h"

/* Parts of the leading term at the smallest size that other terms may take away. */
#define OFFSET_TAKES 0.9
#define OFFSET_TAKES_BESIDE 0.3 /* beside a lower term */
#define OFFSET_TAKES_LOWER 0.6  /* of a lower term */
#define LOWER_TAKES 0.6
#define LOWER_TAKES_ABOVE 2.0 /* above a change growth may begin there: (n - 300)^2 */
#define FEW_HAVE 0.25         /* a term hangs on few sizes if the next one has at most this part of it */
enum { FEW = 2, FEW_OF = 6 }; /* few are two, or a sixth */
#define POWER_OF_2N 9.0       /* steeper than any power law that is tried */

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

static bool has_log(enum model model)
{
	return model == MODEL_LOG || model == MODEL_N_LOG || model == MODEL_N2_LOG;
}

static double term_at(const struct models_data *data, enum models_term term, double n)
{
	double s = n / data->largest, logs = log(n) / log(data->largest);
	switch (term) {
	case TERM_LOG: return logs;
	case TERM_N: return s;
	case TERM_N_LOG: return s * logs;
	case TERM_N2: return s * s;
	case TERM_SHRINK: return data->smallest / n;
	default: return 1;
	}
}

static double power_of(enum model model, double exponent)
{
	return model == MODEL_POWER ? exponent : model == MODEL_2N ? POWER_OF_2N : models_power(model);
}

static double leading_at(const struct models_data *data, enum model model, double exponent, double n)
{
	if (model == MODEL_2N)
		return exp2(n - data->largest);
	return exp(power_of(model, exponent) * log(n / data->largest)) * (has_log(model) ? log(n) / log(data->largest) : 1);
}

double models_value(const struct models_data *data, const struct models_curve *curve, double n)
{
	double lead = curve->model == MODEL_1 ? 0 : curve->lead * leading_at(data, curve->model, curve->exponent, n);
	return lead + curve->offset + (curve->lower == TERM_1 ? 0 : curve->k * term_at(data, curve->lower, n));
}

void models_weigh(struct models_data *data, const double *about)
{
	memset(data->terms_terms, 0, sizeof data->terms_terms);
	memset(data->terms_z, 0, sizeof data->terms_z);
	data->z_z = 0;
	for (size_t i = 0; i < data->count; i++) {
		double value = fmin(fmax(about[i], data->y[i] / 4), data->y[i] * 4);
		data->root[i] = sqrt(data->weight[i]) / value;
		data->z[i] = data->root[i] * data->y[i];
		data->z_z += data->z[i] * data->z[i];
		for (int t = 0; t < TERMS; t++)
			data->term[t][i] = data->root[i] * term_at(data, t, data->n[i]);
		for (int t = 0; t < TERMS; t++) {
			data->terms_z[t] += data->term[t][i] * data->z[i];
			for (int s = 0; s <= t; s++)
				data->terms_terms[t][s] += data->term[t][i] * data->term[s][i];
		}
	}
	for (int t = 0; t < TERMS; t++)
		for (int s = t + 1; s < TERMS; s++)
			data->terms_terms[t][s] = data->terms_terms[s][t];
	data->top = about[data->count - 1];
	size_t few = data->count / FEW_OF > FEW ? data->count / FEW_OF : FEW;
	/* Sizes that are too few tell no growth. */
	data->steepest = few < data->count ? log(FEW_HAVE) / data->log_n[data->count - 1 - few] : 0;
}

/* ---- three equations ---- */

struct system {
	double g[3][3], r[3], zz; /* products of terms, products with costs */
};

static double squares_of(const struct system *s, const double *v)
{
	double squares = s->zz;
	for (int i = 0; i < 3; i++) {
		squares -= 2 * v[i] * s->r[i];
		for (int j = 0; j < 3; j++)
			squares += v[i] * v[j] * s->g[i][j];
	}
	return fmax(squares, 0);
}

/* Solves for the terms in mask, by elimination; false: they are not independent. */
static bool solve(const struct system *s, unsigned mask, double *v)
{
	int at[3], count = 0;
	double m[3][4];
	for (int i = 0; i < 3; i++) {
		v[i] = 0;
		if (mask >> i & 1)
			at[count++] = i;
	}
	for (int i = 0; i < count; i++) {
		for (int j = 0; j < count; j++)
			m[i][j] = s->g[at[i]][at[j]];
		m[i][3] = s->r[at[i]];
	}
	for (int i = 0; i < count; i++) {
		if (m[i][i] <= 1e-11 * s->g[at[i]][at[i]])
			return false;
		for (int r = i + 1; r < count; r++) {
			double f = m[r][i] / m[i][i];
			for (int j = i; j < count; j++)
				m[r][j] -= f * m[i][j];
			m[r][3] -= f * m[i][3];
		}
	}
	for (int i = count; i-- > 0;) {
		double value = m[i][3];
		for (int j = i + 1; j < count; j++)
			value -= m[i][j] * v[at[j]];
		v[at[i]] = value / m[i][i];
	}
	return true;
}

/* The best factors of the terms in mask that are not negative. Where the best of all are not, no choice of fewer terms is better. */
static double best_of(const struct system *s, unsigned mask, double *v)
{
	double least = INFINITY;
	for (unsigned sub = mask + 1; sub--;) {
		double w[3];
		if ((sub & ~mask) || !solve(s, sub, w) || w[0] < 0 || w[1] < 0 || w[2] < 0)
			continue;
		double squares = squares_of(s, w);
		if (squares < least) {
			least = squares;
			memcpy(v, w, sizeof w);
		}
		if (sub == mask)
			break;
	}
	return least;
}

/* The same, but the factor of the first term is given. */
static double best_beside(const struct system *s, unsigned mask, double lead, double *v)
{
	struct system rest = *s;
	rest.zz += lead * lead * s->g[0][0] - 2 * lead * s->r[0];
	for (int i = 1; i < 3; i++)
		rest.r[i] -= lead * s->g[0][i];
	double squares = best_of(&rest, mask & ~1u, v);
	v[0] = lead;
	return squares;
}

/* ---- a leading term ---- */

double models_criterion(const struct models_curve *curve, const struct models_terms *how)
{
	return curve->squares + how->price * curve->parameters;
}

struct leading {
	double x_x, x_z, x_terms[TERMS]; /* products */
	double at_smallest;
};

static void set_leading(const struct models_data *data, enum model model, double exponent, struct leading *lead)
{
	*lead = (struct leading){.at_smallest = leading_at(data, model, exponent, data->smallest)};
	double power = power_of(model, exponent), log_largest = log(data->largest);
	for (size_t i = 0; i < data->count; i++) {
		double x = model == MODEL_2N ? exp2(data->n[i] - data->largest) : exp(power * data->log_n[i]);
		x *= data->root[i] * (has_log(model) ? 1 + data->log_n[i] / log_largest : 1);
		lead->x_x += x * x;
		lead->x_z += x * data->z[i];
		for (int t = 0; t < TERM_SHRINK; t++)
			lead->x_terms[t] += x * data->term[t][i];
	}
}

/* One choice of the lower term. */
static struct models_curve curve_of(const struct models_data *data, const struct leading *lead, double power, enum models_term lower,
                                    const struct models_terms *how)
{
	bool has_lower = lower != TERM_1;
	double takes = (has_lower ? OFFSET_TAKES_BESIDE : OFFSET_TAKES) * lead->at_smallest;
	double takes_lower = has_lower
		? (data->is_above_change ? LOWER_TAKES_ABOVE : LOWER_TAKES) * lead->at_smallest / term_at(data, lower, data->smallest)
		: 0;
	if (!isfinite(takes_lower))
		takes_lower = 0;
	struct system s = {.zz = data->z_z};
	double g01 = lead->x_terms[TERM_1], g11 = data->terms_terms[TERM_1][TERM_1], r1 = data->terms_z[TERM_1];
	double g02 = 0, g12 = 0, g22 = 1, r2 = 0, shift = 0;
	if (has_lower) { /* the lower term without a part of what it has at the smallest size */
		shift = OFFSET_TAKES_LOWER * term_at(data, lower, data->smallest);
		g02 = lead->x_terms[lower] - shift * g01;
		g12 = data->terms_terms[TERM_1][lower] - shift * g11;
		g22 = data->terms_terms[lower][lower] - 2 * shift * data->terms_terms[TERM_1][lower] + shift * shift * g11;
		r2 = data->terms_z[lower] - shift * r1;
	}
	s.g[0][0] = lead->x_x - 2 * takes * g01 - 2 * takes_lower * g02 + takes * takes * g11 + 2 * takes * takes_lower * g12 +
		takes_lower * takes_lower * g22;
	s.g[0][1] = s.g[1][0] = g01 - takes * g11 - takes_lower * g12;
	s.g[0][2] = s.g[2][0] = g02 - takes * g12 - takes_lower * g22;
	s.g[1][1] = g11;
	s.g[1][2] = s.g[2][1] = g12;
	s.g[2][2] = g22;
	s.r[0] = lead->x_z - takes * r1 - takes_lower * r2;
	s.r[1] = r1;
	s.r[2] = r2;
	double v[3] = {0}, none[3] = {0};
	unsigned mask = has_lower ? 7 : 3;
	struct models_curve c = {.lower = lower, .parameters = has_lower ? 3 : 2};
	c.squares = best_of(&s, mask, v);
	if (v[0] < how->least_share * data->top && best_of(&s, mask & ~1u, none) - c.squares < how->proof)
		c.squares = power > data->steepest ? INFINITY : best_beside(&s, mask, how->least_share * data->top, v);
	c.lead = v[0];
	c.k = v[2] - takes_lower * v[0];
	c.offset = v[1] - takes * v[0] - shift * c.k;
	return c;
}

static struct models_curve constant(const struct models_data *data, const struct models_terms *how)
{
	struct models_curve c = {.model = MODEL_1, .lower = TERM_1, .parameters = 1},
			    shrinks = {.model = MODEL_1, .lower = TERM_SHRINK, .parameters = 2};
	struct system s = {.zz = data->z_z, .g = {{1, 0, 0}}};
	s.g[1][1] = data->terms_terms[TERM_1][TERM_1];
	s.g[2][2] = data->terms_terms[TERM_SHRINK][TERM_SHRINK];
	s.g[1][2] = s.g[2][1] = data->terms_terms[TERM_1][TERM_SHRINK];
	s.r[1] = data->terms_z[TERM_1];
	s.r[2] = data->terms_z[TERM_SHRINK];
	double v[3] = {0};
	c.squares = best_of(&s, 2, v);
	c.offset = v[1];
	shrinks.squares = best_of(&s, 6, v);
	shrinks.offset = v[1];
	shrinks.k = v[2];
	return models_criterion(&shrinks, how) < models_criterion(&c, how) ? shrinks : c;
}

/* Lower terms that make sense below a leading term. */
static bool is_lower(enum models_term term, enum model model, double exponent)
{
	double power = power_of(model, exponent) + (has_log(model) ? 0.3 : 0);
	switch (term) {
	case TERM_1: return true;
	case TERM_LOG: return power >= 0.5 && power <= 1.2;
	case TERM_N: return power >= 1.2;
	case TERM_N_LOG: return power >= 1.7 && power <= 3;
	case TERM_N2: return power >= 2.2;
	default: return false;
	}
}

struct models_curve models_solve(const struct models_data *data, enum model model, double exponent, const struct models_terms *how)
{
	struct models_curve best = {.squares = INFINITY};
	struct leading lead;
	if (model == MODEL_1)
		return constant(data, how);
	set_leading(data, model, exponent, &lead);
	for (enum models_term term = TERM_1; term < TERM_SHRINK; term++) {
		if (!is_lower(term, model, exponent))
			continue;
		struct models_curve c = curve_of(data, &lead, power_of(model, exponent), term, how);
		if (models_criterion(&c, how) < models_criterion(&best, how))
			best = c;
	}
	best.model = model;
	best.exponent = model == MODEL_POWER ? exponent : models_power(model);
	return best;
}
