/* SPDX-License-Identifier: MIT */
/* slack.h: by how much each stretch of work could be longer without making the run longer: the pass backward.
 *
 * Problem: the critical path says which work must become shorter, but not what comes next once it has: a stretch beside the path may
 * be nearly as long.
 * Idea: the run of question 0 is a graph of positions (flow.h). From its end to its beginning, each event has the latest position at
 * which it can be without moving the end: what follows it in its strand allows that, and so does each event that had to wait for it. The slack of a stretch
 * is the latest position of the event that ends it, less the position at which the stretch ended. Stretches of the critical path have
 * none.
 * Cost: constant for each event. Memory: strands, and what was sent and not waited for yet, as in the pass forward.
 *
 *     struct flow_link link = flow.link;                        forward: behind each flow_step; those of FLOW_OFF and FLOW_ON say nothing
 *     …
 *     flow_slack_start(&slack, &memory, flow.longest[0], flow.exited);
 *     flow_slack_strand(&slack, number, strand->at[0]);         each one that had an event
 *     room = flow_slack_step(&slack, &link, event);             all links, the last one first, with the number of its event
 *
 * It is exact for the graph: a stretch that is longer by its slack leaves the minimum as it is, and one tick more makes it one tick
 * longer. It is about one stretch at a time: two of them may share their slack. */
#ifndef SKEIN_CORE_FLOW_SLACK_H
#define SKEIN_CORE_FLOW_SLACK_H

#include "core/flow/flow.h"

struct flow_slack_strand {
	uint64_t at;   /* position behind the event that comes next */
	uint64_t room; /* by which it could be later; FLOW_NONE: by anything */
};

struct flow_slack_memory {
	struct flow_slack_strand *(*strand)(void *context, uint32_t number); /* stays where it is; NULL: no memory */
	uint64_t *(*node)(void *context, uint64_t number);                   /* FLOW_NONE at first; NULL: no memory */
	void (*drop)(void *context, uint64_t number);                        /* the node is not asked for any more */
	void *context;
};

struct flow_slack {
	struct flow_slack_memory memory;
	uint64_t end; /* of the run */
	bool exited;  /* a strand has ended the run: what others did then has no effect on its length */
	bool failed;  /* memory was refused */
};

void flow_slack_start(struct flow_slack *slack, const struct flow_slack_memory *memory, uint64_t end, bool exited);
void flow_slack_strand(struct flow_slack *slack, uint32_t strand, uint64_t at);
/* Returns the slack of the stretch that the event ended; FLOW_NONE: it has no effect on the run's length. */
uint64_t flow_slack_step(struct flow_slack *slack, const struct flow_link *link, uint64_t number);

#endif
