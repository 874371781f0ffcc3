/* SPDX-License-Identifier: MIT */
/* pass.h: one pass over the events of a session: core/flow with memory for its strands and objects.
 *
 *     struct flow_pass pass;
 *     flow_pass_start(&pass, &input, questions, count);
 *     while (flow_pass_step(&pass, &event, &about))
 *             …pass.flow…
 *     flow_pass_free(&pass); */
#ifndef SKEIN_ANALYSE_FLOW_PASS_H
#define SKEIN_ANALYSE_FLOW_PASS_H

#include "analyse/flow/events.h"
#include "analyse/flow/routines.h"
#include "analyse/flow/spots.h"

/* What is passed over. */
struct flow_input {
	const struct flow_logs *logs;
	size_t count;
	const void *switches; /* NULL: there are none */
	size_t switches_bytes;
	bool switches_mapped;
	struct flow_clock clock;
	struct flow_spots *spots;
	const uint32_t *groups; /* of objects; NULL: each is one by itself */
	uint64_t skip;          /* tick before which events are left out */
};

/* What if groups of routines were faster: one group for each question. */
struct flow_faster {
	struct flow_routines routines;
	double factor[FLOW_QUESTIONS]; /* what their work takes then, in parts of what it took: 0 to 1 */
	uint32_t (*routine_of)(void *context, uint32_t process, uint32_t number);
	void *context;
};

/* Things that stay where they are. */
struct flow_shelf {
	void **blocks;
	size_t count, room, bytes;
};

struct flow_pass {
	struct flow flow;
	const struct flow_input *input;
	struct flow_events *events;
	struct flow_shelf strands, objects;
	uint64_t most_ways, shortest, turn; /* of thinning: see core/flow/way.h */
	struct flow_faster *faster;         /* NULL: routines take as long as they did */
	uint64_t less[FLOW_QUESTIONS];      /* of the last event: see struct flow_event */
};

void flow_pass_start(struct flow_pass *pass, const struct flow_input *input, const struct flow_question *questions, uint32_t count);
void flow_pass_faster(struct flow_pass *pass, struct flow_faster *faster); /* before the first event; it must stay */
bool flow_pass_step(struct flow_pass *pass, struct flow_event *event, struct flow_event_about *about);
struct flow_strand *flow_pass_strand(struct flow_pass *pass, uint32_t number);
struct flow_object *flow_pass_object(struct flow_pass *pass, uint32_t number);
void flow_pass_free(struct flow_pass *pass);

#endif
