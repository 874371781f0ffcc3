/* SPDX-License-Identifier: MIT */
/* arcs.c: calls from routine to routine in the cases of section 3.4.2, and what became of inlined routines. */
#include <string.h>

#include "report/calls/view.h"

const struct column view_arcs_columns[VIEW_arcs_COLUMNS] = {
	{"caller", "caller", COLUMN_NAME, 0, NULL},
	{"callee", "callee", COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"entry", NULL, COLUMN_TEXT, 0, NULL},
	{"callee_call", NULL, COLUMN_TEXT, 0, NULL},
	{"calls", "calls", COLUMN_COUNT, 0, NULL},
	{"elapsed_ns", "elapsed", COLUMN_NS, 0, "sum over workers, including recursive calls"},
	{"arc", "arc", COLUMN_TEXT, 1, "state of the program when the callee was entered"},
	{"case", "case", COLUMN_TEXT, 0,
         "first letter: the caller was entered in sequential (S) or concurrent (C) state; second: it had itself forked (C) or not (S) when it called"},
	{"same_calls", "same", COLUMN_COUNT, 4, "calls made while another worker was inside the callee (estimated)"},
	{"outer_ns", NULL, COLUMN_NS, 0, NULL},
	{"outer_pct", "share%", COLUMN_PERCENT, 2, "share of all workers' time, without recursive calls"},
	{"elapsed_per_call_ns", "/call", COLUMN_NS, 5, NULL},
	{NULL, "where", COLUMN_TEXT, 3, NULL}};

static const char *const state_names[] = {[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent", [STATE_UNKNOWN] = ""};

static const char *case_of(const struct calls_arc_row *arc)
{
	static const char *const cases[2][2] = {{"S-S", "S-C"}, {"C-S", "C-C"}};
	return arc->entry == STATE_UNKNOWN || arc->callee_call == STATE_UNKNOWN ? "" : cases[arc->entry][arc->callee_call];
}

/* The first site of the arc; where no direct call is known, the caller's declaration. */
static void place_of(const struct run *run, const struct calls_arc_row *arc, const char **file, uint32_t *line)
{
	const struct run_site *site = run_first_site(run, arc->caller, arc->callee);
	*file = site ? site->file : run->routines[arc->caller].file;
	*line = site ? site->line : run->routines[arc->caller].line;
}

void view_arcs(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	double alive = 0;
	for (size_t i = 0; i < c->run->worker_count; i++)
		alive += (double)c->run->workers[i].alive_ns;
	for (size_t i = 0; i < c->arc_count; i++) {
		const struct calls_arc_row *arc = &c->arcs[i];
		const struct run_routine *caller = &c->run->routines[arc->caller], *callee = &c->run->routines[arc->callee];
		if (!view_wants(ask->routine, caller) && !view_wants(ask->routine, callee))
			continue;
		const char *file;
		uint32_t line;
		place_of(c->run, arc, &file, &line);
		sheet_row(s, 0);
		sheet_text(s, caller->name);
		sheet_text(s, callee->name);
		sheet_text(s, file);
		sheet_number(s, *file ? line : RUN_UNKNOWN);
		sheet_text(s, state_names[arc->entry]);
		sheet_text(s, state_names[arc->callee_call]);
		sheet_number(s, arc->calls);
		sheet_number(s, arc->elapsed_ns);
		sheet_text(s, state_names[arc->arc]);
		sheet_text(s, case_of(arc));
		sheet_number(s, arc->same_calls);
		sheet_number(s, arc->outer_ns);
		sheet_real(s, view_percent(arc->outer_ns, alive));
		sheet_number(s, arc->elapsed_ns == RUN_UNKNOWN || !arc->calls ? RUN_UNKNOWN : arc->elapsed_ns / arc->calls);
		sheet_text(s, view_place(s, file, line));
	}
	if (!c->has_times)
		s->legend = "Counts only: cases and times are not measured.";
}

const struct column view_inlined_columns[VIEW_inlined_COLUMNS] = {
	{"routine", "routine", COLUMN_NAME, 0, NULL}, {"file", NULL, COLUMN_TEXT, 0, NULL},   {"line", NULL, COLUMN_COUNT, 0, NULL},
	{"state", "state", COLUMN_TEXT, 0, NULL},     {"into", "into", COLUMN_NAME, 0, NULL}, {"into_file", NULL, COLUMN_TEXT, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 1, NULL},
};

void view_inlined(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct run *run = &((const struct calls_data *)data)->run;
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *in = &run->inlined[i];
		const struct run_routine *into = in->into == RUN_NOWHERE ? NULL : &run->routines[in->into];
		if (!view_matches(ask->routine, in->name) && !(into && view_wants(ask->routine, into)))
			continue;
		sheet_row(s, 0);
		sheet_text(s, in->name);
		sheet_text(s, in->file);
		sheet_number(s, in->line);
		sheet_text(s, into ? "inlined" : "removed");
		sheet_text(s, into ? into->name : "");
		sheet_text(s, into ? into->file : "");
		sheet_text(s, view_place(s, in->file, in->line));
	}
	s->legend = "The cost of an inlined routine belongs to the routines that it went into. A removed routine cannot be reached.";
}
