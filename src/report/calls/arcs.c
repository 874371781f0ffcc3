/* SPDX-License-Identifier: MIT */
/* arcs.c: calls from routine to routine in the cases of section 3.4.2, and what became of inlined routines. */
#include <string.h>

#include "base/text.h"
#include "report/calls/view.h"

const char *view_calls_state(uint32_t state)
{
	static const char *const names[] = {[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent", [STATE_UNKNOWN] = ""};
	return names[state];
}

const char *view_calls_case(uint32_t entry, uint32_t callee_call)
{
	static const char *const cases[2][2] = {{"S-S", "S-C"}, {"C-S", "C-C"}};
	return entry == STATE_UNKNOWN || callee_call == STATE_UNKNOWN ? "" : cases[entry][callee_call];
}

int64_t view_calls_error(int64_t error_ns, int64_t of_ns)
{
	return error_ns > 0 && 100 * (double)error_ns >= (double)of_ns ? error_ns : RUN_UNKNOWN;
}

/* The first site of the arc; where no direct call is known, the caller's declaration. */
static void place_of(const struct run *run, const struct calls_arc_row *arc, const char **file, uint32_t *line)
{
	const struct run_site *site = run_first_site(run, arc->caller, arc->callee);
	*file = site ? site->file : run->routines[arc->caller].file;
	*line = site ? site->line : run->routines[arc->caller].line;
}

struct arc {
	const struct calls_arc_row *arc;
	const struct run_routine *caller, *callee;
	const char *file;
	uint32_t line;
	double alive; /* time of all workers */
};

static void put_arc(struct sheet *s, const struct arc *r)
{
	COLUMN(s, NAME, "caller", "caller", view_name(s, r->caller));
	COLUMN(s, NAME, "callee", "callee", view_name(s, r->callee));
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, *r->file ? r->line : RUN_UNKNOWN);
	COLUMN(s, TEXT, "entry", NULL, view_calls_state(r->arc->entry));
	COLUMN(s, TEXT, "callee_call", NULL, view_calls_state(r->arc->callee_call));
	COLUMN(s, COUNT, "calls", "calls", r->arc->calls);
	COLUMN(s, NS, "elapsed_ns", "elapsed", r->arc->elapsed_ns, .meaning = "sum over workers, including recursive calls");
	COLUMN(s, NS, NULL, "±", view_calls_error(r->arc->error_ns, r->arc->elapsed_ns), .drop = 2,
	       .meaning = "where not every call was timed: elapsed is off by less than this in 95 of 100 cases (empty: by less than 1 %)");
	COLUMN(s, TEXT, "arc", "arc", view_calls_state(r->arc->arc), .drop = 1,
	       .meaning = "state of the program when the callee was entered");
	COLUMN(s, TEXT, "case", "case", view_calls_case(r->arc->entry, r->arc->callee_call),
	       .meaning =
	               "first letter: the caller was entered in sequential (S) or concurrent (C) state; second: it had itself forked (C) or not (S) when it called");
	COLUMN(s, COUNT, "same_calls", "same", r->arc->same_calls, .drop = 4,
	       .meaning = "calls made while another worker was inside the callee (estimated)");
	COLUMN(s, NS, "outer_ns", NULL, r->arc->outer_ns);
	COLUMN(s, PERCENT, "outer_pct", "share%", view_percent(r->arc->outer_ns, r->alive), .drop = 2,
	       .meaning = "share of all workers' time, without recursive calls");
	COLUMN(s, NS, "elapsed_per_call_ns", "/call", view_mean(r->arc->elapsed_ns, r->arc->calls), .drop = 5);
	COLUMN(s, COUNT, "timed_calls", NULL, r->arc->timed_calls);
	COLUMN(s, NS, "error_ns", NULL, r->arc->error_ns);
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->file, r->line), .drop = 3);
}

static void fill_arcs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	struct arc row = {.alive = 0};
	for (size_t i = 0; i < c->run->worker_count; i++)
		row.alive += (double)c->run->workers[i].alive_ns;
	put_arc(s, &row);
	for (size_t i = 0; i < c->arc_count; i++) {
		row.arc = &c->arcs[i];
		row.caller = &c->run->routines[row.arc->caller];
		row.callee = &c->run->routines[row.arc->callee];
		if (!view_wants(ask->routine, row.caller) && !view_wants(ask->routine, row.callee))
			continue;
		place_of(c->run, row.arc, &row.file, &row.line);
		sheet_row(s, 0);
		put_arc(s, &row);
	}
	if (!c->has_times)
		s->legend = "Counts only: cases and times are not measured.";
}

const struct view view_arcs = {
	.name = "arcs",
	.help = "calls per arc and case (S-S, S-C, C-S, C-C)",
	.sort = "elapsed_ns",
	.sort_else = "calls",
	.top = 20,
	.fill = fill_arcs,
};

/* ---- inlined ---- */

struct inlined {
	const struct run_inlined *in;
	const struct run_routine *into; /* NULL: the callee was removed */
};

static void put_inlined(struct sheet *s, const struct inlined *r)
{
	COLUMN(s, NAME, "routine", "routine", r->in->name);
	COLUMN(s, TEXT, "file", NULL, r->in->file);
	COLUMN(s, ID, "line", NULL, r->in->line);
	COLUMN(s, TEXT, "state", "state", r->into ? "inlined" : "removed");
	COLUMN(s, NAME, "into", "into", r->into ? view_name(s, r->into) : "");
	COLUMN(s, TEXT, "into_file", NULL, r->into ? r->into->file : "");
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->in->file, r->in->line), .drop = 1);
}

static void fill_inlined(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct run *run = &((const struct calls_data *)data)->run;
	put_inlined(s, &(struct inlined){0});
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *in = &run->inlined[i];
		const struct run_routine *into = in->into == RUN_NOWHERE ? NULL : &run->routines[in->into];
		if (!view_matches(ask->routine, in->name) && !(into && view_wants(ask->routine, into)))
			continue;
		sheet_row(s, 0);
		put_inlined(s, &(struct inlined){in, into});
	}
	s->legend = "The cost of an inlined routine belongs to the routines that it went into. A removed routine cannot be reached.";
}

const struct view view_inlined = {
	.name = "inlined",
	.help = "routines that exist only inlined, or were removed",
	.sort = "routine",
	.top = 20,
	.fill = fill_inlined,
};
