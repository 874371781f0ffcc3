/* SPDX-License-Identifier: MIT */
/* truth.h: for subjects of the idle lens, which burn CPU time and know how much of it, where, and how many cores idled meanwhile.
 *
 *     ROUTINE static void fill(long ns) { static struct truth t = TRUTH(fill); burn(&t, ns); }
 *     int main(void)
 *     {
 *             truth_start();                        main works from here
 *             fill(10 * MS);
 *             …
 *             WAITING(pthread_join(thread, NULL));  … but not here
 *             truth_print();                        expect fill 10000123 9998102
 *     }
 *     a thread's function: truth_begin(); …; truth_end();
 *
 * `expect ROUTINE work_ns idle_ns` is what happened in this very run, however busy the machine is: work is the thread's own CPU clock, and
 * idleness follows section 2.1 of the paper: each piece of CPU time is charged (n - w) / w of itself, w = min(working threads, n).
 * The pieces are much shorter than a sample's period, and w is looked at on both ends of each. Between them it is user time only. */
#ifndef IDLE_TRUTH_H
#define IDLE_TRUTH_H

#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#ifdef __clang__
#define ROUTINE __attribute__((noinline))
#else
#define ROUTINE __attribute__((noipa)) /* no copies under other names */
#endif
#define MS 1000000L
#define PIECE_NS 100000L

struct truth {
	const char *routine;
	long work_ns, idle_ns;
	struct truth *next;
	int listed;
};
#define TRUTH(name) {#name, 0, 0, NULL, 0}

static struct truth *truths;
static int truth_working, truth_cores;
static long truth_turns; /* of the loop in a piece */

static inline long truth_clock(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}
#define truth_cpu() truth_clock(CLOCK_THREAD_CPUTIME_ID)

static inline void truth_begin(void) { __atomic_fetch_add(&truth_working, 1, __ATOMIC_RELAXED); }
static inline void truth_end(void) { __atomic_fetch_sub(&truth_working, 1, __ATOMIC_RELAXED); }
#define WAITING(call) (truth_end(), (void)(call), truth_begin())

static inline __attribute__((always_inline)) void truth_spin(long turns)
{
	unsigned long x = 1;
	for (long i = 0; i < turns; i++) {
		x = x * 6364136223846793005UL + 1442695040888963407UL;
		__asm__ volatile("" : "+r"(x));
	}
}

ROUTINE __attribute__((unused)) static void truth_start(void)
{
	cpu_set_t set;
	long before, turns = 1000;
	sched_getaffinity(0, sizeof set, &set);
	truth_cores = CPU_COUNT(&set);
	do {
		turns *= 2;
		before = truth_cpu();
		truth_spin(turns);
		before = truth_cpu() - before;
	} while (before < 10 * PIECE_NS);
	truth_turns = (long)((double)turns * PIECE_NS / (double)before) + 1;
	truth_working = 1;
}

/* How many cores idle for each that works. */
static inline double truth_share(void)
{
	int working = __atomic_load_n(&truth_working, __ATOMIC_RELAXED);
	working = working < 1 ? 1 : working > truth_cores ? truth_cores : working;
	return (double)(truth_cores - working) / working;
}

static inline void truth_list(struct truth *t)
{
	if (__atomic_exchange_n(&t->listed, 1, __ATOMIC_RELAXED))
		return;
	t->next = __atomic_load_n(&truths, __ATOMIC_RELAXED);
	while (!__atomic_compare_exchange_n(&truths, &t->next, t, 0, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
		;
}

static inline __attribute__((always_inline)) void burn(struct truth *t, long ns)
{
	truth_list(t);
	long start = truth_cpu(), now = start;
	double share = truth_share();
	while (now - start < ns) {
		truth_spin(truth_turns);
		long then = now;
		double before = share;
		now = truth_cpu();
		share = truth_share();
		__atomic_fetch_add(&t->work_ns, now - then, __ATOMIC_RELAXED);
		__atomic_fetch_add(&t->idle_ns, (long)((double)(now - then) * (before + share) / 2), __ATOMIC_RELAXED);
	}
}

/* A routine that burns what it is told. */
#define BURNS(name) ROUTINE static void name(long ns) { static struct truth t = TRUTH(name); burn(&t, ns); }

/* At once, not buffered: a subject may fork or die. */
static inline void truth_print(void)
{
	for (struct truth *t = truths; t; t = t->next)
		dprintf(1, "expect %s %ld %ld\n", t->routine, t->work_ns, t->idle_ns);
}

/* In a forked child: one thread, nothing burnt yet. */
static inline void truth_restart(void)
{
	for (struct truth *t = truths; t; t = t->next)
		t->work_ns = t->idle_ns = t->listed = 0;
	truths = NULL;
	truth_working = 1;
}

#endif
