/* SPDX-License-Identifier: MIT */
#include "analyse/input/result.h"

#include <math.h>
#include <stdlib.h>

#define TEN 10.0
#define MOST_GROWTH 1e12 /* the bound on the growth of 2^n */

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

static double share_x10(const struct inputs_curve *curve, const struct models_fit *g, uint64_t whole)
{
	uint64_t cost = curve->total.cost_outermost;
	double grown = g->model == MODEL_NONE ? NAN : cost_x10(curve, g), rest = whole > cost ? TEN * (double)(whole - cost) : 0;
	return grown + rest > 0 ? 100 * grown / (grown + rest) : g->model == MODEL_NONE ? NAN : 0;
}

struct inputs_result inputs_result(const struct inputs *inputs, const struct inputs_pick *pick, enum input_metric metric,
                                   enum models_cost measure, uint64_t whole)
{
	struct inputs_result r = {.pick = *pick};
	for (int m = 0; m < INPUT_METRICS; m++) {
		struct inputs_curve curve;
		inputs_curve(inputs, pick, (enum input_metric)m, &curve);
		struct models_point *points = inputs_points(&curve);
		r.growth[m] = models_fit(points, curve.count, measure);
		free(points);
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
	r.cost_pct = whole ? 100 * (double)r.cost / (double)whole : 0;
	return r;
}

static int by_weight(const void *a, const void *b)
{
	const struct inputs_result *x = a, *y = b;
	if (isnan(x->x10_pct) != isnan(y->x10_pct))
		return isnan(x->x10_pct) ? 1 : -1;
	if (!isnan(x->x10_pct) && x->x10_pct != y->x10_pct)
		return x->x10_pct > y->x10_pct ? -1 : 1;
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
				inputs_result(inputs, &(struct inputs_pick){routine, INPUTS_ANY, INPUTS_ANY}, metric, measure, whole);
		}
		i = to;
	}
	if (*count)
		qsort(all, *count, sizeof *all, by_weight);
	return all;
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
