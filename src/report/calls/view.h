/* SPDX-License-Identifier: MIT */
/* view.h: the views of the calls lens, each a list of columns and a function that fills a sheet.
 *
 * The first columns of routines, arcs, together and summary are promised to scripts; more may follow them. Columns
 * ending in _pct are in percent of: all workers' working time (direct), all workers' time (elapsed, wait), wall time
 * (union, together, levels). */
#ifndef SKEIN_VIEW_CALLS_H
#define SKEIN_VIEW_CALLS_H

#include "analyse/calls/calls.h"
#include "report/lens.h"
#include "report/view.h"

struct calls_data {
	struct run run;
	struct calls calls;
	struct calls_asked {
		long worker; /* only this one; -1: all */
		bool by_worker;
	} asked;
};

#define VIEW_LIST(X)    \
	X(routines, 26) \
	X(family, 9) X(arcs, 15) X(workers, 14 + RAW_WAIT_KINDS) X(together, 6) X(concurrency, 7) X(inlined, 7) X(summary, 2)
#define X(name, count)                                           \
	enum { VIEW_##name##_COLUMNS = count };                  \
	extern const struct column view_##name##_columns[count]; \
	void view_##name(const void *data, const struct view_ask *ask, struct sheet *sheet);
VIEW_LIST(X)
#undef X

#endif
