/* SPDX-License-Identifier: MIT */
/* models.c: chooses the model of a routine's growth.
 *
 * Problem: over the two or three decades of sizes that a run has, n and n log n differ by little, noise and lower-order
 * terms are of the same size, and with enough parameters everything fits.
 * Idea: models_growth.c says which exponents the costs allow. Of the curves with a name the best is named, if it is not
 * clearly worse than a power law. If very different exponents are allowed none is named. If the slope changes only what
 * lies above the change counts. */
#include "analyse/input/models.h"
#include <ctype.h>
#include <math.h>
#include <string.h>
#include "analyse/input/models_data.h"
#include "base/number.h"

#define NAMELESS 8.0                /* what a power law must be better by than curves with a name, in units of the variance */
#define RARE 4.0                    /* what n^2 log n must be better by: few programs cost that, and n^2 + k n is near */
#define BEFORE_OFF 0.15             /* relative error above which the curve below a change says nothing */
#define FLAT 0.3                    /* what may be constant is called so if its exponent is at most this */
enum { STEPS = 6, FULL_STEPS = 4 }; /* equal steps of log n over the range, and how many of them must have sizes */
enum { LEAST_ABOVE = 6 };           /* least number of sizes that count, also above a change */
#define RANGE_LEFT 8.0              /* least range without sizes that do not count */
#define RANGE_ABOVE 5.0             /* least range above a change */
enum { ALONE = 2 };                 /* number of smallest sizes that may be far from all others */
#define GAP 0.4                     /* part of the range that makes sizes far: they do not count */
enum { TOP_OF = 12 };               /* growth must show without the largest of this many sizes */
#define LEAST_COST 0.5              /* a cost of 0 has no logarithm */

static const char *const names[] = {[MODEL_1] = "1",           [MODEL_LOG] = "log n", [MODEL_N] = "n",
                                    [MODEL_N_LOG] = "n log n", [MODEL_N2] = "n^2",    [MODEL_N2_LOG] = "n^2 log n",
                                    [MODEL_N3] = "n^3",        [MODEL_2N] = "2^n",    [MODEL_POWER] = "power law",
                                    [MODEL_NONE] = "none"};

const char *models_name(enum model model)
{
	return names[model];
}

/* Copies text without spaces, signs of multiplication, parentheses and the O. */
static void strip(const char *text, char *into, size_t room)
{
	size_t used = 0;
	while (isspace((unsigned char)*text))
		text++;
	text += *text == 'O' || *text == 'o';
	for (; *text && used + 1 < room; text++)
		if (!isspace((unsigned char)*text) && !strchr("*()", *text))
			into[used++] = (char)tolower((unsigned char)*text);
	into[used] = '\0';
}

bool models_parse(const char *text, enum model *model)
{
	char wanted[32], name[32];
	strip(text, wanted, sizeof wanted);
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++) {
		strip(names[m], name, sizeof name);
		if (!strcmp(wanted, name)) {
			*model = m;
			return true;
		}
	}
	return false;
}

/* ---- points ---- */

static void find_range(const struct models_point *points, size_t count, struct models_fit *fit)
{
	for (size_t i = 0; i < count; i++) {
		double n = points[i].size;
		if (n <= 0 || !points[i].calls)
			continue;
		fit->smallest = !fit->sizes || n < fit->smallest ? n : fit->smallest;
		fit->largest = n > fit->largest ? n : fit->largest;
		fit->sizes++;
	}
}

static void swap(double *list, size_t i, size_t j)
{
	double kept = list[i];
	list[i] = list[j];
	list[j] = kept;
}

/* Mostly they are sorted already. */
static void sort(struct models_data *data)
{
	for (size_t i = 1; i < data->count; i++)
		for (size_t j = i; j && data->n[j] < data->n[j - 1]; j--) {
			swap(data->n, j, j - 1);
			swap(data->log_n, j, j - 1);
			swap(data->y, j, j - 1);
			swap(data->weight, j, j - 1);
		}
}

/* The points by size; if they are too many, those of each step of log n are merged. */
static void gather(const struct models_point *points, size_t count, enum models_cost cost, const struct models_fit *fit,
                   struct models_data *data)
{
	double calls[MODELS_SAMPLES] = {0}, sizes[MODELS_SAMPLES] = {0}, costs[MODELS_SAMPLES] = {0};
	double steps = MODELS_SAMPLES / (log(fit->largest / fit->smallest) * (1 + 1e-9));
	size_t next = 0;
	for (size_t i = 0; i < count; i++) {
		const struct models_point *p = &points[i];
		if (p->size <= 0 || !p->calls)
			continue;
		size_t to = fit->sizes <= MODELS_SAMPLES
			? next++
			: (size_t)number_within(log(p->size / fit->smallest) * steps, 0, MODELS_SAMPLES - 1);
		calls[to] += (double)p->calls;
		sizes[to] += p->size * (double)p->calls;
		costs[to] = cost == MODELS_MEAN ? costs[to] + p->cost_sum : fmax(costs[to], p->cost_max);
	}
	*data = (struct models_data){.largest = fit->largest};
	for (size_t i = 0; i < MODELS_SAMPLES; i++) {
		if (calls[i] <= 0)
			continue;
		double y = cost == MODELS_MEAN ? costs[i] / calls[i] : costs[i];
		data->n[data->count] = sizes[i] / calls[i];
		data->log_n[data->count] = log(data->n[data->count] / fit->largest);
		data->y[data->count] = y < LEAST_COST ? LEAST_COST : y;
		data->weight[data->count++] = calls[i] / (calls[i] + 1);
	}
	sort(data);
	data->smallest = data->n[0];
}

