/* SPDX-License-Identifier: MIT */
#include "analyse/input/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/blame_place.h"

#define TEN 10.0
#define X10_UNSURE 0.1     /* a share at ten times the input is given if it is known to this part of itself, */
#define X10_UNSURE_PCT 1.0 /* or to this many per cent of the cost */
#define MOST_GROWTH 1e12   /* the bound on the growth of 2^n */

const char *const inputs_measure_names[] = {[MODELS_MEAN] = "mean", [MODELS_WORST] = "worst"};

static double mean_size(const struct inputs_size *row)
{
	return row->calls ? (double)row->size_sum / (double)row->calls : (double)row->size;
}

struct models_point *inputs_points(const struct inputs_curve *curve)
{
	struct models_point *points = memory_zeroed(curve->count, sizeof *points);
	for (size_t i = 0; i < curve->count; i++)
		points[i] = (struct models_point){.size = mean_size(&curve->rows[i]),
		                                  .calls = curve->rows[i].calls,
		                                  .cost_min = (double)curve->rows[i].cost_min,
		                                  .cost_max = (double)curve->rows[i].cost_max,
		                                  .cost_sum = (double)curve->rows[i].cost_sum};
	return points;
}

/* What all activations would cost at ten times the input, counting recursion once. */
static double cost_x10(const struct inputs_curve *curve, const struct models_fit *g)
{
	double cost = 0;
	for (size_t i = 0; i < curve->count; i++) {
		double size = mean_size(&curve->rows[i]), now = models_cost_at(g, size), then = models_cost_at(g, TEN * size);
		cost += (double)curve->rows[i].cost_outermost * (now > 0 ? fmin(then / now, MOST_GROWTH) : 1);
	}
	return cost;
}

static double share(double part, double rest)
{
	return isinf(part) ? 100 : part + rest > 0 ? 100 * part / (part + rest) : 0;
}

/* Not a number where it is not known. */
static double share_x10(const struct inputs_curve *curve, const struct models_fit *g, uint64_t whole)
{
	uint64_t cost = curve->total.cost_outermost;
	if (g->model == MODEL_NONE)
		return NAN;
	double grown = cost_x10(curve, g), rest = whole > cost ? TEN * (double)(whole - cost) : 0;
	double pct = share(grown, rest), allowed = fmax(X10_UNSURE * pct, X10_UNSURE_PCT);
	bool is_sure = pct - share(grown * g->ten_low, rest) <= allowed && share(grown * g->ten_high, rest) - pct <= allowed;
	return is_sure ? pct : NAN;
}

/* Routines that were called with few sizes come last: there are many, and nothing can be said about their growth. */
static double rank_of(const struct inputs_result *r, const struct models_fit *g)
{
	bool has_sizes = g->why == MODELS_TOLD || g->why >= MODELS_UNEVEN;
	return !isnan(r->x10_pct) ? r->x10_pct : has_sizes ? r->cost_pct : -1;
}

static bool are_same(const struct models_point *a, size_t a_count, const struct models_point *b, size_t b_count)
{
	return a_count == b_count && (a_count == 0 || memcmp(a, b, a_count * sizeof *a) == 0);
}

/* Nothing is claimed of points that are not one curve. */
static struct models_fit not_one(const struct models_fit *fit)
{
	return (struct models_fit){
		.model = MODEL_NONE, .why = MODELS_MIXED, .smallest = fit->smallest, .largest = fit->largest, .sizes = fit->sizes};
}

/* A fit that says why it is none keeps its reason, if that is a lack of sizes. */
static struct models_fit fit_of(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric,
                                const struct models_point *points, size_t count, enum models_cost measure)
{
	struct models_fit fit = models_fit(points, count, measure);
	bool has_sizes = fit.why == MODELS_TOLD || fit.why >= MODELS_UNEVEN;
	return has_sizes && inputs_is_mixed(inputs, pick, metric) ? not_one(&fit) : fit;
}

