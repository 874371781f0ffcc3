/* SPDX-License-Identifier: MIT */
/* routines.c: cprof's per-routine data (section 3.4.3), the flat profile, and gprof's family of a routine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/calls/view.h"

/* What percentages are of. */
struct base {
	double direct, alive, wall;
};

static const char *const entry_names[] = {[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent"};

struct routine_row {
	const struct base *base;
	const struct run_routine *routine;
	const char *who, *entry;
	bool shows_who; /* text, too, says which worker */
	struct calls_sum sum;
	int64_t concurrent; /* of its calls */
	int64_t union_ns, cpu_ns;
	double union_error_pct;
};

static void put_routine(struct sheet *s, const struct routine_row *r)
{
	COLUMN(s, NAME, "routine", "routine", view_name(s, r->routine));
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, TEXT, "worker", NULL, r->who);
	COLUMN(s, TEXT, NULL, "worker", r->shows_who ? r->who : "");
	COLUMN(s, TEXT, "entry", NULL, r->entry);
	COLUMN(s, COUNT, "calls", "calls", r->sum.calls);
	COLUMN(s, NS, "elapsed_ns", "elapsed", r->sum.elapsed_ns, .drop = 3, .meaning = "including callees, sum over workers");
	COLUMN(s, NS, "direct_ns", "direct", r->sum.direct_ns, .meaning = "excluding callees and waiting, sum over workers");
	COLUMN(s, PERCENT, NULL, "dir%", view_percent(r->sum.direct_ns, r->base->direct),
	       .meaning = "direct, as a share of all workers' working time");
	COLUMN(s, COUNT, "callee_calls", NULL, r->sum.callee_calls);
	COLUMN(s, NS, "callee_ns", NULL, r->sum.callee_ns);
	COLUMN(s, NS, "wait_ns", "wait", r->sum.wait_ns, .drop = 1, .meaning = "sum over workers");
	COLUMN(s, NS, "union_ns", "wall", r->union_ns, .drop = 2,
	       .meaning = "wall time in which at least one worker was inside (union over workers)");
	COLUMN(s, PERCENT, NULL, "wall%", view_percent(r->union_ns, r->base->wall), .drop = 1, .meaning = "the same as a share of the run");
	COLUMN(s, NS, NULL, "±", view_calls_error(r->sum.error_ns, r->sum.direct_ns), .drop = 3,
	       .meaning = "where not every call was timed: direct is off by less than this in 95 of 100 cases (empty: by less than 1 %)");
	COLUMN(s, NS, "nested_ns", NULL, r->sum.nested_ns);
	COLUMN(s, NS, "cpu_ns", "cpu", r->cpu_ns, .drop = 7, .meaning = "direct time on a core");
	COLUMN(s, COUNT, "same_calls", NULL, r->sum.same_calls);
	COLUMN(s, PERCENT, "direct_pct", NULL, view_percent(r->sum.direct_ns, r->base->direct));
	COLUMN(s, PERCENT, "elapsed_pct", NULL, view_percent(r->sum.elapsed_ns, r->base->alive));
	COLUMN(s, PERCENT, "union_pct", NULL, view_percent(r->union_ns, r->base->wall));
	COLUMN(s, PERCENT, "union_error_pct", NULL, r->union_error_pct);
	COLUMN(s, NS, "elapsed_per_call_ns", "/call", view_mean(r->sum.elapsed_ns, r->sum.calls), .drop = 4, .meaning = "elapsed per call");
	COLUMN(s, NS, "direct_per_call_ns", NULL, view_mean(r->sum.direct_ns, r->sum.calls));
	COLUMN(s, COUNT, "timed_calls", NULL, r->sum.timed_calls);
	COLUMN(s, NS, "error_ns", NULL, r->sum.error_ns);
	COLUMN(s, PERCENT, NULL, "conc%", r->sum.calls ? view_percent(r->concurrent, (double)r->sum.calls) : NAN, .drop = 5,
	       .meaning = "share of calls made in concurrent state");
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line), .drop = 6);
}

/* What the rows of a view have in common. */
struct rows {
	const struct calls *calls;
	const struct calls_asked *asked;
	bool all_rows;
	struct base base;
	struct sheet *sheet;
};

