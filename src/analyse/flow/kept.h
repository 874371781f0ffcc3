/* SPDX-License-Identifier: MIT */
/* kept.h: the events of a run themselves, as a recording keeps them beside the figures of flows.h.
 *
 *     flows_keep(flows, &all, &spots, is_wanted);             by flows_build: flows->kept is what the store writes, or NULL
 *     flows_kept_free(&kept);
 *
 * replay.h reads them again. Logs stay as they were recorded; what only a session could tell is in rows beside them: the names of places,
 * and which object of flows each object of the logs is. Memory of a session that `kept` points into must outlive it. */
#ifndef SKEIN_ANALYSE_FLOW_KEPT_H
#define SKEIN_ANALYSE_FLOW_KEPT_H

#include "analyse/flow/flows.h"
#include "analyse/flow/spots.h"
#include "base/blob.h"

/* Larger logs are not kept: a recording is a file that is copied and sent, and to read the events takes so much memory. These are about 12
 * million events. */
#define FLOWS_KEPT_BYTES (UINT64_C(64) << 20)
/* A chunk, even one that zlib makes longer, is smaller than what SQLite reads at once from a recording (store/open.c); chunks of the recorder
 * have an eighth of that. */
enum { FLOWS_CHUNK_BYTES = 1 << 19, FLOWS_SWITCHES_BYTES = 1 << 16 };

struct flows_place {
	uint32_t process, path; /* path 0: of the place alone */
	uint64_t place;
	struct flows_where where;
};

/* What a process's logs call a routine. */
struct flows_number {
	uint32_t process, number, routine;
};

struct flows_kept {
	struct flow_logs *logs;    /* by process of the run */
	struct flow_clock *clocks; /* likewise: when the process started */
	size_t count;              /* of processes */
	uint64_t skip;             /* tick before which events are left out */
	struct blob switches;
	uint32_t *members; /* by object of the events: its number in flows.objects, or FLOWS_NONE */
	size_t member_count;
	struct flows_place *places; /* in the logs */
	size_t place_count, place_room;
	struct flows_number *numbers; /* by process and number; none unless routines were asked for */
	size_t number_count, number_room;
	void **blocks; /* memory that logs point into, if it is not a session's */
	size_t block_count, block_room;
	struct pool pool;
};

/* Takes all that is in `all`, or frees it. */
void flows_keep(struct flows *flows, const struct flows_kept *all, struct flow_spots *spots, bool is_wanted);
const char *flows_why_not_kept(enum flows_keeps keeps);      /* a sentence without its full stop; not for FLOWS_KEPT */
size_t flows_kept_used(const struct flow_logs_chunk *chunk); /* bytes of a chunk that hold records, with its head */
void flows_kept_free(struct flows_kept *kept);

#endif