struct inputs_result inputs_result(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric,
                                   enum models_cost measure, uint64_t whole)
{
	struct inputs_result r = {.pick = *pick};
	struct models_point *last = NULL;
	size_t last_count = 0;
	for (int m = 0; m < INPUT_METRICS; m++) {
		struct inputs_curve curve;
		inputs_curve(inputs, pick, (enum input_metric)m, &curve);
		struct models_point *points = inputs_points(&curve);
		/* Where nothing is induced the metrics have the same points, and fitting is what costs. */
		r.growth[m] = m && are_same(points, curve.count, last, last_count)
			? r.growth[m - 1]
			: fit_of(inputs, pick, (enum input_metric)m, points, curve.count, measure);
		free(last);
		last = points;
		last_count = curve.count;
		r.sizes[m] = curve.count;
		r.total[m] = curve.total.size_sum;
		r.bits = curve.bits && (!r.bits || curve.bits < r.bits) ? curve.bits : r.bits;
		if (m == INPUT_TRMS) {
			r.calls = curve.total.calls;
			r.cost = curve.total.cost_outermost;
			r.self = curve.total.self_sum;
			r.largest = curve.total.size;
			r.thread_induced = curve.total.thread_induced;
			r.external = curve.total.external;
		}
		if (m == (int)metric)
			r.x10_pct = share_x10(&curve, &r.growth[m], whole);
		inputs_curve_free(&curve);
	}
	free(last);
	r.self_pct = inputs_share(r.self, whole);
	r.cost_pct = whole ? 100 * (double)r.cost / (double)whole : 0;
	r.is_programs = blame_is_programs(inputs->run, pick->routine);
	r.rank = rank_of(&r, &r.growth[metric]);
	return r;
}

static int by_weight(const void *a, const void *b)
{
	const struct inputs_result *x = a, *y = b;
	if (x->is_programs != y->is_programs)
		return x->is_programs ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank > y->rank ? -1 : 1;
	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	if (x->self != y->self)
		return x->self > y->self ? -1 : 1;
	return x->pick.routine < y->pick.routine ? -1 : x->pick.routine > y->pick.routine;
}

struct inputs_result *inputs_results(const struct inputs *inputs, enum input_metric metric, enum models_cost measure, size_t *count)
{
	struct inputs_result *all = NULL;
	size_t room = 0;
	uint64_t whole = inputs_cost(inputs, INPUTS_ANY);
	*count = 0;
	for (size_t i = 0; i < inputs->point_count;) {
		uint32_t routine = inputs->contexts[inputs->points[i].context].routine;
		size_t from, to = inputs_points_of(inputs, routine, &from);
		if (routine != RUN_OUTSIDE) {
			MEMORY_GROW(all, *count, room);
			all[(*count)++] =
				inputs_result(inputs, &(struct inputs_pick){routine, INPUTS_ANY, INPUTS_ANY, 0}, metric, measure, whole);
		}
		i = to;
	}
	if (*count)
		qsort(all, *count, sizeof *all, by_weight);
	return all;
}

/* What is 0 but for noise has no sign. */
double inputs_no_sign(double value, double least)
{
	return fabs(value) < least ? 0 : value;
}

/* A range with equal ends would say nothing: it gets another digit, and if that does not help it is left out. */
const char *inputs_interval(struct pool *pool, const struct models_fit *g)
{
	const double half[] = {0.005, 0.0005};
	for (int digits = 2; digits <= 3; digits++) {
		const char *low = pool_print(pool, "%.*f", digits, inputs_no_sign(g->exponent_low, half[digits - 2])),
			   *high = pool_print(pool, "%.*f", digits, inputs_no_sign(g->exponent_high, half[digits - 2]));
		if (strcmp(low, high) != 0)
			return pool_print(pool, "%s to %s", low, high);
	}
	return "";
}

double inputs_richness(const struct inputs_result *r)
{
	double rms = (double)r->sizes[INPUT_RMS];
	return rms > 0 ? ((double)r->sizes[INPUT_TRMS] - rms) / rms : NAN;
}

double inputs_volume(const struct inputs_result *r)
{
	double trms = (double)r->total[INPUT_TRMS];
	return trms > 0 ? fmax(0, 1 - (double)r->total[INPUT_RMS] / trms) : 0;
}

double inputs_share(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}
