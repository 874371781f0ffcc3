/* SPDX-License-Identifier: MIT */
/* whole.c: threads, time, cores, and the figures of the run. */
#include <stdlib.h>

#include "base/number.h"
#include "base/text.h"
#include "report/flow/view.h"
#include "report/summary.h"
#include "report/threads.h"

/* ---- threads ---- */

struct thread_row {
	const struct flows *flows;
	const struct flows_thread *thread;
	const struct run_thread *run; /* NULL: threads without a record of their own */
	int64_t number, creator;
};

static void put_thread(struct sheet *s, const struct thread_row *r)
{
	const struct flows_thread *t = r->thread;
	COLUMN(s, ID, "thread", "thread", r->number);
	COLUMN(s, ID, "process", NULL, r->run ? (int64_t)r->flows->run->processes[r->run->process].pid : RUN_UNKNOWN);
	COLUMN(s, ID, "tid", "tid", r->run ? (int64_t)r->run->tid : RUN_UNKNOWN, .drop = 4);
	COLUMN(s, ID, "worker", "worker", r->run ? (int64_t)r->run->worker : RUN_UNKNOWN, .drop = 3);
	COLUMN(s, ID, "creator", "creator", r->creator, .drop = 2);
	COLUMN(s, NS, "start_ns", "start", r->run ? (int64_t)r->run->start_ns : RUN_UNKNOWN, .drop = 5);
	COLUMN(s, NS, "end_ns", "end", r->run ? (int64_t)r->run->end_ns : RUN_UNKNOWN, .drop = 5);
	COLUMN(s, NS, "work_ns", "work", view_flow_ns(r->flows, t->work_ns), .meaning = "on a core");
	COLUMN(s, NS, "load_ns", "no core", view_flow_ns(r->flows, t->load_ns), .meaning = "could run, but had no core");
	COLUMN(s, NS, "waited_ns", "waited", view_flow_ns(r->flows, t->waited_ns), .meaning = "for other threads");
	COLUMN(s, NS, "late_ns", "late", view_flow_ns(r->flows, t->late_ns), .drop = 1,
	       .meaning = "part of that: from the call that ended a wait until the thread went on");
	COLUMN(s, NS, "outside_ns", "outside", view_flow_ns(r->flows, t->outside_ns),
	       .meaning = "waited for input, output, a clock, or the kernel");
	COLUMN(s, NS, "critical_ns", "critical", view_flow_ns(r->flows, t->critical_ns), .meaning = "on the critical path");
	COLUMN(s, COUNT, "events", NULL, (int64_t)t->events);
	COLUMN(s, NAME, "created_routine", NULL, view_flow_routine(s, r->flows, &t->created));
	COLUMN(s, TEXT, "created_file", NULL, t->created.file);
	COLUMN(s, ID, "created_line", NULL, view_flow_line(&t->created));
	COLUMN(s, TEXT, NULL, "created at", view_flow_place(s, &t->created), .drop = 2);
	COLUMN(s, NAME, "name", "name", r->run ? r->run->name : "", .drop = 1);
	COLUMN(s, NS, "slack_ns", "slack", t->slack_ns, .drop = 3,
	       .meaning = "by so much a stretch of its work could be longer on average, and the run would be as long");
}

static void fill_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flow_data *mine = data;
	const struct flows *f = &mine->flows;
	(void)ask;
	put_thread(s, &(struct thread_row){f, &(struct flows_thread){.created = {RUN_OUTSIDE, "", 0}}, NULL, 0, 0});
	for (size_t i = 0; i <= f->run->thread_count; i++) {
		const struct run_thread *run = i < f->run->thread_count ? &f->run->threads[i] : NULL;
		if ((!run && !f->threads[i].events) || (mine->thread >= 0 && i != (size_t)mine->thread))
			continue;
		sheet_row(s, 0);
		put_thread(s,
		           &(struct thread_row){f, &f->threads[i], run, run ? (int64_t)i : RUN_UNKNOWN,
		                                run ? threads_creator(f->run, run) : RUN_UNKNOWN});
	}
}

const struct view view_flow_threads = {
	.name = "threads",
	.help = "work, waiting and time without a core of each thread",
	.top = 40,
	.fill = fill_threads,
};

/* ---- time ---- */

struct slice_row {
	uint32_t worker;
	uint64_t start, end;
	struct flows_slice sum;
};

