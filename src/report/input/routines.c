/* SPDX-License-Identifier: MIT */
/* routines.c: a row for each routine: its calls, its sizes, its cost function. And for each calling context. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "report/input/picture.h"
#include "report/view.h"

#define DIGITS 0.00005 /* digits that scripts see */

/* ---- what views share ---- */

bool view_input_wants(const struct input_data *d, const char *asked, uint32_t routine)
{
	return view_wants(asked, &d->run.routines[routine]);
}

const char *view_input_thread(struct pool *pool, uint32_t thread)
{
	return thread == INPUTS_ANY ? "all" : pool_print(pool, "%u", thread);
}

const char *view_input_why(struct pool *pool, const struct models_fit *g)
{
	switch (g->why) {
	case MODELS_TOLD: return "";
	case MODELS_NO_SIZES: return "reads nothing";
	case MODELS_FEW_SIZES: return pool_print(pool, "only %zu size%s", g->sizes, g->sizes == 1 ? "" : "s");
	case MODELS_UNEVEN: return "most sizes lie close together";
	case MODELS_CHANGED:
		return pool_print(pool, "cost changes at %s, with few sizes above", text_count(pool, number_whole(g->change_at)));
	case MODELS_SCATTERED: return "costs vary too much";
	case MODELS_MIXED: return "calls different functions through a pointer";
	default:
		return pool_print(pool, "sizes only %s to %s", text_count(pool, number_whole(g->smallest)),
		                  text_count(pool, number_whole(g->largest)));
	}
}

const char *view_input_model(const struct models_fit *g)
{
	return g->model == MODEL_NONE ? "" : models_name(g->model);
}

