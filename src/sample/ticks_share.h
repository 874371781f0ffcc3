/* SPDX-License-Identifier: MIT */
/* ticks_share.h: for ticks.c and ticks_share.c alone: the kernel's events, and the clocks that a process has on each core.
 *
 *     if (shared_open()) …             in the only thread of the process
 *     enum ticks_state state = shared_state(tid, &known);
 *     ticks_part();                    for all threads
 *
 * Threads that are created after shared_open inherit the clocks; forked children do not. Where clocks cannot be had on every core, or are
 * not safe, shared_open returns false and nothing has changed. shared_state and shared_switches may be called by any thread and from signal
 * handlers, at any time. */
#ifndef SKEIN_SAMPLE_TICKS_SHARE_H
#define SKEIN_SAMPLE_TICKS_SHARE_H

#include <linux/perf_event.h>
#include "sample/ticks.h"

struct ticks_event {
	uint32_t type;
	uint64_t config, period; /* period 0: not available */
};

struct ticks_how {
	int signal;
	uint64_t period_ns;
	struct ticks_event events[RAW_IDLE_EVENT_MAX];
	unsigned event_count;
};
extern struct ticks_how ticks_how;
extern const struct ticks_event ticks_cpu_clock;
enum { TICKS_CLOCK_NUMBER = 0xff };

/* An event whose ticks carry that number; a period of 0: one that does not tick. */
struct perf_event_attr ticks_attr(const struct ticks_event *e, uint64_t period, unsigned number, bool notes_switches);
bool ticks_may_signal(void);                       /* a handler that cannot return kills its process */
void ticks_blank(unsigned char *at, size_t bytes); /* pages that hold zeros, instead of what is mapped there */

bool shared_open(void);
enum ticks_state shared_state(int tid, _Atomic uint64_t *known); /* known: 0 at first; a word for each thread that is asked about */
uint64_t shared_switches(void);                                  /* of the calling thread: as ticks_switches */

#endif
