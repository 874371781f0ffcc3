/* SPDX-License-Identifier: MIT */
/* whole.c: what each copy did, which functions they shared, frames that never ended, and the program's figures. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/paths/view.h"
#include "report/summary.h"
#include "report/view.h"

/* ---- copies ---- */

struct copy_row {
	const char *name;
	int64_t functions;
	const struct paths_hits *hits;
	double sum, all;               /* hits of the copy, and of one copy that counts the whole program */
	const struct paths_twin *twin; /* NULL: a copy that did not run */
	struct paths_probes probes;
};

static void put_copy(struct sheet *s, const struct copy_row *r)
{
	COLUMN(s, TEXT, "copy", "copy", r->name);
	COLUMN(s, COUNT, "functions", "functions", r->functions, .drop = 2, .meaning = "number of functions whose paths the copy counts");
	COLUMN(s, COUNT, "increments", NULL, view_paths_whole(r->hits->increments));
	COLUMN(s, COUNT, "updates", NULL, view_paths_whole(r->hits->updates));
	COLUMN(s, COUNT, "zeroed", NULL, view_paths_whole(r->hits->zeroed));
	COLUMN(s, COUNT, "entries", NULL, r->twin ? (int64_t)r->twin->entries : RUN_UNKNOWN);
	COLUMN(s, COUNT, "hits", NULL, view_paths_whole(r->sum));
	COLUMN(s, PERCENT, "share_pct", "of sequential%", paths_share(r->sum, r->all));
	COLUMN(s, NS, "wall_ns", "wall", r->twin ? (int64_t)r->twin->wall_ns : RUN_UNKNOWN, .drop = 1);
	COLUMN(s, NS, "cpu_ns", "cpu", r->twin ? (int64_t)r->twin->cpu_ns : RUN_UNKNOWN, .drop = 1);
	COLUMN(s, COUNT, "probes", "probes", (int64_t)r->probes.increments, .drop = 2,
	       .meaning = "increments in the code of the copy, whether executed or not, as the paper counts");
	COLUMN(s, COUNT, "probes_overlapping", "overlapping", (int64_t)r->probes.overlapping, .drop = 2,
	       .meaning = "probes that a path which another copy counts may execute");
	COLUMN(s, COUNT, "probes_update", NULL, (int64_t)r->probes.updates);
	COLUMN(s, COUNT, NULL, "increments", view_paths_whole(r->hits->increments), .drop = 1, .meaning = "of a register");
	COLUMN(s, COUNT, NULL, "updates", view_paths_whole(r->hits->updates), .drop = 1, .meaning = "of a counter");
	COLUMN(s, COUNT, NULL, "hits", view_paths_whole(r->sum), .meaning = "increments and updates");
	COLUMN(s, COUNT, NULL, "calls", r->twin ? (int64_t)r->twin->entries : RUN_UNKNOWN, .drop = 3,
	       .meaning = "counted only to compare copies; not part of hits");
}

static void add_copy(struct sheet *s, const char *name, int64_t functions, const struct paths_hits *hits, const struct paths_hits *all,
                     const struct paths_twin *twin, struct paths_probes probes)
{
	sheet_row(s, 0);
	put_copy(s, &(struct copy_row){name, functions, hits, paths_hits_sum(hits), paths_hits_sum(all), twin, probes});
}

static void fill_copies(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths *p = &((const struct paths_data *)data)->paths;
	struct paths_hits all = paths_sequential_hits(p);
	(void)ask;
	put_copy(s, &(struct copy_row){0});
	bool known = !paths_are_partial(p);
	if (known)
		add_copy(s, "sequential", (int64_t)p->profile_count, &all, &all, NULL, paths_sequential_probes(p));
	for (uint32_t c = 0; c < p->copies; c++) {
		struct paths_hits hits = paths_copy_hits(p, c);
		int64_t functions = 0;
		for (size_t i = 0; i < p->part_count; i++)
			functions += p->parts[i].copy == c;
		add_copy(s, pool_print(&s->pool, "%u", c), functions, &hits, &all, &p->twins[c], paths_copy_probes(p, c));
	}
	s->legend = known ? "sequential: what one copy without a plan would execute, computed from the same profile."
			  : "Hits are unknown, because only some paths were counted (--only-paths).";
}

const struct view view_paths_copies = {
	.name = "copies",
	.help = "counting cost of each copy, and of one copy alone",
	.check = view_paths_check,
	.fill = fill_copies,
};

/* ---- profitable ---- */

struct divided_row {
	const struct paths_profile *profile;
	const struct run_routine *routine;
	double hits, largest, all; /* of the function in one copy alone, of its largest part, of the program */
};

