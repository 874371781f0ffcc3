/* SPDX-License-Identifier: MIT */
/* calls.c: the dynamic call graph: routines, and the arcs between them. */
#include "base/text.h"
#include "report/flow/view.h"

static const char no_routines[] = "Routines were not recorded: skein record flow --routines -- PROGRAM records them.";

/* ---- routines ---- */

static void put_routine(struct sheet *s, const struct flows *f, const struct run_routine *routine, const struct flows_routine *r)
{
	COLUMN(s, NAME, "routine", "routine", view_name(s, routine));
	COLUMN(s, TEXT, "file", NULL, routine->file);
	COLUMN(s, ID, "line", NULL, *routine->file ? (int64_t)routine->line : RUN_UNKNOWN);
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, routine->file, routine->line), .drop = 2);
	COLUMN(s, COUNT, "calls", "calls", (int64_t)r->calls);
	COLUMN(s, NS, "total_ns", "total", view_flow_ns(f, r->total_ns), .meaning = "on a core, including callees");
	COLUMN(s, NS, "self_ns", "self", view_flow_ns(f, r->self_ns), .meaning = "on a core, excluding callees");
	COLUMN(s, NS, "wait_ns", "waited", view_flow_ns(f, r->wait_ns), .meaning = "for whatever, including callees");
	COLUMN(s, NS, "no_core_ns", "no core", view_flow_ns(f, r->no_core_ns), .drop = 1, .meaning = "could run, but had no core");
	COLUMN(s, NS, "critical_ns", "critical", view_flow_ns(f, r->critical_ns), .meaning = "part of self: on the critical path");
	COLUMN(s, COUNT, "concurrent_calls", "concurrent", (int64_t)r->concurrent, .drop = 1,
	       .meaning = "part of calls: while more than one thread worked");
}

static void fill_routines(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	put_routine(s, f, &(struct run_routine){.name = "", .shown = "", .linkage = "", .file = ""}, &(struct flows_routine){0});
	for (size_t i = 0; i < f->routine_count; i++) {
		const struct run_routine *routine = &f->run->routines[f->routines[i].routine];
		if (ask->routine && !view_wants(ask->routine, routine))
			continue;
		sheet_row(s, 0);
		put_routine(s, f, routine, &f->routines[i]);
	}
	if (!f->routine_count)
		s->legend = no_routines;
}

const struct view view_flow_calls = {
	.name = "calls",
	.help = "calls, time and waits of routines, if they were recorded",
	.sort = "self_ns",
	.sort_else = "calls",
	.top = 20,
	.fill = fill_routines,
};

/* ---- arcs ---- */

static void put_arc(struct sheet *s, const struct flows *f, const struct flows_arc *a)
{
	const struct run *run = f->run;
	COLUMN(s, NAME, "caller", "caller", view_name(s, &run->routines[a->caller]));
	COLUMN(s, NAME, "callee", "callee", view_name(s, &run->routines[a->callee]));
	COLUMN(s, COUNT, "calls", "calls", (int64_t)a->calls);
	COLUMN(s, NS, "total_ns", "total", view_flow_ns(f, a->total_ns), .meaning = "of the callee on a core, including its callees");
	COLUMN(s, COUNT, "concurrent_calls", "concurrent", (int64_t)a->concurrent, .drop = 1,
	       .meaning = "part of calls: while more than one thread worked");
}

static void fill_arcs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	put_arc(s, f, &(struct flows_arc){.caller = RUN_OUTSIDE});
	for (size_t i = 0; i < f->arc_count; i++) {
		const struct flows_arc *a = &f->arcs[i];
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[a->caller]) &&
		    !view_wants(ask->routine, &f->run->routines[a->callee]))
			continue;
		sheet_row(s, 0);
		put_arc(s, f, a);
	}
	if (!f->arc_count)
		s->legend = no_routines;
}

const struct view view_flow_arcs = {
	.name = "arcs",
	.help = "who called whom, if routines were recorded",
	.sort = "calls",
	.top = 20,
	.fill = fill_arcs,
};
