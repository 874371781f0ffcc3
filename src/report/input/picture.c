/* SPDX-License-Identifier: MIT */
#include "report/input/picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "report/view.h"

enum { MOST_PLOTS = 3 };
#define BELOW_ONE 0.7 /* where a logarithmic axis of calls begins, so that a single call is seen */

static struct input_series series_of(const struct input_data *d, const struct inputs_pick *pick, enum input_metric metric, uint64_t *calls)
{
	struct inputs_curve curve;
	inputs_curve(&d->inputs, pick, metric, &curve);
	struct input_series s = {.metric = inputs_metric_names[metric], .points = inputs_points(&curve), .count = curve.count};
	s.growth = models_fit(s.points, s.count, d->measure);
	*calls = curve.total.calls;
	inputs_curve_free(&curve);
	return s;
}

static const char *cost_unit(const struct input_data *d)
{
	return inputs_how(&d->inputs)->cost == RAW_INPUT_INSTRUCTIONS ? "instructions" : "basic blocks";
}

struct input_picture input_picture(struct pool *pool, const struct input_data *d, const struct inputs_result *r, enum picture_kind kind)
{
	const struct run_routine *routine = &d->run.routines[r->pick.routine];
	struct inputs_pick pick = r->pick;
	enum input_metric other = d->metric == INPUT_RMS ? INPUT_TRMS : INPUT_RMS;
	pick.thread = d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY;
	struct input_picture p = {.kind = kind,
	                          .name = run_shown(routine),
	                          .place = text_place(pool, routine->file, routine->line),
	                          .series_count = d->asked.overlay ? PICTURE_SERIES : 1,
	                          .cost_pct = d->asked.thread >= 0 ? NAN : r->cost_pct,
	                          .measure = d->measure,
	                          .is_linear = d->asked.linear};
	for (size_t i = 0; i < p.series_count; i++)
		p.series[i] = series_of(d, &pick, i ? other : d->metric, &p.calls);
	p.x = pool_print(pool, "%s in cells of %u bytes", d->asked.overlay ? "input size" : inputs_metric_names[d->metric],
	                 inputs_how(&d->inputs)->cell_bytes);
	p.y = kind == PICTURE_WORKLOAD ? "calls" : pool_print(pool, "%s cost in %s", inputs_measure_names[d->measure], cost_unit(d));
	return p;
}

void input_picture_free(struct input_picture *picture)
{
	for (size_t i = 0; i < picture->series_count; i++)
		free(picture->series[i].points);
}

double input_picture_value(const struct input_picture *picture, const struct models_point *point)
{
	if (picture->kind == PICTURE_WORKLOAD)
		return (double)point->calls;
	return picture->measure == MODELS_WORST ? point->cost_max : point->calls ? point->cost_sum / (double)point->calls : 0;
}

void input_picture_axes(const struct input_picture *picture, struct axis *x, struct axis *y, double margin)
{
	enum axis_kind kind = picture->is_linear ? AXIS_LINEAR : AXIS_LOG;
	axis_start(x, kind);
	axis_start(y, kind);
	x->is_whole = y->is_whole = true;
	for (size_t i = 0; i < picture->series_count; i++)
		for (size_t k = 0; k < picture->series[i].count; k++) {
			axis_include(x, picture->series[i].points[k].size);
			axis_include(y, input_picture_value(picture, &picture->series[i].points[k]));
		}
	if (picture->kind == PICTURE_WORKLOAD)
		axis_include(y, BELOW_ONE);
	axis_close(x, margin);
	axis_close(y, margin);
}

const char *input_picture_growth(struct pool *pool, const struct input_series *series)
{
	const struct models_fit *g = &series->growth;
	return g->model == MODEL_NONE ? view_input_growth(pool, g) : pool_print(pool, "%s, R2 %.2f", view_input_growth(pool, g), g->r2);
}

const char *view_input_plots(struct pool *pool, const struct input_data *d, const struct view_ask *ask)
{
	const char *text = NULL;
	size_t plots = 0;
	for (size_t i = 0; i < d->result_count && plots < MOST_PLOTS; i++) {
		if (!view_input_wants(d, ask->routine, d->results[i].pick.routine))
			continue;
		struct input_picture p = input_picture(pool, d, &d->results[i], PICTURE_COST);
		if (p.series[0].count > 1)
			text = pool_print(pool, "%s%s%s", text ? text : "", text ? "\n" : "", input_plot(pool, &p));
		input_picture_free(&p);
		plots++;
	}
	return text;
}
