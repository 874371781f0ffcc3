/* SPDX-License-Identifier: MIT */
/* whole.c: the program's figures, its threads, and its call paths as lines that a flame graph is drawn from. */
#include <stdlib.h>
#include <string.h>

#include "report/idle/view.h"
#include "report/summary.h"

/* ---- summary ---- */

const struct column view_idle_summary_columns[VIEW_IDLE_summary_COLUMNS] = {
	SUMMARY_COLUMNS,
};

static void figure_percent(struct sheet *s, const char *name, uint64_t part, uint64_t whole)
{
	summary_real(s, name, whole ? 100 * (double)part / (double)whole : 0);
}

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

static void event_figures(const struct idles *idles, struct sheet *s)
{
	for (size_t e = 0; e < idles->event_name_count; e++) {
		uint64_t count = 0;
		for (size_t i = 0; i < idles->event_count; i++)
			count += idles->events[i].event == e ? idles->events[i].count : 0;
		summary_count(s, idles->event_names[e], count);
	}
}

void view_idle_summary(const void *data, const struct view_ask *ask, struct sheet *s)
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
	figure_percent(s, "idle_pct_effort", total.idle_ns, effort);
	figure_percent(s, "overhead_pct_effort", total.overhead_ns, effort);
	overhead_figures(&total, s);
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
	summary_text(s, "mode", run->mode);
	summary_text(s, "command", run->command);
	summary_text(s, "build_id", run->build_id);
}

/* ---- threads ---- */

const struct column view_idle_threads_columns[VIEW_IDLE_threads_COLUMNS] = {
	{"thread", "thread", COLUMN_COUNT, 0, NULL},
	{"process", NULL, COLUMN_COUNT, 0, NULL},
	{"tid", NULL, COLUMN_COUNT, 0, NULL},
	{"cpu_ns", "CPU", COLUMN_NS, 0, "CPU time while the thread was sampled"},
	{"work_ns", "work", COLUMN_NS, 0, NULL},
	{"overhead_ns", "overhead", COLUMN_NS, 0, NULL},
	{"idle_ns", "idle", COLUMN_NS, 1, "idleness: time of idle cores while the thread was working"},
	{"dropped_ns", "dropped", COLUMN_NS, 0, "CPU time in which the thread waited"},
	{"own_ns", "own", COLUMN_NS, 4, "CPU time of the profiler"},
	{"unseen_ns", NULL, COLUMN_NS, 0, NULL},
	{"work_pct", "work%", COLUMN_PERCENT, 2, "share of all work"},
	{"seen_pct", "seen%", COLUMN_PERCENT, 3, "work, overhead, dropped and own as a share of the CPU time"},
	{"samples", "samples", COLUMN_COUNT, 3, NULL},
	{"dropped", NULL, COLUMN_COUNT, 0, NULL},
	{"own", NULL, COLUMN_COUNT, 0, NULL},
	{"paths_cut", NULL, COLUMN_COUNT, 0, NULL},
	{"serial_ns", NULL, COLUMN_NS, 0, NULL},
	{"under_ns", NULL, COLUMN_NS, 0, NULL},
	{"full_ns", NULL, COLUMN_NS, 0, NULL},
	{"over_ns", NULL, COLUMN_NS, 0, NULL},
	{"name", "name", COLUMN_NAME, 0, NULL},
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static void thread_row(struct sheet *s, const struct idles *idles, size_t at, const struct idles_sums *sums, uint64_t work_ns)
{
	const struct idles_thread *t = &idles->threads[at];
	const struct run_thread *thread = &idles->run->threads[at];
	sheet_row(s, 0);
	sheet_number(s, (int64_t)at);
	sheet_number(s, idles->run->processes[thread->process].pid);
	sheet_number(s, thread->tid);
	sheet_number(s, (int64_t)t->cpu_ns);
	sheet_number(s, (int64_t)sums->work_ns);
	sheet_number(s, (int64_t)sums->overhead_ns);
	sheet_number(s, (int64_t)sums->idle_ns);
	sheet_number(s, (int64_t)t->dropped_ns);
	sheet_number(s, (int64_t)t->own_ns);
	sheet_number(s, (int64_t)t->unseen_ns);
	sheet_real(s, percent(sums->work_ns, work_ns));
	sheet_real(s, percent(t->work_ns + t->dropped_ns + t->own_ns, t->cpu_ns));
	sheet_number(s, (int64_t)t->samples);
	sheet_number(s, (int64_t)t->dropped);
	sheet_number(s, (int64_t)t->own);
	sheet_number(s, (int64_t)t->paths_cut);
	for (int class = 0; class < RAW_IDLE_CLASSES; class ++)
		sheet_number(s, (int64_t)sums->class_ns[class]);
	sheet_lend(s, thread->name);
}

void view_idle_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	const struct idle_asked *asked = &((const struct idle_data *)data)->asked;
	size_t count = idles->run->thread_count;
	(void)ask;
	uint64_t work_ns = idles_total(idles, UINT32_MAX).work_ns;
	struct idles_sums *sums = memory_zeroed(count, sizeof *sums);
	for (size_t i = 0; i < idles->cost_count; i++)
		idles_count(&sums[idles->costs[i].thread], &idles->costs[i]);
	for (size_t i = 0; i < count; i++)
		if (asked->thread < 0 || (size_t)asked->thread == i)
			thread_row(s, idles, i, &sums[i], work_ns);
	free(sums);
}

