/* SPDX-License-Identifier: MIT */
/* wall.c: with whom: workers, pairs of routines that ran together, and wall time by number of workers. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyse/calls/verdict.h"
#include "report/calls/view.h"
#include "report/summary.h"

/* ---- workers ---- */

const struct column view_workers_columns[VIEW_workers_COLUMNS] = {
	{"worker", "worker", COLUMN_COUNT, 0, NULL},
	{"process", NULL, COLUMN_COUNT, 0, NULL},
	{"threads", "threads", COLUMN_COUNT, 0, NULL},
	{"names", "names", COLUMN_NAME, 1, NULL},
	{"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"alive_ns", "alive", COLUMN_NS, 2, NULL},
	{"working_ns", "working", COLUMN_NS, 0, NULL},
	{"direct_ns", NULL, COLUMN_NS, 0, NULL},
	{"wait_ns", "waiting", COLUMN_NS, 0, NULL},
	{NULL, "mostly", COLUMN_TEXT, 1, NULL},
#define X(name, word, nature, advice) {word "_ns", word, COLUMN_NS, 3, NULL},
	RAW_WAIT_LIST(X)
#undef X
		{"waits", NULL, COLUMN_COUNT, 0, NULL},
	{"working_pct", "work%", COLUMN_PERCENT, 0, "share of its lifetime in which it was working"},
	{"against_mean", "/mean", COLUMN_RATIO, 0,
         "its working time, without what it did alone, divided by the mean of all workers that do more than join"},
	{"cpu_ns", NULL, COLUMN_NS, 0, NULL},
};

/* The names of a worker's threads, each once, the first few of them. */
static const char *thread_names(struct sheet *s, const struct run *run, uint32_t worker)
{
	const char *list = "";
	int names = 0;
	for (size_t i = 0; i < run->thread_count && names < 4; i++) {
		const char *name = run->threads[i].name;
		if (run->threads[i].worker != worker || !*name || strstr(list, name))
			continue;
		list = pool_print(&s->pool, "%s%s%s", list, names ? ", " : "", names == 3 ? "…" : name);
		names++;
	}
	return list;
}

static int64_t cpu_of(const struct run *run, uint32_t worker)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < run->thread_count; i++)
		sum += run->threads[i].worker == worker ? run->threads[i].cpu_ns : 0;
	return (int64_t)sum;
}

void view_workers(const void *data, const struct view_ask *ask, struct sheet *s)
{
	(void)ask;
	const struct calls *c = &((const struct calls_data *)data)->calls;
	const struct calls_asked *asked = &((const struct calls_data *)data)->asked;
	const struct run *run = c->run;
	struct calls_balance balance = calls_balance(c);
	for (uint32_t w = 0; w < run->worker_count; w++) {
		const struct run_worker *worker = &run->workers[w];
		if (asked->worker >= 0 && w != (uint32_t)asked->worker)
			continue;
		struct calls_sum sum = calls_total(c, w);
		uint64_t waits = 0;
		for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
			waits += worker->waits[kind];
		sheet_row(s, 0);
		sheet_number(s, w);
		sheet_number(s, run->processes[worker->process].pid);
		sheet_number(s, (int64_t)worker->threads);
		sheet_text(s, thread_names(s, run, w));
		sheet_number(s, sum.calls);
		sheet_number(s, (int64_t)worker->alive_ns);
		sheet_number(s, (int64_t)calls_working_ns(worker));
		sheet_number(s, sum.direct_ns);
		sheet_number(s, (int64_t)run_waited_ns(worker));
		sheet_text(s, run_waited_ns(worker) ? run_wait_names[calls_main_wait(worker)] : "");
		for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
			sheet_number(s, (int64_t)worker->wait_ns[kind]);
		sheet_number(s, (int64_t)waits);
		sheet_real(s, worker->alive_ns ? view_percent((int64_t)calls_working_ns(worker), (double)worker->alive_ns) : NAN);
		sheet_real(s, balance.counted > 1 && balance.mean_ns ? (double)calls_shared_ns(c, w) / (double)balance.mean_ns : NAN);
		sheet_number(s, cpu_of(run, w));
	}
	s->legend = "A worker is a lane in which threads run one after another.";
}

/* ---- together ---- */

const struct column view_together_columns[VIEW_together_COLUMNS] = {
	{"routine_a", "routine", COLUMN_NAME, 0, NULL},     {"routine_b", "ran together with", COLUMN_NAME, 0, NULL},
	{"together_ns", "together", COLUMN_NS, 0, NULL},    {"snapshots", NULL, COLUMN_COUNT, 0, NULL},
	{"together_pct", "wall%", COLUMN_PERCENT, 0, NULL}, {"error_pct", "+-", COLUMN_PERCENT, 0, NULL},
};

void view_together(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	for (size_t i = 0; i < c->together_count; i++) {
		const struct calls_together *t = &c->together[i];
		const struct run_routine *a = &c->run->routines[t->a], *b = &c->run->routines[t->b];
		if (!view_wants(ask->routine, a) && !view_wants(ask->routine, b))
			continue;
		sheet_row(s, 0);
		sheet_text(s, a->name);
		sheet_text(s, b->name);
		sheet_number(s, (int64_t)t->ns);
		sheet_number(s, (int64_t)t->snapshots);
		sheet_real(s, view_percent((int64_t)t->ns, (double)c->run->wall_ns));
		sheet_real(s, 100 * calls_error(t->snapshots, c->snapshots));
	}
	s->legend =
		"Wall time in which one worker was working in each of the two routines, excluding callees, with the error of wall% (95 %).";
}

