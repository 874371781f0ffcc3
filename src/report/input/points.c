/* SPDX-License-Identifier: MIT */
/* points.c: a routine's cost by input size, as numbers and as a plot, and how often it was called with each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/input/picture.h"
#include "report/view.h"

static double deviation(const struct inputs_size *row)
{
	double mean = (double)row->cost_sum / (double)row->calls, square = row->squares / (double)row->calls - mean * mean;
	return square > 0 ? sqrt(square) : 0;
}

struct point_row {
	const struct inputs_size *is;
	const struct run_routine *routine;
	const char *metric;
	uint32_t thread;
	unsigned bits;
	double mean_size, fitted;
};

static void put_point(struct sheet *s, const struct point_row *r)
{
	COLUMN(s, TEXT, "thread", NULL, view_input_thread(&s->pool, r->thread));
	COLUMN(s, TEXT, "metric", NULL, r->metric);
	COLUMN(s, COUNT, "size", "size", r->is->size);
	COLUMN(s, COUNT, "calls", "calls", r->is->calls);
	COLUMN(s, COUNT, "cost_min", "best", r->is->cost_min);
	COLUMN(s, COUNT, "cost_max", NULL, r->is->cost_max);
	COLUMN(s, COUNT, "cost_sum", NULL, r->is->cost_sum);
	COLUMN(s, RATIO, "cost_mean", "mean", (double)r->is->cost_sum / (double)r->is->calls);
	COLUMN(s, RATIO, "cost_sd", NULL, deviation(r->is));
	COLUMN(s, RATIO, "size_mean", NULL, r->mean_size);
	COLUMN(s, COUNT, "bits", NULL, r->bits);
	COLUMN(s, COUNT, "self_sum", NULL, r->is->self_sum);
	COLUMN(s, COUNT, "thread_induced", NULL, r->is->thread_induced);
	COLUMN(s, COUNT, "external", NULL, r->is->external);
	COLUMN(s, RATIO, "fitted", NULL, r->fitted);
	COLUMN(s, NAME, "routine", NULL, r->routine->name);
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, COUNT, NULL, "worst", r->is->cost_max);
	COLUMN(s, RATIO, NULL, "fitted", r->fitted, .meaning = "value of the cost function");
}

static void add_points(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *pick)
{
	for (int m = 0; m < INPUT_METRICS; m++) {
		if ((d->asked.one_metric || !ask->all_rows) && m != (int)d->metric)
			continue;
		struct inputs_curve curve;
		inputs_curve(&d->inputs, pick, (enum input_metric)m, &curve);
		struct models_point *points = inputs_points(&curve);
		struct models_fit g = models_fit(points, curve.count, d->measure);
		for (size_t i = 0; i < curve.count; i++) {
			const struct inputs_size *is = &curve.rows[i];
			struct point_row row = {.is = is,
			                        .routine = &d->run.routines[pick->routine],
			                        .metric = inputs_metric_names[m],
			                        .thread = pick->thread,
			                        .bits = curve.bits,
			                        .mean_size = (double)is->size_sum / (double)is->calls};
			row.fitted = g.model == MODEL_NONE ? NAN : models_cost_at(&g, row.mean_size);
			sheet_row(s, pick->thread == INPUTS_ANY ? 0 : 1);
			put_point(s, &row);
		}
		free(points);
		inputs_curve_free(&curve);
	}
}

/* Calls `rows` for each routine that was asked for: for all threads, and where that is wanted for each. */
static void each_pick(const struct input_data *d, const struct view_ask *ask, struct sheet *s,
                      void (*rows)(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *pick))
{
	bool details = ask->all_rows || d->asked.by_thread || d->asked.thread >= 0;
	for (size_t i = 0; i < d->result_count; i++) {
		struct inputs_pick pick = d->results[i].pick;
		if (!view_input_wants(d, ask->routine, pick.routine))
			continue;
		if (d->asked.thread < 0)
			rows(s, d, ask, &pick);
		size_t count;
		uint32_t *threads = view_input_threads_of(d, pick.routine, &count);
		for (size_t t = 0; details && t < count; t++) {
			pick.thread = threads[t];
			rows(s, d, ask, &pick);
		}
		free(threads);
	}
}

