/* SPDX-License-Identifier: MIT */
/* small.c: calls a routine that does nearly nothing. `small N` calls it N times and prints that and what CPU time the process took. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile long sum;

__attribute__((noinline)) static void small(long i)
{
	sum += i;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 100000000;
	struct timespec time;
	for (long i = 0; i < n; i++)
		small(i);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	printf("calls %ld cpu_ns %ld\n", n, time.tv_sec * 1000000000L + time.tv_nsec);
	return 0;
}