/* ---- concurrency ---- */

const struct column view_concurrency_columns[VIEW_concurrency_COLUMNS] = {
	{"working", "working", COLUMN_COUNT, 0, NULL},
	{"routine", "routines at this level", COLUMN_NAME, 0, NULL},
	{"ns", "time", COLUMN_NS, 0, NULL},
	{"snapshots", NULL, COLUMN_COUNT, 0, NULL},
	{"share_pct", "%", COLUMN_PERCENT, 0, NULL},
	{"error_pct", "+-", COLUMN_PERCENT, 2, NULL},
	{NULL, "", COLUMN_BAR, 1, NULL},
};

enum { ROUTINES_A_LEVEL = 3 };

static void level_row(struct sheet *s, const struct calls *c, const struct calls_level *level, uint64_t whole)
{
	bool any = level->routine == RUN_NOWHERE;
	sheet_row(s, 0);
	sheet_number(s, level->working);
	sheet_text(s, any ? "(wall time)" : c->run->routines[level->routine].name);
	sheet_number(s, (int64_t)level->ns);
	sheet_number(s, (int64_t)level->snapshots);
	sheet_real(s, view_percent((int64_t)level->ns, (double)whole));
	sheet_real(s, 100 * calls_error(level->snapshots, c->snapshots));
	sheet_real(s, any && whole ? (double)level->ns / (double)whole : NAN);
}

/* The largest routine of a level that is smaller than `before`; levels of one n_working lie together. */
static const struct calls_level *next_largest(const struct calls *c, uint32_t working, const struct calls_level *before)
{
	const struct calls_level *best = NULL;
	for (size_t i = 0; i < c->level_count; i++) {
		const struct calls_level *level = &c->levels[i];
		if (level->working != working || level->routine == RUN_NOWHERE)
			continue;
		bool is_later = !before || level->ns < before->ns || (level->ns == before->ns && level > before);
		if (is_later && (!best || level->ns > best->ns))
			best = level;
	}
	return best;
}

void view_concurrency(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	uint64_t wall = calls_level_ns(c, 0, UINT32_MAX);
	for (size_t i = 0; i < c->level_count; i++) {
		if (c->levels[i].routine != RUN_NOWHERE)
			continue;
		const struct calls_level *one = NULL;
		level_row(s, c, &c->levels[i], wall);
		for (int n = 0; (ask->all_rows || n < ROUTINES_A_LEVEL) && (one = next_largest(c, c->levels[i].working, one)); n++)
			if (view_wants(ask->routine, &c->run->routines[one->routine]))
				level_row(s, c, one, wall);
	}
	s->legend =
		"Wall time by number of threads that were working at once (0: all waited), and the innermost routines at that time; % is the share of wall time.";
}

/* ---- summary ---- */

const struct column view_summary_columns[VIEW_summary_COLUMNS] = {
	SUMMARY_COLUMNS,
};

static uint64_t threads_of(const struct run *run)
{
	uint64_t threads = 0;
	for (size_t i = 0; i < run->process_count; i++)
		threads += run->processes[i].threads;
	return threads;
}

static void figures_of_wall(struct sheet *s, const struct calls *c)
{
	uint64_t levels = calls_level_ns(c, 0, UINT32_MAX), alone = calls_level_ns(c, 0, 1);
	if (c->has_snapshots) {
		summary_count(s, "sequential_ns", (int64_t)alone);
		summary_count(s, "concurrent_ns", (int64_t)(levels - alone));
		summary_text(s, "sequential_pct", pool_print(&s->pool, "%.4f", levels ? 100 * (double)alone / (double)levels : 0));
	}
	summary_text(s, "imbalance", pool_print(&s->pool, "%.4f", calls_balance(c).ratio));
	summary_count(s, "snapshots", (int64_t)c->snapshots);
	summary_count(s, "period_ns", c->run->process_count ? (int64_t)c->run->processes[0].period_ns : 0);
}

static void figures_of_routines(struct sheet *s, const struct calls *c)
{
	int64_t seen = 0, called = 0;
	for (uint32_t r = 1; r < c->run->routine_count; r++) {
		struct calls_sum sum = calls_sum(c, r, CALLS_ALL, CALLS_ALL);
		enum run_kind kind = c->run->routines[r].kind;
		seen += kind == RUN_PLAIN_KIND || kind == RUN_OPENMP_KIND;
		called += sum.calls > 0;
	}
	summary_count(s, "routines_seen", seen);
	summary_count(s, "routines_called", called);
	summary_count(s, "inlined", (int64_t)c->run->inlined_count);
}

void view_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	const struct run *run = c->run;
	struct calls_sum all = calls_total(c, CALLS_ALL);
	(void)ask;
	summary_count(s, "threads", (int64_t)threads_of(run));
	summary_count(s, "workers", (int64_t)run->worker_count);
	summary_count(s, "calls", all.calls);
	summary_count(s, "wall_ns", (int64_t)run->wall_ns);
	summary_count(s, "cpu_ns", (int64_t)run->cpu_ns);
	summary_count(s, "lost_events", (int64_t)run_lost_events(run));
	summary_count(s, "processes", (int64_t)run->process_count);
	summary_text(s, "mode", run->mode);
	summary_count(s, "direct_ns", all.direct_ns);
	summary_count(s, "wait_ns", all.wait_ns);
	figures_of_wall(s, c);
	figures_of_routines(s, c);
	summary_count(s, "profiler_cpu_ns", (int64_t)run->own_cpu_ns);
	summary_count(s, "hook_ns", run->process_count ? (int64_t)run->processes[0].hook_ns : 0);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}
