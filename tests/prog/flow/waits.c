/* SPDX-License-Identifier: MIT */
/* waits PART: threads that wait for each other in ways whose counts are known; prints `done PART`. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

/* A function of its own, whose last call is a call: its frame is on the stack. */
#define CALLED __attribute__((noinline, noclone))
#define STAYS() __asm__ volatile("" ::: "memory")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t items, rooms;
static int ready, sum;

static void run(int threads, void *(*body)(void *))
{
	pthread_t all[16];
	for (long i = 0; i < threads; i++)
		pthread_create(&all[i], NULL, body, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(all[i], NULL);
}

static void *hold(void *number)
{
	usleep(number ? 30000 : 0);
	pthread_mutex_lock(&lock);
	usleep(100000);
	pthread_mutex_unlock(&lock);
	return NULL;
}

/* Each thread has a lock of its own, and one that all have: 1,000 times each. */
static void *own(void *unused)
{
	pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&mine);
		pthread_mutex_unlock(&mine);
		pthread_mutex_lock(&lock);
		sum++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static void *late(void *number)
{
	for (int turn = 0; turn < 5; turn++) {
		usleep(number ? 1000 : 20000);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static void *produce(void *number)
{
	for (int i = 0; i < 100; i++) {
		sem_wait(number ? &items : &rooms);
		sem_post(number ? &rooms : &items);
	}
	return NULL;
}

static void *wait_for_it(void *number)
{
	usleep(number ? 0 : 50000);
	pthread_mutex_lock(&lock);
	if (number) {
		while (!ready)
			pthread_cond_wait(&condition, &lock);
	} else {
		ready = 1;
		pthread_cond_broadcast(&condition);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *share(void *number)
{
	for (int i = 0; i < 10; i++) {
		if (number)
			pthread_rwlock_rdlock(&shared);
		else
			pthread_rwlock_wrlock(&shared);
		usleep(1000);
		pthread_rwlock_unlock(&shared);
	}
	return NULL;
}

static void recurse(void)
{
	pthread_mutexattr_t recursive;
	pthread_mutex_t m;
	pthread_mutexattr_init(&recursive);
	pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &recursive);
	for (int i = 0; i < 3; i++)
		pthread_mutex_lock(&m);
	pthread_mutex_trylock(&m);
	for (int i = 0; i < 4; i++)
		pthread_mutex_unlock(&m);
}

/* ---- waits under known paths ---- */

static CALLED void innermost(void)
{
	sem_wait(&items);
	STAYS();
}

static CALLED void middle(void)
{
	innermost();
	STAYS();
}

static CALLED void outer(void)
{
	middle();
	STAYS();
}

static void *chain(void *unused)
{
	(void)unused;
	outer();
	middle();
	return NULL;
}

static CALLED void descend(int depth)
{
	if (depth)
		descend(depth - 1);
	else
		innermost();
	STAYS();
}

static void *deep(void *unused)
{
	(void)unused;
	descend(100);
	descend(20);
	return NULL;
}

static void post_late(void *(*body)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, body, NULL);
	for (int i = 0; i < 2; i++) {
		usleep(20000);
		sem_post(&items);
	}
	pthread_join(thread, NULL);
}

/* ---- locks taken in one routine and given back in another one ---- */

static CALLED void take(void)
{
	pthread_mutex_lock(&lock);
	pthread_rwlock_wrlock(&shared);
	STAYS();
}

static CALLED void give(void)
{
	pthread_rwlock_unlock(&shared);
	pthread_mutex_unlock(&lock);
	STAYS();
}

static void *take_and_give(void *unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++) {
		take();
		usleep(1000);
		give();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";
	pthread_barrier_init(&barrier, NULL, 3);
	sem_init(&items, 0, 0);
	sem_init(&rooms, 0, 4);
	if (strcmp(part, "lock") == 0)
		run(2, hold);
	if (strcmp(part, "own") == 0)
		run(4, own);
	if (strcmp(part, "barrier") == 0)
		run(3, late);
	if (strcmp(part, "semaphore") == 0)
		run(2, produce);
	if (strcmp(part, "condition") == 0)
		run(4, wait_for_it);
	if (strcmp(part, "share") == 0)
		run(3, share);
	if (strcmp(part, "recursive") == 0)
		recurse();
	if (strcmp(part, "chain") == 0)
		post_late(chain);
	if (strcmp(part, "deep") == 0)
		post_late(deep);
	if (strcmp(part, "take") == 0)
		run(2, take_and_give);
	if (strcmp(part, "fork-later") == 0)
		run(2, hold);
	if (strncmp(part, "fork", 4) == 0 && fork() == 0)
		run(2, hold);
	while (strncmp(part, "fork", 4) == 0 && wait(NULL) > 0)
		;
	printf("done %s\n", part);
	return sum == (strcmp(part, "own") == 0 ? 4000 : 0) ? 0 : 1;
}
