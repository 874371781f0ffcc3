/* SPDX-License-Identifier: MIT */
/* wall.c: with whom: workers, pairs of routines that ran together, and wall time by number of workers. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/calls/verdict.h"
#include "base/text.h"
#include "report/calls/view.h"
#include "report/summary.h"

/* ---- workers ---- */

struct worker_row {
	uint32_t number;
	const struct run_worker *worker;
	const char *names; /* of its threads */
	int64_t pid, calls, direct_ns, waits, cpu_ns;
	double against_mean;
};

static void put_worker(struct sheet *s, const struct worker_row *r)
{
	COLUMN(s, ID, "worker", "worker", r->number);
	COLUMN(s, ID, "process", NULL, r->pid);
	COLUMN(s, COUNT, "threads", "threads", r->worker->threads);
	COLUMN(s, NAME, "names", "names", r->names, .drop = 1);
	COLUMN(s, COUNT, "calls", "calls", r->calls);
	COLUMN(s, NS, "alive_ns", "alive", r->worker->alive_ns, .drop = 2);
	COLUMN(s, NS, "working_ns", "working", calls_working_ns(r->worker));
	COLUMN(s, NS, "direct_ns", NULL, r->direct_ns);
	COLUMN(s, NS, "wait_ns", "waiting", run_waited_ns(r->worker));
	COLUMN(s, TEXT, NULL, "mostly", run_waited_ns(r->worker) ? run_wait_names[calls_main_wait(r->worker)] : "", .drop = 1);
#define X(name, word, nature, advice) COLUMN(s, NS, word "_ns", word, r->worker->wait_ns[RAW_WAIT_##name], .drop = 3);
	RAW_WAIT_LIST(X)
#undef X
	COLUMN(s, COUNT, "waits", NULL, r->waits);
	COLUMN(s, PERCENT, "working_pct", "work%", view_percent(calls_working_ns(r->worker), (double)r->worker->alive_ns),
	       .meaning = "share of its lifetime in which it was working");
	COLUMN(s, RATIO, "against_mean", "/mean", r->against_mean,
	       .meaning = "its working time divided by the average of the workers whose threads started in the same routine");
	COLUMN(s, NS, "cpu_ns", NULL, r->cpu_ns);
}

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

static void fill_workers(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	const struct run *run = c->run;
	uint64_t *crews = calls_crews(c);
	long only = ((const struct calls_data *)data)->asked.worker;
	(void)ask;
	put_worker(s, &(struct worker_row){0});
	for (uint32_t w = 0; w < run->worker_count; w++) {
		struct calls_sum sum = calls_total(c, w);
		struct worker_row row = {.number = w,
		                         .worker = &run->workers[w],
		                         .names = thread_names(s, run, w),
		                         .pid = run->processes[run->workers[w].process].pid,
		                         .calls = sum.calls,
		                         .direct_ns = sum.direct_ns,
		                         .cpu_ns = cpu_of(run, w),
		                         .against_mean = NAN};
		if (only >= 0 && w != (uint32_t)only)
			continue;
		for (int kind = 0; kind < RAW_WAIT_KINDS; kind++)
			row.waits += (int64_t)row.worker->waits[kind];
		struct calls_balance balance = calls_balance_of(c, crews, crews[w]);
		if (balance.counted > 1 && balance.mean_ns)
			row.against_mean = (double)calls_shared_ns(c, w) / (double)balance.mean_ns;
		sheet_row(s, 0);
		put_worker(s, &row);
	}
	free(crews);
	s->legend = "A worker is a lane in which threads run one after another.";
}

const struct view view_workers = {
	.name = "workers",
	.help = "work, waits and threads of each worker",
	.fill = fill_workers,
};

/* ---- waits ---- */

struct wait_row {
	const struct run_routine *routine;
	const struct calls_wait *wait;
	int64_t waits, ns, longest_ns, workers;
	bool by_design;
};

static void put_wait(struct sheet *s, const struct wait_row *r)
{
	COLUMN(s, NAME, "routine", "routine", view_name(s, r->routine));
	COLUMN(s, TEXT, "kind", "kind", run_wait_names[r->wait->kind]);
	COLUMN(s, NAME, "object", "for", r->wait->object);
	COLUMN(s, TEXT, "file", NULL, r->wait->file);
	COLUMN(s, ID, "line", NULL, r->wait->line);
	COLUMN(s, TEXT, NULL, "first at", text_place(&s->pool, r->wait->file, r->wait->line), .drop = 1);
	COLUMN(s, COUNT, "waits", "waits", r->waits);
	COLUMN(s, NS, "wait_ns", "wait", r->ns);
	COLUMN(s, NS, "longest_ns", "longest", r->longest_ns, .drop = 2);
	COLUMN(s, COUNT, "workers", "workers", r->workers, .drop = 3);
	COLUMN(s, COUNT, "by_design", NULL, r->by_design);
}

static bool is_same_wait(const struct calls_wait *a, const struct calls_wait *b)
{
	return a->routine == b->routine && a->kind == b->kind && strcmp(a->object, b->object) == 0 && strcmp(a->file, b->file) == 0 &&
		a->line == b->line;
}

