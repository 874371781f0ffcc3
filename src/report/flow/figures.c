/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the flow lens that can be checked. */
#include "report/flow/view.h"

#define TIMES "record without --order"

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_flow_summary, .missing = TIMES};
static const struct figure_rows object = {FIGURE_OBJECT, &view_flow_objects, .name = "object", .missing = TIMES};
static const struct figure_rows waits = {FIGURE_ROUTINE,  &view_flow_waits,     .name = "routine",
                                         .adds_up = true, .none_is_zero = true, .none = "no thread waited in a routine of that name",
                                         .missing = TIMES};
static const struct figure_rows calls = {FIGURE_ROUTINE, &view_flow_calls, .name = "routine", .missing = "record with --routines"};

static const struct figure list[] = {
	{"wall", UNIT_NS, FIGURE_MEASURED, &whole, "wall_ns", .meaning = "wall time of the run"},
	{"minimum", UNIT_NS, FIGURE_MEASURED, &whole, "minimum_ns", .meaning = "the shortest that the run could have been"},
	{"minimum%", UNIT_PERCENT, FIGURE_MEASURED, &whole, "minimum_ns", .of = "wall_ns",
         .meaning = "the same as a share of the wall time"},
	{"on-idle-machine", UNIT_NS, FIGURE_MEASURED, &whole, "idle_ns", .meaning = "what the run would take on an idle machine"},
	{"load", UNIT_NS, FIGURE_MEASURED, &whole, "load_ns", .meaning = "time without a core on the critical path"},
	{"cpu", UNIT_NS, FIGURE_MEASURED, &whole, "cpu_ns", .meaning = "CPU time of the run"},
	{"work", UNIT_NS, FIGURE_MEASURED, &whole, "threads_work_ns", .meaning = "on a core, sum over threads"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &whole, "threads_waited_ns", .meaning = "waiting for other threads, sum over threads"},
	{"wait%", UNIT_PERCENT, FIGURE_MEASURED, &whole, "threads_waited_ns", .of = "threads_ns",
         .meaning = "the same as a share of the threads' time"},
	{"no-core", UNIT_NS, FIGURE_MEASURED, &whole, "threads_load_ns", .meaning = "could run, but had no core, sum over threads"},
	{"outside", UNIT_NS, FIGURE_MEASURED, &whole, "threads_outside_ns",
         .meaning = "waiting for input, output, a clock, or the kernel, sum over threads"},
	{"late", UNIT_NS, FIGURE_MEASURED, &whole, "threads_late_ns",
         .meaning = "from a wake-up until the thread went on, sum over threads"},
	{"waits", UNIT_COUNT, FIGURE_MEASURED, &whole, "waits", .meaning = "number of waits"},
	{"threads", UNIT_COUNT, FIGURE_EXACT, &whole, "threads", .meaning = "threads of the run"},
	{"objects", UNIT_COUNT, FIGURE_EXACT, &whole, "objects", .meaning = "locks and the like that were used"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &object, "waited_ns", .meaning = "waiting for it, sum over threads"},
	{"wait%", UNIT_PERCENT, FIGURE_MEASURED, &object, "waited_ns", .of_run = "threads_ns",
         .meaning = "the same as a share of the threads' time"},
	{"held", UNIT_NS, FIGURE_MEASURED, &object, "held_ns", .meaning = "for how long it was held"},
	{"held%", UNIT_PERCENT, FIGURE_MEASURED, &object, "held_ns", .of_run = "wall_ns",
         .meaning = "the same as a share of the wall time"},
	{"taken", UNIT_COUNT, FIGURE_EXACT, &object, "acquisitions", .meaning = "how often it was taken"},
	{"contended", UNIT_COUNT, FIGURE_MEASURED, &object, "contended", .meaning = "how often a thread had to wait for it"},
	{"contended%", UNIT_PERCENT, FIGURE_MEASURED, &object, "contended", .of = "acquisitions",
         .meaning = "the same as a share of the acquisitions"},
	{"queue", UNIT_COUNT, FIGURE_MEASURED, &object, "longest_queue", .meaning = "most threads that waited for it at once"},
	{"run-if-free", UNIT_NS, FIGURE_MEASURED, &object, "idle_if_free_ns",
         .meaning = "what an idle machine would take if no thread ever waited for it"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &waits, "waited_ns", .meaning = "waits in the routine, sum over threads"},
	{"wait%", UNIT_PERCENT, FIGURE_MEASURED, &waits, "waited_ns", .of_run = "threads_ns",
         .meaning = "the same as a share of the threads' time"},
	{"waits", UNIT_COUNT, FIGURE_MEASURED, &waits, "count", .meaning = "number of waits in the routine"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &calls, "calls", .meaning = "calls of the routine (--routines)"},
	{"total", UNIT_NS, FIGURE_MEASURED, &calls, "total_ns", .meaning = "on a core, including callees (--routines)"},
	{"self", UNIT_NS, FIGURE_MEASURED, &calls, "self_ns", .meaning = "on a core, excluding callees (--routines)"},
	{"critical", UNIT_NS, FIGURE_MEASURED, &calls, "critical_ns", .meaning = "part of self on the critical path (--routines)"},
	{"critical%", UNIT_PERCENT, FIGURE_MEASURED, &calls, "critical_ns", .of_run = "minimum_ns",
         .meaning = "the same as a share of the minimum (--routines)"},
	{0},
};

const struct figure_set figures_flow = {.list = list, .summary = &view_flow_summary};
