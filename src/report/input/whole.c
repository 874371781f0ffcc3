/* SPDX-License-Identifier: MIT */
/* whole.c: where input comes from, how routines differ in it, which threads read from which, the runs, and the program's figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report/input/view.h"
#include "report/summary.h"

enum { BAR = 20 };

static uint64_t induced(const struct inputs_result *r)
{
	return r->thread_induced + r->external;
}

/* ---- sources: Figure 9 ---- */

const struct column view_input_sources_columns[VIEW_INPUT_sources_COLUMNS] = {
	{"routine", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"trms_total", "input", COLUMN_AMOUNT, 1, "cells, sum over all activations"},
	{"thread_induced", NULL, COLUMN_COUNT, 0, NULL},
	{"external", NULL, COLUMN_COUNT, 0, NULL},
	{"induced_pct", "induced%", COLUMN_PERCENT, 0, "induced reads as a share of its input"},
	{"thread_pct", "thread%", COLUMN_PERCENT, 0, "share of its input that other threads wrote"},
	{"external_pct", "external%", COLUMN_PERCENT, 0, "share of its input that comes from outside"},
	{"thread_induced_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"external_induced_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{NULL, "t other threads, e outside", COLUMN_TEXT, 2, NULL},
	{NULL, "routine", COLUMN_NAME, 0, NULL},
};

static int by_induced(const void *a, const void *b)
{
	const struct inputs_result *x = *(const struct inputs_result *const *)a, *y = *(const struct inputs_result *const *)b;
	double p = inputs_share(induced(x), x->total[INPUT_TRMS]), q = inputs_share(induced(y), y->total[INPUT_TRMS]);
	if (p != q)
		return p > q ? -1 : 1;
	if (x->total[INPUT_TRMS] != y->total[INPUT_TRMS])
		return x->total[INPUT_TRMS] > y->total[INPUT_TRMS] ? -1 : 1;
	return x->pick.routine < y->pick.routine ? -1 : 1;
}

static const char *bar(struct pool *pool, double thread, double external)
{
	char text[BAR + 1];
	int t = (int)(thread / 100 * BAR + 0.5), e = (int)((thread + external) / 100 * BAR + 0.5);
	t = t > BAR ? BAR : t;
	e = e > BAR ? BAR : e;
	memset(text, 't', (size_t)t);
	memset(text + t, 'e', (size_t)(e - t));
	text[e] = 0;
	return pool_text(pool, text);
}

static void source_row(struct sheet *s, const struct input_data *d, const struct inputs_result *r)
{
	const struct run_routine *routine = &d->run.routines[r->pick.routine];
	double thread = inputs_share(r->thread_induced, r->total[INPUT_TRMS]), external = inputs_share(r->external, r->total[INPUT_TRMS]);
	sheet_row(s, 0);
	sheet_lend(s, routine->name);
	sheet_lend(s, routine->file);
	sheet_number(s, *routine->file ? (int64_t)routine->line : -1);
	sheet_number(s, (int64_t)r->total[INPUT_TRMS]);
	sheet_number(s, (int64_t)r->thread_induced);
	sheet_number(s, (int64_t)r->external);
	sheet_real(s, thread + external);
	sheet_real(s, thread);
	sheet_real(s, external);
	sheet_real(s, induced(r) ? inputs_share(r->thread_induced, induced(r)) : NAN);
	sheet_real(s, induced(r) ? inputs_share(r->external, induced(r)) : NAN);
	sheet_text(s, bar(&s->pool, thread, external));
	sheet_lend(s, routine->name);
}

void view_input_sources(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs_result **list = memory_zeroed(d->result_count, sizeof *list);
	size_t count = 0;
	for (size_t i = 0; i < d->result_count; i++)
		if (view_input_wants(d, ask->routine, d->results[i].pick.routine))
			list[count++] = &d->results[i];
	if (count)
		qsort(list, count, sizeof *list, by_induced);
	for (size_t i = 0; i < count; i++)
		if (ask->all_rows || ask->routine || induced(list[i]))
			source_row(s, d, list[i]);
	free(list);
	s->legend = ask->all_rows ? NULL : "Routines without induced input are left out.";
}

/* ---- distribution: Figures 15, 16, 18, 19 ---- */

const struct column view_input_distribution_columns[VIEW_INPUT_distribution_COLUMNS] = {
	{"metric", "metric", COLUMN_TEXT, 0, NULL},
	{"routines", "routines", COLUMN_COUNT, 0, NULL},
	{"routines_pct", "routines%", COLUMN_PERCENT, 0, NULL},
	{"at_least", "have at least", COLUMN_RATIO, 0, NULL},
	{NULL, "", COLUMN_BAR, 0, NULL},
};

enum { RICHNESS, VOLUME, THREAD, EXTERNAL, METRICS };

static double metric_of(const struct inputs_result *r, int metric)
{
	switch (metric) {
	case RICHNESS: return inputs_richness(r);
	case VOLUME: return inputs_volume(r);
	case THREAD: return inputs_share(r->thread_induced, induced(r));
	default: return inputs_share(r->external, induced(r));
	}
}

static int descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x > y ? -1 : x < y;
}

