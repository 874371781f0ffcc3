/* SPDX-License-Identifier: MIT */
/* callees.c: calls that each routine made, by case and by worker (cprof's Figure 6: s_callee, cs_callee and c_callee). */
#include "base/text.h"
#include "report/calls/view.h"

struct callee_row {
	const struct run_routine *routine;
	const char *who;
	bool shows_who; /* text, too, says which worker */
	const char *entry, *callee_call, *case_name;
	struct calls_callee_row sum;
	double of_calls; /* all calls that the routine made */
};

static void put_callee(struct sheet *s, const struct callee_row *r)
{
	COLUMN(s, NAME, "routine", "routine", view_name(s, r->routine));
	COLUMN(s, TEXT, "file", NULL, r->routine->file);
	COLUMN(s, ID, "line", NULL, view_line(r->routine));
	COLUMN(s, TEXT, "worker", NULL, r->who);
	COLUMN(s, TEXT, NULL, "worker", r->shows_who ? r->who : "", .meaning = "in which the callees ran");
	COLUMN(s, TEXT, "entry", NULL, r->entry);
	COLUMN(s, TEXT, "callee_call", NULL, r->callee_call);
	COLUMN(s, TEXT, "case", "case", r->case_name,
	       .meaning =
	               "first letter: the routine was entered in sequential (S) or concurrent (C) state; second: it had itself forked (C) or not (S) when it called");
	COLUMN(s, COUNT, "callee_calls", "callee calls", r->sum.calls, .meaning = "calls that the routine made");
	COLUMN(s, NS, "callee_elapsed_ns", "callee time", r->sum.elapsed_ns,
	       .meaning = "elapsed time of these calls, sum over workers, including recursive calls");
	COLUMN(s, NS, "callee_outer_ns", "outermost", r->sum.outer_ns, .drop = 2, .meaning = "the same without recursive calls");
	COLUMN(s, PERCENT, "calls_pct", "calls%", view_percent(r->sum.calls, r->of_calls), .drop = 1,
	       .meaning = "share of the calls that the routine made");
	COLUMN(s, NS, "elapsed_per_call_ns", "/call", view_mean(r->sum.elapsed_ns, r->sum.calls), .drop = 3);
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line), .drop = 4);
}

/* What the rows of the view have in common. */
struct rows {
	const struct calls *calls;
	const struct calls_asked *asked;
	bool all_rows;
	struct sheet *sheet;
};

/* The rows of one caller: they lie together. */
struct group {
	const struct calls_callee_row *rows;
	size_t count;
};

/* Adds up what fits; worker may be CALLS_ALL. Returns whether anything fits. */
static bool sum_up(struct calls_callee_row *sum, const struct group *g, uint32_t worker, uint32_t entry, uint32_t callee_call)
{
	bool any = false;
	*sum = (struct calls_callee_row){.elapsed_ns = RUN_UNKNOWN, .outer_ns = RUN_UNKNOWN};
	for (size_t i = 0; i < g->count; i++) {
		const struct calls_callee_row *row = &g->rows[i];
		if ((worker != CALLS_ALL && row->worker != worker) || row->entry != entry || row->callee_call != callee_call)
			continue;
		calls_add_callee(sum, row);
		any = true;
	}
	return any;
}

static void add_row(const struct rows *rows, const struct group *g, uint32_t worker, uint32_t entry, uint32_t callee_call, bool follows)
{
	struct sheet *s = rows->sheet;
	struct callee_row row = {.routine = &rows->calls->run->routines[g->rows->caller],
	                         .who = worker == CALLS_ALL ? "all" : pool_print(&s->pool, "%u", worker),
	                         .shows_who = rows->asked->by_worker || rows->asked->worker >= 0,
	                         .entry = view_calls_state(entry),
	                         .callee_call = view_calls_state(callee_call),
	                         .case_name = view_calls_case(entry, callee_call)};
	if (!sum_up(&row.sum, g, worker, entry, callee_call))
		return;
	for (size_t i = 0; i < g->count; i++)
		row.of_calls += (double)g->rows[i].calls;
	if (follows)
		sheet_follow(s, 0);
	else
		sheet_row(s, rows->asked->worker < 0 && worker != CALLS_ALL);
	put_callee(s, &row);
}

/* One case of one caller: the sum over workers, and each worker where that is asked for. */
static void add_case(const struct rows *rows, const struct group *g, uint32_t entry, uint32_t callee_call)
{
	long only = rows->asked->worker;
	if (only < 0)
		add_row(rows, g, CALLS_ALL, entry, callee_call, false);
	if (only < 0 && !rows->all_rows && !rows->asked->by_worker)
		return;
	for (uint32_t worker = 0; worker < rows->calls->run->worker_count; worker++)
		if (only < 0 || worker == (uint32_t)only)
			add_row(rows, g, worker, entry, callee_call, only < 0 && !rows->all_rows);
}

static void fill_callees(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls *c = &((const struct calls_data *)data)->calls;
	struct rows rows = {c, &((const struct calls_data *)data)->asked, ask->all_rows, s};
	put_callee(s, &(struct callee_row){0});
	for (size_t i = 0, end; i < c->callee_count; i = end) {
		for (end = i + 1; end < c->callee_count && c->callees[end].caller == c->callees[i].caller;)
			end++;
		if (!view_wants(ask->routine, &c->run->routines[c->callees[i].caller]))
			continue;
		struct group group = {c->callees + i, end - i};
		for (uint32_t entry = STATE_SEQUENTIAL; entry <= STATE_UNKNOWN; entry++)
			for (uint32_t callee_call = STATE_SEQUENTIAL; callee_call <= STATE_UNKNOWN; callee_call++)
				add_case(&rows, &group, entry, callee_call);
	}
	s->legend = !c->has_times         ? "Counts only: cases and times are not measured."
		: rows.asked->by_worker   ? NULL
		: rows.asked->worker >= 0 ? NULL
					  : "Sums over workers; --by-worker shows each worker.";
}

const struct view view_callees = {
	.name = "callees",
	.help = "calls that each routine made, by case and worker",
	.sort = "callee_elapsed_ns",
	.sort_else = "callee_calls",
	.top = 20,
	.fill = fill_callees,
};

/* ---- threads ---- */

static void fill_threads(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct calls_data *mine = data;
	(void)ask;
	threads_fill(&mine->run, mine->asked.worker, s);
}

const struct view view_threads = {
	.name = "threads",
	.help = "creator, start and end of each thread",
	.top = 40,
	.fill = fill_threads,
};
