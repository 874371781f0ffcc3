/* SPDX-License-Identifier: MIT */
/* fib.c: nothing but calls. `fib THREADS N` computes fib(N) in each of THREADS threads at once (1: in main itself) and prints
 * how many calls that made, by formula, and what CPU time the process took for them. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static unsigned n;

__attribute__((noinline)) static unsigned long fib(unsigned k)
{
	return k < 2 ? k : fib(k - 1) + fib(k - 2);
}

static void *worker(void *sum)
{
	*(unsigned long *)sum = fib(n);
	return NULL;
}

static long cpu_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

int main(int argc, char **argv)
{
	unsigned threads = argc > 2 ? (unsigned)atoi(argv[1]) : 1;
	n = argc > 2 ? (unsigned)atoi(argv[2]) : 30;
	pthread_t thread[64];
	unsigned long sum[64], last = 1, next = 1;
	long start = cpu_ns();
	if (threads == 1)
		worker(&sum[0]);
	for (unsigned i = 0; threads > 1 && i < threads && i < 64; i++)
		pthread_create(&thread[i], NULL, worker, &sum[i]);
	for (unsigned i = 0; threads > 1 && i < threads && i < 64; i++)
		pthread_join(thread[i], NULL);
	long end = cpu_ns();
	for (unsigned i = 1; i < n; i++) {
		unsigned long sum_of_both = last + next;
		last = next;
		next = sum_of_both;
	}
	printf("calls %lu cpu_ns %ld fib %lu\n", threads * (2 * next - 1), end - start, sum[0]);
	return 0;
}