/* In text, where a curve would be looked at; otherwise every step of it. */
static bool is_shown(size_t at, size_t count)
{
	static const double shares[] = {1, 2, 4, 8, 16, 32, 64, 100};
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		if (at + 1 == (size_t)ceil(shares[i] / 100 * (double)count))
			return true;
	return false;
}

static void distribution_rows(struct sheet *s, const struct input_data *d, const struct view_ask *ask, int metric, double *values)
{
	static const char *const names[METRICS] = {"richness", "input_volume", "thread_induced_pct", "external_induced_pct"};
	size_t count = 0, shown = 0;
	for (size_t i = 0; i < d->result_count; i++) {
		double value = metric_of(&d->results[i], metric);
		if (!isnan(value))
			values[count++] = value;
	}
	if (count)
		qsort(values, count, sizeof *values, descending);
	for (size_t i = 0; i < count; i++) {
		bool is_last = i + 1 == count || values[i + 1] < values[i];
		if (ask->all_rows ? !is_last : !is_shown(i, count))
			continue;
		double most = metric == RICHNESS ? fmax(values[0], 1e-9) : metric == VOLUME ? 1 : 100;
		sheet_row(s, (unsigned)metric);
		if (metric && shown++ == 0)
			sheet_gap(s);
		sheet_lend(s, names[metric]);
		sheet_number(s, (int64_t)i + 1);
		sheet_real(s, 100 * (double)(i + 1) / (double)count);
		sheet_real(s, values[i]);
		sheet_real(s, fmax(values[i], 0) / most);
	}
}

void view_input_distribution(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	double *values = memory_zeroed(d->result_count, sizeof *values);
	for (int metric = 0; metric < METRICS; metric++)
		distribution_rows(s, d, ask, metric, values);
	free(values);
	s->legend =
		"richness: (sizes by trms - sizes by rms) / sizes by rms. input_volume: 1 - rms / trms, over all activations. thread_induced_pct, external_induced_pct: share of the routine's induced reads.";
}

/* ---- threads: who reads what whom ---- */

const struct column view_input_threads_columns[VIEW_INPUT_threads_COLUMNS] = {
	{"reader", "reader", COLUMN_TEXT, 0, NULL},      {"writer", "writer", COLUMN_TEXT, 0, NULL},
	{"cells", "cells", COLUMN_COUNT, 0, NULL},       {"cells_pct", "cells%", COLUMN_PERCENT, 0, "share of all induced reads"},
	{"reader_process", NULL, COLUMN_COUNT, 0, NULL}, {"reader_name", NULL, COLUMN_TEXT, 0, NULL},
	{"writer_name", NULL, COLUMN_TEXT, 0, NULL},     {NULL, "", COLUMN_BAR, 1, NULL},
};

