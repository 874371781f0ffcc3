/* SPDX-License-Identifier: MIT */
/* switches.h: when a program's threads lose a core and get one again, seen from outside, in the file `switches` of the session folder.
 *
 *     struct switches switches;
 *     switches_open(&switches, folder);                        before the program is forked; the kernel may refuse it
 *     switches_start(&switches);                               behind the fork: a thread of skein's own begins to read
 *     struct switches_seen seen = switches_stop(&switches);    when the program has ended, or was not started; all is closed
 *     if (seen.is_allowed) … seen.count … seen.lost …          how many records are in the file, and how many are not
 *
 * launch.h does the last two of these. The thread has all signals blocked, and wakes up when a quarter of a ring is full, or 50 ms after
 * the last time. Each wake-up takes a core for a moment, from the program if no core is free; the program is preempted then, which is
 * recorded.
 *
 * The file is chunks of core/flow/log.h, each of SESSION_SWITCHES_CHUNK bytes, of which struct flow_head says how many are valid:
 *
 *     struct flow_reader reader;
 *     flow_reader_start(&reader, chunk, SESSION_SWITCHES_CHUNK);
 *     while (flow_log_get(&reader, &record)) …                 FLOW_OFF: tid; core; 1: preempted. FLOW_ON: tid; core
 *
 * A chunk is of one core, so that times rise in it; chunks of one core come in order, and those of several cores in any. Less than a
 * chunk at the end of the file is what a full disk, or skein's death, left of one. Times are nanoseconds of CLOCK_MONOTONIC, tids those
 * of skein's pid namespace.
 *
 * What to know of the records of a thread:
 *   - OFF and ON take turns, unless records were lost. From OFF to the next ON the thread had no core: it slept or, if it was
 *     preempted, was ready to run all the time. How long a sleeping thread was ready to run before it got a core is not told.
 *   - Preempted does not mean that another program had the core: a thread that wakes up one of its own program is often preempted by
 *     it. The next ON of that core tells, if it comes at once. A call of sched_yield counts as preemption, too.
 *   - The first record of the program's first thread is an OFF, since it has a core when it becomes the program; that of any other
 *     thread is an ON.
 *   - A thread that ends has no last OFF: the kernel forgets the event before it gives the core away. The last record is an ON, unless
 *     the recording ended while the thread had no core.
 *   - A tid that the kernel gives to a second thread begins with an ON behind an ON.
 *   - Threads that the profiler has in the program (SESSION_HELPER) are recorded like the program's.
 *   - A process that the program leaves behind is recorded until the program has ended.
 *   - For an ordinary user nothing is recorded of a program from where it executes a set-user-ID file. */
#ifndef SKEIN_RUN_SWITCHES_H
#define SKEIN_RUN_SWITCHES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "core/flow/log.h"
#include "run/rings.h"

/* The chunk of a core that is being filled. */
struct switches_core {
	struct flow_chunk chunk;
	uint64_t count; /* records in it */
	void *memory;
};

struct switches {
	struct rings rings;
	struct switches_core *cores; /* one per ring */
	int file, stop;              /* stop: an eventfd; what is written there ends the thread */
	uint64_t chunks;             /* in the file */
	uint64_t count, lost;        /* lost: because the file could not take them */
	uint64_t told_lost;          /* in a ring, as records there say */
	pthread_t reader;
	bool is_read; /* the thread is there */
};

struct switches_seen {
	bool is_allowed;
	uint64_t count; /* records in the file */
	uint64_t lost;  /* records that found no room in a ring, or in the file */
};

void switches_open(struct switches *switches, const char *folder);
void switches_start(struct switches *switches);
struct switches_seen switches_stop(struct switches *switches);

#endif
