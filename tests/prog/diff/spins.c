/* SPDX-License-Identifier: MIT */
/* spins.c: SHARED threads divide MS milliseconds of CPU time in `shared`; then one of them spends ALONE in `alone`. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

__attribute__((noinline)) static void spin(long ms)
{
	struct timespec from, now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < ms * 1000000);
}

__attribute__((noinline)) static void *shared(void *ms)
{
	spin((long)ms);
	return NULL;
}

__attribute__((noinline)) static void alone(long ms)
{
	spin(ms);
	puts("done");
}

int main(int argc, char **argv)
{
	pthread_t threads[64];
	long count = argc > 1 ? strtol(argv[1], NULL, 10) : 1, ms = argc > 2 ? strtol(argv[2], NULL, 10) : 100,
	     rest = argc > 3 ? strtol(argv[3], NULL, 10) : 100;
	for (long i = 0; i < count && i < 64; i++)
		pthread_create(&threads[i], NULL, shared, (void *)(ms / count));
	for (long i = 0; i < count && i < 64; i++)
		pthread_join(threads[i], NULL);
	alone(rest);
	return 0;
}
