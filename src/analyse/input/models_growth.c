/* SPDX-License-Identifier: MIT */
/* models_growth.c: which exponents the costs allow.
 *
 * Problem: over the two or three decades of sizes that a run has, n log n is as near to n^1.15 as noise lets one see, and
 * n^2 + 60 n is as near to n^1.8. An interval around the best exponent of one power law claims too much.
 * Idea: all curves compete: each model with a name, and n^c for all c, each alone, with an offset, and with a lower term.
 * The exponents that are allowed are those of all curves whose squares are not larger than the least by more than
 * Student's t allows (the profile of the likelihood), where each factor has a price and the unit of squares is the
 * variance, enlarged by resampling. A growing part that costs do not prove must be at least half of the cost at the
 * largest size: a tiny n^3 is neither claimed nor excluded. What `skein check` calls worse must hold with 99.9 %, against
 * curves that change their slope, too.
 * The factors below were set on half of the families of tests/unit/input/families.h. The other half checks them.
 * Cost: some two hundred curves of at most 128 points each. */
#include <math.h>
#include "analyse/input/models_data.h"

enum { GRID_STEPS = 44, VALLEYS = 3, SECTIONS = 16, HALVINGS = 9, SURVEY_STEPS = 14 };
#define LOWEST 0.1 /* exponents of power laws; below, they are log n */
#define FINE 0.1   /* steps up to FINE_TO, and then coarser ones */
#define FINE_TO 3.0
#define COARSE 0.2
#define SURVEY_STEP 0.25
#define LARGEST_2N 500 /* beyond it the square of 2^n is not a double, and no run would end */

#define PRICE 3.0        /* of a factor, in units of the variance */
#define CHANGE_PRICE 2.0 /* of a factor of a curve that changes its slope */
#define LEAST_SHARE 0.5
#define PROOF 16.0
#define NORMAL_95 1.959963985
#define NARROWED 0.7      /* factor on t^2: lower terms make the interval wider than 95 % needs */
#define NORMAL_CHECK 2.45 /* with the price of factors and changes of slope, one true claim in a thousand is refuted */
#define NO_ERROR 1e-3     /* costs are whole numbers: relative errors below this are not compared */
#define FEW_POINTS 16.0   /* with fewer points NO_ERROR is larger, since curves bend to fit them */
#define ALIKE 2e-3        /* relative errors of curves that differ by less are not compared, however many points there are */
#define ABOUT 1.5         /* of curves that leave at most this times the least squares, the slowest describes the costs */
#define TEN 10.0
#define LEAST_GROWTH_2N 64.0 /* of cost, from the least to that of the largest size */

/* Student's t, of which as many lie below as of a normal distribution below z. */
static double student(double z, double degrees)
{
	double z2 = z * z, d = fmax(degrees, 2);
	return z + z * (z2 + 1) / (4 * d) + z * (5 * z2 * z2 + 16 * z2 + 3) / (96 * d * d) +
		z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / (384 * d * d * d);
}

static double degrees_of(const struct models_data *data, const struct models_curve *c)
{
	return fmax((double)data->count - c->parameters - 1, 1);
}

/* A cost that has not doubled several times is not called exponential, however well 2^n fits its last sizes. */
static bool applies(const struct models_data *data, enum model m)
{
	double least = INFINITY;
	for (size_t i = 0; i < data->count; i++)
		least = fmin(least, data->y[i]);
	return m != MODEL_2N || (data->largest <= LARGEST_2N && data->y[data->count - 1] >= LEAST_GROWTH_2N * least);
}

/* ---- weights ---- */

/* Weights from a parabola through the logarithms: no model is preferred. */
static void weigh_by_logs(struct models_data *data)
{
	double s[5] = {0}, r[3] = {0}, about[MODELS_SAMPLES];
	for (size_t i = 0; i < data->count; i++) {
		double x = data->log_n[i], y = log(data->y[i]), p = data->weight[i];
		for (int k = 0; k < 5; k++, p *= x) {
			s[k] += p;
			if (k < 3)
				r[k] += p * y;
		}
	}
	double a = s[2] * s[4] - s[3] * s[3], b = s[2] * s[3] - s[1] * s[4], c = s[1] * s[3] - s[2] * s[2];
	double d = s[0] * s[4] - s[2] * s[2], e = s[1] * s[2] - s[0] * s[3], f = s[0] * s[2] - s[1] * s[1];
	double whole = s[0] * a + s[1] * b + s[2] * c;
	for (size_t i = 0; i < data->count; i++) {
		double x = data->log_n[i],
		       log_y = (a * r[0] + b * r[1] + c * r[2] + x * (b * r[0] + d * r[1] + e * r[2]) +
		                x * x * (c * r[0] + e * r[1] + f * r[2])) /
			whole;
		about[i] = fabs(whole) > 1e-12 ? exp(fmin(log_y, 700)) : data->y[i];
	}
	models_weigh(data, about);
}

static const struct models_terms free_of_charge = {0};

