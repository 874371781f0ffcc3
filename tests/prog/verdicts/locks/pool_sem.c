/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: a semaphore lets one thread at a time into db_query. */
#include <pthread.h>
#include <semaphore.h>
#include "../work.h"
static sem_t connections;
ROUTINE static void db_query(void)
{
	while (sem_wait(&connections))
		;
	work_ms(8);
	sem_post(&connections);
}
ROUTINE static void *handler(void *n)
{
	for (int i = 0; i < 20; i++) {
		work_ms(1);
		db_query();
	}
	return n;
}
int main(void)
{
	pthread_t t[6];
	sem_init(&connections, 0, 1);
	for (int i = 0; i < 6; i++)
		pthread_create(&t[i], 0, handler, 0);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], 0);
	return 0;
}