static const char *writer_text(struct pool *pool, uint32_t writer)
{
	return writer == INPUTS_KERNEL ? "kernel" : writer == INPUTS_OTHERS ? "others" : pool_print(pool, "%u", writer);
}

void view_input_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	uint64_t all = 0, most = 1;
	(void)ask;
	for (size_t i = 0; i < in->source_count; i++) {
		all += in->sources[i].cells;
		most = in->sources[i].cells > most ? in->sources[i].cells : most;
	}
	for (size_t i = 0; i < in->source_count; i++) {
		const struct inputs_source *source = &in->sources[i];
		const struct run_thread *reader = &in->run->threads[source->reader];
		bool is_thread = source->writer < in->run->thread_count;
		if (d->asked.thread >= 0 && source->reader != (uint32_t)d->asked.thread && source->writer != (uint32_t)d->asked.thread)
			continue;
		sheet_row(s, 0);
		sheet_text(s, pool_print(&s->pool, "%u", source->reader));
		sheet_text(s, writer_text(&s->pool, source->writer));
		sheet_number(s, (int64_t)source->cells);
		sheet_real(s, inputs_share(source->cells, all));
		sheet_number(s, in->run->processes[reader->process].pid);
		sheet_lend(s, reader->name);
		sheet_lend(s, is_thread ? in->run->threads[source->writer].name : "");
		sheet_real(s, (double)source->cells / (double)most);
	}
	s->legend = "Cells that a thread read after another thread or the kernel had written them; each induced read counts once.";
}

/* ---- runs ---- */

const struct column view_input_runs_columns[VIEW_INPUT_runs_COLUMNS] = {
	{"run", "run", COLUMN_COUNT, 0, NULL},
	{"started", "started", COLUMN_TEXT, 1, NULL},
	{"processes", "processes", COLUMN_COUNT, 2, NULL},
	{"first_thread", NULL, COLUMN_COUNT, 0, NULL},
	{"threads", "threads", COLUMN_COUNT, 0, NULL},
	{"calls", "calls", COLUMN_AMOUNT, 0, NULL},
	{"max_trms", "largest", COLUMN_AMOUNT, 0, "largest input size of any call"},
	{"cost", "cost", COLUMN_AMOUNT, 0, NULL},
	{"command", "command", COLUMN_NAME, 0, NULL},
};

void view_input_runs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct inputs *in = &((const struct input_data *)data)->inputs;
	(void)ask;
	for (size_t i = 0; i < in->run_count; i++) {
		const struct inputs_run *r = &in->runs[i];
		uint64_t calls = 0, largest = 0, cost = 0;
		for (size_t k = 0; k < in->point_count; k++) {
			const struct inputs_point *p = &in->points[k];
			if (p->thread - r->first_thread >= r->threads || !(p->metrics >> INPUT_TRMS & 1))
				continue;
			cost += p->self_sum;
			calls += p->context ? p->calls : 0;
			largest = p->context && p->size > largest ? p->size : largest;
		}
		time_t seconds = (time_t)(r->started_real_ns / 1000000000);
		struct tm parts;
		char when[32] = "";
		if (gmtime_r(&seconds, &parts))
			strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
		sheet_row(s, 0);
		sheet_number(s, (int64_t)i + 1);
		sheet_text(s, when);
		sheet_number(s, r->processes);
		sheet_number(s, r->first_thread);
		sheet_number(s, r->threads);
		sheet_number(s, (int64_t)calls);
		sheet_number(s, (int64_t)largest);
		sheet_number(s, (int64_t)cost);
		sheet_lend(s, r->command);
	}
}

/* ---- summary ---- */

const struct column view_input_summary_columns[VIEW_INPUT_summary_COLUMNS] = {
	SUMMARY_COLUMNS,
};