/* The curve with the least variance. */
static struct models_curve survey(const struct models_data *data)
{
	struct models_curve best = {.squares = INFINITY};
	double least = INFINITY;
	for (int i = 0; i <= (int)MODELS_NAMED + SURVEY_STEPS; i++) {
		bool is_named = i < (int)MODELS_NAMED;
		double step = i - (int)MODELS_NAMED;
		if (is_named && !applies(data, (enum model)i))
			continue;
		struct models_curve c = models_solve(data, is_named ? (enum model)i : MODEL_POWER,
		                                     step == 0 ? SURVEY_STEP / 2 : SURVEY_STEP * step, &free_of_charge);
		double variance = (c.squares + 1e-12) / degrees_of(data, &c);
		if (variance < least) {
			least = variance;
			best = c;
		}
	}
	return best;
}

static double mean_weight(const struct models_data *data)
{
	double weight = 0;
	for (size_t i = 0; i < data->count; i++)
		weight += data->weight[i] / (double)data->count;
	return weight;
}

static void weigh(struct models_data *data)
{
	double about[MODELS_SAMPLES];
	weigh_by_logs(data);
	struct models_curve best = survey(data);
	for (size_t i = 0; i < data->count; i++)
		about[i] = models_value(data, &best, data->n[i]);
	models_calm(data, about);
	models_weigh(data, about);
}

struct models_curve models_describe(struct models_data *data)
{
	struct models_curve curves[MODELS_NAMED];
	double least = INFINITY;
	enum model m;
	weigh_by_logs(data);
	for (m = MODEL_1; m < MODEL_2N; m++) {
		curves[m] = models_solve(data, m, 0, &free_of_charge);
		least = fmin(least, curves[m].squares);
	}
	double enough = ABOUT * least + (double)data->count * mean_weight(data) * ALIKE * ALIKE;
	for (m = MODEL_1; curves[m].squares > enough;)
		m++;
	return curves[m];
}

/* ---- power laws ---- */

struct search {
	const struct models_data *data;
	struct models_terms how;
};

static double exponent_at(int step)
{
	double fine = LOWEST + FINE * step;
	return fine <= FINE_TO + FINE / 2 ? fine : FINE_TO + COARSE * (step - (FINE_TO - LOWEST) / FINE);
}

static double at(const struct search *s, double exponent)
{
	struct models_curve curve = models_solve(s->data, MODEL_POWER, exponent, &s->how);
	return models_criterion(&curve, &s->how);
}

/* By golden sections. */
static struct models_curve deepest_near(const struct search *s, double exponent)
{
	const double golden = 0.6180339887498949;
	double low = fmax(exponent - FINE, LOWEST / 5), high = exponent + FINE;
	double l = high - golden * (high - low), h = low + golden * (high - low), at_l = at(s, l), at_h = at(s, h);
	for (int i = 0; i < SECTIONS; i++)
		if (at_l < at_h) {
			high = h, h = l, at_h = at_l;
			l = high - golden * (high - low);
			at_l = at(s, l);
		} else {
			low = l, l = h, at_l = at_h;
			h = low + golden * (high - low);
			at_h = at(s, h);
		}
	return models_solve(s->data, MODEL_POWER, (low + high) / 2, &s->how);
}

/* The best power law: lower terms come and go with the exponent, so there may be some valleys. */
static struct models_curve best_power(const struct search *s, const double *value)
{
	struct models_curve best = {.squares = INFINITY};
	int taken[VALLEYS];
	for (int v = 0; v < VALLEYS; v++) {
		taken[v] = -1;
		for (int i = 0; i <= GRID_STEPS; i++) {
			bool is_valley = (i == 0 || value[i] <= value[i - 1]) && (i == GRID_STEPS || value[i] < value[i + 1]);
			for (int k = 0; k < v; k++)
				is_valley &= i < taken[k] - 1 || i > taken[k] + 1;
			if (is_valley && (taken[v] < 0 || value[i] < value[taken[v]]))
				taken[v] = i;
		}
		if (taken[v] < 0)
			break;
		struct models_curve c = deepest_near(s, exponent_at(taken[v]));
		if (models_criterion(&c, &s->how) < models_criterion(&best, &s->how))
			best = c;
	}
	return best;
}

/* ---- what is allowed ---- */

struct range {
	double low, high;
};

static void include(struct range *r, double value)
{
	r->low = fmin(r->low, value);
	r->high = fmax(r->high, value);
}

/* From an exponent that is allowed towards one that is not. */
static double edge(const struct search *s, double inside, double outside, double limit)
{
	if (at(s, outside) <= limit)
		return outside;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (inside + outside) / 2;
		*(at(s, middle) <= limit ? &inside : &outside) = middle;
	}
	return inside;
}

