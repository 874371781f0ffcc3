/* flags: -pthread */
/* Threads that read what others wrote: the producer and consumer of Example 3, and sums of slices by 1 to 16 threads. */
#include <pthread.h>
#include <semaphore.h>
#include "expect.h"

enum { ITEMS = 1000, THREADS = 16, SLICE = 50 };
static sem_t empty, full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int x;
static volatile int data[THREADS * SLICE];

ROUTINE static void *producer(void *unused)
{
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&empty);
		pthread_mutex_lock(&mutex);
		x = i;
		pthread_mutex_unlock(&mutex);
		sem_post(&full);
	}
	return unused;
}

ROUTINE static void *consumer(void *unused)
{
	long sum = 0;
	for (int i = 0; i < ITEMS; i++) {
		sem_wait(&full);
		pthread_mutex_lock(&mutex);
		sum += x;
		pthread_mutex_unlock(&mutex);
		sem_post(&empty);
	}
	return sum == 0 ? unused : NULL;
}

ROUTINE static void *add_slice(void *at)
{
	const volatile int *slice = at;
	long sum = 0;
	for (int i = 0; i < SLICE; i++)
		sum += slice[i];
	return (void *)sum;
}

ROUTINE static void fill(int value)
{
	for (int i = 0; i < THREADS * SLICE; i++)
		data[i] = value;
}

int main(void)
{
	pthread_t threads[THREADS];
	sem_init(&empty, 0, 1);
	sem_init(&full, 0, 0);
	pthread_create(&threads[0], NULL, producer, NULL);
	pthread_create(&threads[1], NULL, consumer, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	int started = 0;
	for (int n = 1; n <= THREADS; n *= 2) {
		fill(n);
		for (int i = 0; i < n; i++)
			pthread_create(&threads[i], NULL, add_slice, (void *)&data[i * SLICE]);
		for (int i = 0; i < n; i++)
			pthread_join(threads[i], NULL);
		started += n;
	}
	expect("producer", "all", 0, 1);
	expect("consumer", "rms", 1, 1);
	expect("consumer", "rms+external", 1, 1);
	expect("consumer", "trms", ITEMS, 1);
	expect_induced("consumer", ITEMS, 0);
	expect("add_slice", "all", SLICE, started);
	expect_induced("add_slice", (long)started * SLICE, 0);
	return 0;
}
