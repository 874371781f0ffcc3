/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the span lens are compared by. */
#include "report/span/view.h"

static const struct diff_figure of_run[] = {
	{"parallelism", "parallelism", UNIT_RATIO, DIFF_CLOCK, .worse = DIFF_LESS},
	{"span", "the span", UNIT_COUNT, DIFF_CLOCK, .worse = DIFF_MORE},
	{"work", "the work", UNIT_COUNT, DIFF_CLOCK, .worse = DIFF_MORE},
	{"burdened_parallelism", "burdened parallelism", UNIT_RATIO, DIFF_CLOCK, .worse = DIFF_LESS},
	{"burdened_span", "the burdened span", UNIT_COUNT, DIFF_CLOCK, .worse = DIFF_MORE},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

#define LOCAL {"measure", "local"}

/* A site that was not on the critical path has a span of 0: one that became critical is a site whose span grew. */
static const struct diff_figure of_site[] = {
	{"span", "the span", UNIT_COUNT, DIFF_CLOCK, .worse = DIFF_MORE, .adds_up = true, .where = {{"profile", "span"}, LOCAL}},
	{"work", "the work", UNIT_COUNT, DIFF_CLOCK, .worse = DIFF_MORE, .adds_up = true, .where = {{"profile", "work"}, LOCAL}},
	{"count", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true,
         .where = {{"profile", "work"}, LOCAL}},
	{0},
};

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_span_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "site",
         .view = &view_span_sites,
         .shape = DIFF_THINGS,
         .all_rows = true,
         .keys = {"callee", "kind"},
         .title = "%0 -> %1",
         .figures = of_site},
	{0},
};

static const char *const agree[] = {"clock", "under", NULL};

const struct diff_lens view_span_diff = {.tables = tables, .agree = agree};
