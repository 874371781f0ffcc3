/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: none. Two threads share the work evenly, all the time. */
#include <pthread.h>
#include "work.h"

ROUTINE static void *solve(void *none)
{
	work_ms(500);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, solve, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
