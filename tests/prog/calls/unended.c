/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: idler wait_lock wait_condition wait_io wait_asleep */
/* run: return */
/* run: _exit */
/* run: sigkill */
/* Threads that wait until the process ends have waited, not worked: a pool without work, a server's helpers. Each has
 * waited for about 200 ms at the end; half of it must be found. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>
#include "../count.h"

enum { MS = 200 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, queue = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t job = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t start;
static int tube[2];

ROUTINE static void wait_lock(void) { pthread_mutex_lock(&lock); }
ROUTINE static void wait_io(void) { char c; while (read(tube[0], &c, 1) < 0) ; }
ROUTINE static void wait_asleep(void) { for (;;) pause(); }

ROUTINE static void wait_condition(void)
{
	pthread_mutex_lock(&queue);
	for (;;)
		pthread_cond_wait(&job, &queue);
}

static void (*const ways[])(void) = {wait_lock, wait_condition, wait_io, wait_asleep};
enum { WAYS = sizeof ways / sizeof *ways };

ROUTINE static void *idler(void *way)
{
	pthread_barrier_wait(&start);
	(*(void (*const *)(void))way)();
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"wait_lock", "wait_condition", "wait_io", "wait_asleep"};
	pthread_barrier_init(&start, NULL, WAYS + 1);
	pthread_mutex_lock(&lock);
	if (argc < 2 || pipe(tube))
		return 1;
	for (int i = 0; i < WAYS; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, idler, (void *)&ways[i]);
	}
	pthread_barrier_wait(&start);
	usleep(MS * 1000);
	for (int i = 0; i < WAYS; i++) {
		expect(names[i], 1);
		dprintf(1, "wait %s %d\n", names[i], MS / 2 * 1000000);
	}
	expect("idler", WAYS);
	if (!strcmp(argv[1], "_exit"))
		_exit(5);
	if (!strcmp(argv[1], "sigkill"))
		kill(getpid(), SIGKILL);
	return 3;
}
