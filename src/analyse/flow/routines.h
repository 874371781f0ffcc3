/* SPDX-License-Identifier: MIT */
/* routines.h: the dynamic call graph: calls and times of routines and of the arcs between them, from entries and returns.
 *
 * "All cprof profiling values … can be reproduced from a sufficiently detailed trace" (cprof, section 5.1): an arc has a row for each worker
 * and each state, with everything that the lens calls counts there (core/calls/calls.h), and beside it what only a trace knows: which part
 * of the time was work on a core. tests/unit/flow/test_both.c compares them.
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
 * routines, arcs, open frames, what was lent, and some numbers for each routine that a living strand is in. */
#ifndef SKEIN_ANALYSE_FLOW_ROUTINES_H
#define SKEIN_ANALYSE_FLOW_ROUTINES_H

#include "analyse/flow/events.h"
#include "base/map.h"
#include "base/sets.h"

enum { FLOW_ROUTINES_GROUPS = FLOW_QUESTIONS };

struct flow_routines_row {
	uint64_t calls, total, self, wait, off, critical;
	uint64_t concurrent; /* of calls: while another thread of the process worked, too */
};

/* Of an arc (sections 3.3.2 and 3.4.2). */
enum flow_routines_state {
	FLOW_ROUTINES_CONCURRENT = 1,        /* more than one thread of the process worked when the callee was entered */
	FLOW_ROUTINES_CALL_CONCURRENT = 2,   /* the calling activation had created threads that lived on */
	FLOW_ROUTINES_CALLER_CONCURRENT = 4, /* the calling activation had been entered concurrently */
	FLOW_ROUTINES_ELSEWHERE = 8          /* stands for the creator of a thread or a task: caller is RUN_OUTSIDE, callee the creator */
};

/* What one worker did along one arc in one state. An activation's elapsed time is its own work, wait, kernel and off, what it displaced, and
 * its callees' time. */
struct flow_routines_arc {
	uint32_t caller, callee;
	uint32_t process, lane; /* the worker */
	uint32_t states;
	uint64_t calls, total; /* total: work, including callees */
	uint64_t elapsed;      /* of all activations */
	uint64_t outer;        /* of those that are not recursive */
	uint64_t nested;       /* of those that are so only since their thread or task comes from such an activation */
	uint64_t callee_calls, callees;
	uint64_t work, wait, kernel, off; /* excluding callees; kernel: waits that no call tells */
	uint64_t displaced;               /* other tasks ran on top of it */
};

struct flow_routines_stretch {
	uint32_t strand;
	uint64_t from, to;
};

struct flow_routines_process {
	uint64_t working;  /* number of threads that work now */
	uint64_t executes; /* time at which it became another program; 0: it has not */
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
	struct flow_routines_origin *origins; /* where threads and tasks come from: a million of them from few places */
	size_t origin_count, origin_room;
	struct lookup by_origin;
	struct sets open; /* routines that were open there */
	struct map lent;  /* by process and number: the origin, + 1 */
	struct flow_routines_process *processes;
	size_t process_count, process_room;
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
