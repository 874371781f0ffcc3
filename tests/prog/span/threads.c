/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: child exits */
/* run: equal */
/* run: apart */
/* run: reversed */
/* run: nested */
/* run: handed */
/* run: grandchild */
/* run: detached */
/* run: unjoined */
/* run: many */
/* run: exits */
/* run: cancelled */
/* run: c11 */
/* run: inside */
/* run: between */
/* run: beside */
/* run: loop */
/* Threads of every shape whose work and span are known in units of one loop. What creates and joins costs next to nothing. */
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <dirent.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>
#include "../count.h"

enum { UNIT = 200000 };
COUNTED(work);

ROUTINE static void work(int tenths)
{
	COUNT(work);
	for (volatile int i = 0; i < tenths * (UNIT / 10); i++)
		;
}

/* Work over span, in units: within one per cent. */
static void known(double all, double longest)
{
	dprintf(1, "figure parallelism %.3f %.3f\n", all / longest * 0.99, all / longest * 1.01);
	EXPECT(work);
}

static void *child(void *units)
{
	work(10 * (int)(intptr_t)units);
	return NULL;
}

static pthread_t create(int units)
{
	pthread_t thread;
	pthread_create(&thread, NULL, child, (void *)(intptr_t)units);
	return thread;
}

ROUTINE static void create_all(pthread_t *threads, int count, int same)
{
	for (int i = 0; i < count; i++)
		threads[i] = create(same ? same : i + 1);
}

ROUTINE static void join_all(pthread_t *threads, int count, int step)
{
	for (int i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step)
		pthread_join(threads[i], NULL);
}

static void *nests(void *unused)
{
	work(10);
	pthread_t b = create(2), c = create(2);
	work(10);
	pthread_join(b, NULL);
	pthread_join(c, NULL);
	return unused;
}

static void *joins(void *other)
{
	work(10);
	pthread_join(*(pthread_t *)other, NULL);
	work(10);
	return NULL;
}

static void *leaves_behind(void *to)
{
	work(10);
	*(pthread_t *)to = create(3);
	work(10);
	return NULL;
}

ROUTINE static void exits(int depth)
{
	if (depth)
		exits(depth - 1);
	work(10);
	pthread_exit(NULL);
}

static void *exits_below(void *unused)
{
	exits(10);
	return unused;
}

static void *is_cancelled(void *ready)
{
	work(10);
	pthread_barrier_wait(ready);
	for (;;)
		pause();
	return NULL;
}

static int child_c11(void *units)
{
	child(units);
	return 0;
}

static void *spawns(void *unused)
{
	cilk_spawn work(10);
	work(10);
	cilk_sync;
	return unused;
}

static void wait_until_alone(void)
{
	for (int tasks = 0; tasks != 1; usleep(1000)) {
		DIR *folder = opendir("/proc/self/task");
		for (tasks = -2; readdir(folder);)
			tasks++;
		closedir(folder);
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "equal";
	static pthread_t threads[1000];
	if (!strcmp(how, "equal")) {
		for (int i = 0; i < 4; i++)
			threads[i] = create(3);
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], NULL);
		known(12, 3);
	} else if (!strcmp(how, "apart")) {
		create_all(threads, 8, 1);
		join_all(threads, 8, 1);
		known(8, 1);
	} else if (!strcmp(how, "reversed")) {
		create_all(threads, 4, 0);
		join_all(threads, 4, -1);
		known(10, 4);
	} else if (!strcmp(how, "nested")) {
		pthread_create(&threads[0], NULL, nests, NULL);
		pthread_join(threads[0], NULL);
		known(6, 3);
	} else if (!strcmp(how, "handed")) {
		threads[0] = create(3);
		pthread_create(&threads[1], NULL, joins, &threads[0]);
		work(20);
		pthread_join(threads[1], NULL);
		known(7, 4);
	} else if (!strcmp(how, "grandchild")) {
		work(10);
		pthread_create(&threads[0], NULL, leaves_behind, &threads[1]);
		pthread_join(threads[0], NULL);
		pthread_join(threads[1], NULL);
		work(10);
		known(7, 6);
	} else if (!strcmp(how, "detached")) {
		pthread_detach(create(3));
		work(10);
		wait_until_alone();
		known(4, 3);
	} else if (!strcmp(how, "unjoined")) {
		for (int i = 0; i < 4; i++)
			create(3);
		wait_until_alone();
		known(12, 3);
	} else if (!strcmp(how, "many")) {
		for (int i = 0; i < 10; i++) {
			create_all(threads, 100, 1);
			join_all(threads, 100, 1);
		}
		dprintf(1, "figure threads 1000 1000\nfigure joined 1000 1000\n");
		known(1000, 10);
	} else if (!strcmp(how, "exits")) {
		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, exits_below, NULL);
		join_all(threads, 4, 1);
		known(4, 1);
		expect("exits", 44);
	} else if (!strcmp(how, "cancelled")) {
		pthread_barrier_t ready;
		pthread_barrier_init(&ready, NULL, 5);
		for (int i = 0; i < 4; i++)
			pthread_create(&threads[i], NULL, is_cancelled, &ready);
		pthread_barrier_wait(&ready);
		for (int i = 0; i < 4; i++)
			pthread_cancel(threads[i]);
		join_all(threads, 4, 1);
		known(4, 1);
	} else if (!strcmp(how, "c11")) {
		thrd_t c11[4];
		for (int i = 0; i < 4; i++)
			thrd_create(&c11[i], child_c11, (void *)(intptr_t)1);
		for (int i = 0; i < 4; i++)
			thrd_join(c11[i], NULL);
		known(4, 1);
	} else if (!strcmp(how, "inside")) { /* spawns inside threads */
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, spawns, NULL);
		join_all(threads, 3, 1);
		known(6, 1);
	} else if (!strcmp(how, "between")) { /* a thread between spawn and sync */
		cilk_spawn work(20);
		threads[0] = create(3);
		pthread_join(threads[0], NULL);
		work(10);
		cilk_sync;
		cilk_spawn work(60);
		threads[0] = create(3);
		pthread_join(threads[0], NULL);
		cilk_sync;
		known(15, 10);
	} else if (!strcmp(how, "beside")) { /* a spawn between create and join, and the other way round */
		threads[0] = create(3);
		cilk_spawn work(20);
		pthread_join(threads[0], NULL);
		work(10);
		cilk_sync;
		cilk_spawn work(20);
		threads[0] = create(3);
		cilk_sync;
		pthread_join(threads[0], NULL);
		known(11, 7);
	} else if (!strcmp(how, "loop")) {
		cilk_for (int i = 0; i < 4; i++) {
			pthread_t thread = create(4 - i);
			pthread_join(thread, NULL);
		}
		known(10, 4);
	}
	return 0;
}
