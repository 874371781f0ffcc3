/* SPDX-License-Identifier: MIT */
/* server.c: two threads that serve until the program is stopped: by a signal, or by an exit of main's.
 * True cause: serve is all that the threads do; the parallelism is 2 at most, and main's set_up comes before it.
 *
 *     server signal REQUESTS       each thread serves that many requests at least, then SIGTERM
 *     server kill REQUESTS         the same, then SIGKILL
 *     server exit REQUESTS */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 2 };
static volatile unsigned sink;
static atomic_int served[THREADS];

__attribute__((noinline)) static void set_up(void)
{
	for (unsigned i = 0; i < 100000; i++)
		sink = i;
}

__attribute__((noinline)) static void serve(void)
{
	for (unsigned i = 0; i < 10000; i++)
		sink = i;
}

static void *server(void *number)
{
	for (;;) {
		serve();
		atomic_fetch_add(&served[*(int *)number], 1);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int requests = argc > 2 ? atoi(argv[2]) : 100, numbers[THREADS];
	pthread_t threads[THREADS];
	set_up();
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		pthread_create(&threads[i], NULL, server, &numbers[i]);
	}
	for (int i = 0; i < THREADS; i++)
		while (atomic_load(&served[i]) < requests)
			usleep(1000);
	if (argc > 1 && strcmp(argv[1], "signal") == 0)
		kill(getpid(), SIGTERM);
	if (argc > 1 && strcmp(argv[1], "kill") == 0)
		kill(getpid(), SIGKILL);
	exit(0);
}
