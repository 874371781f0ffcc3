/* SPDX-License-Identifier: MIT */
/* Its constructor starts a thread and leaves main to the loader only when the thread has burnt half of what it will. */
#include <pthread.h>
#include "truth.h"

void early_join(void);

BURNS(before_main)

static pthread_t thread;
static pthread_barrier_t half_way;

static void *run(void *unused)
{
	before_main(60 * MS);
	pthread_barrier_wait(&half_way);
	before_main(60 * MS);
	return unused;
}

__attribute__((constructor)) static void start(void)
{
	truth_start();
	pthread_barrier_init(&half_way, NULL, 2);
	pthread_create(&thread, NULL, run, NULL);
	pthread_barrier_wait(&half_way);
}

void early_join(void)
{
	pthread_join(thread, NULL);
	truth_print();
}
