/* SPDX-License-Identifier: MIT */
/* view_calls.h: the views of the calls lens, each a list of columns and a function that fills a sheet.
 *
 * The first columns of routines, arcs, together and summary are promised to scripts; more may follow them. Columns
 * ending in _pct are in percent of: all workers' working time (direct), all workers' time (elapsed, wait), wall time
 * (union, together, levels). */
#ifndef SKEIN_VIEW_CALLS_H
#define SKEIN_VIEW_CALLS_H

#include "analyse/calls.h"
#include "cli/lens.h"

struct calls_data {
	struct run run;
	struct calls calls;
};

#define VIEW_LIST(X) X(routines, 26) X(family, 9) X(arcs, 15) X(workers, 21) X(together, 6) X(concurrency, 7) X(inlined, 7) X(summary, 2)
#define X(name, count)                                                                                                  \
	enum { VIEW_##name##_COLUMNS = count };                                                                             \
	extern const struct column view_##name##_columns[count];                                                            \
	void view_##name(const void *data, const struct view_ask *ask, struct sheet *sheet);
VIEW_LIST(X)
#undef X

bool view_wants(const struct view_ask *ask, const struct run_routine *routine); /* by name, linkage name or pattern */
const char *view_place(struct sheet *sheet, const char *file, uint32_t line);   /* file.c:12, without its folders */
double view_percent(int64_t part, double whole);                                /* not a number where part is not measured */

#endif