static void add_routine(const struct rows *rows, uint32_t routine, uint32_t worker, uint32_t entry)
{
	const struct calls *c = rows->calls;
	struct sheet *s = rows->sheet;
	bool total = worker == CALLS_ALL && entry == CALLS_ALL;
	const struct calls_inside *inside = total ? calls_inside_of(c, routine) : NULL;
	struct routine_row row = {.base = &rows->base,
	                          .routine = &c->run->routines[routine],
	                          .who = worker == CALLS_ALL ? "all" : pool_print(&s->pool, "%u", worker),
	                          .entry = entry == CALLS_ALL ? "all" : entry_names[entry],
	                          .shows_who = rows->asked->by_worker || rows->asked->worker >= 0,
	                          .sum = calls_sum(c, routine, worker, entry),
	                          .concurrent = calls_sum(c, routine, worker, STATE_CONCURRENT).calls,
	                          .union_ns = RUN_UNKNOWN,
	                          .union_error_pct = NAN};
	row.cpu_ns = calls_cpu_ns(c, routine, row.sum.direct_ns);
	if (total && c->has_snapshots) {
		row.union_ns = inside ? (int64_t)inside->union_ns : 0;
		row.union_error_pct = 100 * calls_error(inside ? inside->snapshots : 0, c->snapshots);
	}
	if (rows->asked->by_worker && !rows->all_rows && !total)
		sheet_follow(s, 0);
	else
		sheet_row(s, total ? 0 : 1);
	sheet_about(s, routine);
	put_routine(s, &row);
}

/* The rows of a routine beside its total: each state, each worker, each worker in each state, where there is anything. */
static void add_details(const struct rows *rows, uint32_t routine)
{
	const struct calls *c = rows->calls;
	long only = rows->asked->worker;
	for (uint32_t entry = 0; rows->all_rows && only < 0 && entry < 2; entry++)
		if (calls_sum(c, routine, CALLS_ALL, entry).any)
			add_routine(rows, routine, CALLS_ALL, entry);
	for (uint32_t worker = 0; worker < c->run->worker_count; worker++) {
		if ((only >= 0 && worker != (uint32_t)only) || !calls_sum(c, routine, worker, CALLS_ALL).any)
			continue;
		add_routine(rows, routine, worker, CALLS_ALL);
		for (uint32_t entry = 0; rows->all_rows && entry < 2; entry++)
			if (calls_sum(c, routine, worker, entry).any)
				add_routine(rows, routine, worker, entry);
	}
}

static bool is_profiled(const struct run_routine *r)
{
	return r->kind == RUN_PLAIN_KIND || r->kind == RUN_OPENMP_KIND;
}

static struct base base_of(const struct calls *c)
{
	struct base base = {.direct = (double)calls_total(c, CALLS_ALL).direct_ns, .wall = (double)c->run->wall_ns};
	for (size_t i = 0; i < c->run->worker_count; i++)
		base.alive += (double)c->run->workers[i].alive_ns;
	return base;
}

static void fill_routines(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	const struct calls_asked *asked = &((const struct calls_data *)data)->asked;
	struct rows rows = {c, asked, ask->all_rows, base_of(c), s};
	bool details = ask->all_rows || asked->by_worker || asked->worker >= 0;
	put_routine(s, &(struct routine_row){0});
	for (uint32_t r = 1; r < c->run->routine_count; r++) {
		const struct run_routine *routine = &c->run->routines[r];
		bool called = calls_sum(c, r, CALLS_ALL, CALLS_ALL).any;
		if (!view_wants(ask->routine, routine) || (!called && !(ask->all_rows && is_profiled(routine))))
			continue;
		if (asked->worker < 0)
			add_routine(&rows, r, CALLS_ALL, CALLS_ALL);
		if (details)
			add_details(&rows, r);
	}
	if (!c->has_times)
		s->legend = "Counts only.";
}

const struct view view_routines = {
	.name = "routines",
	.help = "calls and times per routine (default)",
	.sort = "direct_ns",
	.sort_else = "calls",
	.top = 20,
	.fill = fill_routines,
};

/* ---- family ---- */

struct kin {
	const char *of, *relation, *name;
	int64_t calls, concurrent, elapsed_ns, direct_ns;
	double share_pct;
};

static void put_kin(struct sheet *s, const struct kin *r)
{
	COLUMN(s, NAME, "routine", NULL, r->of);
	COLUMN(s, TEXT, "relation", "relation", r->relation);
	COLUMN(s, NAME, "name", "routine", r->name);
	COLUMN(s, COUNT, "calls", "calls", r->calls);
	COLUMN(s, COUNT, "sequential_calls", "sequential", r->calls - r->concurrent, .drop = 2);
	COLUMN(s, COUNT, "concurrent_calls", "concurrent", r->concurrent, .drop = 1);
	COLUMN(s, NS, "elapsed_ns", "elapsed", r->elapsed_ns);
	COLUMN(s, PERCENT, "share_pct", "share%", r->share_pct);
	COLUMN(s, NS, "direct_ns", "direct", r->direct_ns, .drop = 3);
}

/* An arc with its states added up, as seen from one of its ends. */
struct relative {
	uint32_t routine;
	int64_t calls, concurrent, outer_ns;
};

struct relatives {
	struct relative *list;
	size_t count, room;
	int64_t calls, outer_ns; /* of all */
};

