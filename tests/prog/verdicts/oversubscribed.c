/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: eight threads work at the same time, on two cores: more threads than cores. */
#include <pthread.h>
#include "work.h"

enum { THREADS = 8 };

ROUTINE static void *solve(void *none)
{
	work_ms(200);
	return none;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, solve, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
