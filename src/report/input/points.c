/* SPDX-License-Identifier: MIT */
/* points.c: a routine's cost by input size, as numbers and as a plot, and how often it was called with each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/input/view.h"

enum { MOST_PLOTS = 3 };

const struct column view_input_points_columns[VIEW_INPUT_points_COLUMNS] = {
	{"thread", NULL, COLUMN_TEXT, 0, NULL},          {"metric", NULL, COLUMN_TEXT, 0, NULL},
	{"size", "size", COLUMN_COUNT, 0, NULL},         {"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"cost_min", "best", COLUMN_COUNT, 0, NULL},     {"cost_max", NULL, COLUMN_COUNT, 0, NULL},
	{"cost_sum", NULL, COLUMN_COUNT, 0, NULL},       {"cost_mean", "mean", COLUMN_RATIO, 0, NULL},
	{"cost_sd", NULL, COLUMN_RATIO, 0, NULL},        {"size_mean", NULL, COLUMN_RATIO, 0, NULL},
	{"bits", NULL, COLUMN_COUNT, 0, NULL},           {"self_sum", NULL, COLUMN_COUNT, 0, NULL},
	{"thread_induced", NULL, COLUMN_COUNT, 0, NULL}, {"external", NULL, COLUMN_COUNT, 0, NULL},
	{"fitted", NULL, COLUMN_RATIO, 0, NULL},         {"routine", NULL, COLUMN_NAME, 0, NULL},
	{NULL, "worst", COLUMN_COUNT, 0, NULL},          {NULL, "fitted", COLUMN_RATIO, 0, "value of the cost function"},
};

static double deviation(const struct inputs_size *row)
{
	double mean = (double)row->cost_sum / (double)row->calls, square = row->squares / (double)row->calls - mean * mean;
	return square > 0 ? sqrt(square) : 0;
}

static void point_row(struct sheet *s, const struct input_data *d, const struct inputs_pick *pick, enum input_metric metric,
                      const struct inputs_curve *curve, const struct models_fit *g, size_t i)
{
	const struct inputs_size *row = &curve->rows[i];
	double mean_size = (double)row->size_sum / (double)row->calls, fitted = g->model == MODEL_NONE ? NAN : models_cost_at(g, mean_size);
	sheet_row(s, pick->thread == INPUTS_ANY ? 0 : 1);
	sheet_text(s, pick->thread == INPUTS_ANY ? "all" : pool_print(&s->pool, "%u", pick->thread));
	sheet_lend(s, inputs_metric_names[metric]);
	sheet_number(s, (int64_t)row->size);
	sheet_number(s, (int64_t)row->calls);
	sheet_number(s, (int64_t)row->cost_min);
	sheet_number(s, (int64_t)row->cost_max);
	sheet_number(s, (int64_t)row->cost_sum);
	sheet_real(s, (double)row->cost_sum / (double)row->calls);
	sheet_real(s, deviation(row));
	sheet_real(s, mean_size);
	sheet_number(s, curve->bits);
	sheet_number(s, (int64_t)row->self_sum);
	sheet_number(s, (int64_t)row->thread_induced);
	sheet_number(s, (int64_t)row->external);
	sheet_real(s, fitted);
	sheet_lend(s, d->run.routines[pick->routine].name);
	sheet_number(s, (int64_t)row->cost_max);
	sheet_real(s, fitted);
}

static void point_rows(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *pick)
{
	for (int m = 0; m < INPUT_METRICS; m++) {
		if ((d->asked.one_metric || !ask->all_rows) && m != (int)d->metric)
			continue;
		struct inputs_curve curve;
		inputs_curve(&d->inputs, pick, (enum input_metric)m, &curve);
		struct models_point *points = inputs_points(&curve);
		struct models_fit g = models_fit(points, curve.count, d->measure);
		for (size_t i = 0; i < curve.count; i++)
			point_row(s, d, pick, (enum input_metric)m, &curve, &g, i);
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

void view_input_points(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	each_pick(d, ask, s, point_rows);
	if (!ask->all_rows)
		s->drawing = view_input_plots(&s->pool, d, ask);
}

/* ---- workload ---- */

