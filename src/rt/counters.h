/* SPDX-License-Identifier: MIT */
/* counters.h: tables of counters, one row for each site of an object, that hooks add to directly.
 *
 *     uint64_t *rows = counters_take(RAW_PATHS_COUNTS, lane, object);      NULL: no memory
 *
 * The tables are in the recording. If it has no space, they are in memory, and their counts at the end are counted
 * as lost. Before the rows is a struct raw_table in either case; in memory its kind is 0. Any thread, signal
 * handlers too. */
#ifndef SKEIN_RT_COUNTERS_H
#define SKEIN_RT_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>
#include "rt/object.h"

uint64_t *counters_take(uint32_t kind, uint32_t lane, const struct skein_object *object);
void counters_lose_unwritten(bool tell); /* clears those in memory, and counts what they held as lost or does not */

#endif
