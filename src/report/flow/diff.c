/* SPDX-License-Identifier: MIT */
/* diff.c: what two recordings of the flow lens are compared by. */
#include "report/flow/view.h"

static const struct diff_figure of_run[] = {
	{"wall_ns", "the run", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"minimum_ns", "the minimum", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"load_ns", "the load", UNIT_NS, DIFF_MEASURED, .worse = DIFF_NEITHER},
	{"latency_ns", "the latency", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"threads_work_ns", "the work of threads", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"threads_waited_ns", "the waiting of threads", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"threads_outside_ns", "the waiting for what is outside", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE},
	{"waits", "the number of waits", UNIT_COUNT, DIFF_MEASURED, .worse = DIFF_NEITHER},
	{"threads", "the number of threads", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{"objects", "the number of objects", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER},
	{0},
};

static const struct diff_figure of_object[] = {
	{"waited_ns", "the waiting", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"held_ns", "the time held", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"contended", "the number of contended acquisitions", UNIT_COUNT, DIFF_MEASURED, .worse = DIFF_NEITHER, .adds_up = true},
	{"acquisitions", "the number of acquisitions", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_NEITHER, .adds_up = true},
	{0},
};

static const struct diff_figure of_wait[] = {
	{"waited_ns", "the waiting", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"count", "the number of waits", UNIT_COUNT, DIFF_MEASURED, .worse = DIFF_NEITHER, .adds_up = true},
	{0},
};

static const struct diff_figure of_routine[] = {
	{"self_ns", "the time excluding callees", UNIT_NS, DIFF_MEASURED, .worse = DIFF_MORE, .adds_up = true},
	{"calls", "the number of calls", UNIT_COUNT, DIFF_EXACT, .worse = DIFF_MORE, .adds_up = true},
	{0},
};

static const struct diff_table tables[] = {
	{.what = "run", .view = &view_flow_summary, .shape = DIFF_RUN, .figures = of_run},
	{.what = "object",
         .view = &view_flow_objects,
         .shape = DIFF_THINGS,
         .keys = {"object", "kind"},
         .title = "%1 (%2)",
         .figures = of_object},
	{.what = "wait",
         .view = &view_flow_waits,
         .shape = DIFF_THINGS,
         .keys = {"kind", "object"},
         .title = "%0: %1 %2",
         .figures = of_wait},
	{.what = "routine", .view = &view_flow_calls, .shape = DIFF_ROUTINES, .figures = of_routine},
	{0},
};

const struct diff_lens view_flow_diff = {.tables = tables};
