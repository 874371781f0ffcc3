/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the counters of two threads lie in one cache line. No lens sees that without counters of the processor: none may name
 * another cause. */
#include <pthread.h>
#include <stdatomic.h>
#include "work.h"

static struct {
	atomic_long count;
} counters[2];

static long cpu_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

ROUTINE static void *count_up(void *which)
{
	atomic_long *mine = &counters[which != NULL].count;
	for (long from = cpu_ms(); cpu_ms() - from < 400;)
		for (int i = 0; i < 10000; i++)
			atomic_fetch_add_explicit(mine, 1, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t other;
	pthread_create(&other, NULL, count_up, &other);
	count_up(NULL);
	pthread_join(other, NULL);
	return 0;
}
