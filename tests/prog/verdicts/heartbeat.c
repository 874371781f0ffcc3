/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the program is serial, in solve, which runs in main. Another thread sleeps between its beats, by design. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
#include "work.h"

ROUTINE static void *beat(void *none)
{
	for (;;)
		usleep(50000);
	return none;
}

ROUTINE static void solve(void) { work_ms(600); }

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, beat, NULL);
	solve();
	exit(0);
}
