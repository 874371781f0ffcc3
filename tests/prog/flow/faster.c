/* SPDX-License-Identifier: MIT */
/* faster.c: two threads, one of which has more to do, and something serial. What the run would take if a routine were faster, and by how
 * much each thread's work could be longer, follows from the figures below. Work is told by the thread's own CPU clock. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define ROUTINE __attribute__((noinline))
enum { MS = 1000000, TURNS = 5, SERIAL = 50, SLOW = 40, QUICK = 30 };

static volatile unsigned sink;

static int64_t cpu(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

ROUTINE static void work(int ms)
{
	for (int64_t end = cpu() + (int64_t)ms * MS; cpu() < end;)
		sink++;
}

ROUTINE static void serial(void)
{
	work(SERIAL);
	sink++;
}

ROUTINE static void slow(void)
{
	work(SLOW);
	sink++;
}

ROUTINE static void quick(void)
{
	work(QUICK);
	sink++;
}

ROUTINE static void *slow_turns(void *unused)
{
	for (int i = 0; i < TURNS; i++)
		slow();
	return unused;
}

ROUTINE static void *quick_turns(void *unused)
{
	for (int i = 0; i < TURNS; i++)
		quick();
	return unused;
}

ROUTINE static void both(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, slow_turns, NULL);
	pthread_create(&threads[1], NULL, quick_turns, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	serial();
	both();
	printf("minimum %d slack %d\n", (SERIAL + TURNS * SLOW) * MS, TURNS * (SLOW - QUICK) * MS);
	return 0;
}
