/* SPDX-License-Identifier: MIT */
/* routines.h: the dynamic call graph: calls and times of routines and of the arcs between them, from entries and returns.
 *
 *     struct flow_routines routines;
 *     flow_routines_start(&routines);
 *     flow_routines_critical(&routines, strand, from, to);      each stretch of the critical path, the first one first
 *     while (flow_events_next(events, &event, &about))          with flow_events_routines
 *             flow_routines_event(&routines, &event, &about, routine);
 *     flow_routines_end(&routines, end);
 *     …routines.rows, routines.arcs…
 *     flow_routines_free(&routines);
 *
 * What if a group of routines were faster: `groups` has bits by routine, and flow_routines_inside is asked behind each event.
 *
 * A routine is any small number, as that of the run; `routine` is asked for where the event is a FLOW_ENTRY. Times are ticks. Memory:
 * routines, arcs, open frames, what was lent, and a counter for each routine that a living strand is in. */
#ifndef SKEIN_ANALYSE_FLOW_ROUTINES_H
#define SKEIN_ANALYSE_FLOW_ROUTINES_H

#include "analyse/flow/events.h"
#include "base/map.h"

enum { FLOW_ROUTINES_GROUPS = FLOW_QUESTIONS };

struct flow_routines_row {
	uint64_t calls, total, self, wait, off, critical;
	size_t last_arc; /* by which it was entered last, + 1 */
};

struct flow_routines_arc {
	uint32_t caller, callee;
	uint64_t calls, total;
};

struct flow_routines_stretch {
	uint32_t strand;
	uint64_t from, to;
};

struct flow_routines {
	struct flow_routines_row *rows; /* by routine */
	size_t row_count, row_room;
	struct flow_routines_arc *arcs;
	size_t arc_count, arc_room;
	struct lookup by_arc;
	struct flow_routines_strand *strands;
	size_t strand_count, strand_room;
	struct flow_routines_stretch *stretches;
	size_t stretch_count, stretch_room, stretch_at;
	struct map lent;        /* by process and number: the frame, see routines.c */
	uint64_t events;        /* of routines */
	const uint32_t *groups; /* by routine: bits of the groups that it is in; NULL: there are none */
	size_t group_count;     /* number of routines that have them */
};

void flow_routines_start(struct flow_routines *routines);
void flow_routines_critical(struct flow_routines *routines, uint32_t strand, uint64_t from, uint64_t to);
void flow_routines_event(struct flow_routines *routines, const struct flow_event *event, const struct flow_event_about *about,
                         uint32_t routine);
/* Ticks that the strand has worked in frames of each group, and in threads and tasks that these created, since it was asked last; NULL: there
 * are no groups. Who has asked may set them to 0. */
uint64_t *flow_routines_inside(struct flow_routines *routines, uint32_t strand);
void flow_routines_end(struct flow_routines *routines, uint64_t end);
void flow_routines_free(struct flow_routines *routines);

#endif
