/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: the work of main. Another thread has nothing to do meanwhile: main holds a lock to stop it, as redis does with its threads for
 * input and output, and lets it go for a moment. */
#include <pthread.h>
#include "../work.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

ROUTINE static void *help(void *none)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&gate);
		pthread_mutex_unlock(&gate);
		work_ms(1);
	}
	return none;
}

int main(void)
{
	pthread_t thread;
	pthread_mutex_lock(&gate);
	pthread_create(&thread, NULL, help, NULL);
	work_ms(400);
	pthread_mutex_unlock(&gate);
	pthread_join(thread, NULL);
	return 0;
}
