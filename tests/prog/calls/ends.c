/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* entered: worker nest end main */
/* run: return */
/* run: exit */
/* run: _exit */
/* run: _Exit */
/* run: quick_exit */
/* run: abort */
/* run: pthread_exit */
/* run: thread-exit */
/* run: sigterm */
/* run: sigkill */
/* run: sigsegv */
/* Every way to end, inside nested calls, with another thread at work. All calls are made before the end: a killed
 * process has lost nothing. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../count.h"

static pthread_barrier_t done;
static const char *how;

ROUTINE static void step(void) { __asm__ volatile(""); }

ROUTINE static void *worker(void *unused)
{
	for (int i = 0; i < 5000; i++)
		step();
	pthread_barrier_wait(&done);
	if (!strcmp(how, "thread-exit")) {
		pthread_barrier_wait(&done);
		exit(7);
	}
	if (strcmp(how, "pthread_exit"))
		pause();
	return unused;
}

ROUTINE static void end(void)
{
	if (!strcmp(how, "exit"))
		exit(4);
	if (!strcmp(how, "_exit"))
		_exit(5);
	if (!strcmp(how, "_Exit"))
		_Exit(6);
	if (!strcmp(how, "quick_exit"))
		quick_exit(8);
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "pthread_exit"))
		pthread_exit(NULL);
	if (!strcmp(how, "thread-exit"))
		pthread_barrier_wait(&done), pause();
	if (!strcmp(how, "sigterm"))
		kill(getpid(), SIGTERM), pause();
	if (!strcmp(how, "sigkill"))
		kill(getpid(), SIGKILL), pause();
	if (!strcmp(how, "sigsegv"))
		*(volatile int *)8 = 1;
}

ROUTINE static void nest(int depth)
{
	if (depth)
		nest(depth - 1);
	else
		end();
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	pthread_t thread;
	how = argc > 1 ? argv[1] : "return";
	pthread_barrier_init(&done, NULL, 2);
	pthread_create(&thread, NULL, worker, NULL);
	for (int i = 0; i < 3000; i++)
		step();
	expect("step", 8000);
	expect("worker", 1);
	expect("nest", 6);
	expect("end", 1);
	expect("main", 1);
	pthread_barrier_wait(&done);
	nest(5);
	return 3;
}
