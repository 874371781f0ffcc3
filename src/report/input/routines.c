/* SPDX-License-Identifier: MIT */
/* routines.c: a row for each routine: its calls, its sizes, its cost function. And for each calling context. */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/names.h"
#include "report/input/view.h"
#include "report/view.h"

enum { LONG_NAME = 60 };
#define DIGITS 0.00005 /* that scripts see */

/* What only text shows comes last. */
const struct column view_input_routines_columns[VIEW_INPUT_routines_COLUMNS] = {
	{"routine", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"thread", NULL, COLUMN_TEXT, 0, NULL},
	{"calls", NULL, COLUMN_COUNT, 0, NULL},
	{"sizes_rms", NULL, COLUMN_COUNT, 0, NULL},
	{"sizes_trms", NULL, COLUMN_COUNT, 0, NULL},
	{"max_trms", NULL, COLUMN_COUNT, 0, NULL},
	{"cost", NULL, COLUMN_COUNT, 0, NULL},
	{"richness", NULL, COLUMN_RATIO, 0, NULL},
	{"input_volume", NULL, COLUMN_RATIO, 0, NULL},
	{"thread_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"external_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"model", NULL, COLUMN_TEXT, 0, NULL},
	{"exponent", NULL, COLUMN_RATIO, 0, NULL},
	{"r2", NULL, COLUMN_RATIO, 0, NULL},
	{"exponent_low", NULL, COLUMN_RATIO, 0, NULL},
	{"exponent_high", NULL, COLUMN_RATIO, 0, NULL},
	{"cost_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"x10_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"self_cost", NULL, COLUMN_COUNT, 0, NULL},
	{"sizes_external", NULL, COLUMN_COUNT, 0, NULL},
	{"rms_total", NULL, COLUMN_COUNT, 0, NULL},
	{"trms_total", NULL, COLUMN_COUNT, 0, NULL},
	{"thread_induced", NULL, COLUMN_COUNT, 0, NULL},
	{"external", NULL, COLUMN_COUNT, 0, NULL},
	{"thread_induced_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"external_induced_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"model_rms", NULL, COLUMN_TEXT, 0, NULL},
	{"exponent_rms", NULL, COLUMN_RATIO, 0, NULL},
	{"bits", NULL, COLUMN_COUNT, 0, NULL},
	{"why", NULL, COLUMN_TEXT, 0, NULL},
	{NULL, "x10%", COLUMN_PERCENT, 0, "share of the cost at ten times the input, if everything else grows in proportion"},
	{NULL, "cost%", COLUMN_PERCENT, 0, "share of the program's cost, including callees"},
	{NULL, "grows like", COLUMN_TEXT, 0, NULL},
	{NULL, "exponent", COLUMN_TEXT, 2, "power of n, with its 95 % confidence interval"},
	{NULL, "R2", COLUMN_RATIO, 4, NULL},
	{NULL, "calls", COLUMN_AMOUNT, 1, NULL},
	{NULL, "sizes", COLUMN_AMOUNT, 1, "different input sizes"},
	{NULL, "largest", COLUMN_AMOUNT, 3, NULL},
	{NULL, "induced%", COLUMN_PERCENT, 3, "share of its input that comes from other threads and from outside"},
	{NULL, "routine", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 2, NULL},
};

/* ---- what views share ---- */

bool view_input_wants(const struct input_data *d, const char *asked, uint32_t routine)
{
	return view_wants(asked, &d->run.routines[routine]);
}

const char *view_input_where(struct sheet *s, const struct run_routine *r)
{
	return *r->file ? view_place(s, r->file, r->line) : "";
}

const char *view_input_why(struct pool *pool, const struct models_fit *g)
{
	if (g->model != MODEL_NONE)
		return "";
	if (g->sizes == 0)
		return "reads nothing";
	if (g->sizes < MODELS_SIZES)
		return pool_print(pool, "only %zu size%s", g->sizes, g->sizes == 1 ? "" : "s");
	return pool_print(pool, "sizes only %.0f to %.0f", g->smallest, g->largest);
}

const char *view_input_model(const struct models_fit *g)
{
	return g->model == MODEL_NONE ? "" : models_name(g->model);
}

