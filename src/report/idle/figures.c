/* SPDX-License-Identifier: MIT */
/* figures.c: the figures of the idle lens that can be checked. All are estimates from samples. */
#include "report/idle/view.h"

#include <math.h>

static const struct figure_range unknown = {NAN, NAN};

static struct idles_sums total_of(const struct figure_cell *cell)
{
	return idles_total(&((const struct idle_data *)cell->data)->idles, UINT32_MAX);
}

/* A part of the samples, in percent, or of the effort, in nanoseconds. */
static struct figure_range of_samples(const struct figure_cell *cell, double whole)
{
	struct idles_sums total = total_of(cell);
	double part = whole > 0 ? cell->value / whole : 0;
	if (total.samples < IDLES_LEAST_SAMPLES)
		return unknown;
	struct figure_range range = figure_part_of(part < 1 ? part : 1, (double)total.samples);
	return (struct figure_range){range.low * whole, range.high * whole};
}

static struct figure_range of_percent(const struct figure_cell *cell)
{
	return of_samples(cell, 100);
}

static struct figure_range of_effort(const struct figure_cell *cell)
{
	struct idles_sums total = total_of(cell);
	return of_samples(cell, (double)idles_effort(&total));
}

/* Idleness of the whole run: as the caveat of the report says. */
static struct figure_range of_idleness_pct(const struct figure_cell *cell)
{
	double error = idles_idle_error_pct(&((const struct idle_data *)cell->data)->idles);
	if (isnan(error) || total_of(cell).samples < IDLES_LEAST_SAMPLES)
		return of_percent(cell);
	return (struct figure_range){cell->value - error, cell->value + error};
}

static struct figure_range of_idleness(const struct figure_cell *cell)
{
	struct idles_sums total = total_of(cell);
	double error = idles_idle_error_pct(&((const struct idle_data *)cell->data)->idles) / 100 * (double)idles_effort(&total);
	if (isnan(error) || total.samples < IDLES_LEAST_SAMPLES)
		return of_effort(cell);
	return (struct figure_range){cell->value - error, cell->value + error};
}

static const struct figure_rows whole = {.about = FIGURE_RUN, .view = &view_idle_summary};
static const struct figure_rows routine = {FIGURE_ROUTINE, &view_idle_flat, .name = "routine",
                                           .where = {{"kind", "routine"}, {"thread", "all"}},
                                           .none = "no sample fell into a routine of that name"};

static const struct figure list[] = {
	{"idleness", UNIT_NS, FIGURE_SAMPLED, &whole, "idle_ns", .range = of_idleness, .meaning = "time of idle cores"},
	{"idleness%", UNIT_PERCENT, FIGURE_SAMPLED, &whole, "idle_pct_effort", .range = of_idleness_pct,
         .meaning = "idleness as a share of the effort (work, idleness and overhead)"},
	{"overhead", UNIT_NS, FIGURE_SAMPLED, &whole, "overhead_ns", .range = of_effort, .meaning = "time in the parallel runtime"},
	{"overhead%", UNIT_PERCENT, FIGURE_SAMPLED, &whole, "overhead_pct_effort", .range = of_percent,
         .meaning = "overhead as a share of the effort"},
	{"work", UNIT_NS, FIGURE_SAMPLED, &whole, "work_ns", .range = of_effort, .meaning = "work, sum over threads"},
	{"wall", UNIT_NS, FIGURE_MEASURED, &whole, "wall_ns", .meaning = "wall time of the run"},
	{"cpu", UNIT_NS, FIGURE_MEASURED, &whole, "process_cpu_ns", .meaning = "CPU time of the run"},
	{"page-faults", UNIT_COUNT, FIGURE_MEASURED, &whole, "page_faults", .meaning = "page faults"},
	{"threads", UNIT_COUNT, FIGURE_MEASURED, &whole, "threads", .meaning = "threads of the run"},
	{"cores", UNIT_COUNT, FIGURE_EXACT, &whole, "cores", .meaning = "cores that the program had"},
	{"samples", UNIT_COUNT, FIGURE_MEASURED, &whole, "samples", .meaning = "samples that were taken"},
	{"lost", UNIT_COUNT, FIGURE_EXACT, &whole, "lost_events", .meaning = "events that were lost"},
	{"work", UNIT_NS, FIGURE_SAMPLED, &routine, "work_ns", .range = of_effort, .meaning = "work excluding callees"},
	{"work%", UNIT_PERCENT, FIGURE_SAMPLED, &routine, "work_pct", .range = of_percent, .meaning = "the same as a share of all work"},
	{"idleness", UNIT_NS, FIGURE_SAMPLED, &routine, "idle_ns", .range = of_effort,
         .meaning = "time of idle cores while the routine worked"},
	{"idleness%", UNIT_PERCENT, FIGURE_SAMPLED, &routine, "idle_pct_effort", .range = of_percent,
         .meaning = "the same as a share of the effort of the run"},
	{"overhead", UNIT_NS, FIGURE_SAMPLED, &routine, "overhead_ns", .range = of_effort, .meaning = "overhead that it causes"},
	{"overhead%", UNIT_PERCENT, FIGURE_SAMPLED, &routine, "overhead_pct_effort", .range = of_percent,
         .meaning = "the same as a share of the effort of the run"},
	{"incl-work", UNIT_NS, FIGURE_SAMPLED, &routine, "incl_work_ns", .range = of_effort, .meaning = "work including callees"},
	{"incl-idleness", UNIT_NS, FIGURE_SAMPLED, &routine, "incl_idle_ns", .range = of_effort, .meaning = "idleness including callees"},
	{"samples", UNIT_COUNT, FIGURE_MEASURED, &routine, "samples", .meaning = "samples in the routine"},
	{0},
};

const struct figure_set figures_idle = {.list = list, .summary = &view_idle_summary};
