/* SPDX-License-Identifier: MIT */
/* whole.c: the program's figures, its threads, and its call paths as lines that a flame graph is drawn from. */
#include <stdlib.h>
#include <string.h>

#include "analyse/idle/reasons.h"
#include "base/number.h"
#include "base/text.h"
#include "report/idle/view.h"
#include "report/summary.h"
#include "report/threads.h"

/* ---- summary ---- */

static void thread_figures(const struct idles *idles, struct sheet *s)
{
	struct idles_thread sum = {0};
	uint64_t sampled = 0;
	for (size_t i = 0; i < idles->run->thread_count; i++) {
		const struct idles_thread *t = &idles->threads[i];
		sum.cpu_ns += t->cpu_ns;
		sum.dropped_ns += t->dropped_ns;
		sum.own_ns += t->own_ns;
		sum.unseen_ns += t->unseen_ns;
		sum.dropped += t->dropped;
		sum.own += t->own;
		sum.paths_cut += t->paths_cut;
		sampled += t->samples != 0;
	}
	summary_count(s, "cpu_ns", sum.cpu_ns);
	summary_count(s, "lost_events", run_lost_events(idles->run));
	summary_count(s, "dropped_ns", sum.dropped_ns);
	summary_count(s, "own_ns", sum.own_ns);
	summary_count(s, "unseen_ns", sum.unseen_ns);
	summary_count(s, "dropped", sum.dropped);
	summary_count(s, "own", sum.own);
	summary_count(s, "paths_cut", sum.paths_cut);
	summary_count(s, "threads_sampled", sampled);
}

static void use_figures(const struct idles *idles, struct sheet *s)
{
	struct idles_uses uses = idles_find_uses(idles);
	summary_count(s, "for_start_ns", uses.start_ns);
	summary_count(s, "for_threads_ns", uses.threads_ns);
	summary_count(s, "for_tasks_ns", uses.tasks_ns);
	summary_count(s, "for_loops_ns", uses.loops_ns);
	summary_count(s, "for_spins_ns", uses.spins_ns);
}

static void overhead_figures(const struct idles_sums *total, struct sheet *s)
{
	static const char *const names[] = {[IDLES_OVERHEAD_SYNC] = "sync_ns",
	                                    [IDLES_OVERHEAD_SCHEDULE] = "schedule_ns",
	                                    [IDLES_OVERHEAD_TASK] = "task_ns",
	                                    [IDLES_OVERHEAD_MEMORY] = "memory_ns",
	                                    [IDLES_OVERHEAD_OTHER] = "other_ns"};
	for (int kind = IDLES_OVERHEAD_NONE + 1; kind < IDLES_OVERHEADS; kind++)
		summary_count(s, names[kind], total->overhead_by[kind]);
	summary_count(s, "serial_ns", total->class_ns[RAW_IDLE_SERIAL]);
	summary_count(s, "under_ns", total->class_ns[RAW_IDLE_UNDER]);
	summary_count(s, "full_ns", total->class_ns[RAW_IDLE_FULL]);
	summary_count(s, "over_ns", total->class_ns[RAW_IDLE_OVER]);
}

/* What only sentences have, so that a script need not read them. */
static void said_figures(const struct idle_data *data, struct sheet *s)
{
	struct findings verdict = {0}, caveats = {0};
	struct idles_figures figures = idles_judge(&data->idles, &data->asked.limits, &verdict, &caveats);
	summary_count(s, "unworked_ns", figures.unworked_ns);
	summary_count(s, "unworked_in_one_ns", figures.in_one_ns);
	summary_count(s, "charged_ns", figures.charged_ns);
	summary_count(s, "locked_ns", figures.locked_ns);
	summary_count(s, "saved_ns", figures.saved_ns);
	summary_count(s, "waits_ns", figures.waits_ns);
	summary_count(s, "busiest_ns", figures.busiest_ns);
	summary_real(s, "kernel_pct", figures.kernel_pct);
	findings_free(&verdict);
	findings_free(&caveats);
}