/* Keeps the points from one to, not including, another. */
static void keep(struct models_data *data, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		data->n[i - from] = data->n[i];
		data->y[i - from] = data->y[i];
		data->weight[i - from] = data->weight[i];
	}
	data->count = to - from;
	data->smallest = data->n[0];
	data->largest = data->n[data->count - 1];
	for (size_t i = 0; i < data->count; i++)
		data->log_n[i] = log(data->n[i] / data->largest);
}

/* Leaves out sizes that are far from all others: the whole curve would hang on them. Returns whether the others are
 * spread over their range. */
static bool spread(struct models_data *data, double least_range)
{
	for (size_t cut = ALONE; cut && data->count >= LEAST_ABOVE;) {
		if (data->log_n[cut] - data->log_n[cut - 1] > -GAP * data->log_n[0]) {
			keep(data, cut, data->count);
			cut = ALONE;
		} else {
			cut--;
		}
	}
	unsigned full = 0, steps = 0;
	for (size_t i = 0; i < data->count; i++)
		full |= 1u << number_within(STEPS * 0.999999 * (1 - data->log_n[i] / data->log_n[0]), 0, STEPS - 1);
	for (; full; full &= full - 1)
		steps++;
	return data->count >= LEAST_ABOVE && data->largest >= least_range * data->smallest && steps >= FULL_STEPS;
}

/* ---- curves ---- */

static struct models_part part_of(const struct models_data *data, const struct models_curve *c)
{
	static const enum model lower[] = {[TERM_1] = MODEL_1,         [TERM_LOG] = MODEL_LOG, [TERM_N] = MODEL_N,
	                                   [TERM_N_LOG] = MODEL_N_LOG, [TERM_N2] = MODEL_N2,   [TERM_SHRINK] = MODEL_1};
	double largest = data->largest, f = c->model == MODEL_POWER ? pow(largest, c->exponent) : models_f(c->model, largest);
	struct models_part p = {.model = c->model, .lower = lower[c->lower], .exponent = c->exponent, .a = c->offset};
	p.b = c->model == MODEL_1 ? 0 : c->lead / f;
	p.c = c->lower == TERM_SHRINK ? c->k * data->smallest : 0;
	p.k = c->lower == TERM_SHRINK || c->lower == TERM_1 ? 0 : c->k / models_f(p.lower, largest);
	return p;
}

double models_cost_at(const struct models_fit *fit, double size)
{
	const struct models_part *p = size < fit->change_at ? &fit->before : &fit->is;
	if (fit->model == MODEL_NONE)
		return 0;
	double f = p->model == MODEL_POWER ? pow(size, p->exponent) : models_f(p->model, size);
	double cost = p->a + p->b * f + (p->k != 0 ? p->k * models_f(p->lower, size) : 0) + (size > 0 ? p->c / size : 0);
	return cost < 0 ? 0 : cost;
}

static double value_of(const struct models_growth *g, const struct models_curve *c)
{
	return models_criterion(c, &g->how) + (c->model == MODEL_N2_LOG ? RARE * g->variance : 0);
}

static struct models_curve choose(const struct models_growth *g)
{
	const struct models_curve *best = &g->named[MODEL_1];
	for (enum model m = MODEL_LOG; m < MODELS_NAMED; m++)
		if (value_of(g, &g->named[m]) < value_of(g, best))
			best = &g->named[m];
	if (value_of(g, &g->power) + fmax(NAMELESS * g->variance, g->alike) < value_of(g, best))
		return g->power;
	return g->allowed[MODEL_1] && g->high <= FLAT ? g->named[MODEL_1] : *best;
}

/* ---- how well it fits ---- */

static double log_error(const struct models_data *data, const struct models_curve *c, size_t i)
{
	double y = data->y[i];
	return log(y / fmin(fmax(models_value(data, c, data->n[i]), y / 100), y * 100));
}

static void set_errors(const struct models_data *data, const struct models_curve *c, struct models_fit *fit)
{
	double w = 0, mean = 0, all = 0, left = 0;
	for (size_t i = 0; i < data->count; i++) {
		w += data->weight[i];
		mean += data->weight[i] * log(data->y[i]);
	}
	mean /= w;
	for (size_t i = 0; i < data->count; i++) {
		double off = log(data->y[i]) - mean, error = log_error(data, c, i);
		all += data->weight[i] * off * off / w;
		left += data->weight[i] * error * error / w;
	}
	fit->error = sqrt(left);
	fit->r2 = c->model == MODEL_1 || all <= left ? 0 : 1 - left / all;
}

