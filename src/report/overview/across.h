/* SPDX-License-Identifier: MIT */
/* across.h: figures of routines, lens by lens: what the views of the lenses have, found there, so that all reports have the same numbers.
 *
 *     across_take(&overview, OVERVIEW_CALLS, &lens_calls, data);       into overview.routines, which have been made
 *     across_rank(&overview);                                          when all lenses were taken: overview.rows */
#ifndef SKEIN_OVERVIEW_ACROSS_H
#define SKEIN_OVERVIEW_ACROSS_H

#include "report/overview/overview.h"

void across_start(struct overview_routine *routine); /* nothing was measured */
void across_take(struct overview *overview, enum overview_lens_number number, const struct lens *lens, const void *data);
void across_rank(struct overview *overview);

#endif
