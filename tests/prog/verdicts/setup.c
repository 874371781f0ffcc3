/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: prepare runs alone, for longer than the part that four threads share. */
#include <pthread.h>
#include "work.h"

ROUTINE static void prepare(void) { work_ms(600); }

ROUTINE static void *solve(void *none)
{
	work_ms(150);
	return none;
}

int main(void)
{
	pthread_t threads[4];
	prepare();
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, solve, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