static void how_figures(struct sheet *s, const struct inputs *in)
{
	const struct raw_input_how *how = inputs_how(in);
	struct raw_input_how sum = {0};
	for (size_t i = 0; i < in->run->process_count; i++) {
		const struct raw_input_how *h = &in->hows[i];
		sum.reads += h->reads;
		sum.writes += h->writes;
		sum.kernel_reads += h->kernel_reads;
		sum.kernel_writes += h->kernel_writes;
		sum.switches += h->switches;
		sum.renumberings += h->renumberings;
		sum.forgotten += h->forgotten;
		sum.binned += h->binned;
		sum.cut += h->cut;
		sum.unseen += h->unseen;
	}
	summary_text(s, "producer", how->producer == RAW_INPUT_COMPILED ? "compiled" : "valgrind");
	summary_text(s, "cost_unit", how->cost == RAW_INPUT_INSTRUCTIONS ? "instructions" : "blocks");
	summary_count(s, "cell_bytes", how->cell_bytes);
	summary_count(s, "sizes_max", how->sizes_max);
	summary_count(s, "reads", sum.reads);
	summary_count(s, "writes", sum.writes);
	summary_count(s, "kernel_reads", sum.kernel_reads);
	summary_count(s, "kernel_writes", sum.kernel_writes);
	summary_count(s, "switches", sum.switches);
	summary_count(s, "renumberings", sum.renumberings);
	summary_count(s, "forgotten", sum.forgotten);
	summary_count(s, "binned", sum.binned);
	summary_count(s, "cut", sum.cut);
	summary_count(s, "unseen", sum.unseen);
}

/* Each induced first access once, whoever was called by whom. */
static void induced_once(const struct inputs *in, uint32_t reader, uint64_t *thread, uint64_t *external)
{
	*thread = *external = 0;
	for (size_t i = 0; i < in->source_count; i++)
		if (reader == INPUTS_ANY || in->sources[i].reader == reader)
			*(in->sources[i].writer == INPUTS_KERNEL ? external : thread) += in->sources[i].cells;
}

void view_input_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	const struct run *run = in->run;
	struct inputs_pick all = {INPUTS_ANY, INPUTS_ANY, d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY};
	struct inputs_size rms = inputs_total(in, &all, INPUT_RMS), trms = inputs_total(in, &all, INPUT_TRMS);
	uint64_t thread, external, models = 0;
	(void)ask;
	induced_once(in, all.thread, &thread, &external);
	for (size_t i = 0; i < d->result_count; i++)
		models += d->results[i].growth[d->metric].model != MODEL_NONE;
	summary_count(s, "routines", d->result_count);
	summary_count(s, "cost", inputs_cost(in, all.thread));
	summary_count(s, "rms_total", rms.size_sum);
	summary_count(s, "trms_total", trms.size_sum);
	summary_count(s, "thread_total", thread);
	summary_count(s, "external_total", external);
	summary_count(s, "lost_events", run_lost_events(run));
	summary_count(s, "calls", trms.calls);
	summary_count(s, "models", models);
	summary_text(s, "input_volume", pool_print(&s->pool, "%.4f", trms.size_sum ? 1 - (double)rms.size_sum / (double)trms.size_sum : 0));
	summary_text(s, "thread_pct_induced", pool_print(&s->pool, "%.4f", inputs_share(thread, thread + external)));
	summary_text(s, "external_pct_induced", pool_print(&s->pool, "%.4f", inputs_share(external, thread + external)));
	how_figures(s, in);
	summary_count(s, "runs", in->run_count);
	summary_count(s, "runs_left_out", in->runs_left_out);
	summary_count(s, "contexts", in->has_contexts ? in->context_count - 1 : 0);
	summary_count(s, "points", in->point_count);
	summary_count(s, "threads", run->thread_count);
	summary_count(s, "processes", run->process_count);
	summary_count(s, "wall_ns", run->wall_ns);
	summary_count(s, "cpu_ns", run->cpu_ns);
	summary_text(s, "mode", run->mode);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}
