/* SPDX-License-Identifier: MIT */
/* many threads N: N threads that are all alive at once. many forks N: N children, twenty at a time. many opens N LIBRARY: loads, calls and closes a
 * library N times, in four threads. */
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"

static pthread_barrier_t all;
static int times;
static const char *library;

static void *meets(void *unused)
{
	work(2);
	pthread_barrier_wait(&all);
	work(1);
	return unused;
}

static void threads(int n)
{
	pthread_t *thread = (pthread_t *)calloc((size_t)n, sizeof *thread);
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all, NULL, (unsigned)n);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], &small, meets, NULL))
			exit(4);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	free(thread);
}

static void forks(int n)
{
	enum { AT_ONCE = 20 };
	int status, sum = 0;
	for (int i = 0; i < n + AT_ONCE; i++) {
		if (i >= AT_ONCE && wait(&status) > 0)
			sum += WEXITSTATUS(status);
		if (i >= n)
			continue;
		pid_t child = fork();
		if (child < 0)
			exit(4);
		if (child == 0) {
			work(3);
			_exit(i % 7);
		}
	}
	dprintf(1, "sum of statuses %d\n", sum);
}

static void *opens(void *unused)
{
	for (int i = 0; i < times; i++) {
		void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
		unsigned (*plugged)(unsigned) = handle ? (unsigned (*)(unsigned))dlsym(handle, "plugged") : NULL;
		if (!plugged)
			exit(4);
		work(plugged((unsigned)i) % 2 + 1);
		dlclose(handle);
	}
	return unused;
}

static void open_storm(void)
{
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, opens, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	dprintf(1, "expect plugged %d\n", 4 * times);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	times = atoi(argv[2]);
	library = argv[3];
	if (strcmp(argv[1], "threads") == 0)
		threads(times);
	else if (strcmp(argv[1], "forks") == 0)
		forks(times);
	else
		open_storm();
	report_work();
	return 0;
}