static void put_slice(struct sheet *s, const struct slice_row *r)
{
	COLUMN(s, ID, "worker", NULL, r->worker);
	COLUMN(s, NS, "start_ns", NULL, (int64_t)r->start);
	COLUMN(s, NS, "end_ns", NULL, (int64_t)r->end);
	COLUMN(s, NS, "work_ns", NULL, (int64_t)r->sum.work_ns);
	COLUMN(s, NS, "load_ns", NULL, (int64_t)r->sum.load_ns);
	COLUMN(s, NS, "wait_ns", NULL, (int64_t)r->sum.wait_ns);
}

enum { ACROSS = 72, MOST_LINES = 64 };

/* What most of the time went into. */
static char mark_of(const struct flows_slice *s)
{
	if (!s->work_ns && !s->load_ns && !s->wait_ns)
		return ' ';
	if (s->work_ns >= s->load_ns && s->work_ns >= s->wait_ns)
		return '#';
	return s->load_ns >= s->wait_ns ? '!' : '.';
}

static void add_slice(struct flows_slice *to, const struct flows_slice *more)
{
	to->work_ns += more->work_ns;
	to->load_ns += more->load_ns;
	to->wait_ns += more->wait_ns;
}

static uint32_t worker_lines(const struct flows *f)
{
	return f->run->worker_count < MOST_LINES ? (uint32_t)f->run->worker_count : MOST_LINES;
}

static const char *draw_timeline(struct sheet *s, const struct flows *f)
{
	struct flows_slice *cells = memory_zeroed((size_t)worker_lines(f) * ACROSS + 1, sizeof *cells);
	for (size_t i = 0; i < f->slice_count; i++)
		if (f->slice[i].worker < worker_lines(f))
			add_slice(&cells[(size_t)f->slice[i].worker * ACROSS + (size_t)f->slice[i].slice * ACROSS / f->slices],
			          &f->slice[i]);
	const char *text = pool_print(&s->pool, "worker\n");
	for (uint32_t w = 0; w < worker_lines(f); w++) {
		char line[ACROSS + 1];
		for (int i = 0; i < ACROSS; i++)
			line[i] = mark_of(&cells[(size_t)w * ACROSS + (size_t)i]);
		line[ACROSS] = 0;
		text = pool_print(&s->pool, "%s%6u |%s|\n", text, w, line);
	}
	free(cells);
	return pool_print(&s->pool, "%s       0%*s\n#  works   !  could run, has no core   .  waits\n", text, ACROSS + 1,
	                  text_ns(&s->pool, (double)f->wall_ns));
}

static void fill_timeline(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	put_slice(s, &(struct slice_row){0});
	(void)ask;
	if (s->is_text) {
		s->drawing = draw_timeline(s, f);
		return;
	}
	for (size_t i = 0; i < f->slice_count; i++) {
		const struct flows_slice *c = &f->slice[i];
		double wide = (double)f->wall_ns / f->slices;
		sheet_row(s, 0);
		put_slice(s, &(struct slice_row){c->worker, number_count(c->slice * wide), number_count((c->slice + 1) * wide), *c});
	}
}

const struct view view_flow_timeline = {
	.name = "timeline",
	.check = view_flow_check_times,
	.help = "what each worker did over time",
	.fill = fill_timeline,
	.draw = view_flow_draw_timeline,
};

/* ---- concurrency ---- */

struct level_row {
	uint64_t working, ns;
	double share;
};

static void put_level(struct sheet *s, const struct level_row *r)
{
	COLUMN(s, COUNT, "working", "threads at work", (int64_t)r->working, .meaning = "or ready to work, without a core");
	COLUMN(s, NS, "time_ns", "time", (int64_t)r->ns);
	COLUMN(s, PERCENT, "pct", "run%", 100 * r->share);
	COLUMN(s, BAR, NULL, "", r->share);
}

static void fill_concurrency(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	uint64_t all = 0;
	(void)ask;
	for (size_t i = 0; i < f->level_count; i++)
		all += f->levels[i];
	put_level(s, &(struct level_row){0});
	for (size_t i = 0; i < f->level_count; i++)
		if (f->levels[i]) {
			sheet_row(s, 0);
			put_level(s, &(struct level_row){i, f->levels[i], all ? (double)f->levels[i] / (double)all : 0});
		}
}

const struct view view_flow_concurrency = {
	.name = "concurrency",
	.check = view_flow_check_times,
	.help = "for how long how many threads worked",
	.fill = fill_concurrency,
};