const char *view_input_growth(struct pool *pool, const struct models_fit *g)
{
	if (g->model == MODEL_NONE && models_is_worse(g, MODEL_N_LOG))
		return pool_print(pool, "(at least n^%.2f)", g->sure);
	if (g->model == MODEL_NONE) /* what is longer than a column `why` says */
		return g->why >= MODELS_UNEVEN ? "(cannot tell)" : pool_print(pool, "(%s)", view_input_why(pool, g));
	const char *growth = g->model == MODEL_POWER ? pool_print(pool, "n^%.2f", g->exponent) : models_name(g->model);
	if (g->change_at <= 0)
		return growth;
	const char *at = text_count(pool, number_whole(g->change_at));
	return g->has_before ? pool_print(pool, "%s up to %s, then %s", models_name(g->before.model), at, growth)
			     : pool_print(pool, "%s from %s on", growth, at);
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

static const char *exponent_text(struct pool *pool, const struct models_fit *g)
{
	if (g->model == MODEL_NONE)
		return "";
	if (g->model == MODEL_2N)
		return "any";
	const char *interval = inputs_interval(pool, g);
	const char *exponent = pool_print(pool, "%.2f", inputs_no_sign(g->exponent, 0.005));
	return *interval ? pool_print(pool, "%s (%s)", exponent, interval) : exponent;
}

/* ---- routines ---- */

struct routine_row {
	const struct inputs_result *is;
	const struct run_routine *routine;
	const struct models_fit *growth; /* by the metric that was asked for */
	enum input_metric metric;
};

/* Where no model was fitted there is no number, nor is there an exponent of 2^n. */
static double of_model(const struct models_fit *g, double value)
{
	return g->model == MODEL_NONE || isinf(value) ? NAN : value; /* 2^n has no exponent */
}

static const char *change_of(struct sheet *s, const struct models_fit *g)
{
	return g->change_at > 0 ? pool_print(&s->pool, "%.0f", g->change_at) : "";
}

static const char *model_before(const struct models_fit *g)
{
	return g->has_before ? models_name(g->before.model) : "";
}

static double exponent_of(const struct models_fit *g)
{
	return of_model(g, inputs_no_sign(g->exponent, DIGITS));
}

static double of_input(const struct inputs_result *r, uint64_t cells)
{
	return inputs_share(cells, r->total[INPUT_TRMS]);
}

static double of_induced(const struct inputs_result *r, uint64_t cells)
{
	uint64_t induced = r->thread_induced + r->external;
	return induced ? inputs_share(cells, induced) : NAN;
}

static const char *name_text(struct sheet *s, const struct routine_row *r)
{
	const char *name = view_name(s, r->routine);
	return r->is->pick.thread == INPUTS_ANY ? name : pool_print(&s->pool, "%s in thread %u", name, r->is->pick.thread);
}

static void put_routine(struct sheet *s, const struct routine_row *r)
{
	COLUMN(s, NAME, "routine", NULL, view_name(s, r->routine));
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, TEXT, "thread", NULL, view_input_thread(&s->pool, r->is->pick.thread));
	COLUMN(s, COUNT, "calls", NULL, r->is->calls);
	COLUMN(s, COUNT, "sizes_rms", NULL, r->is->sizes[INPUT_RMS]);
	COLUMN(s, COUNT, "sizes_trms", NULL, r->is->sizes[INPUT_TRMS]);
	COLUMN(s, COUNT, "max_trms", NULL, r->is->largest);
	COLUMN(s, COUNT, "cost", NULL, r->is->cost);
	COLUMN(s, RATIO, "richness", NULL, inputs_richness(r->is));
	COLUMN(s, RATIO, "input_volume", NULL, inputs_volume(r->is));
	COLUMN(s, PERCENT, "thread_pct", NULL, of_input(r->is, r->is->thread_induced));
	COLUMN(s, PERCENT, "external_pct", NULL, of_input(r->is, r->is->external));
	COLUMN(s, TEXT, "model", NULL, view_input_model(r->growth));
	COLUMN(s, RATIO, "exponent", NULL, exponent_of(r->growth), .sorts = "grows like");
	COLUMN(s, RATIO, "r2", NULL, of_model(r->growth, r->growth->r2));
	COLUMN(s, RATIO, "exponent_low", NULL,
	       of_model(r->growth, isinf(r->growth->exponent) ? NAN : inputs_no_sign(r->growth->exponent_low, DIGITS)));
	COLUMN(s, RATIO, "exponent_high", NULL,
	       of_model(r->growth, isinf(r->growth->exponent) ? NAN : inputs_no_sign(r->growth->exponent_high, DIGITS)));
	COLUMN(s, PERCENT, "cost_pct", NULL, r->is->cost_pct);
	COLUMN(s, PERCENT, "x10_pct", NULL, r->is->x10_pct);
	COLUMN(s, COUNT, "self_cost", NULL, r->is->self);
	COLUMN(s, COUNT, "sizes_external", NULL, r->is->sizes[INPUT_RMS_EXTERNAL]);
	COLUMN(s, COUNT, "rms_total", NULL, r->is->total[INPUT_RMS]);
	COLUMN(s, COUNT, "trms_total", NULL, r->is->total[INPUT_TRMS]);
	COLUMN(s, COUNT, "thread_induced", NULL, r->is->thread_induced);
	COLUMN(s, COUNT, "external", NULL, r->is->external);
	COLUMN(s, PERCENT, "thread_induced_pct", NULL, of_induced(r->is, r->is->thread_induced));
	COLUMN(s, PERCENT, "external_induced_pct", NULL, of_induced(r->is, r->is->external));
	COLUMN(s, TEXT, "model_rms", NULL, view_input_model(&r->is->growth[INPUT_RMS]));
	COLUMN(s, RATIO, "exponent_rms", NULL, exponent_of(&r->is->growth[INPUT_RMS]));
	COLUMN(s, COUNT, "bits", NULL, r->is->bits);
	COLUMN(s, TEXT, "why", NULL, view_input_why(&s->pool, r->growth));
	COLUMN(s, TEXT, "change_at", NULL, change_of(s, r->growth));
	COLUMN(s, TEXT, "model_before", NULL, model_before(r->growth));
	COLUMN(s, PERCENT, "self_pct", NULL, r->is->self_pct);
	COLUMN(s, PERCENT, NULL, "x10%", r->is->x10_pct,
	       .meaning = "share of the cost at ten times the input, if everything else grows in proportion");
	COLUMN(s, PERCENT, NULL, "cost%", r->is->cost_pct, .meaning = "share of the program's cost, including callees");
	COLUMN(s, TEXT, NULL, "grows like", view_input_growth(&s->pool, r->growth));
	COLUMN(s, TEXT, NULL, "exponent", exponent_text(&s->pool, r->growth), .drop = 2,
	       .meaning = "power of n, with its 95 % confidence interval");
	COLUMN(s, RATIO, NULL, "R2", of_model(r->growth, r->growth->r2), .drop = 1,
	       .meaning = "share of the differences in cost that the cost function explains");
	COLUMN(s, COUNT, NULL, "calls", r->is->calls, .drop = 1);
	COLUMN(s, COUNT, NULL, "sizes", r->is->sizes[r->metric], .drop = 1, .meaning = "different input sizes");
	COLUMN(s, COUNT, NULL, "largest", r->is->largest, .drop = 3);
	COLUMN(s, PERCENT, NULL, "induced%", of_input(r->is, r->is->thread_induced + r->is->external), .drop = 3,
	       .meaning = "share of its input that comes from other threads and from outside");
	COLUMN(s, NAME, NULL, "routine", name_text(s, r));
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line), .drop = 2);
}

static void add_routine(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_result *is)
{
	bool is_all = is->pick.thread == INPUTS_ANY;
	if (is_all || ask->all_rows || d->asked.thread >= 0)
		sheet_row(s, is_all ? 0 : 1);
	else
		sheet_follow(s, 0);
	sheet_about(s, is->pick.routine);
	put_routine(s, &(struct routine_row){is, &d->run.routines[is->pick.routine], &is->growth[d->metric], d->metric});
}