/* ---- folded ---- */

const struct column view_idle_folded_columns[VIEW_IDLE_folded_COLUMNS] = {
	{"stack", "stack", COLUMN_TEXT, 0, NULL},
	{"weight", "weight", COLUMN_COUNT, 0, NULL},
};

/* A semicolon divides frames, so a name has none. */
static const char *frame_text(struct pool *pool, const char *name)
{
	char *text = pool_text(pool, name);
	for (char *at = text; (at = strchr(at, ';'));)
		*at = ':';
	return text;
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
		else if (node->kind == IDLES_LOOP || node->kind == IDLES_LINE)
			stacks[i] = parent;
		else
			stacks[i] = pool_print(&s->pool, "%s%s%s", parent, *parent ? ";" : "",
			                       frame_text(&s->pool, idle_node_name(&s->pool, idles, node)));
	}
	for (size_t i = f->count; i-- > 0;) {
		const struct idle_node *node = &f->nodes[i];
		idle_metric_values(idles, &node->sums, node->events, values);
		weights[i] += values[metric];
		bool is_frame = node->kind != IDLES_LOOP && node->kind != IDLES_LINE;
		if (is_frame && node->parent != IDLE_NO_NODE)
			weights[node->parent] -= values[metric];
	}
	for (size_t i = 0; i < f->count; i++) {
		bool is_frame = f->nodes[i].kind != IDLES_LOOP && f->nodes[i].kind != IDLES_LINE;
		if (!is_frame || weights[i] < 0.5)
			continue;
		sheet_row(s, 0);
		sheet_lend(s, *stacks[i] ? stacks[i] : "(program)");
		sheet_number(s, (int64_t)(weights[i] + 0.5));
	}
	free(weights);
	free(stacks);
}

void view_idle_folded(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct idles *idles = &((const struct idle_data *)data)->idles;
	const struct idle_asked *asked = &((const struct idle_data *)data)->asked;
	int metric = asked->metric >= 0 ? asked->metric : idle_metric_find(idles, "work");
	(void)ask;
	const uint32_t none = UINT32_MAX - 1;
	for (uint32_t thread = none; (thread = view_idle_next_thread(idles, asked, thread)) != none;) {
		struct idle_forest forest;
		idle_forest_grow(&forest, idles, idle_plant_top_down, view_idle_tree(asked), asked->depth, thread);
		fold(idles, &forest, thread, metric, s);
		idle_forest_free(&forest);
	}
	s->is_plain = true;
}
