/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the calls lens that can be checked. */
#include "report/calls/view.h"

#include "base/number.h"

/* What was read from snapshots is off by a share of the wall time. */
static struct figure_range around(double value, double error)
{
	return (struct figure_range){value - error, value + error};
}

static struct figure_range of_wall_pct(const struct figure_cell *cell)
{
	return around(cell->value, figure_beside(cell, "union_error_pct"));
}

static struct figure_range of_wall(const struct figure_cell *cell)
{
	const struct run *run = &((const struct calls_data *)cell->data)->run;
	return around(cell->value, figure_beside(cell, "union_error_pct") / 100 * (double)run->wall_ns);
}

static struct figure_range of_direct(const struct figure_cell *cell)
{
	return around(cell->value, figure_beside(cell, "error_ns"));
}

static struct figure_range of_direct_pct(const struct figure_cell *cell)
{
	double direct = figure_beside(cell, "direct_ns");
	return around(cell->value, direct > 0 ? figure_beside(cell, "error_ns") / direct * cell->value : 0);
}

static struct figure_range of_levels(const struct figure_cell *cell)
{
	uint64_t snapshots = ((const struct calls_data *)cell->data)->calls.snapshots;
	uint64_t seen = number_count(cell->value / 100 * (double)snapshots);
	return around(cell->value, 100 * calls_error(seen, snapshots));
}

#define TIMES "record without --counts"

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_summary, .missing = TIMES};
static const struct figure_rows routine = {FIGURE_ROUTINE, &view_routines, .name = "routine",
                                           .where = {{"worker", "all"}, {"entry", "all"}},
                                           .missing = TIMES ", and a run that lasts longer than some snapshots (--period)"};
static const struct figure_rows arc = {FIGURE_SITE, &view_arcs, .name = "callee", .caller = "caller", .adds_up = true, .missing = TIMES};
static const struct figure_rows lock = {FIGURE_OBJECT, &view_waits, .name = "object", .adds_up = true,
                                        .none = "no thread waited for an object of that name"};

static const struct figure list[] = {
	{"calls", UNIT_COUNT, FIGURE_EXACT, &whole, "calls", .meaning = "calls of profiled routines"},
	{"routines-called", UNIT_COUNT, FIGURE_EXACT, &whole, "routines_called", .meaning = "routines that were called"},
	{"routines", UNIT_COUNT, FIGURE_EXACT, &whole, "routines_seen", .meaning = "routines that could be called"},
	{"threads", UNIT_COUNT, FIGURE_EXACT, &whole, "threads", .meaning = "threads of the run"},
	{"workers", UNIT_COUNT, FIGURE_MEASURED, &whole, "workers", .meaning = "most threads alive at once"},
	{"processes", UNIT_COUNT, FIGURE_EXACT, &whole, "processes", .meaning = "processes of the run"},
	{"wall", UNIT_NS, FIGURE_MEASURED, &whole, "wall_ns", .meaning = "wall time of the run"},
	{"cpu", UNIT_NS, FIGURE_MEASURED, &whole, "cpu_ns", .meaning = "CPU time of the run"},
	{"direct", UNIT_NS, FIGURE_MEASURED, &whole, "direct_ns", .meaning = "working time, sum over workers"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &whole, "wait_ns", .meaning = "waiting time, sum over workers"},
	{"sequential%", UNIT_PERCENT, FIGURE_SAMPLED, &whole, "sequential_pct", .range = of_levels,
         .meaning = "share of the wall time with at most one thread at work"},
	{"imbalance", UNIT_RATIO, FIGURE_MEASURED, &whole, "imbalance", .meaning = "busiest worker divided by the average"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &routine, "calls", .meaning = "calls of the routine"},
	{"callee-calls", UNIT_COUNT, FIGURE_EXACT, &routine, "callee_calls", .meaning = "calls that the routine made"},
	{"direct", UNIT_NS, FIGURE_SAMPLED, &routine, "direct_ns", .range = of_direct,
         .meaning = "excluding callees and waiting, sum over workers"},
	{"direct%", UNIT_PERCENT, FIGURE_SAMPLED, &routine, "direct_pct", .range = of_direct_pct,
         .meaning = "direct, as a share of all workers' working time"},
	{"elapsed", UNIT_NS, FIGURE_MEASURED, &routine, "elapsed_ns", .meaning = "including callees, sum over workers"},
	{"elapsed%", UNIT_PERCENT, FIGURE_MEASURED, &routine, "elapsed_pct", .meaning = "elapsed, as a share of all workers' time"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &routine, "wait_ns", .meaning = "waiting time, sum over workers"},
	{"wall", UNIT_NS, FIGURE_SAMPLED, &routine, "union_ns", .range = of_wall,
         .meaning = "wall time in which at least one worker was inside"},
	{"wall%", UNIT_PERCENT, FIGURE_SAMPLED, &routine, "union_pct", .range = of_wall_pct, .meaning = "the same as a share of the run"},
	{"cpu", UNIT_NS, FIGURE_MEASURED, &routine, "cpu_ns", .meaning = "direct time on a core"},
	{"per-call", UNIT_NS, FIGURE_MEASURED, &routine, "elapsed_per_call_ns", .meaning = "elapsed per call"},
	{"direct-per-call", UNIT_NS, FIGURE_MEASURED, &routine, "direct_per_call_ns", .meaning = "direct per call"},
	{"calls", UNIT_COUNT, FIGURE_EXACT, &arc, "calls", .meaning = "calls from one routine to the other"},
	{"elapsed", UNIT_NS, FIGURE_MEASURED, &arc, "elapsed_ns", .meaning = "of these calls, including callees, sum over workers"},
	{"wait", UNIT_NS, FIGURE_MEASURED, &lock, "wait_ns", .meaning = "waiting for it, sum over workers"},
	{"waits", UNIT_COUNT, FIGURE_MEASURED, &lock, "waits", .meaning = "number of waits for it"},
	{0},
};

const struct figure_set figures_calls = {.list = list, .summary = &view_summary};
