/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: threads spin in await_others. No call of libc waits: a lens cannot tell spinning from work, apart from sched_yield, and names no
 * other cause. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include "work.h"

enum { THREADS = 2, STEPS = 10 };

static atomic_int arrived;

ROUTINE static void await_others(int step)
{
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) < THREADS * (step + 1))
		sched_yield();
}

ROUTINE static void *simulate(void *number)
{
	for (int i = 0; i < STEPS; i++) {
		work_ms(number ? 5 : 50);
		await_others(i);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, simulate, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
