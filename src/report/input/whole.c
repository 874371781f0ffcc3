/* SPDX-License-Identifier: MIT */
/* whole.c: where input comes from, how routines differ in it, which threads read from which, the runs, and the program's figures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "report/input/view.h"
#include "report/summary.h"
#include "report/view.h"

enum { BAR = 20 };

uint64_t view_input_induced(const struct inputs_result *r)
{
	return r->thread_induced + r->external;
}

/* ---- sources: Figure 9 ---- */

static int by_induced(const void *a, const void *b)
{
	const struct inputs_result *x = *(const struct inputs_result *const *)a, *y = *(const struct inputs_result *const *)b;
	double p = inputs_share(view_input_induced(x), x->total[INPUT_TRMS]), q = inputs_share(view_input_induced(y), y->total[INPUT_TRMS]);
	if (p != q)
		return p > q ? -1 : 1;
	if (x->total[INPUT_TRMS] != y->total[INPUT_TRMS])
		return x->total[INPUT_TRMS] > y->total[INPUT_TRMS] ? -1 : 1;
	return x->pick.routine < y->pick.routine ? -1 : 1;
}

static const char *bar(struct pool *pool, double thread, double external)
{
	char text[BAR + 1];
	size_t t = (size_t)number_within(thread / 100 * BAR + 0.5, 0, BAR),
	       all = (size_t)number_within((thread + external) / 100 * BAR + 0.5, 0, BAR);
	all = all < t ? t : all; /* a share below 0 is one of an invalid recording */
	memset(text, 't', t);
	memset(text + t, 'e', all - t);
	text[all] = 0;
	return pool_text(pool, text);
}

struct source_row {
	const struct run_routine *routine;
	const struct inputs_result *is;
	double thread_pct, external_pct; /* of its input */
};

static void put_source(struct sheet *s, const struct source_row *r)
{
	COLUMN(s, NAME, "routine", NULL, view_name(s, r->routine));
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, COUNT, "trms_total", "input", r->is->total[INPUT_TRMS], .drop = 1, .meaning = "cells, sum over all activations");
	COLUMN(s, COUNT, "thread_induced", NULL, r->is->thread_induced);
	COLUMN(s, COUNT, "external", NULL, r->is->external);
	COLUMN(s, PERCENT, "induced_pct", "induced%", r->thread_pct + r->external_pct, .meaning = "induced reads as a share of its input");
	COLUMN(s, PERCENT, "thread_pct", "thread%", r->thread_pct, .meaning = "share of its input that other threads wrote");
	COLUMN(s, PERCENT, "external_pct", "external%", r->external_pct, .meaning = "share of its input that comes from outside");
	COLUMN(s, PERCENT, "thread_induced_pct", NULL,
	       view_input_induced(r->is) ? inputs_share(r->is->thread_induced, view_input_induced(r->is)) : NAN);
	COLUMN(s, PERCENT, "external_induced_pct", NULL,
	       view_input_induced(r->is) ? inputs_share(r->is->external, view_input_induced(r->is)) : NAN);
	COLUMN(s, TEXT, NULL, "t other threads, e outside", bar(&s->pool, r->thread_pct, r->external_pct), .drop = 2);
	COLUMN(s, NAME, NULL, "routine", view_name(s, r->routine));
}

static void add_source(struct sheet *s, const struct input_data *d, const struct inputs_result *is)
{
	sheet_row(s, 0);
	put_source(s,
	           &(struct source_row){&d->run.routines[is->pick.routine], is, inputs_share(is->thread_induced, is->total[INPUT_TRMS]),
	                                inputs_share(is->external, is->total[INPUT_TRMS])});
}

const struct inputs_result **view_input_by_source(const struct input_data *d, const struct view_ask *ask, size_t *count)
{
	const struct inputs_result **list = memory_zeroed(d->result_count, sizeof *list);
	*count = 0;
	for (size_t i = 0; i < d->result_count; i++)
		if (view_input_wants(d, ask->routine, d->results[i].pick.routine))
			list[(*count)++] = &d->results[i];
	if (*count)
		qsort(list, *count, sizeof *list, by_induced);
	return list;
}

