/* SPDX-License-Identifier: MIT */
/* threads.c: threads, one after another and at once, that return, leave by pthread_exit, are cancelled or still wait at the end; and processes. With an argument it
 * forks: what is counted in a child is the child's. Prints `expect FUNCTION COUNT` and `stops FUNCTION COUNT`. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
enum { AT_ONCE = 8, TURNS = 40, STEPS = 1000 };

static pthread_barrier_t all_here;
static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
static volatile int sink;

APART static int step(int i)
{
	return i % 3 == 0 ? i / 3 : i % 5 == 0 ? 7 : i + 1;
}

APART static int work(int from)
{
	int sum = 0;
	for (int i = 0; i < STEPS; i++)
		sum += step(from + i);
	return sum;
}

APART static void leave(int depth)
{
	if (depth == 0)
		pthread_exit(NULL);
	leave(depth - 1);
	sink++;
}

APART static void *returns(void *argument)
{
	return (void *)(long)work((int)(long)argument);
}

APART static void *leaves(void *argument)
{
	work((int)(long)argument);
	leave(3);
	return NULL;
}

APART static void *waits(void *argument)
{
	pthread_barrier_wait(&all_here);
	pthread_mutex_lock(&never);
	return argument;
}

APART static void in_threads(void *(*start)(void *), int count)
{
	pthread_t thread[AT_ONCE];
	for (int i = 0; i < count; i++)
		pthread_create(&thread[i], NULL, start, (void *)(long)i);
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

static void run_threads(void)
{
	pthread_t waiting;
	for (int i = 0; i < TURNS; i++)
		in_threads(i % 4 ? returns : leaves, AT_ONCE);
	printf("expect step %d\n", TURNS * AT_ONCE * STEPS);
	printf("expect returns %d\n", TURNS / 4 * 3 * AT_ONCE);
	printf("expect leave %d\n", TURNS / 4 * AT_ONCE);
	printf("stops leave %d\n", TURNS / 4 * AT_ONCE * 3);
	printf("stops leaves %d\n", TURNS / 4 * AT_ONCE);
	pthread_mutex_lock(&never);
	pthread_barrier_init(&all_here, NULL, 2);
	pthread_create(&waiting, NULL, waits, NULL);
	pthread_barrier_wait(&all_here);
	printf("stops waits 1\n");
}

/* The parent's 1000 steps are not in its children. */
static void run_children(void)
{
	sink = work(0);
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		if (child == 0) {
			sink = work(i);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	printf("expect step %d\n", 4 * STEPS);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		run_children();
	else
		run_threads();
	return 0;
}
