/* SPDX-License-Identifier: MIT */
/* attached.c: a program that is looked at while it runs, until somebody ends it: one thread works in deep calls, two take turns with a
 * lock, one waits for a condition that never comes, one is created and ends again and again, and main sleeps. */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH = 20, LOOPS = 2000000, HOLD_NS = 2000000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, quiet = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile unsigned long sink;

static void pause_ns(long ns)
{
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

__attribute__((noinline)) static void burn(void)
{
	for (int i = 0; i < LOOPS; i++)
		sink += (unsigned long)i * 7;
}

__attribute__((noinline)) static void descend(int depth)
{
	if (depth)
		descend(depth - 1);
	else
		burn();
	sink++;
}

static void *work(void *unused)
{
	for (;;)
		descend(DEPTH);
	return unused;
}

__attribute__((noinline)) static void take_lock(void)
{
	pthread_mutex_lock(&lock);
	pause_ns(HOLD_NS);
	pthread_mutex_unlock(&lock);
	pause_ns(10000);
}

static void *take_turns(void *unused)
{
	for (;;)
		take_lock();
	return unused;
}

static void *wait_for_nothing(void *unused)
{
	pthread_mutex_lock(&quiet);
	for (;;)
		pthread_cond_wait(&never, &quiet);
	return unused;
}

static void *short_lived(void *unused)
{
	pause_ns(1000000);
	return unused;
}

static void *create(void *unused)
{
	for (;;) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, short_lived, NULL) == 0)
			pthread_join(thread, NULL);
		pause_ns(20000000);
	}
	return unused;
}

int main(void)
{
	void *(*const all[])(void *) = {work, take_turns, take_turns, wait_for_nothing, create};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, all[i], NULL);
		if (i == 0)
			pthread_setname_np(thread, "worker");
	}
	puts("ready");
	fflush(stdout);
	for (;;)
		sleep(1);
}
