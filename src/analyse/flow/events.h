/* SPDX-License-Identifier: MIT */
/* events.h: the events of a run, of all threads of all its processes, in the order of their times.
 *
 *     struct flow_events *events = flow_events_open(logs, 1);        logs.h
 *     struct flow_event event;
 *     struct flow_event_about about;
 *     flow_events_switches(events, memory, bytes, false, &ticks);    if there are any
 *     while (flow_events_next(events, &event, &about))
 *             flow_step(&flow, &event);
 *     flow_events_close(events);
 *
 * Strands are numbered in the order of their creation. Objects are numbered process by process, as in the recording, less 1. A fork and an
 * execve create a strand; who waits for a child process joins the strand that ended it. Nothing in a file is believed: a log
 * ends where its bytes make no sense. Memory: threads, objects and chunks. */
#ifndef SKEIN_ANALYSE_FLOW_EVENTS_H
#define SKEIN_ANALYSE_FLOW_EVENTS_H

#include "analyse/flow/logs.h"
#include "core/flow/flow.h"

/* A wait that no door saw begin: the kernel stopped the thread. Beside enum raw_wait. */
enum { FLOW_WAIT_KERNEL = RAW_WAIT_KINDS, FLOW_WAITS };

/* What an analysis wants to know of an event beside what flow_step does. */
struct flow_event_about {
	uint64_t place; /* of the call, of a FLOW_RELEASE that of the acquisition; 0: not known */
	uint32_t
		path; /* of a FLOW_CREATE, and of a FLOW_PAUSE and what ends it: the call path, among those of the process's logs; 0: not known */
	uint32_t process; /* the strand's, in the logs */
	uint32_t lane;    /* the strand's, in its process */
	uint32_t wait;    /* FLOW_PAUSE: enum raw_wait or FLOW_WAIT_KERNEL */
	uint32_t
		thread; /* number of the RAW_THREAD, of a FLOW_BEGIN, and of events that stand for what was left out or is the first one of a ring; UINT32_MAX: not told */
	uint32_t core;  /* FLOW_OFF, FLOW_ON; UINT32_MAX: not known */
	bool forks;     /* FLOW_CREATE: the strand is another process */
	bool executes;  /* FLOW_CREATE: the strand is another program, which the process becomes unless other events follow */
	bool spawns;    /* FLOW_CREATE: the strand is another program, in another process */
	bool ends;      /* the strand's process ends with this event */
	int64_t value;  /* of a FLOW_MARK; of a FLOW_RUN bits of enum flow_run */
};

/* Nanoseconds of the monotonic clock to ticks. */
struct flow_clock {
	uint64_t tick, ns;
	double ns_per_tick;
};

struct flow_events;
struct flow_events *flow_events_open(const struct flow_logs *logs, size_t count); /* the logs must stay */
/* Before the first event: switches of all threads, as run/switches.h writes them. The memory must stay. */
void flow_events_switches(struct flow_events *events, const void *memory, size_t bytes, bool is_mapped, const struct flow_clock *clock);
/* Before the first event, too: what happened earlier is left out. Threads then begin with what they did at that time. */
void flow_events_skip(struct flow_events *events, uint64_t until);
/* The tick from which on all lanes have their events: logs may be rings. 0: nothing was dropped. */
uint64_t flow_events_complete_from(const struct flow_events *events);
/* Before the first event: those of routines are given out, too, which flow_step does not take. Their `object` is: of a FLOW_ENTRY the
 * routine's number in its process, of a FLOW_UNWIND how many frames of the strand stay, of a FLOW_ADOPT a strand, or UINT32_MAX: then its
 * `count` is that of the FLOW_LEND of the process. */
void flow_events_routines(struct flow_events *events);
bool flow_events_next(struct flow_events *events, struct flow_event *event, struct flow_event_about *about);
uint32_t flow_events_strands(const struct flow_events *events); /* number of strands in the events that were given out */
/* the first object of a process; of the process behind the last one: how many there are */
uint32_t flow_events_first_object(const struct flow_events *events, size_t process);
uint64_t flow_events_switched(const struct flow_events *events); /* context switches until now */
uint64_t flow_events_bad(const struct flow_events *events);      /* chunks whose rest could not be read */
void flow_events_close(struct flow_events *events);

#endif