static void fill_sources(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	size_t count;
	const struct inputs_result **list = view_input_by_source(d, ask, &count);
	put_source(s, &(struct source_row){0});
	for (size_t i = 0; i < count; i++)
		if (ask->all_rows || ask->routine || view_input_induced(list[i]))
			add_source(s, d, list[i]);
	free(list);
	s->legend = ask->all_rows ? NULL : "Routines without induced input are left out.";
}

const struct view view_input_sources = {
	.name = "sources",
	.help = "how much input comes from other threads and from outside",
	.top = 20,
	.check = view_input_check_no_plot,
	.fill = fill_sources,
	.draw = view_input_draw_sources,
};

/* ---- distribution: Figures 15, 16, 18, 19 ---- */

struct step_row {
	const char *metric;
	size_t routines, all;
	double value, most;
};

static void put_step(struct sheet *s, const struct step_row *r)
{
	COLUMN(s, TEXT, "metric", "metric", r->metric);
	COLUMN(s, COUNT, "routines", "routines", r->routines);
	COLUMN(s, PERCENT, "routines_pct", "routines%", 100 * (double)r->routines / (double)r->all);
	COLUMN(s, RATIO, "at_least", "have at least", r->value);
	COLUMN(s, BAR, NULL, "", fmax(r->value, 0) / r->most);
}

const char *const view_input_metric_names[VIEW_METRICS] = {"richness", "input_volume", "thread_induced_pct", "external_induced_pct"};

