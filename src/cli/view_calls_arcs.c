/* SPDX-License-Identifier: MIT */
/* view_calls_arcs.c: calls from routine to routine in the cases of section 3.4.2, and what became of inlined routines. */
#include <string.h>

#include "cli/view_calls.h"

const struct column view_arcs_columns[VIEW_arcs_COLUMNS] = {
	{"caller", "caller", COLUMN_NAME, 0},
	{"callee", "callee", COLUMN_NAME, 0},
	{"file", NULL, COLUMN_TEXT, 0},
	{"line", NULL, COLUMN_COUNT, 0},
	{"entry", NULL, COLUMN_TEXT, 0},
	{"callee_call", NULL, COLUMN_TEXT, 0},
	{"calls", "calls", COLUMN_COUNT, 0},
	{"elapsed_ns", "elapsed", COLUMN_NS, 0},
	{"arc", "arc", COLUMN_TEXT, 1},
	{"case", "case", COLUMN_TEXT, 0},
	{"same_calls", "same", COLUMN_COUNT, 4},
	{"elapsed_pct", "share%", COLUMN_PERCENT, 2},
	{"elapsed_per_call_ns", "/call", COLUMN_NS, 5},
	{NULL, "where", COLUMN_TEXT, 3},
};

static const char *const state_names[] = {[STATE_SEQUENTIAL] = "sequential", [STATE_CONCURRENT] = "concurrent", [STATE_UNKNOWN] = ""};

static const char *case_of(const struct calls_arc_row *arc)
{
	static const char *const cases[2][2] = {{"S-S", "S-C"}, {"C-S", "C-C"}};
	return arc->entry == STATE_UNKNOWN || arc->callee_call == STATE_UNKNOWN ? "" : cases[arc->entry][arc->callee_call];
}

/* The first site of the arc; where no direct call is known, the caller's declaration. */
static void place_of(const struct run *run, const struct calls_arc_row *arc, const char **file, uint32_t *line)
{
	*file = run->routines[arc->caller].file;
	*line = run->routines[arc->caller].line;
	bool found = false;
	for (size_t i = 0; i < run->site_count; i++) {
		const struct run_site *site = &run->sites[i];
		if (site->caller == arc->caller && site->callee == arc->callee && (!found || site->line < *line)) {
			*file = site->file;
			*line = site->line;
			found = true;
		}
	}
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
		if (!view_wants(ask, caller) && !view_wants(ask, callee))
			continue;
		const char *file;
		uint32_t line;
		place_of(c->run, arc, &file, &line);
		sheet_row(s, 0);
		sheet_text(s, caller->name);
		sheet_text(s, callee->name);
		sheet_text(s, file);
		sheet_number(s, line);
		sheet_text(s, state_names[arc->entry]);
		sheet_text(s, state_names[arc->callee_call]);
		sheet_number(s, arc->calls);
		sheet_number(s, arc->elapsed_ns);
		sheet_text(s, state_names[arc->arc]);
		sheet_text(s, case_of(arc));
		sheet_number(s, arc->same_calls);
		sheet_real(s, view_percent(arc->elapsed_ns, alive));
		sheet_number(s, arc->elapsed_ns == CALLS_UNKNOWN || !arc->calls ? CALLS_UNKNOWN : arc->elapsed_ns / arc->calls);
		sheet_text(s, view_place(s, file, line));
	}
	s->legend = c->has_times ? "case: the caller had been entered sequentially (S) or concurrently (C), and had itself forked (C) or not (S) when it called. arc: the state when the "
	                           "callee was entered. Times are sums over workers, recursive calls included; share% is of all workers' time."
	                         : "Counts only. arc: the state when the callee was entered.";
}

const struct column view_inlined_columns[VIEW_inlined_COLUMNS] = {
	{"routine", "routine", COLUMN_NAME, 0},
	{"file", NULL, COLUMN_TEXT, 0},
	{"line", NULL, COLUMN_COUNT, 0},
	{"state", "state", COLUMN_TEXT, 0},
	{"into", "into", COLUMN_NAME, 0},
	{"into_file", NULL, COLUMN_TEXT, 0},
	{NULL, "where", COLUMN_TEXT, 1},
};

void view_inlined(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct run *run = &((const struct calls_data *)data)->run;
	for (size_t i = 0; i < run->inlined_count; i++) {
		const struct run_inlined *in = &run->inlined[i];
		const struct run_routine *into = in->into == RUN_NOWHERE ? NULL : &run->routines[in->into];
		if (!view_wants(ask, &(struct run_routine){.name = in->name, .linkage = in->name}) && !(into && view_wants(ask, into)))
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
	s->legend = "An inlined routine's cost belongs to the routines that it went into; a removed one can be reached by nobody.";
}
