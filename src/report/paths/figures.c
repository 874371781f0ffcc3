/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the paths lens that can be checked. All are counts, and exact. */
#include "report/paths/view.h"

#define ALL "record without --only-paths"

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_paths_summary, .missing = ALL};
static const struct figure_rows function = {FIGURE_ROUTINE, &view_paths_functions, .name = "function", .missing = ALL};

static const struct figure list[] = {
	{"coverage", UNIT_PERCENT, FIGURE_EXACT, &whole, "paths_executed", .of = "paths_asked",
         .meaning = "share of the possible paths that were executed"},
	{"never-executed", UNIT_COUNT, FIGURE_EXACT, &whole, "paths_asked", .less = "paths_executed",
         .meaning = "possible paths that were never executed"},
	{"executed", UNIT_COUNT, FIGURE_EXACT, &whole, "paths_executed", .meaning = "paths that were executed"},
	{"function-coverage", UNIT_PERCENT, FIGURE_EXACT, &whole, "functions_executed", .of = "functions",
         .meaning = "share of the functions that were executed"},
	{"outcome-coverage", UNIT_PERCENT, FIGURE_EXACT, &whole, "outcomes", .less = "outcomes_never", .of = "outcomes",
         .meaning = "share of the outcomes that were taken, of branches that were reached"},
	{"outcomes-never", UNIT_COUNT, FIGURE_EXACT, &whole, "outcomes_never",
         .meaning = "outcomes that were never taken, of branches that were reached"},
	{"functions", UNIT_COUNT, FIGURE_EXACT, &whole, "functions", .meaning = "functions of the program"},
	{"functions-executed", UNIT_COUNT, FIGURE_EXACT, &whole, "functions_executed", .meaning = "functions that were executed"},
	{"instructions", UNIT_COUNT, FIGURE_EXACT, &whole, "instructions", .meaning = "executed instructions"},
	{"count", UNIT_COUNT, FIGURE_EXACT, &whole, "count", .meaning = "how often paths were taken"},
	{"paths-90", UNIT_COUNT, FIGURE_EXACT, &whole, "paths_90", .meaning = "paths that make 90 % of the instructions"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"coverage", UNIT_PERCENT, FIGURE_EXACT, &function, "coverage_pct", .meaning = "share of its paths that were executed"},
	{"never-executed", UNIT_COUNT, FIGURE_EXACT, &function, "paths_asked", .less = "paths_executed",
         .meaning = "paths that were never executed"},
	{"executed", UNIT_COUNT, FIGURE_EXACT, &function, "paths_executed", .meaning = "paths that were executed"},
	{"possible", UNIT_COUNT, FIGURE_EXACT, &function, "paths_possible", .meaning = "possible paths"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &function, "calls", .meaning = "calls of the function"},
	{"count", UNIT_COUNT, FIGURE_EXACT, &function, "count", .meaning = "how often its paths were taken"},
	{"instructions", UNIT_COUNT, FIGURE_EXACT, &function, "flow", .meaning = "executed instructions"},
	{"instructions%", UNIT_PERCENT, FIGURE_EXACT, &function, "flow_pct", .meaning = "share of all executed instructions"},
	{"paths-90", UNIT_COUNT, FIGURE_EXACT, &function, "paths_90", .meaning = "paths that make 90 % of its instructions"},
	{"outcome-coverage", UNIT_PERCENT, FIGURE_EXACT, &function, "outcomes", .less = "outcomes_never", .of = "outcomes",
         .meaning = "share of the outcomes that were taken, of branches that were reached"},
	{"outcomes-never", UNIT_COUNT, FIGURE_EXACT, &function, "outcomes_never",
         .meaning = "outcomes that were never taken, of branches that were reached"},
	{0},
};

const struct figure_set figures_paths = {.list = list, .summary = &view_paths_summary};