/* The exponents of power laws up to a limit of the criterion; low is above high if there are none. */
static struct range allowed_powers(const struct search *s, const double *value, const struct models_curve *best, double limit)
{
	struct range r = {INFINITY, -INFINITY};
	if (models_criterion(best, &s->how) <= limit)
		include(&r, best->exponent);
	for (int i = 0; i <= GRID_STEPS; i++)
		if (value[i] <= limit)
			include(&r, exponent_at(i));
	if (r.low > r.high)
		return r;
	r.low = r.low > LOWEST ? edge(s, r.low, fmax(r.low - FINE, LOWEST / 5), limit) : r.low;
	r.high = r.high < exponent_at(GRID_STEPS) ? edge(s, r.high, r.high + FINE, limit) : INFINITY;
	return r;
}

static double ten_times(const struct models_data *data, const struct models_curve *c)
{
	return models_value(data, c, TEN * data->largest) / fmax(models_value(data, c, data->largest), 1e-9);
}

/* How much cost may grow at ten times the largest size. */
static void set_ten_times(const struct search *s, struct models_growth *g, const struct range *powers_of, double limit)
{
	struct range ten = {INFINITY, -INFINITY};
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++)
		if (models_criterion(&g->named[m], &s->how) <= limit)
			include(&ten, m == MODEL_2N ? INFINITY : ten_times(s->data, &g->named[m]));
	for (int end = 0; end < 2 && powers_of->low <= powers_of->high; end++) {
		struct models_curve c = models_solve(s->data, MODEL_POWER, fmin(end ? powers_of->high : powers_of->low, 9), &s->how);
		include(&ten, ten_times(s->data, &c));
	}
	g->ten_low = ten.low;
	g->ten_high = ten.high;
}

/* Whether some curve that grows no faster than a model is within a limit. Power laws count from n on: below, a power of
 * a twentieth is not told from a logarithm. */
static bool is_within(const struct models_growth *g, enum model m, double least_power, double limit)
{
	for (enum model k = MODEL_1; k <= m; k++)
		if (models_criterion(&g->named[k], &g->how) <= limit)
			return true;
	return m == MODEL_2N || (m >= MODEL_N && least_power <= models_power(m) + MODELS_TOLERANCE);
}

static bool is_flat(const struct models_data *data, const struct models_curve *c)
{
	return models_value(data, c, data->largest) <
		models_value(data, c, data->smallest) * pow(data->largest / data->smallest, MODELS_TOLERANCE);
}

static void refute(const struct models_data *data, const struct models_curve *best, double limit, struct models_growth *g)
{
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		int parameters;
		g->refuted[m] = !is_within(g, m, g->sure, limit) && (m > MODEL_1 || !is_flat(data, best));
		if (g->refuted[m]) {
			double squares = models_changed_squares(data, m, &parameters);
			g->refuted[m] = squares + CHANGE_PRICE * parameters * g->variance > limit;
		}
	}
}

void models_growth(struct models_data *data, struct models_growth *g)
{
	double value[GRID_STEPS + 1], least = INFINITY;
	struct search s = {.data = data};
	weigh(data);
	struct models_curve best = survey(data);
	if (best.model == MODEL_POWER) {
		struct models_curve fine = deepest_near(&s, best.exponent);
		best = fine.squares < best.squares ? fine : best;
	}
	double degrees = degrees_of(data, &best), enlarged = models_resample(data, &best, best.squares / degrees);
	double floor = NO_ERROR * fmax(1, pow(FEW_POINTS / (double)data->count, 2));
	g->squares = best.squares;
	g->variance = fmax(best.squares / degrees, mean_weight(data) * floor * floor) * enlarged;
	g->how = s.how = (struct models_terms){PRICE * g->variance, LEAST_SHARE, PROOF * g->variance};
	degrees /= enlarged;

	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		g->named[m] = applies(data, m) ? models_solve(data, m, 0, &s.how) : (struct models_curve){.model = m, .squares = INFINITY};
		least = fmin(least, models_criterion(&g->named[m], &s.how));
	}
	for (int i = 0; i <= GRID_STEPS; i++)
		value[i] = at(&s, exponent_at(i));
	g->power = best_power(&s, value);
	least = fmin(least, models_criterion(&g->power, &s.how));

	double t = student(NORMAL_95, degrees), t_check = student(NORMAL_CHECK, degrees);
	g->alike = (double)data->count * mean_weight(data) * ALIKE * ALIKE;
	double limit = least + fmax(NARROWED * t * t * g->variance, g->alike),
	       limit_check = least + fmax(t_check * t_check * g->variance, g->alike);
	struct range powers_of = allowed_powers(&s, value, &g->power, limit), all = powers_of;
	g->sure = allowed_powers(&s, value, &g->power, limit_check).low;
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		if (models_criterion(&g->named[m], &s.how) <= limit)
			include(&all, m == MODEL_2N ? INFINITY : models_power(m));
		g->allowed[m] = is_within(g, m, powers_of.low, limit);
	}
	g->low = all.low;
	g->high = all.high;
	set_ten_times(&s, g, &powers_of, limit);
	refute(data, &best, limit_check, g);
}
