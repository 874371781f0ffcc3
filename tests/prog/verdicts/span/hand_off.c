/* SPDX-License-Identifier: MIT */
/* hand_off.c: two threads take turns: each waits for a condition that the other one signals.
 * True cause: the order of the turns; nothing runs in parallel, though creates and joins alone would allow 2. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;
static volatile unsigned sink;

__attribute__((noinline)) static void step(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = i;
}

static void *player(void *number)
{
	int me = *(int *)number;
	for (int i = 0; i < 40; i++) {
		pthread_mutex_lock(&lock);
		while (turn != me)
			pthread_cond_wait(&changed, &lock);
		pthread_mutex_unlock(&lock);
		step();
		pthread_mutex_lock(&lock);
		turn = !me;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	int numbers[2] = {0, 1};
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, player, &numbers[i]);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
