/* SPDX-License-Identifier: MIT */
/* logs.h: what a recorded process left of the flow lens, as it stands in the recording.
 *
 *     struct flow_logs logs = {0};
 *     flow_logs_read(&logs, &process->raw);        the raw recording must stay open
 *     …flow_events_open(&logs, 1)…                 see events.h
 *     flow_logs_free(&logs);
 *
 * Nothing here is decoded but the rows of objects and of call paths. */
#ifndef SKEIN_ANALYSE_FLOW_LOGS_H
#define SKEIN_ANALYSE_FLOW_LOGS_H

#include "analyse/flow/paths.h"
#include "raw/reader.h"

/* One chunk of a lane's log (core/flow/log.h). */
struct flow_logs_chunk {
	uint32_t lane, number;
	const void *memory;
	size_t bytes;
};

/* The last release by the first thread of an object, which is in no log. */
struct flow_logs_early {
	uint64_t time;
	uint32_t thread, object; /* number of the RAW_THREAD; of the object, from 0 */
};

struct flow_logs {
	uint32_t pid, parent_pid, flags; /* RAW_FORKED … */
	uint64_t start;                  /* tick */
	struct flow_logs_chunk *chunks;  /* by lane and number */
	size_t chunk_count, chunk_room;
	struct flow_logs_early *early; /* by time */
	size_t early_count, early_room;
	const struct raw_flow_object **objects; /* by number; NULL: there is none */
	size_t object_count, object_room;
	struct flow_paths paths;
	const void *mapped; /* the file in which chunks lie; NULL: they lie in memory of their own */
	size_t mapped_bytes;
};

void flow_logs_read(struct flow_logs *logs, const struct raw_reader *raw);
/* A chunk of a mapped file was read, and may be read again later: it needs no memory until then. */
void flow_logs_passed(const struct flow_logs_chunk *chunk, const void *mapped, size_t bytes);
void flow_logs_free(struct flow_logs *logs);

#endif
