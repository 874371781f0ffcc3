/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the idle lens are compared by. Effort that grows with the number of threads is the scaling loss of
 * Tallent and Mellor-Crummey: with perfect scaling, threads share the same effort. */
#include "report/idle/view.h"

static const struct diff_figure of_run[] = {
	{"wall_ns", "the run", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"effort_ns", "the effort", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"work_ns", "the work", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"idle_ns", "the idleness", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"overhead_ns", "the overhead", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"idle_pct_effort", "the share of idleness", UNIT_PERCENT, DIFF_MEASURED, .worse = DIFF_MORE},
	{"overhead_pct_effort", "the share of overhead", UNIT_PERCENT, DIFF_MEASURED, .worse = DIFF_MORE},
	{"threads", "the number of threads", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"cores", "the number of cores", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

static const struct diff_figure of_scope[] = {
	{"effort_ns", "the effort", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true,
         .parts = {"work_ns", "idle_ns", "overhead_ns"}},
	{"work_ns", "the work", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"idle_ns", "the idleness", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"overhead_ns", "the overhead", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{0},
};

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_idle_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "routine",
         .view = &view_idle_flat,
         .shape = DIFF_ROUTINES,
         .all_rows = true,
         .where = {{"kind", "routine"}},
         .figures = of_scope},
	{.what = "context",
         .view = &view_idle_top_down,
         .shape = DIFF_TREE,
         .all_rows = true,
         .where = {{"kind", "routine"}, {"kind", "inlined"}},
         .keys = {"kind"},
         .figures = of_scope},
	{0},
};

const struct diff_lens view_idle_diff = {.tables = tables};
