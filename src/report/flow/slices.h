/* SPDX-License-Identifier: MIT */
/* slices.h: what each thread did over time, for formats of time lines: slices that follow each other, of work, no core, and waits.
 *
 *     struct slices s;
 *     if (slices_gather(&s, data, &why) < 0) …               the recording does not have the events themselves
 *     for (uint32_t i = 0; i < s.count; i++)
 *             if (slices_are_asked(&s, data, i)) … s.strands[i].slices …
 *     slices_free(&s);
 *
 * A wait lies in the routine that waited. Slices take 16 bytes each. */
#ifndef SKEIN_REPORT_FLOW_SLICES_H
#define SKEIN_REPORT_FLOW_SLICES_H

#include "analyse/flow/replay.h"
#include "analyse/flow/tally.h"
#include "report/export/stacks.h"
#include "report/flow/view.h"

/* Up to where the next one begins. */
struct slice {
	uint64_t from_ns;
	uint32_t routine, frame; /* functions; STACKS_NOWHERE: none */
};

struct strand {
	enum flow_tally_state state;
	struct slice *slices;
	size_t count, room;
};

struct slices {
	const struct flows *flows;
	struct flows_replay replay;
	struct stacks frames;
	struct strand *strands;
	size_t count, room;
	uint64_t end_ns;
};

int slices_gather(struct slices *s, const struct flow_data *data, struct fail *why);
bool slices_are_asked(const struct slices *s, const struct flow_data *data, uint32_t strand); /* by --thread */
uint64_t slices_until(const struct slices *s, const struct strand *strand, size_t slice);     /* where it ends */
void slices_free(struct slices *s);

#endif
