/* SPDX-License-Identifier: MIT */
/* backward.h: by how much the work of a run could be longer: the pass backward (core/flow/slack.h) over what a pass forward leaves.
 *
 *     struct flow_backward b;
 *     flow_backward_start(&b, folder);
 *     while (next_event(&event)) {
 *             flow_step(&flow, &event);
 *             flow_backward_put(&b, &flow);
 *     }
 *     flow_backward_run(&b, &flow, strands);             how many strands there were
 *     if (!b.failed) …b.rows…
 *             flow_backward_take(&b, flows, &spots, &tally, ns_per_tick);
 *     flow_backward_free(&b);
 *
 * Links of events are about ten bytes each. The newest ones are in memory, the rest in a file of the folder that has no name. Memory:
 * strands, rows, and what was released and not acquired yet. */
#ifndef SKEIN_ANALYSE_FLOW_BACKWARD_H
#define SKEIN_ANALYSE_FLOW_BACKWARD_H

#include "analyse/flow/flows.h"
#include "analyse/flow/tally.h"
#include "base/map.h"
#include "core/flow/links.h"
#include "core/flow/slack.h"

/* Stretches of work of a strand between two calls. */
struct flow_backward_row {
	uint64_t from, to; /* spots */
	uint32_t strand;
	uint64_t count, ticks;
	uint64_t slack;    /* the least one; FLOW_NONE: none of them has an effect on the run's length */
	uint64_t critical; /* ticks of those that have none */
	/* of those that have an effect: their ticks, and the sum of each one's, times its slack */
	uint64_t bound;
	double room;
};

struct flow_backward_strand {
	struct flow_slack_strand core;
	/* the stretch whose beginning comes next */
	bool is_open;
	uint64_t to, ticks, room;
};

struct flow_backward {
	char folder[4096];
	struct flow_links block;
	int file;         /* -1: none yet */
	uint32_t *blocks; /* in the file: bytes that each has */
	size_t block_count, block_room;
	uint64_t links;
	struct flow_backward_strand *strands;
	size_t strand_count;
	struct map by_node; /* by number: index + 1 */
	uint64_t *nodes;
	size_t node_count, node_room;
	uint32_t *unused; /* of nodes */
	size_t unused_count, unused_room;
	struct flow_backward_row *rows;
	size_t row_count, row_room;
	struct lookup by_row;
	bool failed; /* there is no space for the file, or the events make no sense: nothing is known */
};

void flow_backward_start(struct flow_backward *b, const char *folder);    /* a name that ends in a slash */
void flow_backward_put(struct flow_backward *b, const struct flow *flow); /* behind each flow_step */
void flow_backward_run(struct flow_backward *b, struct flow *flow, uint32_t strands);
/* Rows and threads of flows. The tally knows whose threads strands are. */
void flow_backward_take(const struct flow_backward *b, struct flows *flows, struct flow_spots *spots, const struct flow_tally *tally,
                        double ns_per_tick);
void flow_backward_free(struct flow_backward *b);

#endif
