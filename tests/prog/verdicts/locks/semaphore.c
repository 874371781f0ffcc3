/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: a ring of four threads hands one token on by semaphores; receive waits for the thread before it. */
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include "../work.h"

enum { THREADS = 4, ROUNDS = 40 };

static sem_t token[THREADS];

ROUTINE static void receive(int me)
{
	while (sem_wait(&token[me]))
		;
}

ROUTINE static void *pass_on(void *number)
{
	int me = (int)(intptr_t)number;
	for (int i = 0; i < ROUNDS; i++) {
		receive(me);
		work_ms(5);
		sem_post(&token[(me + 1) % THREADS]);
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		sem_init(&token[i], 0, i == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, pass_on, (void *)(intptr_t)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