static void waiting_figures(const struct idles *idles, struct sheet *s)
{
	uint64_t held = 0, ready = 0;
	for (size_t i = 0; i < idles->why_count; i++) {
		held += idles->whys[i].why == RAW_IDLE_HELD ? idles->whys[i].ns : 0;
		ready += idles->whys[i].why == RAW_IDLE_READY ? idles->whys[i].ns : 0;
	}
	summary_count(s, "quiet_ns", idles_find_quiet(idles).ns);
	summary_count(s, "held_ns", held);
	summary_count(s, "ready_ns", ready);
	summary_count(s, "no_core_ns", idles->run->wanted_ns);
}

static void event_figures(const struct idles *idles, struct sheet *s)
{
	for (size_t e = 0; e < idles->event_name_count; e++) {
		uint64_t count = 0;
		for (size_t i = 0; i < idles->event_count; i++)
			count += idles->events[i].event == e ? idles->events[i].count : 0;
		summary_count(s, idles->event_names[e], count);
	}
}

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	const struct idle_asked *asked = &((const struct idle_data *)data)->asked;
	const struct run *run = idles->run;
	(void)ask;
	struct idles_sums total = idles_total(idles, asked->thread >= 0 ? (uint32_t)asked->thread : UINT32_MAX);
	uint64_t effort = idles_effort(&total);
	summary_count(s, "cores", idles->cores);
	summary_count(s, "work_ns", total.work_ns);
	summary_count(s, "idle_ns", total.idle_ns);
	summary_count(s, "overhead_ns", total.overhead_ns);
	summary_count(s, "samples", total.samples);
	thread_figures(idles, s);
	summary_count(s, "effort_ns", effort);
	summary_real(s, "idle_pct_effort", text_share_of((double)total.idle_ns, (double)effort));
	summary_real(s, "overhead_pct_effort", text_share_of((double)total.overhead_ns, (double)effort));
	overhead_figures(&total, s);
	use_figures(idles, s);
	waiting_figures(idles, s);
	said_figures(data, s);
	event_figures(idles, s);
	summary_count(s, "period_ns", idles->period_ns);
	summary_text(s, "clock", idles->timer_clock ? "timer" : "perf");
	summary_count(s, "rings", idles->rings);
	summary_count(s, "no_rings", idles->no_rings);
	summary_count(s, "unsampled", idles->unsampled);
	summary_count(s, "nodes_lost", idles->nodes_lost);
	summary_count(s, "unnamed", idles->unnamed);
	summary_count(s, "scopes", idles->scope_count);
	summary_count(s, "threads", run->thread_count);
	summary_count(s, "processes", run->process_count);
	summary_count(s, "wall_ns", run->wall_ns);
	summary_count(s, "process_cpu_ns", run->cpu_ns);
	summary_count(s, "page_faults", run->faults > 0 ? (uint64_t)run->faults : 0);
	summary_run(s, run);
}

const struct view view_idle_summary = {
	.name = "summary",
	.help = "all figures of the run, one per row",
	.fill = fill_summary,
};

/* ---- threads ---- */

struct thread_row {
	size_t number;
	const struct run_thread *thread;
	const struct idles_thread *own;
	const struct idles_sums *sums;
	int64_t pid, creator;
	double all_work_ns;
	int64_t no_core_ns; /* RUN_UNKNOWN: not measured */
};