static double metric_of(const struct inputs_result *r, enum view_input_metric metric)
{
	switch (metric) {
	case VIEW_RICHNESS: return inputs_richness(r);
	case VIEW_VOLUME: return inputs_volume(r);
	case VIEW_THREAD: return inputs_share(r->thread_induced, view_input_induced(r));
	default: return inputs_share(r->external, view_input_induced(r));
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
		if (at + 1 == number_count(ceil(shares[i] / 100 * (double)count)))
			return true;
	return false;
}

size_t view_input_values(const struct input_data *d, enum view_input_metric metric, double *values)
{
	size_t count = 0;
	for (size_t i = 0; i < d->result_count; i++) {
		double value = metric_of(&d->results[i], metric);
		if (!isnan(value))
			values[count++] = value;
	}
	if (count)
		qsort(values, count, sizeof *values, descending);
	return count;
}

static void add_steps(struct sheet *s, const struct input_data *d, const struct view_ask *ask, enum view_input_metric metric,
                      double *values)
{
	size_t count = view_input_values(d, metric, values), shown = 0;
	for (size_t i = 0; i < count; i++) {
		bool is_last = i + 1 == count || values[i + 1] < values[i];
		if (ask->all_rows ? !is_last : !is_shown(i, count))
			continue;
		double most = metric == VIEW_RICHNESS ? fmax(values[0], 1e-9) : metric == VIEW_VOLUME ? 1 : 100;
		sheet_row(s, (unsigned)metric);
		put_step(s, &(struct step_row){view_input_metric_names[metric], i + 1, count, values[i], most});
		if (metric && shown++ == 0)
			sheet_gap(s, s->row_count - 1);
	}
}

static void fill_distribution(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	double *values = memory_zeroed(d->result_count, sizeof *values);
	put_step(s, &(struct step_row){0});
	for (int metric = 0; metric < VIEW_METRICS; metric++)
		add_steps(s, d, ask, (enum view_input_metric)metric, values);
	free(values);
	s->legend =
		"richness: (sizes by trms - sizes by rms) / sizes by rms. input_volume: 1 - rms / trms, over all activations. thread_induced_pct, external_induced_pct: share of the routine's induced reads.";
}

static int check_distribution(const void *data, const struct view_ask *ask, struct fail *why)
{
	(void)ask;
	return view_input_check_plot(data, VIEW_PLOT_OF_SHARES, false, why);
}

const struct view view_input_distribution = {
	.name = "distribution",
	.help = "how many routines have at least a given induced input",
	.check = check_distribution,
	.fill = fill_distribution,
	.draw = view_input_draw_distribution,
};

/* ---- threads: who reads what whom ---- */

static const char *writer_text(struct pool *pool, uint32_t writer)
{
	return writer == INPUTS_KERNEL ? "kernel" : writer == INPUTS_OTHERS ? "others" : pool_print(pool, "%u", writer);
}

struct read_row {
	const struct run *run;
	const struct inputs_source *source;
	uint64_t all, most; /* cells of all pairs, and of one */
};

static const struct run_thread *reader_of(const struct read_row *r)
{
	return &r->run->threads[r->source->reader];
}

static void put_read(struct sheet *s, const struct read_row *r)
{
	COLUMN(s, TEXT, "reader", "reader", pool_print(&s->pool, "%u", r->source->reader));
	COLUMN(s, TEXT, "writer", "writer", writer_text(&s->pool, r->source->writer));
	COLUMN(s, COUNT, "cells", "cells", r->source->cells);
	COLUMN(s, PERCENT, "cells_pct", "cells%", inputs_share(r->source->cells, r->all), .meaning = "share of all induced reads");
	COLUMN(s, ID, "reader_process", NULL, r->run->processes[reader_of(r)->process].pid);
	COLUMN(s, TEXT, "reader_name", NULL, reader_of(r)->name);
	COLUMN(s, TEXT, "writer_name", NULL, r->source->writer < r->run->thread_count ? r->run->threads[r->source->writer].name : "");
	COLUMN(s, BAR, NULL, "", (double)r->source->cells / (double)r->most, .drop = 1);
}

static void fill_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	struct read_row row = {.run = in->run, .most = 1};
	long only = d->asked.thread;
	(void)ask;
	put_read(s, &row);
	for (size_t i = 0; i < in->source_count; i++) {
		row.all += in->sources[i].cells;
		row.most = in->sources[i].cells > row.most ? in->sources[i].cells : row.most;
	}
	for (size_t i = 0; i < in->source_count; i++) {
		row.source = &in->sources[i];
		if (only >= 0 && row.source->reader != (uint32_t)only && row.source->writer != (uint32_t)only)
			continue;
		sheet_row(s, 0);
		put_read(s, &row);
	}
	s->legend = "Cells that a thread read after another thread or the kernel had written them; each induced read counts once.";
}

const struct view view_input_threads = {
	.name = "threads",
	.help = "which thread's writes each thread reads",
	.sort = "cells",
	.top = 40,
	.check = view_input_check_no_plot,
	.fill = fill_threads,
};

/* ---- runs ---- */

struct run_row {
	size_t number;
	const struct inputs_run *run;
	uint64_t calls, largest, cost;
};

static const char *time_text(struct pool *pool, uint64_t real_ns)
{
	time_t seconds = (time_t)(real_ns / 1000000000);
	struct tm parts;
	char when[32] = "";
	if (gmtime_r(&seconds, &parts))
		strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
	return pool_text(pool, when);
}

static void put_run(struct sheet *s, const struct run_row *r)
{
	COLUMN(s, ID, "run", "run", r->number);
	COLUMN(s, TEXT, "started", "started", time_text(&s->pool, r->run->started_real_ns), .drop = 1);
	COLUMN(s, COUNT, "processes", "processes", r->run->processes, .drop = 2);
	COLUMN(s, ID, "first_thread", NULL, r->run->first_thread);
	COLUMN(s, COUNT, "threads", "threads", r->run->threads);
	COLUMN(s, COUNT, "calls", "calls", r->calls);
	COLUMN(s, COUNT, "max_trms", "largest", r->largest, .meaning = "largest input size of any call");
	COLUMN(s, COUNT, "cost", "cost", r->cost);
	COLUMN(s, NAME, "command", "command", r->run->command);
}

