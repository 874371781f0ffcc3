/* SPDX-License-Identifier: MIT */
/* tally.h: sums over the events of a run while they are read: what threads waited for, in which workers time went, and how many worked.
 *
 *     struct flow_tally tally;
 *     flow_tally_start(&tally, &spots, begin, end, slices);
 *     flow_tally_event(&tally, &event, &about, &flow);        behind flow_step
 *     flow_tally_end(&tally, end);
 *
 * Threads and workers are numbers of the run, or FLOWS_NONE; a strand's are given by flow_tally_strand when it begins. */
#ifndef SKEIN_ANALYSE_FLOW_TALLY_H
#define SKEIN_ANALYSE_FLOW_TALLY_H

#include "analyse/flow/flows.h"
#include "analyse/flow/spots.h"
#include "base/map.h"

/* Waits that are alike. */
struct flow_alike {
	uint32_t thread, kind, object, for_thread, outcome; /* object: of the events, not of flows */
	uint64_t spot, for_spot;
	uint64_t count, ticks, longest, late;
};

/* How long others waited for an object that was taken at a spot meanwhile. */
struct flow_charge {
	uint32_t object;
	uint64_t spot, ticks;
};

enum flow_tally_state { FLOW_TALLY_GONE, FLOW_TALLY_WORKS, FLOW_TALLY_OFF, FLOW_TALLY_WAITS };

struct flow_track {
	uint32_t thread, worker;
	uint64_t since; /* of its state */
	enum flow_tally_state state;
	uint64_t events;
	uint64_t created; /* spot of the call that created it */
	/* the wait that goes on */
	uint64_t spot;
	uint32_t wait, object;
};

struct flow_tally_slice {
	uint64_t work, load, wait;
};

struct flow_tally {
	const struct flow_spots *spots;
	uint64_t begin, end;
	uint32_t slices;
	struct flow_track *tracks; /* by strand */
	size_t track_count, track_room;
	struct flow_alike *alike;
	size_t alike_count, alike_room;
	struct lookup by_alike;
	struct flow_charge *charges;
	size_t charge_count, charge_room;
	struct lookup by_charge;
	struct flow_tally_slice **workers; /* by worker: slices */
	size_t worker_count, worker_room;
	uint64_t *levels; /* by number of working threads: ticks */
	size_t level_count, level_room;
	uint64_t working, level_since;
};

void flow_tally_start(struct flow_tally *tally, const struct flow_spots *spots, uint64_t begin, uint64_t end, uint32_t slices);
void flow_tally_strand(struct flow_tally *tally, uint32_t strand, uint32_t thread, uint32_t worker);
bool flow_tally_knows(const struct flow_tally *tally, uint32_t strand); /* flow_tally_strand was called */
void flow_tally_event(struct flow_tally *tally, const struct flow_event *event, const struct flow_event_about *about,
                      const struct flow *flow);
void flow_tally_end(struct flow_tally *tally, uint64_t end);
enum flow_tally_state flow_tally_state_behind(enum flow_tally_state before, enum flow_kind kind);
enum flows_outcome flow_tally_outcome(enum flow_kind kind, uint32_t wait); /* of a wait of that kind, by the event that ended it */
void flow_tally_free(struct flow_tally *tally);

#endif