const struct column view_input_workload_columns[VIEW_INPUT_workload_COLUMNS] = {
	{"routine", NULL, COLUMN_NAME, 0, NULL},
	{"thread", NULL, COLUMN_TEXT, 0, NULL},
	{"metric", NULL, COLUMN_TEXT, 0, NULL},
	{"size", "size", COLUMN_COUNT, 0, NULL},
	{"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"calls_pct", "calls%", COLUMN_PERCENT, 0, NULL},
	{"calls_up_to_pct", "up to here%", COLUMN_PERCENT, 1, NULL},
	{NULL, "", COLUMN_BAR, 1, NULL},
	{NULL, "routine", COLUMN_NAME, 2, NULL},
};

static void workload_rows(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *pick)
{
	for (int m = 0; m < INPUT_METRICS; m++) {
		struct inputs_curve curve;
		uint64_t before = 0, most = 1;
		if ((d->asked.one_metric || !ask->all_rows) && m != (int)d->metric)
			continue;
		inputs_curve(&d->inputs, pick, (enum input_metric)m, &curve);
		for (size_t i = 0; i < curve.count; i++)
			most = curve.rows[i].calls > most ? curve.rows[i].calls : most;
		for (size_t i = 0; i < curve.count; i++) {
			before += curve.rows[i].calls;
			sheet_row(s, pick->thread == INPUTS_ANY ? 0 : 1);
			sheet_lend(s, d->run.routines[pick->routine].name);
			sheet_text(s, pick->thread == INPUTS_ANY ? "all" : pool_print(&s->pool, "%u", pick->thread));
			sheet_lend(s, inputs_metric_names[m]);
			sheet_number(s, (int64_t)curve.rows[i].size);
			sheet_number(s, (int64_t)curve.rows[i].calls);
			sheet_real(s, inputs_share(curve.rows[i].calls, curve.total.calls));
			sheet_real(s, inputs_share(before, curve.total.calls));
			sheet_real(s, (double)curve.rows[i].calls / (double)most);
			sheet_lend(s, d->run.routines[pick->routine].name);
		}
		inputs_curve_free(&curve);
	}
}

void view_input_workload(const void *data, const struct view_ask *ask, struct sheet *s)
{
	each_pick(data, ask, s, workload_rows);
}

/* ---- pictures ---- */

static const char *unit(const struct input_data *d)
{
	return inputs_how(&d->inputs)->cost == RAW_INPUT_INSTRUCTIONS ? "instructions" : "basic blocks";
}

/* The points live until the caller frees them. */
static struct input_picture picture_of(struct pool *pool, const struct input_data *d, const struct inputs_result *r, struct models_fit *g)
{
	struct inputs_pick pick = r->pick;
	struct inputs_curve curve;
	pick.thread = d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY;
	inputs_curve(&d->inputs, &pick, d->metric, &curve);
	struct input_picture p = {.points = inputs_points(&curve), .count = curve.count, .measure = d->measure, .growth = g};
	*g = models_fit(p.points, p.count, d->measure);
	p.title = pool_print(pool, "%s: %s", d->run.routines[pick.routine].name, view_input_growth(pool, g));
	p.x = pool_print(pool, "%s in cells of %u bytes", inputs_metric_names[d->metric], inputs_how(&d->inputs)->cell_bytes);
	p.y = pool_print(pool, "%s cost in %s", inputs_measure_names[d->measure], unit(d));
	inputs_curve_free(&curve);
	return p;
}

const char *view_input_plots(struct pool *pool, const struct input_data *d, const struct view_ask *ask)
{
	const char *text = NULL;
	size_t plots = 0;
	for (size_t i = 0; i < d->result_count && plots < MOST_PLOTS; i++) {
		struct models_fit g;
		if (!view_input_wants(d, ask->routine, d->results[i].pick.routine))
			continue;
		struct input_picture p = picture_of(pool, d, &d->results[i], &g);
		if (p.count > 1)
			text = pool_print(pool, "%s%s%s", text ? text : "", text ? "\n" : "", input_plot(pool, &p));
		free((void *)(uintptr_t)p.points);
		plots++;
	}
	return text;
}

int view_input_draw(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct input_data *d = data;
	for (size_t i = 0; d->asked.svg && i < d->result_count; i++) {
		struct pool pool = {0};
		struct models_fit g;
		if (!view_input_wants(d, ask->routine, d->results[i].pick.routine))
			continue;
		struct input_picture p = picture_of(&pool, d, &d->results[i], &g);
		int result = input_svg(d->asked.svg, &p, why);
		free((void *)(uintptr_t)p.points);
		pool_free(&pool);
		return result;
	}
	return 0;
}
