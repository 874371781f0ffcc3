/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: none. One of 17 threads has twice as much to do as any other, but on two cores the run cannot be shorter: both have work all
 * the time. */
#include <pthread.h>
#include <stdint.h>
#include "work.h"

ROUTINE static void *solve(void *ms)
{
	work_ms((long)(intptr_t)ms);
	return NULL;
}

int main(void)
{
	pthread_t threads[17];
	for (int i = 0; i < 17; i++)
		pthread_create(&threads[i], NULL, solve, (void *)(intptr_t)(i == 0 ? 80 : 40));
	for (int i = 0; i < 17; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
