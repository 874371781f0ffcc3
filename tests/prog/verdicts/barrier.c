/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: between two barriers the first of four threads in simulate has ten times the work of the others. */
#include <pthread.h>
#include <stdint.h>
#include "work.h"

enum { THREADS = 4, STEPS = 10 };

static pthread_barrier_t step_barrier;

ROUTINE static void *simulate(void *number)
{
	for (int i = 0; i < STEPS; i++) {
		work_ms(number ? 5 : 50);
		pthread_barrier_wait(&step_barrier);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_barrier_init(&step_barrier, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, simulate, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