/* ---- cores ---- */

struct core_row {
	uint32_t cores;
	uint64_t ns;
	double speedup;
};

static void put_core(struct sheet *s, const struct core_row *r)
{
	COLUMN(s, COUNT, "cores", "cores", r->cores);
	COLUMN(s, NS, "predicted_ns", "run", (int64_t)r->ns, .meaning = "with so many cores that no other program uses");
	COLUMN(s, RATIO, "speedup", "speed-up", r->speedup, .meaning = "over 1 core");
}

static void fill_cores(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	(void)ask;
	put_core(s, &(struct core_row){0});
	for (size_t i = 0; i < f->core_count; i++) {
		sheet_row(s, 0);
		put_core(s,
		         &(struct core_row){f->cores[i].cores, f->cores[i].ns,
		                            f->cores[i].ns ? (double)f->cores[0].ns / (double)f->cores[i].ns : 0});
	}
}

const struct view view_flow_cores = {
	.name = "cores",
	.check = view_flow_check_times,
	.help = "what the run would take on 1, 2, 4 … cores",
	.fill = fill_cores,
};

/* ---- summary ---- */

static void thread_sums(const struct flows *f, struct sheet *s)
{
	struct flows_thread sum = {0};
	for (size_t i = 0; i <= f->run->thread_count; i++) {
		sum.work_ns += f->threads[i].work_ns;
		sum.load_ns += f->threads[i].load_ns;
		sum.waited_ns += f->threads[i].waited_ns;
		sum.outside_ns += f->threads[i].outside_ns;
		sum.late_ns += f->threads[i].late_ns;
	}
	summary_count(s, "threads_work_ns", view_flow_ns(f, sum.work_ns));
	summary_count(s, "threads_load_ns", view_flow_ns(f, sum.load_ns));
	summary_count(s, "threads_waited_ns", view_flow_ns(f, sum.waited_ns));
	summary_count(s, "threads_outside_ns", view_flow_ns(f, sum.outside_ns));
	summary_count(s, "threads_late_ns", view_flow_ns(f, sum.late_ns));
	summary_count(s, "threads_ns", view_flow_ns(f, sum.work_ns + sum.load_ns + sum.waited_ns + sum.outside_ns));
}

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	uint64_t waits = 0, outside = 0;
	(void)ask;
	for (size_t i = 0; i < f->wait_count; i++)
		waits += f->waits[i].count;
	for (size_t i = 0; i < f->path_count; i++)
		outside += f->path[i].outside_ns;
	summary_count(s, "wall_ns", view_flow_ns(f, f->wall_ns));
	summary_count(s, "minimum_ns", view_flow_ns(f, f->minimum_ns));
	summary_count(s, "load_ns", view_flow_ns(f, f->load_ns));
	summary_count(s, "events", (int64_t)f->events);
	summary_count(s, "threads", (int64_t)f->run->thread_count);
	summary_count(s, "objects", (int64_t)f->object_count);
	summary_count(s, "lost_events", (int64_t)run_lost_events(f->run));
	summary_count(s, "latency_ns", view_flow_ns(f, f->latency_ns));
	summary_count(s, "cores", f->machine_cores);
	summary_count(s, "idle_ns", view_flow_ns(f, f->idle_ns));
	summary_count(s, "skipped_ns", (int64_t)f->skipped_ns);
	summary_count(s, "waits", (int64_t)waits);
	summary_count(s, "critical_outside_ns", view_flow_ns(f, outside));
	summary_count(s, "stretches", (int64_t)f->path_all);
	thread_sums(f, s);
	summary_count(s, "unexplained", (int64_t)f->unexplained);
	summary_count(s, "switches", f->switches);
	summary_count(s, "switches_lost", f->switches_lost);
	summary_count(s, "processes", (int64_t)f->run->process_count);
	summary_count(s, "cpu_ns", (int64_t)f->run->cpu_ns);
	for (size_t i = 0; i < f->what_if_count; i++) {
		const struct flows_what_if *w = &f->what_ifs[i];
		summary_count(s,
		              w->routines ? pool_print(&s->pool, "what_if %s=%s ns", w->asked, w->factor)
		                          : pool_print(&s->pool, "what_if %s ns", w->asked),
		              (int64_t)w->ns);
	}
	summary_run(s, f->run);
}

const struct view view_flow_summary = {
	.name = "summary",
	.help = "wall and minimum time, load, events, and other figures",
	.fill = fill_summary,
};