static void fill_points(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	put_point(s, &(struct point_row){0});
	each_pick(d, ask, s, add_points);
	if (!ask->all_rows)
		s->drawing = view_input_plots(&s->pool, d, ask);
}

static int check_routine(const struct view_ask *ask, struct fail *why)
{
	if (!ask->routine)
		return fail_set(why, FAIL_USAGE,
		                "this view is about one routine: name it with --routine (a pattern such as '*sort*' finds several)");
	return 0;
}

static int check_points(const void *data, const struct view_ask *ask, struct fail *why)
{
	return check_routine(ask, why) < 0 ? -1 : view_input_check_plot(data, VIEW_PLOT_OF_SIZES, !ask->all_rows, why);
}

const struct view view_input_points = {
	.name = "points",
	.help = "cost of --routine by input size",
	.group = "routine",
	.check = check_points,
	.fill = fill_points,
	.draw = view_input_draw_cost,
};

/* ---- workload ---- */

struct load_row {
	const struct inputs_size *is;
	const struct run_routine *routine;
	const char *metric;
	uint32_t thread;
	uint64_t up_to_here, all, most; /* calls: with this size or a smaller one, of the routine, with one size */
};

static void put_load(struct sheet *s, const struct load_row *r)
{
	COLUMN(s, NAME, "routine", NULL, view_name(s, r->routine));
	COLUMN(s, TEXT, "thread", NULL, view_input_thread(&s->pool, r->thread));
	COLUMN(s, TEXT, "metric", NULL, r->metric);
	COLUMN(s, COUNT, "size", "size", r->is->size);
	COLUMN(s, COUNT, "calls", "calls", r->is->calls);
	COLUMN(s, PERCENT, "calls_pct", "calls%", inputs_share(r->is->calls, r->all));
	COLUMN(s, PERCENT, "calls_up_to_pct", "up to here%", inputs_share(r->up_to_here, r->all), .drop = 1);
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, BAR, NULL, "", (double)r->is->calls / (double)r->most, .drop = 1);
	COLUMN(s, NAME, NULL, "routine", view_name(s, r->routine), .drop = 2);
}

static void add_loads(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *pick)
{
	for (int m = 0; m < INPUT_METRICS; m++) {
		struct inputs_curve curve;
		if ((d->asked.one_metric || !ask->all_rows) && m != (int)d->metric)
			continue;
		inputs_curve(&d->inputs, pick, (enum input_metric)m, &curve);
		struct load_row row = {.routine = &d->run.routines[pick->routine],
		                       .metric = inputs_metric_names[m],
		                       .thread = pick->thread,
		                       .all = curve.total.calls,
		                       .most = 1};
		for (size_t i = 0; i < curve.count; i++)
			row.most = curve.rows[i].calls > row.most ? curve.rows[i].calls : row.most;
		for (size_t i = 0; i < curve.count; i++) {
			row.is = &curve.rows[i];
			row.up_to_here += row.is->calls;
			sheet_row(s, pick->thread == INPUTS_ANY ? 0 : 1);
			put_load(s, &row);
		}
		inputs_curve_free(&curve);
	}
}

static void fill_workload(const void *data, const struct view_ask *ask, struct sheet *s)
{
	put_load(s, &(struct load_row){0});
	each_pick(data, ask, s, add_loads);
}

static int check_workload(const void *data, const struct view_ask *ask, struct fail *why)
{
	return check_routine(ask, why) < 0 ? -1 : view_input_check_plot(data, VIEW_PLOT_OF_SIZES, false, why);
}

const struct view view_input_workload = {
	.name = "workload",
	.help = "how often --routine was called with each size",
	.group = "routine",
	.check = check_workload,
	.fill = fill_workload,
	.draw = view_input_draw_workload,
};
