/* SPDX-License-Identifier: MIT */
/* whole.c: what each copy did, which functions they shared, frames that never ended, and the program's figures. */
#include <math.h>
#include <string.h>

#include "analyse/names.h"
#include "report/paths/view.h"
#include "report/summary.h"
#include "report/view.h"

enum { LONG_NAME = 60 };

/* ---- copies ---- */

const struct column view_paths_copies_columns[VIEW_PATHS_copies_COLUMNS] = {
	{"copy", "copy", COLUMN_TEXT, 0, NULL},
	{"functions", "functions", COLUMN_COUNT, 2, "number of functions whose paths the copy counts"},
	{"increments", NULL, COLUMN_COUNT, 0, NULL},
	{"updates", NULL, COLUMN_COUNT, 0, NULL},
	{"zeroed", NULL, COLUMN_COUNT, 0, NULL},
	{"entries", NULL, COLUMN_COUNT, 0, NULL},
	{"hits", NULL, COLUMN_COUNT, 0, NULL},
	{"share_pct", "of sequential%", COLUMN_PERCENT, 0, NULL},
	{"wall_ns", "wall", COLUMN_NS, 1, NULL},
	{"cpu_ns", "cpu", COLUMN_NS, 1, NULL},
	{NULL, "increments", COLUMN_AMOUNT, 1, "of a register"},
	{NULL, "updates", COLUMN_AMOUNT, 1, "of a counter"},
	{NULL, "hits", COLUMN_AMOUNT, 0, "increments and updates"},
	{NULL, "calls", COLUMN_AMOUNT, 3, "counted only to compare copies; not part of hits"},
};

static void copy_row(struct sheet *s, const char *name, int64_t functions, const struct paths_hits *hits, const struct paths_hits *all,
                     const struct paths_twin *twin)
{
	double sum = paths_hits_sum(hits);
	sheet_row(s, 0);
	sheet_text(s, name);
	sheet_number(s, functions);
	sheet_number(s, view_paths_whole(hits->increments));
	sheet_number(s, view_paths_whole(hits->updates));
	sheet_number(s, view_paths_whole(hits->zeroed));
	sheet_number(s, twin ? (int64_t)twin->entries : -1);
	sheet_number(s, view_paths_whole(sum));
	sheet_real(s, paths_share(sum, paths_hits_sum(all)));
	sheet_number(s, twin ? (int64_t)twin->wall_ns : -1);
	sheet_number(s, twin ? (int64_t)twin->cpu_ns : -1);
	sheet_number(s, view_paths_whole(hits->increments));
	sheet_number(s, view_paths_whole(hits->updates));
	sheet_number(s, view_paths_whole(sum));
	sheet_number(s, twin ? (int64_t)twin->entries : -1);
}

void view_paths_copies(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths *p = &((const struct paths_data *)data)->paths;
	struct paths_hits all = paths_sequential_hits(p);
	(void)ask;
	bool known = !paths_are_partial(p);
	if (known)
		copy_row(s, "sequential", (int64_t)p->profile_count, &all, &all, NULL);
	for (uint32_t c = 0; c < p->copies; c++) {
		struct paths_hits hits = paths_copy_hits(p, c);
		int64_t functions = 0;
		for (size_t i = 0; i < p->part_count; i++)
			functions += p->parts[i].copy == c;
		copy_row(s, pool_print(&s->pool, "%u", c), functions, &hits, &all, &p->twins[c]);
	}
	s->legend = known ? "sequential: what one copy without a plan would execute, computed from the same profile."
			  : "Hits are unknown, because only some paths were counted (--only-paths).";
}

/* ---- profitable ---- */

