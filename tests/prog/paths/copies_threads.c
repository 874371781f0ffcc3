/* SPDX-License-Identifier: MIT */
/* copies_threads.c: several threads that do the same in each copy, or, with the word `race`, as much as they get done until time is up. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { THREADS = 4, ROUNDS = 5000 };

static int is_race;

static long now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

__attribute__((noinline)) static unsigned part(unsigned sum, unsigned i)
{
	return i % 3 ? sum + i : sum ^ i;
}

static void *work(void *number)
{
	unsigned sum = 0;
	long end = now_ns() + 20000000;
	for (unsigned i = 0; is_race ? now_ns() < end : i < ROUNDS; i++)
		sum = part(sum, i);
	*(unsigned *)number = sum;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	unsigned sums[THREADS];
	is_race = argc > 1 && strcmp(argv[1], "race") == 0;
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, &sums[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u\n", sums[0]);
	return 0;
}
