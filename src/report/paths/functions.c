/* SPDX-License-Identifier: MIT */
/* functions.c: a row for each function: how many of its paths were taken, and how few matter. */
#include <math.h>

#include "base/text.h"
#include "report/paths/view.h"
#include "report/view.h"

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

struct function_row {
	const struct paths_data *data;
	const struct paths_profile *profile;
	const struct run_routine *routine;
	struct paths_figures figures;
	bool is_whole;   /* all of its paths were counted, and so its calls and outcomes are known */
	double asked;    /* paths that were to be counted */
	double coverage; /* in percent of those */
};

static int64_t if_whole(const struct function_row *r, uint64_t count)
{
	return r->is_whole ? (int64_t)count : RUN_UNKNOWN;
}

static void put_function(struct sheet *s, const struct function_row *r)
{
	view_paths_head(s, r->routine);
	COLUMN(s, COUNT, "calls", NULL, if_whole(r, r->profile->entries));
	COLUMN(s, COUNT, "paths_possible", NULL, view_paths_whole(r->profile->possible));
	COLUMN(s, COUNT, "paths_executed", NULL, r->profile->paths);
	COLUMN(s, PERCENT, "coverage_pct", NULL, r->coverage);
	COLUMN(s, COUNT, "count", NULL, view_paths_whole(r->figures.taken));
	COLUMN(s, COUNT, "flow", NULL, view_paths_whole(r->figures.flow));
	COLUMN(s, PERCENT, "flow_pct", "flow%", paths_share(r->figures.flow, r->data->rank.flow),
	       .meaning = "share of all executed instructions");
	COLUMN(s, COUNT, "paths_90", "90%", r->figures.enough, .meaning = "number of paths that make 90 % of the function's instructions");
	COLUMN(s, COUNT, "blocks", NULL, r->profile->blocks);
	COLUMN(s, COUNT, "edges", NULL, r->profile->edges);
	COLUMN(s, COUNT, "outcomes", NULL, if_whole(r, r->figures.outcomes));
	COLUMN(s, COUNT, "outcomes_never", NULL, if_whole(r, r->figures.never));
	COLUMN(s, TEXT, "counted", NULL, how_counted(r->profile));
	COLUMN(s, COUNT, "stops", NULL, stops_of(&r->data->paths, r->profile));
	COLUMN(s, COUNT, "paths_asked", NULL, view_paths_whole(r->asked), .sorts = "of");
	COLUMN(s, ID, "graph", NULL, r->profile - r->data->paths.profiles);
	COLUMN(s, COUNT, NULL, "executed", r->profile->paths, .meaning = "number of paths that were executed");
	COLUMN(s, TEXT, NULL, "of", view_paths_possible(&s->pool, r->asked));
	COLUMN(s, PERCENT, NULL, "covered%", r->coverage, .drop = 2, .meaning = "share of its paths that were executed");
	COLUMN(s, COUNT, NULL, "never", if_whole(r, r->figures.never), .drop = 2,
	       .meaning = "outcomes that were never taken, of branches that were reached");
	COLUMN(s, COUNT, NULL, "calls", if_whole(r, r->profile->entries), .drop = 1);
	COLUMN(s, NAME, NULL, "function", view_name(s, r->routine));
	COLUMN(s, TEXT, NULL, "where", text_place(&s->pool, r->routine->file, r->routine->line), .drop = 3);
}

static void add_function(struct sheet *s, const struct paths_data *d, const struct paths_profile *f)
{
	struct function_row row = {.data = d,
	                           .profile = f,
	                           .routine = view_paths_routine(&d->paths, f),
	                           .figures = paths_figures(&d->paths, f),
	                           .is_whole = !paths_is_partial(f),
	                           .asked = paths_asked(f)};
	row.coverage = row.asked > 0 ? paths_share((double)f->paths, row.asked) : NAN;
	sheet_row(s, 0);
	sheet_about(s, f->routine);
	put_function(s, &row);
}

static void fill_functions(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	size_t left_out = 0;
	put_function(s, &(struct function_row){0});
	for (size_t i = 0; i < d->paths.profile_count; i++) {
		const struct paths_profile *f = &d->paths.profiles[i];
		bool touched = f->paths || f->stops || f->flags & PATHS_IS_PART;
		if (!view_paths_wants(d, ask->routine, f))
			continue;
		if (touched || ask->all_rows || ask->routine)
			add_function(s, d, f);
		else
			left_out += !paths_is_partial(f);
	}
	if (paths_are_partial(&d->paths))
		s->legend = "Only paths that --only-paths asked for.";
	else if (left_out)
		s->legend = pool_print(&s->pool, "%zu function%s never executed and left out (--view never lists them).", left_out,
		                       left_out == 1 ? " was" : "s were");
}

const struct view view_paths_functions = {
	.name = "functions",
	.help = "per function: paths executed, and how few matter",
	.sort = "flow",
	.top = 20,
	.check = view_paths_check,
	.fill = fill_functions,
};