static void put_thread(struct sheet *s, const struct thread_row *r)
{
	COLUMN(s, ID, "thread", "thread", r->number);
	COLUMN(s, ID, "process", NULL, r->pid);
	COLUMN(s, ID, "tid", NULL, r->thread->tid);
	COLUMN(s, NS, "cpu_ns", "CPU", r->own->cpu_ns, .meaning = "CPU time while the thread was sampled");
	COLUMN(s, NS, "work_ns", "work", r->sums->work_ns);
	COLUMN(s, NS, "overhead_ns", "overhead", r->sums->overhead_ns);
	COLUMN(s, NS, "idle_ns", "idle", r->sums->idle_ns, .drop = 1,
	       .meaning = "idleness: time of idle cores while the thread was working");
	COLUMN(s, NS, "dropped_ns", "dropped", r->own->dropped_ns, .meaning = "CPU time in which the thread waited");
	COLUMN(s, NS, "own_ns", "own", r->own->own_ns, .drop = 4, .meaning = "CPU time of the profiler");
	COLUMN(s, NS, "unseen_ns", NULL, r->own->unseen_ns);
	COLUMN(s, PERCENT, "work_pct", "work%", text_share_of((double)r->sums->work_ns, r->all_work_ns), .drop = 2,
	       .meaning = "share of all work");
	COLUMN(s, PERCENT, "seen_pct", "seen%",
	       text_share_of((double)(r->own->work_ns + r->own->dropped_ns + r->own->own_ns), (double)r->own->cpu_ns), .drop = 3,
	       .meaning = "work, overhead, dropped and own as a share of the CPU time");
	COLUMN(s, COUNT, "samples", "samples", r->own->samples, .drop = 3);
	COLUMN(s, COUNT, "dropped", NULL, r->own->dropped);
	COLUMN(s, COUNT, "own", NULL, r->own->own);
	COLUMN(s, COUNT, "paths_cut", NULL, r->own->paths_cut);
	COLUMN(s, NS, "serial_ns", NULL, r->sums->class_ns[RAW_IDLE_SERIAL]);
	COLUMN(s, NS, "under_ns", NULL, r->sums->class_ns[RAW_IDLE_UNDER]);
	COLUMN(s, NS, "full_ns", NULL, r->sums->class_ns[RAW_IDLE_FULL]);
	COLUMN(s, NS, "over_ns", NULL, r->sums->class_ns[RAW_IDLE_OVER]);
	COLUMN(s, NAME, "name", "name", r->thread->name);
	COLUMN(s, ID, "worker", NULL, r->thread->worker);
	COLUMN(s, ID, "creator", NULL, r->creator);
	COLUMN(s, NS, "start_ns", "start", r->thread->start_ns, .drop = 5, .meaning = "since the start of the run");
	COLUMN(s, NS, "end_ns", "end", r->thread->end_ns, .drop = 5);
	COLUMN(s, NS, "no_core_ns", "no core", r->no_core_ns, .drop = 1, .meaning = "ready to run, without a core (estimated)");
}

static void add_thread(struct sheet *s, const struct idles *idles, size_t at, const struct idles_sums *sums, uint64_t work_ns,
                       double rest_ns)
{
	const struct run_thread *thread = &idles->run->threads[at];
	sheet_row(s, 0);
	put_thread(s,
	           &(struct thread_row){at, thread, &idles->threads[at], sums, idles->run->processes[thread->process].pid,
	                                threads_creator(idles->run, thread), (double)work_ns,
	                                idles_no_core_ns(idles->run, thread, rest_ns)});
}

static void fill_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	const struct idle_asked *asked = &((const struct idle_data *)data)->asked;
	size_t count = idles->run->thread_count;
	(void)ask;
	uint64_t work_ns = idles_total(idles, UINT32_MAX).work_ns;
	double rest_ns = idles_rest_ns(idles->run);
	struct idles_sums *sums = memory_zeroed(count, sizeof *sums);
	put_thread(s, &(struct thread_row){0});
	for (size_t i = 0; i < idles->cost_count; i++)
		idles_count(&sums[idles->costs[i].thread], &idles->costs[i]);
	for (size_t i = 0; i < count; i++)
		if (asked->thread < 0 || (size_t)asked->thread == i)
			add_thread(s, idles, i, &sums[i], work_ns, rest_ns);
	free(sums);
}