const struct column view_paths_profitable_columns[VIEW_PATHS_profitable_COLUMNS] = {
	{"function", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"divided", "divided", COLUMN_TEXT, 0, NULL},
	{"copies", "copies", COLUMN_COUNT, 0, "number of copies that count its paths"},
	{"paths_possible", NULL, COLUMN_COUNT, 0, NULL},
	{"hits_sequential", NULL, COLUMN_COUNT, 0, NULL},
	{"hits_pct", "hits%", COLUMN_PERCENT, 0, "share of the hits of one copy that counts the whole program"},
	{"hits_slowest", NULL, COLUMN_COUNT, 0, NULL},
	{"slowest_pct", "largest part%", COLUMN_PERCENT, 0, "largest share of the function's hits in one copy"},
	{NULL, "hits", COLUMN_AMOUNT, 0, NULL},
	{NULL, "function", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 2, NULL},
};

static void profitable_row(struct sheet *s, const struct paths *p, const struct paths_profile *f, double all)
{
	const struct run_routine *r = view_paths_routine(p, f);
	double mine = paths_hits_sum(&f->sequential), largest = 0;
	for (size_t i = 0; i < f->parts; i++)
		largest = fmax(largest, paths_hits_sum(&p->parts[f->first_part + i].hits));
	sheet_row(s, 0);
	view_paths_head(s, p, f);
	sheet_text(s, f->flags & PATHS_IS_TURNS ? "turns" : "paths");
	sheet_number(s, (int64_t)f->parts);
	sheet_number(s, view_paths_whole(f->possible));
	sheet_number(s, view_paths_whole(mine));
	sheet_real(s, paths_share(mine, all));
	sheet_number(s, view_paths_whole(largest));
	sheet_real(s, mine > 0 ? paths_share(largest, mine) : NAN);
	sheet_number(s, view_paths_whole(mine));
	sheet_text(s, names_short(&s->pool, r->name, LONG_NAME));
	sheet_text(s, *r->file ? view_place(s, r->file, r->line) : "");
}

void view_paths_profitable(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	struct paths_hits sequential = paths_sequential_hits(p);
	double all = paths_hits_sum(&sequential), divided = 0;
	size_t count = 0;
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		if (!paths_is_divided(f))
			continue;
		count++;
		divided += paths_hits_sum(&f->sequential);
		if (view_paths_wants(d, ask->routine, f))
			profitable_row(s, p, f, all);
	}
	if (p->copies == 1)
		s->legend = "There was only one copy, so nothing was divided: record with --copies K.";
	else
		s->legend = pool_print(&s->pool, "%zu of %zu functions (%.1f %%) were divided among copies; they have %.1f %% of the hits.",
		                       count, p->profile_count, paths_share((double)count, (double)p->profile_count),
		                       paths_share(divided, all));
}

/* ---- stops ---- */

const struct column view_paths_stops_columns[VIEW_PATHS_stops_COLUMNS] = {
	{"function", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"block", NULL, COLUMN_COUNT, 0, NULL},
	{"count", "frames", COLUMN_COUNT, 0, NULL},
	{"known", NULL, COLUMN_TEXT, 0, NULL},
	{"lines", NULL, COLUMN_TEXT, 0, NULL},
	{NULL, "in the call at", COLUMN_TEXT, 0, NULL},
	{NULL, "function", COLUMN_NAME, 0, NULL},
	{NULL, "path to it", COLUMN_CODE, 1, "since the function's entry or its last back edge"},
};

void view_paths_stops(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	for (size_t i = 0; i < p->stop_count; i++) {
		const struct paths_stop *stop = &p->stops[i];
		const struct paths_profile *f = &p->profiles[stop->profile];
		if (!view_paths_wants(d, ask->routine, f))
			continue;
		const char *lines = stop->is_known ? paths_lines(&s->pool, p, paths_walk_stop(p, stop)) : "";
		sheet_row(s, 0);
		view_paths_head(s, p, f);
		sheet_number(s, stop->block);
		sheet_number(s, (int64_t)stop->count);
		sheet_lend(s, stop->is_known ? "way" : "block");
		sheet_lend(s, lines);
		sheet_text(s, view_paths_where(&s->pool, p, f, stop->block, true));
		sheet_text(s, names_short(&s->pool, view_paths_routine(p, f)->name, LONG_NAME));
		sheet_lend(s, stop->is_known ? lines : stop->ways ? pool_print(&s->pool, "(one of %u)", stop->ways) : "(not known)");
	}
	s->legend = "Frames that never returned: they were left by exit, longjmp, an exception or the end of a thread, inside a call.";
}