static void relate(struct relatives *all, uint32_t routine, const struct calls_arc_row *arc)
{
	bool timed = arc->elapsed_ns != RUN_UNKNOWN;
	size_t i = 0;
	while (i < all->count && all->list[i].routine != routine)
		i++;
	if (i == all->count) {
		MEMORY_GROW(all->list, all->count, all->room);
		all->list[all->count++] = (struct relative){.routine = routine};
	}
	all->list[i].calls += arc->calls;
	all->list[i].concurrent += arc->arc == STATE_CONCURRENT ? arc->calls : 0;
	all->list[i].outer_ns += timed ? arc->outer_ns : 0;
	all->calls += arc->calls;
	all->outer_ns += timed ? arc->outer_ns : 0;
}

static int by_weight(const void *a, const void *b)
{
	const struct relative *x = a, *y = b;
	if (x->outer_ns != y->outer_ns)
		return x->outer_ns > y->outer_ns ? -1 : 1;
	return x->calls > y->calls ? -1 : x->calls < y->calls;
}

/* Shares are of `whole`, in time or, where there is none, in calls. */
static void add_relatives(struct sheet *s, const struct calls *c, const char *of, const char *relation, const struct relatives *all,
                          const struct relatives *whole)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct relative *one = &all->list[i];
		struct kin row = {.of = of,
		                  .relation = relation,
		                  .name = view_name(s, &c->run->routines[one->routine]),
		                  .calls = one->calls,
		                  .concurrent = one->concurrent,
		                  .elapsed_ns = c->has_times ? one->outer_ns : RUN_UNKNOWN,
		                  .share_pct = c->has_times ? view_percent(one->outer_ns, (double)whole->outer_ns)
		                                            : view_percent(one->calls, (double)all->calls),
		                  .direct_ns = RUN_UNKNOWN};
		sheet_row(s, 0);
		put_kin(s, &row);
	}
}

static void add_family(struct sheet *s, const struct calls *c, const struct base *base, uint32_t routine)
{
	struct relatives parents = {0}, children = {0};
	for (size_t i = 0; i < c->arc_count; i++) {
		if (c->arcs[i].callee == routine)
			relate(&parents, c->arcs[i].caller, &c->arcs[i]);
		if (c->arcs[i].caller == routine)
			relate(&children, c->arcs[i].callee, &c->arcs[i]);
	}
	if (parents.count)
		qsort(parents.list, parents.count, sizeof *parents.list, by_weight);
	if (children.count)
		qsort(children.list, children.count, sizeof *children.list, by_weight);
	const char *name = view_name(s, &c->run->routines[routine]);
	struct calls_sum sum = calls_sum(c, routine, CALLS_ALL, CALLS_ALL), concurrent = calls_sum(c, routine, CALLS_ALL, STATE_CONCURRENT);
	struct kin self = {.of = name,
	                   .relation = "self",
	                   .name = name,
	                   .calls = sum.calls,
	                   .concurrent = concurrent.calls,
	                   .elapsed_ns = sum.elapsed_ns,
	                   .share_pct = view_percent(sum.elapsed_ns, base->alive),
	                   .direct_ns = sum.direct_ns};
	size_t first = s->row_count;
	add_relatives(s, c, name, "parent", &parents, &parents);
	sheet_row(s, 0);
	put_kin(s, &self);
	add_relatives(s, c, name, "child", &children, &parents);
	if (parents.count)
		sheet_gap(s, first);
	free(parents.list);
	free(children.list);
}

struct choice {
	uint32_t routine;
	int64_t weight;
};

static int by_choice(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->routine < y->routine ? -1 : x->routine > y->routine;
}

enum { FAMILIES = 5 }; /* families in text, by default */

static void fill_family(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	struct base base = base_of(c);
	struct choice *choices = NULL;
	size_t count = 0, room = 0;
	put_kin(s, &(struct kin){0});
	for (uint32_t r = 1; r < c->run->routine_count; r++) {
		struct calls_sum sum = calls_sum(c, r, CALLS_ALL, CALLS_ALL);
		if (!sum.any || !view_wants(ask->routine, &c->run->routines[r]))
			continue;
		MEMORY_GROW(choices, count, room);
		choices[count++] = (struct choice){r, c->has_times ? sum.direct_ns : sum.calls};
	}
	if (count)
		qsort(choices, count, sizeof *choices, by_choice);
	if (!ask->all_rows && !ask->routine && count > FAMILIES)
		count = FAMILIES;
	for (size_t i = 0; i < count; i++)
		add_family(s, c, &base, choices[i].routine);
	free(choices);
	s->legend =
		"Times are sums over workers; the time of recursive calls is part of the outermost call. share% of a parent: its share of the time in the routine. share% of a child: "
		"its share of that time (over 100 if children ran in several workers). share% of the routine itself: its share of all workers' time.";
}

const struct view view_family = {
	.name = "family",
	.help = "a routine's callers and callees, with their shares",
	.fill = fill_family,
};
