/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker */
/* Threads that are cancelled, asleep or at work, or that leave by pthread_exit from inside nested calls. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>
#include "../count.h"

enum { THREADS = 60 };
COUNTED(cleanup);
COUNTED(nest);
static pthread_barrier_t deep;

ROUTINE static void cleanup(void *unused)
{
	(void)unused;
	COUNT(cleanup);
}

ROUTINE static void end(long kind)
{
	pthread_barrier_wait(&deep);
	if (kind == 0)
		for (;;)
			pause();
	if (kind == 1)
		for (;;)
			pthread_testcancel();
	pthread_exit((void *)1);
}

ROUTINE static void nest(int depth, long kind)
{
	COUNT(nest);
	pthread_cleanup_push(cleanup, NULL);
	if (depth > 1)
		nest(depth - 1, kind);
	else
		end(kind);
	pthread_cleanup_pop(0);
}

ROUTINE static void *worker(void *kind)
{
	nest(5, (long)kind);
	return NULL;
}

int main(void)
{
	int cancelled = 0, left = 0;
	pthread_barrier_init(&deep, NULL, 2);
	for (long i = 0; i < THREADS; i++) {
		pthread_t thread;
		void *result;
		pthread_create(&thread, NULL, worker, (void *)(i % 3));
		pthread_barrier_wait(&deep);
		if (i % 3 != 2)
			pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
		left += result == (void *)1;
	}
	dprintf(1, "%d cancelled, %d left\n", cancelled, left);
	expect("worker", THREADS);
	expect("nest", THREADS * 5);
	expect("end", THREADS);
	expect("cleanup", THREADS * 5);
	return count_of_cleanup != THREADS * 5;
}