/* ---- summary ---- */

const struct column view_paths_summary_columns[VIEW_PATHS_summary_COLUMNS] = {
	SUMMARY_COLUMNS,
};

static void hits_figures(struct sheet *s, const struct paths *p)
{
	struct paths_hits all = paths_sequential_hits(p), slowest = paths_copy_hits(p, paths_slowest(p));
	size_t divided = 0;
	for (size_t i = 0; i < p->profile_count; i++)
		divided += paths_is_divided(&p->profiles[i]);
	summary_count(s, "increments_sequential", view_paths_whole(all.increments));
	summary_count(s, "updates_sequential", view_paths_whole(all.updates));
	summary_count(s, "increments_slowest", view_paths_whole(slowest.increments));
	summary_count(s, "updates_slowest", view_paths_whole(slowest.updates));
	summary_count(s, "hits_floor", paths_are_partial(p) ? -1 : (int64_t)paths_hits_floor(p));
	summary_count(s, "slowest_copy", paths_slowest(p));
	summary_text(s, "share", p->share);
	summary_count(s, "functions_divided", (int64_t)divided);
}

static void count_figures(struct sheet *s, const struct paths_data *d)
{
	const struct paths *p = &d->paths;
	size_t executed = 0, outcomes = 0, never = 0;
	double possible = 0, asked = 0;
	uint64_t stops = 0, others = 0;
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		struct paths_figures g = paths_figures(p, f);
		executed += f->paths || f->stops;
		possible += f->possible;
		asked += paths_asked(f);
		others += f->others;
		outcomes += paths_is_partial(f) ? 0 : g.outcomes;
		never += paths_is_partial(f) ? 0 : g.never;
	}
	for (size_t i = 0; i < p->stop_count; i++)
		stops += p->stops[i].count;
	summary_count(s, "functions", (int64_t)p->profile_count);
	summary_count(s, "functions_executed", (int64_t)executed);
	summary_count(s, "paths_possible", view_paths_whole(possible));
	summary_count(s, "paths_executed", (int64_t)p->path_count);
	summary_count(s, "paths_90", (int64_t)paths_rank_enough(p, &d->rank, 90));
	summary_count(s, "count", view_paths_whole(d->rank.taken));
	summary_count(s, "flow", view_paths_whole(d->rank.flow));
	summary_count(s, "instructions", (int64_t)paths_instructions(p));
	summary_count(s, "outcomes", (int64_t)outcomes);
	summary_count(s, "outcomes_never", (int64_t)never);
	summary_count(s, "frames_stopped", (int64_t)stops);
	summary_count(s, "paths_asked", view_paths_whole(asked));
	summary_count(s, "paths_others", (int64_t)others);
}

void view_paths_summary(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	struct paths_hits all = paths_sequential_hits(p), slowest = paths_copy_hits(p, paths_slowest(p));
	(void)ask;
	summary_count(s, "copies", p->copies);
	summary_count(s, "hits_sequential", view_paths_whole(paths_hits_sum(&all)));
	summary_count(s, "hits_slowest", view_paths_whole(paths_hits_sum(&slowest)));
	summary_count(s, "lost_events", (int64_t)run_lost_events(&d->run));
	hits_figures(s, p);
	count_figures(s, d);
	summary_count(s, "undecoded", (int64_t)p->undecoded);
	summary_count(s, "threads", d->run.thread_count);
	summary_count(s, "processes", d->run.process_count);
	summary_count(s, "wall_ns", d->run.wall_ns);
	summary_count(s, "cpu_ns", d->run.cpu_ns);
	summary_text(s, "mode", d->run.mode);
	summary_text(s, "command", d->run.command);
	summary_text(s, "build_id", d->run.build_id);
}
