/* SPDX-License-Identifier: MIT */
/* semaphores.c: main and a thread hand their turn to each other by two semaphores.
 * True cause: the order of the turns; nothing runs in parallel, though create and join alone would allow 2. */
#include <pthread.h>
#include <semaphore.h>

static sem_t left, right;
static volatile unsigned sink;

__attribute__((noinline)) static void step(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = i;
}

static void take_turns(sem_t *mine, sem_t *other)
{
	for (int i = 0; i < 40; i++) {
		sem_wait(mine);
		step();
		sem_post(other);
	}
}

static void *partner(void *unused)
{
	take_turns(&left, &right);
	return unused;
}

int main(void)
{
	pthread_t thread;
	sem_init(&left, 0, 1);
	sem_init(&right, 0, 0);
	pthread_create(&thread, NULL, partner, NULL);
	take_turns(&right, &left);
	pthread_join(thread, NULL);
	return 0;
}
