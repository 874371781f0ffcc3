/* SPDX-License-Identifier: MIT */
/* exit.c: two threads do the same work. When both have done theirs, one of them calls exit, in the middle of the other's only call.
 * True cause: the program is as parallel as its two threads, 2. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static volatile unsigned sink;
static atomic_int done;

__attribute__((noinline)) static void work(void)
{
	for (unsigned i = 0; i < 50000000; i++)
		sink = i;
}

static void *exits(void *unused)
{
	work();
	while (!atomic_load(&done))
		usleep(1000);
	exit(0);
	return unused;
}

static void *stays(void *unused)
{
	for (unsigned i = 0; i < 50000000; i++)
		sink = i;
	atomic_store(&done, 1);
	for (;;)
		pause();
	return unused;
}

int main(void)
{
	pthread_t threads[2];
	pthread_create(&threads[0], NULL, exits, NULL);
	pthread_create(&threads[1], NULL, stays, NULL);
	pthread_join(threads[0], NULL);
	return 0;
}