static void put_divided(struct sheet *s, const struct divided_row *r)
{
	view_paths_head(s, r->routine);
	COLUMN(s, TEXT, "divided", "divided", r->profile->flags & PATHS_IS_TURNS ? "turns" : "paths");
	COLUMN(s, COUNT, "copies", "copies", r->profile->parts, .meaning = "number of copies that count its paths");
	COLUMN(s, COUNT, "paths_possible", NULL, view_paths_whole(r->profile->possible));
	COLUMN(s, COUNT, "hits_sequential", NULL, view_paths_whole(r->hits));
	COLUMN(s, PERCENT, "hits_pct", "hits%", paths_share(r->hits, r->all),
	       .meaning = "share of the hits of one copy that counts the whole program");
	COLUMN(s, COUNT, "hits_slowest", NULL, view_paths_whole(r->largest));
	COLUMN(s, PERCENT, "slowest_pct", "largest part%", r->hits > 0 ? paths_share(r->largest, r->hits) : NAN,
	       .meaning = "largest share of the function's hits in one copy");
	COLUMN(s, COUNT, NULL, "hits", view_paths_whole(r->hits));
	COLUMN(s, NAME, NULL, "function", view_name(s, r->routine));
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line), .drop = 2);
}

static void add_divided(struct sheet *s, const struct paths *p, const struct paths_profile *f, double all)
{
	struct divided_row row = {f, view_paths_routine(p, f), paths_hits_sum(&f->sequential), 0, all};
	for (size_t i = 0; i < f->parts; i++)
		row.largest = fmax(row.largest, paths_hits_sum(&p->parts[f->first_part + i].hits));
	sheet_row(s, 0);
	put_divided(s, &row);
}

static void fill_profitable(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	struct paths_hits sequential = paths_sequential_hits(p);
	double all = paths_hits_sum(&sequential), divided = 0;
	size_t count = 0;
	put_divided(s, &(struct divided_row){0});
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[i];
		if (!paths_is_divided(f))
			continue;
		count++;
		divided += paths_hits_sum(&f->sequential);
		if (view_paths_wants(d, ask->routine, f))
			add_divided(s, p, f, all);
	}
	if (p->copies == 1)
		s->legend = "There was only one copy, so nothing was divided: record with --copies K.";
	else
		s->legend = pool_print(&s->pool, "%zu of %zu functions (%s) were divided among copies; they have %s of the hits.", count,
		                       p->profile_count, text_percent(&s->pool, paths_share((double)count, (double)p->profile_count)),
		                       text_percent(&s->pool, paths_share(divided, all)));
}

const struct view view_paths_profitable = {
	.name = "profitable",
	.help = "functions that were divided among copies",
	.sort = "hits_sequential",
	.top = 20,
	.check = view_paths_check,
	.fill = fill_profitable,
};

/* ---- stops ---- */

struct stop_row {
	const struct paths *paths;
	const struct paths_stop *stop;
	const struct paths_profile *profile;
	const struct run_routine *routine;
	const char *lines; /* "": not known */
};

static const char *way_text(struct pool *pool, const struct stop_row *r)
{
	if (r->stop->is_known)
		return r->lines;
	return r->stop->ways ? pool_print(pool, "(one of %u)", r->stop->ways) : "(not known)";
}

static void put_stop(struct sheet *s, const struct stop_row *r)
{
	view_paths_head(s, r->routine);
	COLUMN(s, ID, "block", NULL, r->stop->block);
	COLUMN(s, COUNT, "count", "frames", r->stop->count);
	COLUMN(s, TEXT, "known", NULL, r->stop->is_known ? "way" : "block");
	COLUMN(s, TEXT, "lines", NULL, r->lines);
	COLUMN(s, TEXT, NULL, "in the call at", view_paths_where(&s->pool, r->paths, r->profile, r->stop->block, true));
	COLUMN(s, NAME, NULL, "function", view_name(s, r->routine));
	COLUMN(s, CODE, NULL, "path to it", way_text(&s->pool, r), .drop = 1,
	       .meaning = "since the function's entry or its last back edge");
}

static void fill_stops(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	put_stop(s, &(struct stop_row){0});
	for (size_t i = 0; i < p->stop_count; i++) {
		const struct paths_stop *stop = &p->stops[i];
		const struct paths_profile *f = &p->profiles[stop->profile];
		if (!view_paths_wants(d, ask->routine, f))
			continue;
		const char *lines = stop->is_known ? paths_lines(&s->pool, p, paths_walk_stop(p, stop)) : "";
		sheet_row(s, 0);
		put_stop(s, &(struct stop_row){p, stop, f, view_paths_routine(p, f), lines});
	}
	s->legend = "Frames that never returned: they were left by exit, longjmp, an exception or the end of a thread, inside a call.";
}

const struct view view_paths_stops = {
	.name = "stops",
	.help = "frames that never returned, and where",
	.sort = "count",
	.top = 20,
	.check = view_paths_check,
	.fill = fill_stops,
};

/* ---- summary ---- */

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
	summary_count(s, "threshold", p->threshold ? (int64_t)p->threshold : RUN_UNKNOWN);
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

static void fill_summary(const void *data, const struct view_ask *ask, struct sheet *s)
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
	summary_run(s, &d->run);
}

const struct view view_paths_summary = {
	.name = "summary",
	.help = "all figures of the run, one per row",
	.check = view_paths_check,
	.fill = fill_summary,
};
