/* SPDX-License-Identifier: MIT */
/* functions.c: a row for each function: how many of its paths were taken, and how few matter. */
#include <math.h>

#include "analyse/names.h"
#include "report/paths/view.h"
#include "report/view.h"

enum { LONG_NAME = 60 };

const struct column view_paths_functions_columns[VIEW_PATHS_functions_COLUMNS] = {
	{"function", NULL, COLUMN_NAME, 0, NULL},
	{"file", NULL, COLUMN_TEXT, 0, NULL},
	{"line", NULL, COLUMN_COUNT, 0, NULL},
	{"calls", NULL, COLUMN_COUNT, 0, NULL},
	{"paths_possible", NULL, COLUMN_COUNT, 0, NULL},
	{"paths_executed", NULL, COLUMN_COUNT, 0, NULL},
	{"coverage_pct", NULL, COLUMN_PERCENT, 0, NULL},
	{"count", NULL, COLUMN_COUNT, 0, NULL},
	{"flow", NULL, COLUMN_COUNT, 0, NULL},
	{"flow_pct", "flow%", COLUMN_PERCENT, 0, "share of all executed instructions"},
	{"paths_90", "90%", COLUMN_COUNT, 0, "number of paths that make 90 % of the function's instructions"},
	{"blocks", NULL, COLUMN_COUNT, 0, NULL},
	{"edges", NULL, COLUMN_COUNT, 0, NULL},
	{"outcomes", NULL, COLUMN_COUNT, 0, NULL},
	{"outcomes_never", NULL, COLUMN_COUNT, 0, NULL},
	{"counted", NULL, COLUMN_TEXT, 0, NULL},
	{"stops", NULL, COLUMN_COUNT, 0, NULL},
	{"paths_asked", NULL, COLUMN_COUNT, 0, NULL},
	{NULL, "executed", COLUMN_COUNT, 0, "number of paths that were executed"},
	{NULL, "of", COLUMN_TEXT, 0, NULL},
	{NULL, "covered%", COLUMN_PERCENT, 2, "share of its paths that were executed"},
	{NULL, "never", COLUMN_COUNT, 2, "outcomes that were never taken, of branches that were reached"},
	{NULL, "calls", COLUMN_AMOUNT, 1, NULL},
	{NULL, "function", COLUMN_NAME, 0, NULL},
	{NULL, "where", COLUMN_TEXT, 3, NULL},
};

static const char *how_counted(const struct paths_profile *f)
{
	if (f->flags & PATHS_IS_NONE)
		return "not";
	return f->flags & PATHS_IS_PART     ? "part"
		: f->flags & PATHS_IS_TURNS ? "turns"
		: f->flags & PATHS_IS_SPLIT ? "split"
		: f->flags & PATHS_IS_CUT   ? "cut"
					    : "whole";
}

static uint64_t stops_of(const struct paths *p, const struct paths_profile *f)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < f->stops; i++)
		sum += p->stops[f->first_stop + i].count;
	return sum;
}

static void function_row(struct sheet *s, const struct paths_data *d, const struct paths_profile *f)
{
	const struct paths *p = &d->paths;
	const struct run_routine *r = view_paths_routine(p, f);
	struct paths_figures g = paths_figures(p, f);
	bool whole = !paths_is_partial(f);
	double asked = paths_asked(f), coverage = asked > 0 ? paths_share((double)f->paths, asked) : NAN;
	sheet_row(s, 0);
	view_paths_head(s, p, f);
	sheet_number(s, whole ? (int64_t)f->entries : -1);
	sheet_number(s, view_paths_whole(f->possible));
	sheet_number(s, (int64_t)f->paths);
	sheet_real(s, coverage);
	sheet_number(s, view_paths_whole(g.taken));
	sheet_number(s, view_paths_whole(g.flow));
	sheet_real(s, paths_share(g.flow, d->rank.flow));
	sheet_number(s, (int64_t)g.enough);
	sheet_number(s, f->blocks);
	sheet_number(s, f->edges);
	sheet_number(s, whole ? (int64_t)g.outcomes : -1);
	sheet_number(s, whole ? (int64_t)g.never : -1);
	sheet_text(s, how_counted(f));
	sheet_number(s, (int64_t)stops_of(p, f));
	sheet_number(s, view_paths_whole(asked));
	sheet_number(s, (int64_t)f->paths);
	sheet_text(s, view_paths_possible(&s->pool, asked));
	sheet_real(s, coverage);
	sheet_number(s, whole ? (int64_t)g.never : -1);
	sheet_number(s, whole ? (int64_t)f->entries : -1);
	sheet_text(s, names_short(&s->pool, r->name, LONG_NAME));
	sheet_text(s, *r->file ? view_place(s, r->file, r->line) : "");
}

void view_paths_functions(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	size_t left_out = 0;
	for (size_t i = 0; i < d->paths.profile_count; i++) {
		const struct paths_profile *f = &d->paths.profiles[i];
		bool touched = f->paths || f->stops || f->flags & PATHS_IS_PART;
		if (!view_paths_wants(d, ask->routine, f))
			continue;
		if (touched || ask->all_rows || ask->routine)
			function_row(s, d, f);
		else
			left_out += !paths_is_partial(f);
	}
	if (paths_are_partial(&d->paths))
		s->legend = "Only paths that --only-paths asked for.";
	else if (left_out)
		s->legend = pool_print(&s->pool, "%zu function%s never executed and left out (--view never lists them).", left_out,
		                       left_out == 1 ? " was" : "s were");
}
