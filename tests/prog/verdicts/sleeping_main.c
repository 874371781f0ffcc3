/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: nobody works for most of the time, because main sleeps in pause_between between rounds of a moment. */
#include <pthread.h>
#include <unistd.h>
#include "work.h"

ROUTINE static void pause_between(void) { usleep(300000); }

ROUTINE static void *step(void *none)
{
	work_ms(3);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int round = 0; round < 4; round++) {
		for (int i = 0; i < 2; i++)
			pthread_create(&threads[i], NULL, step, NULL);
		for (int i = 0; i < 2; i++)
			pthread_join(threads[i], NULL);
		pause_between();
	}
	return 0;
}
