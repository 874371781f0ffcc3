/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Three ways to wait for each other: two threads that share a lock and hold it for most of the time, a pipeline through a queue of one
 * item, and four threads of unequal shares that meet at barriers. */
#include "workers.h"

enum { ROUNDS = 15, ITEMS = 10, MEETINGS = 4 };

BURNS(holds_lock)
BURNS(without_lock)
BURNS(produce)
BURNS(consume)
BURNS(short_share)
BURNS(long_share)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void contend(int number)
{
	(void)number;
	for (int i = 0; i < ROUNDS; i++) {
		WAITING(pthread_mutex_lock(&lock));
		holds_lock(4 * MS);
		pthread_mutex_unlock(&lock);
		without_lock(2 * MS);
	}
}

static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void pass(int from)
{
	pthread_mutex_lock(&lock);
	while (full != from)
		WAITING(pthread_cond_wait(&changed, &lock));
	full = !from;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void pipeline(int number)
{
	for (int i = 0; i < ITEMS; i++)
		if (number == 0) {
			produce(4 * MS);
			pass(0);
		} else {
			pass(1);
			consume(12 * MS);
		}
}

static pthread_barrier_t meeting;

static void meet(int number)
{
	for (int i = 0; i < MEETINGS; i++) {
		if (number == 0)
			long_share(24 * MS);
		else
			short_share(6 * MS);
		WAITING(pthread_barrier_wait(&meeting));
	}
}

int main(void)
{
	truth_start();
	pthread_barrier_init(&meeting, NULL, 4);
	crew_run(2, contend);
	crew_run(2, pipeline);
	crew_run(4, meet);
	truth_print();
	return 0;
}
