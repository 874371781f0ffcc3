/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: of four threads that run solve, the first has ten times as much to do as each of the others. */
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
	pthread_t threads[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, solve, (void *)(intptr_t)(i == 0 ? 600 : 60));
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
