/* SPDX-License-Identifier: MIT */
/* pipeline.c: numbers go from a producer through one place in memory to a consumer: Example 3 of the paper.
 *
 *     pipeline [ITEMS]
 *
 * The consumer reads the same word again and again. By rms its input is 1, however much it was given, so that there is nothing to plot, and it seems to take ever longer for the same
 * input. `skein record input` counts what another thread has written since (trms): 1,000 items are an input of 1,000, and consume grows like n. `skein report input
 * --view threads` shows whose writes each thread reads. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static sem_t is_free, is_full;
static unsigned place;

static void produce(unsigned items)
{
	for (unsigned i = 0; i < items; i++) {
		sem_wait(&is_free);
		place = i * i;
		sem_post(&is_full);
	}
}

static unsigned consume(unsigned items)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < items; i++) {
		sem_wait(&is_full);
		sum += place;
		sem_post(&is_free);
	}
	return sum;
}

static void *producer(void *items)
{
	produce((unsigned)(uintptr_t)items);
	return NULL;
}

static void *consumer(void *items)
{
	return (void *)(uintptr_t)consume((unsigned)(uintptr_t)items);
}

/* What comes out at the end. */
static unsigned run(unsigned items)
{
	pthread_t threads[2];
	void *sum = NULL;
	if (pthread_create(&threads[0], NULL, producer, (void *)(uintptr_t)items) || pthread_create(&threads[1], NULL, consumer, (void *)(uintptr_t)items)) {
		fputs("pipeline: cannot start a thread\n", stderr);
		exit(1);
	}
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], &sum);
	return (unsigned)(uintptr_t)sum;
}

static unsigned sum_of(unsigned items)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < items; i++)
		sum += i * i;
	return sum;
}

int main(int argc, char **argv)
{
	unsigned largest = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
	int right = 1;
	if (largest < 10) {
		fputs("usage: pipeline [ITEMS], 10 or more\n", stderr);
		return 2;
	}
	sem_init(&is_free, 0, 1);
	sem_init(&is_full, 0, 0);
	for (unsigned part = 1; part <= 10; part++) /* 1, 4, 9 … 100 hundredths */
		right = right && run(largest * part * part / 100) == sum_of(largest * part * part / 100);
	printf("up to %u items through one place: %s\n", largest, right ? "right" : "wrong");
	return !right;
}
