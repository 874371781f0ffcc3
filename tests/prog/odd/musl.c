/* SPDX-License-Identifier: MIT */
/* musl: needs nothing of its C library but threads and output. */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4 };
static volatile unsigned sums[THREADS];

__attribute__((noinline)) static unsigned step(unsigned i)
{
	return i * 3 + 1;
}

static void *steps(void *number)
{
	for (int i = 0; i < 10; i++)
		sums[(long)number] = step(sums[(long)number]);
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];
	unsigned sum = 0;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, steps, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(thread[i], NULL);
		sum += sums[i];
	}
	printf("sum %u\n", sum);
	return 4;
}
