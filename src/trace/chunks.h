/* SPDX-License-Identifier: MIT */
/* chunks.h: the memory of a lane's log: tables of the recording, one behind another, or the lane's oldest one again.
 *
 *     chunks_keep(64 << 20);                                             only so much of all logs; 0: all of them
 *     struct raw_table *table = chunks_next(&chunks, lane);              NULL: no room
 *
 * A ring is the lane's own, so a lane that has little to tell keeps it for longer. What all lanes have from is told by their first
 * chunks (analyse/flow/events.h). The lane's thread only. */
#ifndef SKEIN_TRACE_CHUNKS_H
#define SKEIN_TRACE_CHUNKS_H

#include "raw/format.h"

struct chunk_node;

struct chunks {
	struct chunk_node *oldest, *newest; /* of a ring; NULL: no chunk yet, or all are kept */
	uint32_t count;                     /* how many chunks were begun */
};

void chunks_keep(uint64_t bytes); /* before the first chunk */
bool chunks_are_ring(void);       /* old ones may go */
void chunks_restart(void);        /* in a forked child, whose recording is empty */
struct raw_table *chunks_next(struct chunks *chunks, uint32_t lane);

#endif
