/* SPDX-License-Identifier: MIT */
/* standin.h: src/threads with a writer and a lens that only count, as a library for the programs beside it.
 *
 * Counters live in memory that forked children share, so a parent can see what its child recorded. */
#ifndef THREADS_STANDIN_H
#define THREADS_STANDIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "raw/format.h"

extern _Atomic uint64_t skein_n_working;

struct standin {
	atomic_int begun, ended, wait_begins, wait_ends, captured, held; /* held: references not released yet */
	atomic_int teams, open_teams, adopted, adoptions;                /* adoptions: not disowned yet */
	atomic_int forks, children, exits, execs, failed_execs, vforks, vforks_over;
	atomic_int bad_waits;                                            /* a wait that begins in a wait, or ends before it begins */
	atomic_int records;                                              /* of threads */
};
extern struct standin *standin;

uint64_t standin_waits(enum raw_wait kind);
uint64_t standin_wait_ns(enum raw_wait kind); /* at a nominal tick rate that is never too high */
unsigned standin_lanes(void);
uint64_t standin_threads(void);
const char *standin_name(unsigned thread); /* by number */
uint64_t standin_cpu_ns(unsigned thread);
int standin_descriptor(void);              /* of a recording that there is not */

static inline uint64_t now_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Spins, since sleeping would change what is watched. */
static inline bool comes_true(bool (*condition)(void *), void *of)
{
	for (uint64_t end = now_ns() + 20000000000u; now_ns() < end;)
		if (condition(of))
			return true;
	return false;
}

static inline bool n_working_is(void *n)
{
	return atomic_load(&skein_n_working) == (uint64_t)(uintptr_t)n;
}

static inline bool working_becomes(unsigned n)
{
	return comes_true(n_working_is, (void *)(uintptr_t)n);
}

static int failures __attribute__((unused));

#define CHECK(name, condition, ...)                             \
	do {                                                    \
		if (condition) {                                \
			printf("ok %s\n", name);                \
		} else {                                        \
			failures++;                             \
			printf("not ok %s: %s; ", name, #condition); \
			printf(__VA_ARGS__);                    \
			putchar('\n');                          \
		}                                               \
		fflush(stdout);                                 \
	} while (0)

#endif
