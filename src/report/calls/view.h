/* SPDX-License-Identifier: MIT */
/* view.h: the views of the calls lens, each a function that lists the columns of a row, and one that makes the rows.
 *
 * The first columns of routines, arcs, together and summary are promised to scripts; more may follow them. Columns
 * ending in _pct are in percent of: all workers' working time (direct), all workers' time (elapsed, wait), wall time
 * (union, together, levels). */
#ifndef SKEIN_VIEW_CALLS_H
#define SKEIN_VIEW_CALLS_H

#include "analyse/calls/calls.h"
#include "report/diff/table.h"
#include "report/lens.h"
#include "report/threads.h"
#include "report/view.h"

struct calls_data {
	struct run run;
	struct calls calls;
	struct calls_asked {
		long worker; /* only this one; -1: all */
		bool by_worker;
		const char *source; /* the file whose lines are asked for, or NULL */
	} asked;
};

extern const struct diff_lens view_calls_diff;
extern const struct view view_routines, view_family, view_arcs, view_callees, view_workers, view_waits, view_threads, view_together,
	view_concurrency, view_inlined, view_summary, view_source;
extern const struct figure_set figures_calls; /* figures.c */

int view_calls_stack(const void *data, bool arcs, struct stacks *stacks, struct fail *why); /* for exports */
const char *view_calls_state(uint32_t state);                                               /* enum calls_state; "" if it is not known */
const char *view_calls_case(uint32_t entry, uint32_t callee_call); /* S-S, S-C, C-S or C-C; "" if it is not known */
int64_t view_calls_error(int64_t error_ns, int64_t of_ns);         /* RUN_UNKNOWN: too small to be shown */

#endif
