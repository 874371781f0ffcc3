/* SPDX-License-Identifier: MIT */
/* workers.h: run a function in several pthreads at once, which begin together; the caller waits for them. Only what happens between
 * truth_begin and truth_end of the function counts as working. */
#ifndef IDLE_WORKERS_H
#define IDLE_WORKERS_H

#include <pthread.h>
#include "truth.h"

struct crew {
	pthread_barrier_t *together;
	void (*run)(int number);
	int number;
};

static void *crew_member(void *p)
{
	struct crew *me = p;
	pthread_barrier_wait(me->together);
	truth_begin();
	me->run(me->number);
	truth_end();
	return NULL;
}

static void crew_run(int count, void (*run)(int number))
{
	pthread_barrier_t together;
	pthread_t threads[count];
	struct crew crew[count];
	pthread_barrier_init(&together, NULL, (unsigned)count);
	truth_end();
	for (int i = 0; i < count; i++) {
		crew[i] = (struct crew){&together, run, i};
		pthread_create(&threads[i], NULL, crew_member, &crew[i]);
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	truth_begin();
	pthread_barrier_destroy(&together);
}

#endif
