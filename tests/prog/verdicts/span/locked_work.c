/* SPDX-License-Identifier: MIT */
/* locked_work.c: four threads do all their work under one lock.
 * True cause: the lock; the program is as parallel as one thread, though creates and joins alone would allow 4. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned sink;
static atomic_int ready;

__attribute__((noinline)) static void update(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = i;
}

static void *worker(void *unused)
{
	atomic_fetch_add(&ready, 1);
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&all);
		update();
		pthread_mutex_unlock(&all);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[4];
	pthread_mutex_lock(&all); /* until all are there: else one may be done before the next has begun */
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, worker, NULL);
	while (atomic_load(&ready) < 4)
		usleep(1000);
	pthread_mutex_unlock(&all);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
