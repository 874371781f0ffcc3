/* SPDX-License-Identifier: MIT */
/* events.h: the events of a recorded process, of all its threads, in the order of their times.
 *
 *     struct flow_events *events = flow_events_open(&raw);
 *     struct flow_event event;
 *     struct flow_event_about about;
 *     while (flow_events_next(events, &event, &about))
 *             flow_step(&flow, &event);
 *     flow_events_close(events);
 *
 * Strands are numbered in the order of their creation, and objects as in the recording, less 1. Nothing in a file is believed: a log
 * ends where its bytes make no sense. Memory: threads, objects and frames of call paths (paths.h). */
#ifndef SKEIN_ANALYSE_FLOW_EVENTS_H
#define SKEIN_ANALYSE_FLOW_EVENTS_H

#include "core/flow/flow.h"
#include "raw/reader.h"

/* What an analysis wants to know of an event beside what flow_step does. */
struct flow_event_about {
	uint64_t place;  /* of the call, of a FLOW_RELEASE that of the acquisition; 0: not known */
	uint32_t wait;   /* FLOW_PAUSE: enum raw_wait */
	uint32_t path;   /* FLOW_PAUSE: of the call, for flow_events_path; 0: not known */
	uint32_t thread; /* FLOW_BEGIN: number of the RAW_THREAD */
};

struct flow_events;
struct flow_events *flow_events_open(const struct raw_reader *raw);
bool flow_events_next(struct flow_events *events, struct flow_event *event, struct flow_event_about *about);
uint32_t flow_events_strands(const struct flow_events *events); /* number of strands in the events that were given out */
uint64_t flow_events_bad(const struct flow_events *events);     /* chunks whose rest could not be read */
/* The places of a path, innermost first; returns how many there are, at most `most`. */
size_t flow_events_path(const struct flow_events *events, uint32_t path, uint64_t *places, size_t most);
void flow_events_close(struct flow_events *events);

#endif
