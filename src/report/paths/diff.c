/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the paths lens are compared by. A path is known by the lines on it, counted from the first line of its
 * function: the numbers of paths change with every edge of the graph. */
#include "report/paths/view.h"

static const struct diff_figure of_run[] = {
	{"instructions", "the number of instructions", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE},
	{"paths_executed", "the number of executed paths", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"functions_executed", "the number of executed functions", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"outcomes_never", "the number of outcomes that were never taken", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE},
	{0},
};

static const struct diff_figure of_function[] = {
	{"flow", "the number of instructions", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{"coverage_pct", "the coverage of paths", UNIT_PERCENT, DIFF_EXACT, .worse = DIFF_LESS},
	{"outcomes_never", "the number of outcomes that were never taken", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{"paths_executed", "the number of executed paths", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true},
	{0},
};

static const struct diff_figure of_path[] = {
	{"flow", "the number of instructions", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{"count", "the count", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true},
	{0},
};

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_paths_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "routine", .view = &view_paths_functions, .shape = DIFF_ROUTINES, .figures = of_function},
	{.what = "path",
         .view = &view_paths_paths,
         .shape = DIFF_THINGS,
         .keys = {"kind"},
         .lines = "lines",
         .title = "%0: %l",
         .figures = of_path},
	{0},
};

const struct diff_lens view_paths_diff = {.tables = tables};
