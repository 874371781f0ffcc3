/* SPDX-License-Identifier: MIT */
/* idle.c: the programs that bench/idle.sh measures, by their first argument.
 *
 *     idle threads COUNT TURNS  that many threads do as much each, in calls a few levels deep; a turn takes about half a millisecond. `turns_in_s`
 *     idle tasks COUNT          OpenMP tasks that do nothing, in a team of one: `cpu_ns` a million of them
 *     idle pairs COUNT          a mutex that nobody else wants, locked and unlocked: `cpu_ns` a million pairs
 *     idle gaps DEPTH MS HERTZ  watches the cycle counter at that depth of calls: `gap_ns`, the median time for which it was interrupted.
 *                               HERTZ above 0: by a clock of its own, whose handler does nothing */
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long clock_ns(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}

/* Calls of each other: a tree of contexts, nine deep, five hundred in all. */
static volatile unsigned sink;
static unsigned step(unsigned x, int depth);
#define STEP(name) __attribute__((noinline)) static unsigned name(unsigned x, int depth) { return step(x * 1664525u + 1013904223u, depth - 1) ^ 1; }
STEP(left)
STEP(right)
__attribute__((noinline)) static unsigned step(unsigned x, int depth)
{
	if (depth == 0) {
		for (int i = 0; i < 2000; i++) {
			x = x * 1664525u + 1013904223u;
			__asm__ volatile("" : "+r"(x));
		}
		return x;
	}
	return left(x, depth) + right(x + 1, depth);
}

static long turns;
static void *works(void *unused)
{
	for (long i = 0; i < turns; i++)
		sink += step((unsigned)i, 8);
	return unused;
}

static void threads(int count)
{
	pthread_t thread[count];
	for (int i = 0; i < count; i++)
		pthread_create(&thread[i], NULL, works, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

static void per_million(long start, long count)
{
	printf("cpu_ns %.0f\n", (double)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - start) * 1e6 / (double)count);
}

/* Tasks are deferred only in a team of several threads, and only then is anything remembered of who created them. The least of many short stretches: who
 * runs a task, and what two cores that pass it on cost each other, changes from one to the next. */
enum { STRETCH = 200, LEAST_OF = 10 };

static void tasks_in_a_loop(long count)
{
	double least = 1e18;
	for (long done = 0; done < count; done += STRETCH * LEAST_OF) {
		long start = clock_ns(CLOCK_MONOTONIC);
		for (int i = 0; i < STRETCH * LEAST_OF; i++) {
#pragma omp task
			__asm__ volatile("");
			if (i % STRETCH == STRETCH - 1) {
#pragma omp taskwait
			}
		}
		double ns = (double)(clock_ns(CLOCK_MONOTONIC) - start) / (STRETCH * LEAST_OF);
		least = ns < least ? ns : least;
	}
	printf("cpu_ns %.0f\n", least * 1e6);
}

__attribute__((noinline)) static void tree(int depth)
{
	if (depth == 0)
		return;
#pragma omp task
	tree(depth - 1);
	tree(depth - 1);
#pragma omp taskwait
}

/* No two tasks of a tree have the same path. */
static void tasks_in_a_tree(long count)
{
	enum { DEPTH = 11 };
	double least = 1e18;
	for (long done = 0; done < count; done += (1 << DEPTH) - 1) {
		long start = clock_ns(CLOCK_MONOTONIC);
		tree(DEPTH);
		double ns = (double)(clock_ns(CLOCK_MONOTONIC) - start) / ((1 << DEPTH) - 1);
		least = ns < least ? ns : least;
	}
	printf("cpu_ns %.0f\n", least * 1e6);
}

static void tasks(long count, bool as_tree)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	(as_tree ? tasks_in_a_tree : tasks_in_a_loop)(count);
}

static void *waits(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void pairs(long count)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	pthread_t other; /* so that the process has threads, and locks are real */
	pthread_create(&other, NULL, waits, NULL);
	long start = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	per_million(start, count);
}

enum { GAPS = 200000, GAP_TICKS = 1500 };
static uint64_t gaps[GAPS];

static int ascending(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

static uint64_t cycles(void) { return __builtin_ia32_rdtsc(); }

static void watch(long ms)
{
	size_t found = 0;
	long start_ns = clock_ns(CLOCK_MONOTONIC), ns;
	uint64_t start = cycles(), last = start, now;
	do {
		for (int i = 0; i < 1000000; i++, last = now) {
			now = cycles();
			if (now - last > GAP_TICKS && found < GAPS)
				gaps[found++] = now - last;
		}
		ns = clock_ns(CLOCK_MONOTONIC) - start_ns;
		last = cycles();
	} while (ns < ms * 1000000);
	qsort(gaps, found, sizeof *gaps, ascending);
	printf("gap_ns %.0f of %zu\n", found ? (double)gaps[found / 2] * (double)ns / (double)(last - start) : 0.0, found);
}

__attribute__((noinline)) static int deep(int depth, long ms)
{
	if (depth == 0) {
		watch(ms);
		return 0;
	}
	return deep(depth - 1, ms) + 1;
}

static void nothing(int number) { (void)number; }

/* The clock that the sampler has on a kernel of today. */
static void own_clock(long hertz)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 1000000000UL / (unsigned long)hertz,
	                               .exclude_kernel = 1, .sigtrap = 1, .remove_on_exec = 1};
	signal(SIGTRAP, nothing);
	if (syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0) {
		perror("idle gaps");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long first = argc > 2 ? atol(argv[2]) : 0, second = argc > 3 ? atol(argv[3]) : 0, third = argc > 4 ? atol(argv[4]) : 0;
	turns = second;
	if (!strcmp(what, "threads")) {
		threads((int)first);
		printf("turns_in_s %.0f\n", (double)(first * turns) * 1e9 / (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	} else if (!strcmp(what, "tasks")) {
		tasks(first, false);
	} else if (!strcmp(what, "tree")) {
		tasks(first, true);
	} else if (!strcmp(what, "pairs")) {
		pairs(first);
	} else if (!strcmp(what, "gaps")) {
		if (third)
			own_clock(third);
		return deep((int)first, second) != first;
	} else {
		fprintf(stderr, "usage: idle threads|tasks|tree|pairs|gaps …\n");
		return 2;
	}
	return 0;
}
