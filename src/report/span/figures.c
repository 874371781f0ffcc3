/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the span lens that can be checked. Counted instructions are exact; other clocks measure. */
#include "report/span/view.h"

#include <string.h>

static bool is_exact(const void *data)
{
	return strcmp(((const struct span_data *)data)->spans.clock, "insn") == 0;
}

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_span_summary};
/* What is charged to a routine itself: the sum over the sites that call the routine. */
static const struct figure_rows on_span = {FIGURE_ROUTINE,   &view_span_sites,
                                           .name = "callee", .where = {{"profile", "span"}, {"measure", "local"}},
                                           .adds_up = true,  .missing = "no site calls it by its name"};
static const struct figure_rows on_work = {FIGURE_ROUTINE,   &view_span_sites,
                                           .name = "callee", .where = {{"profile", "work"}, {"measure", "local"}},
                                           .adds_up = true,  .missing = "no site calls it by its name"};
static const struct figure_rows site_on_span = {FIGURE_SITE, &view_span_sites, .name = "callee", .caller = "caller",
                                                .where = {{"profile", "span"}, {"measure", "local"}}};
static const struct figure_rows site = {FIGURE_SITE, &view_span_sites, .name = "callee", .caller = "caller",
                                        .where = {{"profile", "work"}, {"measure", "top-call-site"}}};

static const struct figure list[] = {
	{"parallelism", UNIT_RATIO, FIGURE_EXACT, &whole, "parallelism", .meaning = "work divided by span"},
	{"burdened-parallelism", UNIT_RATIO, FIGURE_EXACT, &whole, "burdened_parallelism", .meaning = "work divided by burdened span"},
	{"work", UNIT_COUNT, FIGURE_EXACT, &whole, "work", .meaning = "work, in units of the clock"},
	{"span", UNIT_COUNT, FIGURE_EXACT, &whole, "span", .meaning = "span, in units of the clock"},
	{"span%", UNIT_PERCENT, FIGURE_EXACT, &whole, "span", .of = "work", .meaning = "span as a share of the work"},
	{"burdened-span", UNIT_COUNT, FIGURE_EXACT, &whole, "burdened_span", .meaning = "span with the burden of spawns"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &whole, "calls", .meaning = "calls from all sites"},
	{"sites", UNIT_COUNT, FIGURE_EXACT, &whole, "sites", .meaning = "call sites that were executed"},
	{"spawns", UNIT_COUNT, FIGURE_EXACT, &whole, "spawns", .meaning = "spawns"},
	{"tasks", UNIT_COUNT, FIGURE_EXACT, &whole, "tasks", .meaning = "tasks"},
	{"loops", UNIT_COUNT, FIGURE_EXACT, &whole, "loops", .meaning = "parallel loops"},
	{"threads", UNIT_COUNT, FIGURE_EXACT, &whole, "threads", .meaning = "threads that were created"},
	{"locks", UNIT_COUNT, FIGURE_EXACT, &whole, "locks", .meaning = "acquisitions of locks"},
	{"waited%", UNIT_PERCENT, FIGURE_MEASURED, &whole, "waited_pct", .meaning = "share of the threads' time that they waited"},
	{"modelled-work%", UNIT_PERCENT, FIGURE_EXACT, &whole, "modelled_work_pct",
         .meaning = "share of the work in modelled library calls"},
	{"modelled-span%", UNIT_PERCENT, FIGURE_EXACT, &whole, "modelled_span_pct",
         .meaning = "share of the span in modelled library calls"},
	{"wall", UNIT_NS, FIGURE_MEASURED, &whole, "wall_ns", .meaning = "wall time of the instrumented run"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"span", UNIT_COUNT, FIGURE_EXACT, &on_span, "span", .meaning = "on the critical path, excluding callees"},
	{"span%", UNIT_PERCENT, FIGURE_EXACT, &on_span, "span_share", .meaning = "the same as a share of the program's span"},
	{"span-calls", UNIT_COUNT, FIGURE_EXACT, &on_span, "count", .meaning = "calls on the critical path"},
	{"work", UNIT_COUNT, FIGURE_EXACT, &on_work, "work", .meaning = "over all calls, excluding callees"},
	{"work%", UNIT_PERCENT, FIGURE_EXACT, &on_work, "share", .meaning = "the same as a share of the program's work"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &on_work, "count", .meaning = "calls of the routine"},
	{"span", UNIT_COUNT, FIGURE_EXACT, &site_on_span, "span", .meaning = "on the critical path, excluding callees"},
	{"span%", UNIT_PERCENT, FIGURE_EXACT, &site_on_span, "span_share", .meaning = "the same as a share of the program's span"},
	{"work", UNIT_COUNT, FIGURE_EXACT, &site, "work", .meaning = "including callees, without recursive calls"},
	{"its-span", UNIT_COUNT, FIGURE_EXACT, &site, "span", .meaning = "including callees, without recursive calls"},
	{"parallelism", UNIT_RATIO, FIGURE_EXACT, &site, "parallelism", .meaning = "work divided by its span"},
	{0},
};

const struct figure_set figures_span = {.list = list, .summary = &view_span_summary, .is_exact = is_exact};
