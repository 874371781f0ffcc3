/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the last thread starts when the others have ended, since main prepares its data in load_more, alone. */
#include <pthread.h>
#include "work.h"

ROUTINE static void load_more(void) { work_ms(500); }

ROUTINE static void *solve(void *none)
{
	work_ms(60);
	return none;
}

int main(void)
{
	pthread_t first[3], last;
	for (int i = 0; i < 3; i++)
		pthread_create(&first[i], NULL, solve, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(first[i], NULL);
	load_more();
	pthread_create(&last, NULL, solve, NULL);
	pthread_join(last, NULL);
	return 0;
}
