/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: every look-up holds the one lock `table_lock`, in table_find, for nearly all of its work. */
#include <pthread.h>
#include "../work.h"

enum { THREADS = 4, ROUNDS = 40 };

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

ROUTINE static void table_find(void)
{
	pthread_mutex_lock(&table_lock);
	work_ms(5);
	pthread_mutex_unlock(&table_lock);
}

ROUTINE static void *look_up(void *none)
{
	for (int i = 0; i < ROUNDS; i++)
		table_find();
	return none;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, look_up, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
