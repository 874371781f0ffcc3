/* SPDX-License-Identifier: MIT */
/* paths.h: the call paths of a lane's waits, as rows of the recording (RAW_FLOW_PATHS).
 *
 *     paths_begin(&paths);                                        a thread begins in the lane
 *     uint32_t frame = paths_here(&paths, lane, caller);          0: no room; the loss is counted
 *
 * A frame that was met below the same frames before has a row already, so the rows of a lane are those of its calling-context tree.
 * All zero: no rows. Memory comes from threads/arena.h. The lane's thread only, and not while it is in here; errno stays. */
#ifndef SKEIN_TRACE_PATHS_H
#define SKEIN_TRACE_PATHS_H

#include "raw/format.h"
#include "unwind/stack.h"
#include "unwind/unwind.h"

enum { PATHS_FRAMES = 64 };

struct paths {
	struct unwind_stack stack;
	struct unwind_cache *cache; /* NULL: nothing was walked yet */
	struct paths_slot *slots;
	uint32_t slot_count;
	uint32_t rows; /* number of rows of the lane */
	struct raw_table *table;
	uint64_t walked[PATHS_FRAMES];
};

void paths_begin(struct paths *p);
void paths_restart(struct paths *p); /* in a forked child: the thread goes on, the rows are its parent's */

/* The path from the call with this return address on outwards: frames above it, which are Skein's, are left out. */
uint32_t paths_here(struct paths *p, uint32_t lane, const void *caller);
uint32_t paths_intern(struct paths *p, uint32_t lane, const uint64_t *places, uint32_t count); /* innermost first */

#endif