static void fill_waits(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	put_wait(s, &(struct wait_row){.wait = &(struct calls_wait){.object = "", .file = ""}});
	for (size_t i = 0, end; i < c->wait_count; i = end) {
		struct wait_row row = {.routine = &c->run->routines[c->waits[i].routine], .wait = &c->waits[i], .by_design = true};
		for (end = i; end < c->wait_count && is_same_wait(row.wait, &c->waits[end]); end++) {
			row.waits += (int64_t)c->waits[end].waits;
			row.ns += (int64_t)c->waits[end].ns;
			row.longest_ns =
				(int64_t)c->waits[end].longest_ns > row.longest_ns ? (int64_t)c->waits[end].longest_ns : row.longest_ns;
			row.workers++;
			row.by_design &= calls_wait_rank(c, &c->waits[end]) == CALLS_BY_DESIGN;
		}
		if (!view_wants(ask->routine, row.routine))
			continue;
		sheet_row(s, 0);
		sheet_about(s, row.wait->routine);
		put_wait(s, &row);
	}
	s->legend =
		"What routines waited for, while they were the innermost one: the variable that is, or contains, the lock or the like, and "
		"where it was first waited for. longest: one wait. workers: how many waited so.";
}

const struct view view_waits = {
	.name = "waits",
	.help = "what each routine waited for, by kind and variable",
	.sort = "wait_ns",
	.top = 20,
	.fill = fill_waits,
};

/* ---- together ---- */

struct pair {
	const struct calls *calls;
	const struct calls_together *together;
	const struct run_routine *a, *b;
};

static void put_pair(struct sheet *s, const struct pair *r)
{
	COLUMN(s, NAME, "routine_a", "routine", view_name(s, r->a));
	COLUMN(s, NAME, "routine_b", "ran together with", view_name(s, r->b));
	COLUMN(s, NS, "together_ns", "together", r->together->ns);
	COLUMN(s, COUNT, "snapshots", NULL, r->together->snapshots);
	COLUMN(s, PERCENT, "together_pct", "wall%", view_percent(r->together->ns, (double)r->calls->run->wall_ns));
	COLUMN(s, PERCENT, "error_pct", "+-", 100 * calls_error(r->together->snapshots, r->calls->snapshots));
}

static void fill_together(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	put_pair(s, &(struct pair){0});
	for (size_t i = 0; i < c->together_count; i++) {
		const struct calls_together *t = &c->together[i];
		struct pair row = {c, t, &c->run->routines[t->a], &c->run->routines[t->b]};
		if (!view_wants(ask->routine, row.a) && !view_wants(ask->routine, row.b))
			continue;
		sheet_row(s, 0);
		put_pair(s, &row);
	}
	s->legend =
		"Wall time in which one worker was working in each of the two routines, excluding callees, with the error of wall% (95 %).";
}

const struct view view_together = {
	.name = "together",
	.help = "which routines ran at the same time, and for how long",
	.sort = "together_ns",
	.top = 20,
	.fill = fill_together,
};

/* ---- concurrency ---- */

enum { ROUTINES_A_LEVEL = 3 };

struct level_row {
	const struct calls *calls;
	const struct calls_level *level;
	bool is_all; /* not one routine of the level */
	double whole_ns;
};

static void put_level(struct sheet *s, const struct level_row *r)
{
	COLUMN(s, COUNT, "working", "working", r->level->working);
	COLUMN(s, NAME, "routine", "routines at this level",
	       r->is_all ? "(wall time)" : view_name(s, &r->calls->run->routines[r->level->routine]));
	COLUMN(s, NS, "ns", "time", r->level->ns);
	COLUMN(s, COUNT, "snapshots", NULL, r->level->snapshots);
	COLUMN(s, PERCENT, "share_pct", "%", view_percent(r->level->ns, r->whole_ns));
	COLUMN(s, PERCENT, "error_pct", "+-", 100 * calls_error(r->level->snapshots, r->calls->snapshots), .drop = 2);
	COLUMN(s, BAR, NULL, "", r->is_all && r->whole_ns > 0 ? (double)r->level->ns / r->whole_ns : NAN, .drop = 1);
}

static void add_level(struct sheet *s, const struct calls *c, const struct calls_level *level, uint64_t whole)
{
	sheet_row(s, 0);
	put_level(s, &(struct level_row){c, level, level->routine == RUN_NOWHERE, (double)whole});
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

static void fill_concurrency(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	uint64_t wall = calls_level_ns(c, 0, UINT32_MAX);
	put_level(s, &(struct level_row){0});
	for (size_t i = 0; i < c->level_count; i++) {
		if (c->levels[i].routine != RUN_NOWHERE)
			continue;
		const struct calls_level *one = NULL;
		add_level(s, c, &c->levels[i], wall);
		for (int n = 0; (ask->all_rows || n < ROUTINES_A_LEVEL) && (one = next_largest(c, c->levels[i].working, one)); n++)
			if (view_wants(ask->routine, &c->run->routines[one->routine]))
				add_level(s, c, one, wall);
	}
	s->legend =
		"Wall time by number of threads that were working at once (0: all waited), and the innermost routines at that time; % is the share of wall time.";
}

const struct view view_concurrency = {
	.name = "concurrency",
	.help = "wall time by number of working threads, and what ran then",
	.fill = fill_concurrency,
};

/* ---- summary ---- */

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
		summary_real(s, "sequential_pct", text_share_of((double)alone, (double)levels));
	}
	summary_real(s, "imbalance", calls_balance(c).ratio);
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

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
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
	summary_count(s, "untimed_ns", run->process_count ? (int64_t)run->processes[0].untimed_ns : 0);
	summary_count(s, "timed_calls", all.timed_calls);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}

const struct view view_summary = {
	.name = "summary",
	.help = "all figures of the run, one per row",
	.fill = fill_summary,
};