static void set_growth(const struct models_growth *g, const struct models_curve *c, struct models_fit *fit)
{
	fit->exponent = c->model == MODEL_2N ? INFINITY : c->exponent;
	fit->exponent_low = fmin(g->low, fit->exponent);
	fit->exponent_high = fmax(g->high, fit->exponent);
	fit->sure = g->sure;
	memcpy(fit->allowed, g->allowed, sizeof fit->allowed);
	memcpy(fit->refuted, g->refuted, sizeof fit->refuted);
	double now = models_cost_at(fit, fit->largest), then = models_cost_at(fit, 10 * fit->largest);
	bool is_known = now > 0 && then > 0;
	fit->ten_low = c->model == MODEL_2N ? 1 : is_known ? fmin(g->ten_low * now / then, 1) : 0;
	fit->ten_high = c->model == MODEL_2N ? 1 : is_known ? fmax(g->ten_high * now / then, 1) : INFINITY;
}

/* What hangs on the largest sizes is not beyond doubt: it must hold without them, too. */
static void doubt_top(const struct models_data *data, struct models_fit *fit)
{
	struct models_data less = *data;
	struct models_growth growth;
	keep(&less, 0, data->count - (data->count / TOP_OF > 1 ? data->count / TOP_OF : 1));
	models_growth(&less, &growth);
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++)
		fit->refuted[m] &= growth.refuted[m];
	fit->sure = fmin(fit->sure, growth.sure);
}

/* ---- the fit ---- */

static struct models_fit none(struct models_fit *fit, enum models_why why)
{
	fit->model = MODEL_NONE;
	fit->why = why;
	return *fit;
}

/* Leaves only the points above a change. Returns false if they are too few. */
static bool go_above(struct models_data *data, size_t change, struct models_growth *growth, struct models_fit *fit)
{
	struct models_data below = *data;
	fit->change_at = data->n[change];
	keep(&below, 0, change);
	struct models_curve curve = models_describe(&below);
	fit->before = part_of(&below, &curve);
	struct models_fit first = {0};
	set_errors(&below, &curve, &first);
	fit->has_before = first.error <= BEFORE_OFF;
	keep(data, change, data->count);
	data->is_above_change = true;
	if (!spread(data, RANGE_ABOVE))
		return false;
	models_growth(data, growth);
	return true;
}

struct models_fit models_fit(const struct models_point *points, size_t count, enum models_cost cost)
{
	struct models_fit fit = {.model = MODEL_NONE};
	struct models_data data;
	struct models_growth growth;
	find_range(points, count, &fit);
	fit.why = !fit.sizes                                ? MODELS_NO_SIZES
		: fit.sizes < MODELS_SIZES                  ? MODELS_FEW_SIZES
		: fit.largest < MODELS_RANGE * fit.smallest ? MODELS_NARROW
							    : MODELS_TOLD;
	if (fit.why != MODELS_TOLD)
		return fit;
	gather(points, count, cost, &fit, &data);
	if (!spread(&data, RANGE_LEFT))
		return none(&fit, MODELS_UNEVEN);
	models_growth(&data, &growth);
	size_t change = models_change(&data, growth.squares);
	change = change ? change : models_calm_part(&data, growth.squares);
	if (change && !go_above(&data, change, &growth, &fit))
		return none(&fit, MODELS_CHANGED);
	struct models_curve best = choose(&growth);
	fit.is = part_of(&data, &best);
	fit.model = best.model;
	set_errors(&data, &best, &fit);
	set_growth(&growth, &best, &fit);
	for (enum model m = MODEL_1; m < MODELS_NAMED; m++)
		if (fit.refuted[m]) {
			doubt_top(&data, &fit);
			break;
		}
	bool may_be_flat = best.model != MODEL_1 && (growth.allowed[MODEL_1] || fit.r2 < MODELS_R2);
	if (best.model != MODEL_2N && (fit.exponent_high - fit.exponent_low > MODELS_WIDEST || may_be_flat))
		return none(&fit, MODELS_SCATTERED);
	return fit;
}

bool models_is_worse(const struct models_fit *fit, enum model stated)
{
	return stated < MODELS_NAMED && fit->refuted[stated];
}

bool models_allows(const struct models_fit *fit, enum model stated)
{
	return fit->model != MODEL_NONE && stated < MODELS_NAMED && !fit->refuted[stated] &&
		(fit->allowed[stated] || (fit->model < MODELS_NAMED && fit->model <= stated));
}

const char *models_why_none(const struct models_fit *fit)
{
	static const char *const why[] = {[MODELS_NO_SIZES] = "no sizes above 0",
	                                  [MODELS_FEW_SIZES] = "too few sizes",
	                                  [MODELS_NARROW] = "sizes too close together",
	                                  [MODELS_UNEVEN] = "sizes not spread over their range",
	                                  [MODELS_CHANGED] = "too few sizes above a change of cost",
	                                  [MODELS_SCATTERED] = "costs vary too much",
	                                  [MODELS_MIXED] = "not one curve"};
	return fit->why == MODELS_TOLD ? NULL : why[fit->why];
}
