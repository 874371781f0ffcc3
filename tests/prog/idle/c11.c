/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* C11 threads: a serial phase, one on two threads, and one in which a mutex and a condition make them take turns. */
#include <threads.h>
#include "truth.h"

enum { PHASE_MS = 120, TURNS = 8 };

BURNS(alone)
BURNS(both)
BURNS(in_turn)

static mtx_t lock;
static cnd_t changed;
static int whose;

static int run(void *number)
{
	int me = *(int *)number;
	truth_begin();
	both(PHASE_MS * MS / 2);
	for (int i = 0; i < TURNS; i++) {
		WAITING(mtx_lock(&lock));
		while (whose != me)
			WAITING(cnd_wait(&changed, &lock));
		mtx_unlock(&lock);
		in_turn(PHASE_MS * MS / TURNS / 2);
		mtx_lock(&lock);
		whose = !me;
		cnd_broadcast(&changed);
		mtx_unlock(&lock);
	}
	truth_end();
	return me;
}

int main(void)
{
	thrd_t threads[2];
	int numbers[] = {0, 1}, sum = 0, result;
	truth_start();
	mtx_init(&lock, mtx_plain);
	cnd_init(&changed);
	alone(PHASE_MS * MS);
	truth_end();
	for (int i = 0; i < 2; i++)
		thrd_create(&threads[i], run, &numbers[i]);
	for (int i = 0; i < 2; i++) {
		thrd_join(threads[i], &result);
		sum += result;
	}
	truth_print();
	return sum != 1;
}
