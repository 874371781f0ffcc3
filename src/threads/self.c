/* SPDX-License-Identifier: MIT */
#include "threads/self.h"
#include "raw/format.h"

struct calls_lane self_nobody;
uint64_t *self_no_tables[SELF_TABLES_MAX];

enum { LOG_ENTRIES = 16, SPILL_ENTRIES = 1024 }; /* threads that are not met yet share it, and may run ahead of each other */
static struct span_entry nowhere[LOG_ENTRIES + SPILL_ENTRIES];
static bool no_room(struct span_lane *lane)
{
	(void)lane;
	return false;
}

struct span_lane skein_no_span = {.log = nowhere, .room = LOG_ENTRIES * sizeof *nowhere, .need_room = no_room};

struct raw_paths_open skein_no_frames = {.routine = RAW_PATHS_LINK};

static struct flow_head no_chunk;
struct flow_hot skein_no_flow = {.chunk.head = &no_chunk, .busy = UINTPTR_MAX};

_Thread_local struct skein_self skein_self = {.span = &skein_no_span,
                                              .open = &skein_no_frames,
                                              .calls = &self_nobody,
                                              .tables = self_no_tables,
                                              .from = CALLS_ELSEWHERE,
                                              .flow = &skein_no_flow};
