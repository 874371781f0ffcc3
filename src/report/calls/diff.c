/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the calls lens are compared by. */
#include "report/calls/view.h"

static const struct diff_figure of_run[] = {
	{"wall_ns", "the run", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"cpu_ns", "the CPU time", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"wait_ns", "the waiting", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE},
	{"calls_per_worker", "the number of calls per worker", UNIT_RATIO, DIFF_EXACT, .worse = DIFF_MORE, .parts = {"calls"},
         .per = "workers"},
	{"sequential_pct", "the share of the run with one busy worker or none", UNIT_PERCENT, DIFF_MEASURED, .worse = DIFF_MORE},
	{"imbalance", "the imbalance of workers", UNIT_RATIO, DIFF_MEASURED, .worse = DIFF_MORE},
	{"threads", "the number of threads", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"workers", "the number of workers", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

static const struct diff_figure of_routine[] = {
	{"direct_ns", "the direct time", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"wait_ns", "the waiting", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{0},
};

static const struct diff_figure of_wait[] = {
	{"wait_ns", "the waiting", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"waits", "the number of waits", UNIT_COUNT, DIFF_MEASURED, .worse = DIFF_NEITHER, .adds_up = true},
	{0},
};

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "routine", .view = &view_routines, .shape = DIFF_ROUTINES, .figures = of_routine},
	{.what = "wait", .view = &view_waits, .shape = DIFF_THINGS, .keys = {"kind", "object"}, .title = "%0: %1 %2", .figures = of_wait},
	{0},
};

const struct diff_lens view_calls_diff = {.tables = tables};