static void add_threads(struct sheet *s, const struct input_data *d, const struct view_ask *ask, const struct inputs_pick *all,
                        uint64_t whole)
{
	size_t count;
	uint32_t *threads = view_input_threads_of(d, all->routine, &count);
	for (size_t i = 0; i < count; i++) {
		struct inputs_pick pick = *all;
		pick.thread = threads[i];
		struct inputs_result r = inputs_result(&d->inputs, &pick, d->metric, d->measure, whole);
		add_routine(s, d, ask, &r);
	}
	free(threads);
}

static void fill_routines(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	bool details = ask->all_rows || d->asked.by_thread || d->asked.thread >= 0;
	uint64_t whole = inputs_cost(&d->inputs, INPUTS_ANY);
	put_routine(s, &(struct routine_row){0});
	for (size_t i = 0; i < d->result_count; i++) {
		if (!view_input_wants(d, ask->routine, d->results[i].pick.routine))
			continue;
		if (d->asked.thread < 0)
			add_routine(s, d, ask, &d->results[i]);
		if (details)
			add_threads(s, d, ask, &d->results[i].pick, whole);
	}
	if (ask->routine && !ask->all_rows)
		s->drawing = view_input_plots(&s->pool, d, ask);
}

static int check_routines(const void *data, const struct view_ask *ask, struct fail *why)
{
	return view_input_check_plot(data, VIEW_PLOT_OF_SIZES, ask->routine && !ask->all_rows, why);
}

const struct view view_input_routines = {
	.name = "routines",
	.help = "how cost grows, and its share at 10 x input (default)",
	.top = 20,
	.check = check_routines,
	.fill = fill_routines,
	.draw = view_input_draw_cost,
};

/* ---- contexts ---- */

struct context_row {
	const struct inputs_result *is;
	const struct run_routine *routine;
	const struct models_fit *growth;
	uint32_t depth;
};

static const char *context_text(struct sheet *s, const struct context_row *r)
{
	return pool_print(&s->pool, "%s%s", view_indent(&s->pool, r->depth), view_name(s, r->routine));
}

static void put_context(struct sheet *s, const struct context_row *r)
{
	COLUMN(s, COUNT, "depth", NULL, r->depth);
	COLUMN(s, NAME, "routine", NULL, view_name(s, r->routine));
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, COUNT, "calls", "calls", r->is->calls, .drop = 1);
	COLUMN(s, COUNT, "sizes_trms", "sizes", r->is->sizes[INPUT_TRMS], .drop = 2, .meaning = "different input sizes");
	COLUMN(s, COUNT, "max_trms", "largest", r->is->largest, .drop = 3);
	COLUMN(s, COUNT, "cost", NULL, r->is->cost);
	COLUMN(s, PERCENT, "cost_pct", "cost%", r->is->cost_pct, .meaning = "share of the program's cost, including callees");
	COLUMN(s, TEXT, "model", NULL, view_input_model(r->growth));
	COLUMN(s, RATIO, "exponent", NULL, exponent_of(r->growth), .sorts = "grows like");
	COLUMN(s, RATIO, "r2", NULL, of_model(r->growth, r->growth->r2));
	COLUMN(s, TEXT, NULL, "grows like", view_input_growth(&s->pool, r->growth));
	COLUMN(s, RATIO, NULL, "R2", of_model(r->growth, r->growth->r2), .drop = 1,
	       .meaning = "share of the differences in cost that the cost function explains");
	COLUMN(s, CONTEXT, NULL, "context", context_text(s, r));
}

static void add_context(struct sheet *s, const struct input_data *d, const struct inputs_result *is, uint32_t depth)
{
	sheet_row(s, 0);
	sheet_nest(s, depth);
	put_context(s, &(struct context_row){is, &d->run.routines[is->pick.routine], &is->growth[d->metric], depth});
}

/* Children as lists: a context's first and its next sibling, as context + 1. Depth may be large, so there is no recursion. */
static void fill_contexts(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	uint32_t *first = memory_zeroed(in->context_count, sizeof *first), *next = memory_zeroed(in->context_count, sizeof *next);
	uint64_t whole = inputs_cost(in, INPUTS_ANY);
	uint32_t depth = 0, thread = d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY;
	put_context(s, &(struct context_row){0});
	for (uint32_t i = (uint32_t)in->context_count; i-- > 1;) {
		next[i] = first[in->contexts[i].parent];
		first[in->contexts[i].parent] = i;
	}
	for (uint32_t at = first[0]; at;) {
		struct inputs_result r =
			inputs_result(in, &(struct inputs_pick){in->contexts[at].routine, at, thread, 0}, d->metric, d->measure, whole);
		if (view_input_wants(d, ask->routine, in->contexts[at].routine))
			add_context(s, d, &r, ask->routine ? 0 : depth);
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

const struct view view_input_contexts = {
	.name = "contexts",
	.help = "routines by calling context, if contexts were recorded",
	.sort = "cost",
	.top = 40,
	.check = view_input_check_no_plot,
	.fill = fill_contexts,
};
