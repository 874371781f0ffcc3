/* SPDX-License-Identifier: MIT */
/* costs.h: the costs of a thread, by node of the tree.
 *
 *     struct raw_idle_cost *row = costs_row(&c, node, lane, thread);    NULL: no room, the loss is counted
 *     row->samples++; …
 *
 * Rows are in the raw recording; an open-addressed table from nodes to rows is in the runtime's memory. Only the
 * owning thread may use it. */
#ifndef SKEIN_SAMPLE_COSTS_H
#define SKEIN_SAMPLE_COSTS_H

#include "raw/format.h"

struct costs_slot {
	uint32_t node; /* 0: free */
	uint32_t what; /* 0: a cost; else a kind of row and the number in it: see costs.c */
	void *row;
};

struct costs {
	struct costs_slot *slots;
	uint32_t room, used;
	struct raw_table *costs, *events, *whys, *waits; /* the latest ones: with rows left */
};

struct raw_idle_cost *costs_row(struct costs *c, uint32_t node, uint32_t lane, uint32_t thread);
struct raw_idle_event *costs_event(struct costs *c, uint32_t node, uint32_t event, uint32_t lane, uint32_t thread);
struct raw_idle_why *costs_why(struct costs *c, uint32_t node, uint32_t why, uint32_t lane, uint32_t thread);
struct raw_idle_wait *costs_wait(struct costs *c, uint32_t node, uint32_t kind, uint32_t lane, uint32_t thread);
void costs_forget(struct costs *c); /* the rows stay where they are, the next ones are another thread's */

#endif
