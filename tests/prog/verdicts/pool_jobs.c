/* flags: -O2 -g -pthread */
/* True cause: a pool of two threads gets one long job and one short one: compress_block is not divided finely enough. Its kernels find_match and
 * write_codes are only where that job happens to be, and run_pool runs any job. */
#include <pthread.h>
#include "work.h"

/* Not a routine, inlined or not: the kernels below are blamed for their own work. */
#define WORK_MS(ms)                                                                                          \
	do {                                                                                                 \
		struct timespec from, now;                                                                   \
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);                                               \
		do {                                                                                         \
			for (volatile int i = 0; i < 1000; i++)                                              \
				;                                                                            \
			clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);                                        \
		} while ((now.tv_sec - from.tv_sec) * 1000 + (now.tv_nsec - from.tv_nsec) / 1000000 < (ms)); \
	} while (0)

enum { JOBS = 2 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static const long sizes[JOBS] = {40, 4};
static int next, done;

ROUTINE static void find_match(void)
{
	WORK_MS(8);
}

ROUTINE static void write_codes(void)
{
	WORK_MS(4);
}

ROUTINE static int compress_block(long size)
{
	for (long i = 0; i < size; i++) {
		find_match();
		write_codes();
	}
	return 1;
}

ROUTINE static void *run_pool(void *none)
{
	pthread_mutex_lock(&lock);
	while (done < JOBS) {
		if (next == JOBS) {
			pthread_cond_wait(&changed, &lock);
			continue;
		}
		long size = sizes[next++];
		pthread_mutex_unlock(&lock);
		int finished = compress_block(size);
		pthread_mutex_lock(&lock);
		done += finished;
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, run_pool, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
