/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* True cause: two threads wait for one lock in take_turn. A third thread waits for a condition all its life: by design. */
#include <pthread.h>
#include <stdlib.h>
#include "../work.h"

enum { ROUNDS = 40 };

static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER, end_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t end_condition = PTHREAD_COND_INITIALIZER;

ROUTINE static void *await_end(void *none)
{
	pthread_mutex_lock(&end_lock);
	for (;;)
		pthread_cond_wait(&end_condition, &end_lock);
	return none;
}

ROUTINE static void take_turn(void)
{
	pthread_mutex_lock(&turn_lock);
	work_ms(5);
	pthread_mutex_unlock(&turn_lock);
}

ROUTINE static void *play(void *none)
{
	for (int i = 0; i < ROUNDS; i++)
		take_turn();
	return none;
}

int main(void)
{
	pthread_t waiter, players[2];
	pthread_create(&waiter, NULL, await_end, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&players[i], NULL, play, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(players[i], NULL);
	exit(0);
}
