/* flags: -O2 -g -pthread */
/* True cause: handle works alone. The background thread waits for a condition for its whole life: not for handle. */
#include <pthread.h>
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t jobs = PTHREAD_COND_INITIALIZER;

ROUTINE static void *background(void *none)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&jobs, &lock);
	return none;
}

ROUTINE static void handle(void)
{
	work_ms(300);
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, background, NULL);
	handle();
	return 0;
}
