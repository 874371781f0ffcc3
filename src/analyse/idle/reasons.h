/* SPDX-License-Identifier: MIT */
/* reasons.h: what verdicts say about waiting: the lock that others waited for, what ran when no thread worked, and what
 * overhead was for.
 *
 *     struct idles_lock lock;
 *     if (idles_find_lock(idles, &lock)) … lock.object, lock.taker …
 *     struct idles_quiet quiet = idles_find_quiet(idles);
 *     struct idles_uses uses = idles_find_uses(idles); */
#ifndef SKEIN_IDLE_REASONS_H
#define SKEIN_IDLE_REASONS_H

#include "analyse/idle/blame.h"

/* The lock with the most waiting. */
struct idles_lock {
	const char *object; /* the variable; "": not known */
	uint32_t taker;     /* the routine of the program that waited for it most */
	const char *file;   /* where the routine takes the lock; "": not known */
	uint32_t line;
	uint64_t wait_ns;
	bool taker_holds; /* in most samples of the thread that held a lock the taker was on the call path */
	uint32_t holder;  /* the routine that is to blame for most time in which a lock was held; RUN_NOWHERE: not known */
};
bool idles_find_lock(const struct idles *idles, struct idles_lock *lock); /* false: no wait for a lock was sampled */

/* When no thread worked, or where threads waited most. */
struct idles_quiet {
	uint64_t ns;      /* in the whole run */
	uint64_t most_ns; /* part of ns, in the waits of one kind at one line */
	uint32_t kind;    /* the rest is about that: enum raw_wait */
	uint32_t routine; /* of the program; RUN_NOWHERE: not known */
	uint32_t scope;   /* of that routine */
	const char *call; /* the function that waits; "": not known */
	const char *file;
	uint32_t line;
};
struct idles_quiet idles_find_quiet(const struct idles *idles);
/* Where threads waited most while they held a lock that others waited for; ns: in all such waits. */
struct idles_quiet idles_find_keeper(const struct idles *idles);
/* Where the process itself waited most for something outside of it; ns is the same as most_ns. */
struct idles_quiet idles_longest_wait(const struct idles *idles, uint32_t process);

/* How many processes share the work: with a tenth of it, at least, each. */
unsigned idles_sharing(const struct idles *idles);

/* Where a routine of the program itself sleeps, or waits for input or output: the most waiting there. NULL: it does not. */
const struct idles_wait *idles_own_wait(const struct idles *idles, uint32_t routine, uint64_t *wait_ns);

/* The semaphore with the most waiting, if the routine itself waits for it: its variable, or "". NULL: it does not. */
const char *idles_semaphore_of(const struct idles *idles, uint32_t routine);

/* What overhead of tasks, scheduling and threads was for. */
struct idles_uses {
	uint64_t start_ns;                       /* a runtime was started, or made its threads: once per run */
	uint64_t tasks_ns, loops_ns, threads_ns; /* tasks; parallel regions and loops; threads that the program creates and joins */
	uint64_t joins_ns;                       /* part of threads_ns, and of synchronisation */
	uint64_t spins_ns;                       /* the program itself gives its core away, again and again, until something happens */
};
struct idles_uses idles_find_uses(const struct idles *idles);

const char *idles_called(struct pool *pool, const struct idles *idles, const struct idles_wait *wait); /* the function that waits */

#endif
