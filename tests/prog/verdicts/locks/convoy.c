/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: a lock convoy. write_log holds log_lock for a moment only, but each thread needs the lock at every step, and has little else to do:
 * all threads queue there. */
#include <pthread.h>
#include "../work.h"

enum { THREADS = 4, STEPS = 400 };

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static long volatile sum;

static void moment(int length)
{
	for (int i = 0; i < length; i++)
		sum += i;
}

ROUTINE static void write_log(void)
{
	pthread_mutex_lock(&log_lock);
	moment(400000);
	pthread_mutex_unlock(&log_lock);
}

ROUTINE static void *answer(void *none)
{
	for (int i = 0; i < STEPS; i++) {
		moment(20000);
		write_log();
	}
	return none;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, answer, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