static void fill_runs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct inputs *in = &((const struct input_data *)data)->inputs;
	(void)ask;
	put_run(s, &(struct run_row){0});
	for (size_t i = 0; i < in->run_count; i++) {
		struct run_row row = {.number = i + 1, .run = &in->runs[i]};
		for (size_t k = 0; k < in->point_count; k++) {
			const struct inputs_point *p = &in->points[k];
			if (p->thread - row.run->first_thread >= row.run->threads || !(p->metrics >> INPUT_TRMS & 1))
				continue;
			row.cost += p->self_sum;
			row.calls += p->context ? p->calls : 0;
			row.largest = p->context && p->size > row.largest ? p->size : row.largest;
		}
		sheet_row(s, 0);
		put_run(s, &row);
	}
}

const struct view view_input_runs = {
	.name = "runs",
	.help = "the runs that reports add up",
	.check = view_input_check_no_plot,
	.fill = fill_runs,
};

/* ---- summary ---- */

/* Hooks do not count what only Valgrind counts: such a figure was not measured. */
static void valgrind_count(struct sheet *s, const struct raw_input_how *how, const char *name, uint64_t value)
{
	summary_count(s, name, how->producer == RAW_INPUT_COMPILED ? RUN_UNKNOWN : (int64_t)value);
}

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
	valgrind_count(s, how, "reads", sum.reads);
	valgrind_count(s, how, "writes", sum.writes);
	valgrind_count(s, how, "kernel_reads", sum.kernel_reads);
	valgrind_count(s, how, "kernel_writes", sum.kernel_writes);
	valgrind_count(s, how, "switches", sum.switches);
	summary_count(s, "renumberings", sum.renumberings);
	valgrind_count(s, how, "forgotten", sum.forgotten);
	summary_count(s, "binned", sum.binned);
	valgrind_count(s, how, "cut", sum.cut);
	summary_count(s, "unseen", sum.unseen);
}

/* Counts each induced first access once, whatever the callers. */
static void induced_once(const struct inputs *in, uint32_t reader, uint64_t *thread, uint64_t *external)
{
	*thread = *external = 0;
	for (size_t i = 0; i < in->source_count; i++)
		if (reader == INPUTS_ANY || in->sources[i].reader == reader)
			*(in->sources[i].writer == INPUTS_KERNEL ? external : thread) += in->sources[i].cells;
}

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct input_data *d = data;
	const struct inputs *in = &d->inputs;
	const struct run *run = in->run;
	struct inputs_pick all = {INPUTS_ANY, INPUTS_ANY, d->asked.thread >= 0 ? (uint32_t)d->asked.thread : INPUTS_ANY, 0};
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
	summary_real(s, "input_volume", trms.size_sum ? 1 - (double)rms.size_sum / (double)trms.size_sum : NAN);
	summary_real(s, "thread_pct_induced", thread + external ? inputs_share(thread, thread + external) : NAN);
	summary_real(s, "external_pct_induced", thread + external ? inputs_share(external, thread + external) : NAN);
	how_figures(s, in);
	summary_count(s, "runs", in->run_count);
	summary_count(s, "runs_left_out", in->runs_left_out);
	summary_count(s, "contexts", in->has_contexts ? (int64_t)in->context_count - 1 : RUN_UNKNOWN);
	summary_count(s, "points", in->point_count);
	summary_count(s, "threads", run->thread_count);
	summary_count(s, "processes", run->process_count);
	summary_count(s, "wall_ns", run->wall_ns);
	summary_count(s, "cpu_ns", run->cpu_ns);
	summary_count(s, "profiler_cpu_ns", run->own_cpu_ns);
	summary_run(s, run);
}

const struct view view_input_summary = {
	.name = "summary",
	.help = "all figures of the run, one per row",
	.check = view_input_check_no_plot,
	.fill = fill_summary,
};
