/* SPDX-License-Identifier: MIT */
/* routines.c: cprof's per-routine data (section 3.4.3), the flat profile, and gprof's family of a routine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/calls/view.h"

const struct column view_routines_columns[VIEW_routines_COLUMNS] = {
	{"routine", "routine", COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"worker", NULL, COLUMN_TEXT, 0, NULL},
	{NULL, "worker", COLUMN_TEXT, 0, NULL},
	{"entry", NULL, COLUMN_TEXT, 0, NULL},
	{"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"elapsed_ns", "elapsed", COLUMN_NS, 3, "including callees, sum over workers"},
	{"direct_ns", "direct", COLUMN_NS, 0, "excluding callees and waiting, sum over workers"},
	{NULL, "dir%", COLUMN_PERCENT, 0, "direct, as a share of all workers' working time"},
	{"callee_calls", NULL, COLUMN_COUNT, 0, NULL},
	{"callee_ns", NULL, COLUMN_NS, 0, NULL},
	{"wait_ns", "wait", COLUMN_NS, 1, "sum over workers"},
	{"union_ns", "wall", COLUMN_NS, 2, "wall time in which at least one worker was inside (union over workers)"},
	{NULL, "wall%", COLUMN_PERCENT, 1, "the same as a share of the run"},
	{"nested_ns", NULL, COLUMN_NS, 0, NULL},
	{"cpu_ns", "cpu", COLUMN_NS, 7, "direct time on a core"},
	{"same_calls", NULL, COLUMN_COUNT, 0, NULL},
	{"direct_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"elapsed_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"union_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"union_error_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"elapsed_per_call_ns", "/call", COLUMN_NS, 4, "elapsed per call"},
	{"direct_per_call_ns", NULL, COLUMN_NS, 0, NULL},
	{NULL, "conc%", COLUMN_PERCENT, 5, "share of calls made in concurrent state"},
	{NULL, "where", COLUMN_TEXT, 6, NULL},
};

/* What percentages are of. */
struct base {
	double direct, alive, wall;
};

