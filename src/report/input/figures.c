/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the input lens that can be checked, beside claims of growth. */
#include "report/input/view.h"

static struct figure_range of_exponent(const struct figure_cell *cell)
{
	return (struct figure_range){figure_beside(cell, "exponent_low"), figure_beside(cell, "exponent_high")};
}

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_input_summary};
static const struct figure_rows routine = {FIGURE_ROUTINE, &view_input_routines, .name = "routine", .where = {{"thread", "all"}}};
static const struct figure_rows fitted = {FIGURE_ROUTINE, &view_input_routines, .name = "routine", .where = {{"thread", "all"}},
                                          .missing = "too few input sizes to tell"};

static const struct figure list[] = {
	{"cost", UNIT_COUNT, FIGURE_EXACT, &whole, "cost", .meaning = "cost of the program, in blocks or instructions"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &whole, "calls", .meaning = "calls of all routines"},
	{"routines", UNIT_COUNT, FIGURE_EXACT, &whole, "routines", .meaning = "routines that ran"},
	{"input", UNIT_COUNT, FIGURE_EXACT, &whole, "trms_total", .meaning = "input of all calls, in cells"},
	{"thread-input", UNIT_COUNT, FIGURE_EXACT, &whole, "thread_total", .meaning = "input that other threads wrote, in cells"},
	{"external-input", UNIT_COUNT, FIGURE_EXACT, &whole, "external_total", .meaning = "input that the kernel wrote, in cells"},
	{"runs", UNIT_COUNT, FIGURE_EXACT, &whole, "runs", .meaning = "runs in the recording"},
	{"threads", UNIT_COUNT, FIGURE_EXACT, &whole, "threads", .meaning = "threads of the runs"},
	{"wall", UNIT_NS, FIGURE_MEASURED, &whole, "wall_ns", .meaning = "wall time of the instrumented run"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &routine, "calls", .meaning = "calls of the routine"},
	{"cost", UNIT_COUNT, FIGURE_EXACT, &routine, "cost", .meaning = "cost including callees"},
	{"cost%", UNIT_PERCENT, FIGURE_EXACT, &routine, "cost_pct", .meaning = "the same as a share of the program's cost"},
	{"self-cost", UNIT_COUNT, FIGURE_EXACT, &routine, "self_cost", .meaning = "cost excluding callees"},
	{"self-cost%", UNIT_PERCENT, FIGURE_EXACT, &routine, "self_pct", .meaning = "the same as a share of the program's cost"},
	{"input", UNIT_COUNT, FIGURE_EXACT, &routine, "trms_total", .meaning = "input of all calls, in cells"},
	{"largest", UNIT_COUNT, FIGURE_EXACT, &routine, "max_trms", .meaning = "largest input of a call, in cells"},
	{"sizes", UNIT_COUNT, FIGURE_EXACT, &routine, "sizes_trms", .meaning = "different input sizes"},
	{"thread%", UNIT_PERCENT, FIGURE_EXACT, &routine, "thread_pct", .meaning = "share of its input that other threads wrote"},
	{"external%", UNIT_PERCENT, FIGURE_EXACT, &routine, "external_pct", .meaning = "share of its input that comes from outside"},
	{"exponent", UNIT_RATIO, FIGURE_SAMPLED, &fitted, "exponent", .range = of_exponent,
         .meaning = "the cost grows like n to this power"},
	{"x10%", UNIT_PERCENT, FIGURE_MEASURED, &fitted, "x10_pct", .meaning = "share of the cost at ten times the input"},
	{0},
};

const struct figure_set figures_input = {.list = list, .summary = &view_input_summary};