const struct view view_idle_threads = {
	.name = "threads",
	.help = "work, overhead and samples of each thread",
	.top = 40,
	.fill = fill_threads,
};

/* ---- folded ---- */

struct folded_row {
	const char *stack;
	double weight;
};

static void put_folded(struct sheet *s, const struct folded_row *r)
{
	COLUMN(s, TEXT, "stack", "stack", r->stack);
	COLUMN(s, COUNT, "weight", "weight", number_whole(r->weight + 0.5));
}

/* A semicolon divides frames, so a name has none. */
static const char *frame_text(struct pool *pool, const char *name)
{
	char *text = pool_text(pool, name);
	for (char *at = text; (at = strchr(at, ';'));)
		*at = ':';
	return text;
}

static bool is_frame(const struct idle_node *node)
{
	return node->kind != IDLES_LOOP && node->kind != IDLES_LINE;
}

/* The routine that a routine was called in, be it from a loop. */
static uint32_t frame_around(const struct idle_forest *f, const struct idle_node *node)
{
	uint32_t at = node->parent;
	while (at != IDLE_NO_NODE && !is_frame(&f->nodes[at]))
		at = f->nodes[at].parent;
	return at;
}

/* Loops and lines are no frames: their weight is that of the routine that they are in. */
static void fold(const struct idles *idles, const struct idle_forest *f, uint32_t thread, int metric, struct sheet *s)
{
	const char **stacks = memory_zeroed(f->count, sizeof *stacks);
	double *weights = memory_zeroed(f->count, sizeof *weights), values[IDLE_METRICS];
	for (size_t i = 0; i < f->count; i++) {
		const struct idle_node *node = &f->nodes[i];
		const char *parent = node->parent == IDLE_NO_NODE ? NULL : stacks[node->parent];
		if (node->kind == IDLES_ROOT)
			stacks[i] = thread == UINT32_MAX ? "" : pool_print(&s->pool, "thread %u", thread);
		else if (!is_frame(node))
			stacks[i] = parent;
		else
			stacks[i] = pool_print(&s->pool, "%s%s%s", parent, *parent ? ";" : "",
			                       frame_text(&s->pool, idle_node_name(&s->pool, idles, node)));
	}
	for (size_t i = f->count; i-- > 0;) {
		const struct idle_node *node = &f->nodes[i];
		idle_metric_values(idles, &node->sums, node->events, values);
		weights[i] += values[metric];
		uint32_t around = is_frame(node) ? frame_around(f, node) : IDLE_NO_NODE;
		if (around != IDLE_NO_NODE)
			weights[around] -= values[metric];
	}
	for (size_t i = 0; i < f->count; i++) {
		if (!is_frame(&f->nodes[i]) || weights[i] < 0.5)
			continue;
		sheet_row(s, 0);
		put_folded(s, &(struct folded_row){*stacks[i] ? stacks[i] : "(program)", weights[i]});
	}
	free(weights);
	free(stacks);
}

static void fill_folded(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	const struct idle_asked *asked = &((const struct idle_data *)data)->asked;
	int metric = asked->metric >= 0 ? asked->metric : idle_metric_find(idles, "work");
	(void)ask;
	const uint32_t none = UINT32_MAX - 1;
	put_folded(s, &(struct folded_row){0});
	for (uint32_t thread = none; (thread = view_idle_next_thread(idles, asked, thread)) != none;) {
		struct idle_forest forest;
		idle_forest_grow(&forest, idles, idle_plant_top_down, view_idle_tree(asked), asked->depth, thread);
		fold(idles, &forest, thread, metric, s);
		idle_forest_free(&forest);
	}
	s->is_plain = true;
}

const struct view view_idle_folded = {
	.name = "folded",
	.help = "one line per call path, for flame graphs (--metric)",
	.fill = fill_folded,
};
