/* SPDX-License-Identifier: MIT */
/* turns.c: four threads, one after another.
 * True cause: main waits for each thread before it creates the next one.
 *
 *     turns            the threads do the work
 *     turns main       the threads do next to nothing, and main does the work itself, which is serial: step is to blame */
#include <pthread.h>

enum { THREADS = 4, MUCH = 2000000 };
static volatile unsigned sink;

__attribute__((noinline)) static void step(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink = i;
}

static void *start(void *turns)
{
	step(*(unsigned *)turns);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned turns = argc > 1 ? 10 : MUCH;
	(void)argv;
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, start, &turns);
		pthread_join(thread, NULL);
		if (argc > 1)
			step(MUCH);
	}
	return 0;
}
