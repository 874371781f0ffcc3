/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* run: 10000 1 */
/* run: 1000 2 */
/* run: 500 500 */
/* THREADS threads, ALIVE of them at a time, wait for each other inside a routine. "workers N" is what the recording
 * must have: the threads alive at once, with main. */
#include <pthread.h>
#include <stdlib.h>
#include "../count.h"

enum { MOST = 500 };
static pthread_barrier_t all;

ROUTINE static void step(void) { __asm__ volatile(""); }
ROUTINE static void meet(void) { pthread_barrier_wait(&all); }

ROUTINE static void *worker(void *unused)
{
	for (int i = 0; i < 10; i++)
		step();
	meet();
	return unused;
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[1]) : 1, alive = argc > 2 ? atoi(argv[2]) : 1;
	pthread_t thread[MOST];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 128 << 10);
	pthread_barrier_init(&all, NULL, (unsigned)alive);
	for (int started = 0; started < threads; started += alive) {
		for (int i = 0; i < alive; i++)
			if (pthread_create(&thread[i], &small, worker, NULL))
				return 1;
		for (int i = 0; i < alive; i++)
			pthread_join(thread[i], NULL);
	}
	expect("worker", (unsigned long)threads);
	expect("meet", (unsigned long)threads);
	expect("step", 10ul * (unsigned long)threads);
	dprintf(1, "workers %d\nthreads %d\n", alive + 1, threads + 1);
	return 0;
}