static const char *const entry_names[] = {[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent"};

static void routine_row(struct sheet *s, const struct calls *c, const struct base *base, uint32_t routine, uint32_t worker, uint32_t entry,
                        const struct calls_asked *asked, bool all_rows)
{
	const struct run_routine *r = &c->run->routines[routine];
	struct calls_sum sum = calls_sum(c, routine, worker, entry);
	bool total = worker == CALLS_ALL && entry == CALLS_ALL;
	const struct calls_inside *inside = total ? calls_inside_of(c, routine) : NULL;
	int64_t union_ns = !total || !c->has_snapshots ? RUN_UNKNOWN : inside ? (int64_t)inside->union_ns : 0;
	struct calls_sum concurrent = calls_sum(c, routine, worker, STATE_CONCURRENT);
	const char *who = worker == CALLS_ALL ? "all" : pool_print(&s->pool, "%u", worker);
	if (asked->by_worker && !all_rows && !total)
		sheet_follow(s, 0);
	else
		sheet_row(s, total ? 0 : 1);
	sheet_text(s, r->name);
	sheet_text(s, r->file);
	sheet_number(s, *r->file ? r->line : RUN_UNKNOWN);
	sheet_text(s, who);
	sheet_text(s, asked->by_worker || asked->worker >= 0 ? who : "");
	sheet_text(s, entry == CALLS_ALL ? "all" : entry_names[entry]);
	sheet_number(s, sum.calls);
	sheet_number(s, sum.elapsed_ns);
	sheet_number(s, sum.direct_ns);
	sheet_real(s, view_percent(sum.direct_ns, base->direct));
	sheet_number(s, sum.callee_calls);
	sheet_number(s, sum.callee_ns);
	sheet_number(s, sum.wait_ns);
	sheet_number(s, union_ns);
	sheet_real(s, view_percent(union_ns, base->wall));
	sheet_number(s, sum.nested_ns);
	sheet_number(s, calls_cpu_ns(c, routine, sum.direct_ns));
	sheet_number(s, sum.same_calls);
	sheet_real(s, view_percent(sum.direct_ns, base->direct));
	sheet_real(s, view_percent(sum.elapsed_ns, base->alive));
	sheet_real(s, view_percent(union_ns, base->wall));
	sheet_real(s, union_ns == RUN_UNKNOWN ? NAN : 100 * calls_error(inside ? inside->snapshots : 0, c->snapshots));
	sheet_number(s, sum.elapsed_ns == RUN_UNKNOWN || !sum.calls ? RUN_UNKNOWN : sum.elapsed_ns / sum.calls);
	sheet_number(s, sum.direct_ns == RUN_UNKNOWN || !sum.calls ? RUN_UNKNOWN : sum.direct_ns / sum.calls);
	sheet_real(s, sum.calls ? 100 * (double)concurrent.calls / (double)sum.calls : NAN);
	sheet_text(s, view_place(s, r->file, r->line));
}

/* The rows of a routine beside its total: each state, each worker, each worker in each state, where there is anything. */
static void detail_rows(struct sheet *s, const struct calls *c, const struct base *base, const struct calls_asked *asked, bool all_rows,
                        uint32_t routine)
{
	for (uint32_t entry = 0; all_rows && asked->worker < 0 && entry < 2; entry++)
		if (calls_sum(c, routine, CALLS_ALL, entry).any)
			routine_row(s, c, base, routine, CALLS_ALL, entry, asked, all_rows);
	for (uint32_t worker = 0; worker < c->run->worker_count; worker++) {
		if ((asked->worker >= 0 && worker != (uint32_t)asked->worker) || !calls_sum(c, routine, worker, CALLS_ALL).any)
			continue;
		routine_row(s, c, base, routine, worker, CALLS_ALL, asked, all_rows);
		for (uint32_t entry = 0; all_rows && entry < 2; entry++)
			if (calls_sum(c, routine, worker, entry).any)
				routine_row(s, c, base, routine, worker, entry, asked, all_rows);
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

void view_routines(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	const struct calls_asked *asked = &((const struct calls_data *)data)->asked;
	struct base base = base_of(c);
	bool details = ask->all_rows || asked->by_worker || asked->worker >= 0;
	for (uint32_t r = 1; r < c->run->routine_count; r++) {
		const struct run_routine *routine = &c->run->routines[r];
		bool called = calls_sum(c, r, CALLS_ALL, CALLS_ALL).any;
		if (!view_wants(ask->routine, routine) || (!called && !(ask->all_rows && is_profiled(routine))))
			continue;
		if (asked->worker < 0)
			routine_row(s, c, &base, r, CALLS_ALL, CALLS_ALL, asked, ask->all_rows);
		if (details)
			detail_rows(s, c, &base, asked, ask->all_rows, r);
	}
	if (!c->has_times)
		s->legend = "Counts only.";
}

/* ---- family ---- */

const struct column view_family_columns[VIEW_family_COLUMNS] = {
	{"routine", NULL, COLUMN_NAME, 0, NULL},
	{"relation", "relation", COLUMN_TEXT, 0, NULL},
	{"name", "routine", COLUMN_NAME, 0, NULL},
	{"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"sequential_calls", "sequential", COLUMN_COUNT, 2, NULL},
	{"concurrent_calls", "concurrent", COLUMN_COUNT, 1, NULL},
	{"elapsed_ns", "elapsed", COLUMN_NS, 0, NULL},
	{"share_pct", "share%", COLUMN_PERCENT, 0, NULL},
	{"direct_ns", "direct", COLUMN_NS, 3, NULL},
};

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
static void relative_rows(struct sheet *s, const struct calls *c, const char *of, const char *relation, const struct relatives *all,
                          const struct relatives *whole)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct relative *one = &all->list[i];
		sheet_row(s, 0);
		if (i == 0 && strcmp(relation, "parent") == 0)
			sheet_gap(s);
		sheet_text(s, of);
		sheet_text(s, relation);
		sheet_text(s, c->run->routines[one->routine].name);
		sheet_number(s, one->calls);
		sheet_number(s, one->calls - one->concurrent);
		sheet_number(s, one->concurrent);
		sheet_number(s, c->has_times ? one->outer_ns : RUN_UNKNOWN);
		sheet_real(s,
		           c->has_times ? view_percent(one->outer_ns, (double)whole->outer_ns)
		                        : view_percent(one->calls, (double)all->calls));
		sheet_empty(s);
	}
}

static void family_rows(struct sheet *s, const struct calls *c, const struct base *base, uint32_t routine)
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
	const char *name = c->run->routines[routine].name;
	struct calls_sum sum = calls_sum(c, routine, CALLS_ALL, CALLS_ALL), concurrent = calls_sum(c, routine, CALLS_ALL, STATE_CONCURRENT);
	relative_rows(s, c, name, "parent", &parents, &parents);
	sheet_row(s, 0);
	sheet_text(s, name);
	sheet_text(s, "self");
	sheet_text(s, name);
	sheet_number(s, sum.calls);
	sheet_number(s, sum.calls - concurrent.calls);
	sheet_number(s, concurrent.calls);
	sheet_number(s, sum.elapsed_ns);
	sheet_real(s, view_percent(sum.elapsed_ns, base->alive));
	sheet_number(s, sum.direct_ns);
	relative_rows(s, c, name, "child", &children, &parents);
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

enum { FAMILIES = 5 }; /* in text, unless somebody asks */

void view_family(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	struct base base = base_of(c);
	struct choice *choices = NULL;
	size_t count = 0, room = 0;
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
		family_rows(s, c, &base, choices[i].routine);
	free(choices);
	s->legend =
		"Times are sums over workers; the time of recursive calls is part of the outermost call. share% of a parent: its share of the time in the routine. share% of a child: "
		"its share of that time (over 100 if children ran in several workers). share% of the routine itself: its share of all workers' time.";
}