const char *view_input_growth(struct pool *pool, const struct models_fit *g)
{
	if (g->model == MODEL_NONE)
		return pool_print(pool, "(%s)", view_input_why(pool, g));
	return g->model == MODEL_POWER ? pool_print(pool, "n^%.2f", g->exponent) : models_name(g->model);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

uint32_t *view_input_threads_of(const struct input_data *d, uint32_t routine, size_t *count)
{
	size_t from, to = inputs_points_of(&d->inputs, routine, &from), kept = 0;
	uint32_t *threads = memory_zeroed(to - from, sizeof *threads);
	*count = 0;
	for (size_t i = from; i < to; i++)
		if (d->asked.thread < 0 || d->inputs.points[i].thread == (uint32_t)d->asked.thread)
			threads[(*count)++] = d->inputs.points[i].thread;
	if (*count)
		qsort(threads, *count, sizeof *threads, by_number);
	for (size_t i = 0; i < *count; i++)
		if (i == 0 || threads[i] != threads[i - 1])
			threads[kept++] = threads[i];
	*count = kept;
	return threads;
}

/* What is 0 but for noise has no sign. */
static double no_sign(double value, double least)
{
	return fabs(value) < least ? 0 : value;
}

static const char *exponent_text(struct pool *pool, const struct models_fit *g)
{
	if (g->model == MODEL_NONE)
		return "";
	if (g->model == MODEL_2N)
		return "any";
	return pool_print(pool, "%.2f (%.2f to %.2f)", no_sign(g->exponent, 0.005), no_sign(g->exponent_low, 0.005),
	                  no_sign(g->exponent_high, 0.005));
}

/* ---- routines ---- */

static void growth_cells(struct sheet *s, const struct models_fit *g)
{
	bool is_known = g->model != MODEL_NONE;
	sheet_lend(s, view_input_model(g));
	sheet_real(s, is_known ? no_sign(g->exponent, DIGITS) : NAN);
	sheet_real(s, is_known ? g->r2 : NAN);
	sheet_real(s, is_known ? no_sign(g->exponent_low, DIGITS) : NAN);
	sheet_real(s, is_known ? no_sign(g->exponent_high, DIGITS) : NAN);
}

static void text_cells(struct sheet *s, const struct input_data *d, const struct inputs_result *r, bool with_thread)
{
	const struct run_routine *routine = &d->run.routines[r->pick.routine];
	const struct models_fit *g = &r->growth[d->metric];
	const char *name = names_short(&s->pool, routine->name, LONG_NAME);
	sheet_real(s, r->x10_pct);
	sheet_real(s, r->cost_pct);
	sheet_text(s, view_input_growth(&s->pool, g));
	sheet_text(s, exponent_text(&s->pool, g));
	sheet_real(s, g->model == MODEL_NONE ? NAN : g->r2);
	sheet_number(s, (int64_t)r->calls);
	sheet_number(s, (int64_t)r->sizes[d->metric]);
	sheet_number(s, (int64_t)r->largest);
	sheet_real(s, inputs_share(r->thread_induced + r->external, r->total[INPUT_TRMS]));
	sheet_text(s, with_thread ? pool_print(&s->pool, "%s in thread %u", name, r->pick.thread) : name);
	sheet_text(s, view_input_where(s, routine));
}

static void routine_row(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_result *r)
{
	const struct run_routine *routine = &d->run.routines[r->pick.routine];
	const struct models_fit *g = &r->growth[d->metric], *rms = &r->growth[INPUT_RMS];
	bool is_all = r->pick.thread == INPUTS_ANY;
	uint64_t induced = r->thread_induced + r->external;
	if (is_all || ask->all_rows || d->asked.thread >= 0)
		sheet_row(s, is_all ? 0 : 1);
	else
		sheet_follow(s, 0);
	sheet_lend(s, routine->name);
	sheet_lend(s, routine->file);
	sheet_number(s, *routine->file ? (int64_t)routine->line : -1);
	sheet_text(s, is_all ? "all" : pool_print(&s->pool, "%u", r->pick.thread));
	sheet_number(s, (int64_t)r->calls);
	sheet_number(s, (int64_t)r->sizes[INPUT_RMS]);
	sheet_number(s, (int64_t)r->sizes[INPUT_TRMS]);
	sheet_number(s, (int64_t)r->largest);
	sheet_number(s, (int64_t)r->cost);
	sheet_real(s, inputs_richness(r));
	sheet_real(s, inputs_volume(r));
	sheet_real(s, inputs_share(r->thread_induced, r->total[INPUT_TRMS]));
	sheet_real(s, inputs_share(r->external, r->total[INPUT_TRMS]));
	growth_cells(s, g);
	sheet_real(s, r->cost_pct);
	sheet_real(s, r->x10_pct);
	sheet_number(s, (int64_t)r->self);
	sheet_number(s, (int64_t)r->sizes[INPUT_RMS_EXTERNAL]);
	sheet_number(s, (int64_t)r->total[INPUT_RMS]);
	sheet_number(s, (int64_t)r->total[INPUT_TRMS]);
	sheet_number(s, (int64_t)r->thread_induced);
	sheet_number(s, (int64_t)r->external);
	sheet_real(s, induced ? inputs_share(r->thread_induced, induced) : NAN);
	sheet_real(s, induced ? inputs_share(r->external, induced) : NAN);
	sheet_lend(s, view_input_model(rms));
	sheet_real(s, rms->model == MODEL_NONE ? NAN : no_sign(rms->exponent, DIGITS));
	sheet_number(s, r->bits);
	sheet_text(s, view_input_why(&s->pool, g));
	text_cells(s, d, r, !is_all);
}

static void thread_rows(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *all,
                        uint64_t whole)
{
	size_t count;
	uint32_t *threads = view_input_threads_of(d, all->routine, &count);
	for (size_t i = 0; i < count; i++) {
		struct inputs_pick pick = *all;
		pick.thread = threads[i];
		struct inputs_result r = inputs_result(&d->inputs, &pick, d->metric, d->measure, whole);
		routine_row(s, d, ask, &r);
	}
	free(threads);
}

void view_input_routines(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	bool details = ask->all_rows || d->asked.by_thread || d->asked.thread >= 0;
	uint64_t whole = inputs_cost(&d->inputs, INPUTS_ANY);
	for (size_t i = 0; i < d->result_count; i++) {
		if (!view_input_wants(d, ask->routine, d->results[i].pick.routine))
			continue;
		if (d->asked.thread < 0)
			routine_row(s, d, ask, &d->results[i]);
		if (details)
			thread_rows(s, d, ask, &d->results[i].pick, whole);
	}
	if (ask->routine && !ask->all_rows)
		s->drawing = view_input_plots(&s->pool, d, ask);
}

/* ---- contexts ---- */

const struct column view_input_contexts_columns[VIEW_INPUT_contexts_COLUMNS] = {
	{"depth", NULL, COLUMN_COUNT, 0, NULL},
	{"routine", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"calls", "calls", COLUMN_AMOUNT, 1, NULL},
	{"sizes_trms", "sizes", COLUMN_AMOUNT, 2, "different input sizes"},
	{"max_trms", "largest", COLUMN_AMOUNT, 3, NULL},
	{"cost", NULL, COLUMN_COUNT, 0, NULL},
	{"cost_pct", "cost%", COLUMN_PERCENT, 0, "share of the program's cost, including callees"},
	{"model", NULL, COLUMN_TEXT, 0, NULL},
	{"exponent", NULL, COLUMN_RATIO, 0, NULL},
	{"r2", NULL, COLUMN_RATIO, 0, NULL},
	{NULL, "grows like", COLUMN_TEXT, 0, NULL},
	{NULL, "context", COLUMN_CONTEXT, 0, NULL},
};

static void context_row(struct sheet *s, const struct input_data *d, const struct inputs_result *r, uint32_t depth)
{
	const struct run_routine *routine = &d->run.routines[r->pick.routine];
	const struct models_fit *g = &r->growth[d->metric];
	sheet_row(s, 0);
	sheet_nest(s, depth);
	sheet_number(s, depth);
	sheet_lend(s, routine->name);
	sheet_lend(s, routine->file);
	sheet_number(s, *routine->file ? (int64_t)routine->line : -1);
	sheet_number(s, (int64_t)r->calls);
	sheet_number(s, (int64_t)r->sizes[INPUT_TRMS]);
	sheet_number(s, (int64_t)r->largest);
	sheet_number(s, (int64_t)r->cost);
	sheet_real(s, r->cost_pct);
	sheet_lend(s, view_input_model(g));
	sheet_real(s, g->model == MODEL_NONE ? NAN : no_sign(g->exponent, DIGITS));
	sheet_real(s, g->model == MODEL_NONE ? NAN : g->r2);
	sheet_text(s, view_input_growth(&s->pool, g));
	sheet_text(s, pool_print(&s->pool, "%*s%s", (int)(depth < 24 ? depth : 24), "", names_short(&s->pool, routine->name, LONG_NAME)));
}

/* Children as lists: a context's first and its next sibling, as context + 1. Depth may be large, so there is no recursion. */
void view_input_contexts(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	uint32_t *first = memory_zeroed(in->context_count, sizeof *first), *next = memory_zeroed(in->context_count, sizeof *next);
	uint64_t whole = inputs_cost(in, INPUTS_ANY);
	uint32_t depth = 0, thread = d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY;
	for (uint32_t i = (uint32_t)in->context_count; i-- > 1;) {
		next[i] = first[in->contexts[i].parent];
		first[in->contexts[i].parent] = i;
	}
	for (uint32_t at = first[0]; at;) {
		struct inputs_result r =
			inputs_result(in, &(struct inputs_pick){in->contexts[at].routine, at, thread}, d->metric, d->measure, whole);
		if (view_input_wants(d, ask->routine, in->contexts[at].routine))
			context_row(s, d, &r, ask->routine ? 0 : depth);
		if (first[at]) {
			at = first[at];
			depth++;
			continue;
		}
		while (at && !next[at]) {
			at = in->contexts[at].parent;
			depth -= depth > 0;
		}
		at = at ? next[at] : 0;
	}
	free(first);
	free(next);
	if (!in->has_contexts)
		s->legend = "Contexts were not recorded (`skein record input --contexts`): each row is a routine, whatever its callers.";
}
