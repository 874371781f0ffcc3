/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Threads that share the sampler's clocks until the subject wants the signal of these for itself: it has a handler for SIGTRAP, blocks it in one
 * thread and finds it pending there. Before and after, all threads are sampled; so are threads that come later, and those of a forked child. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include "truth.h"

enum { THREADS = 3 };

BURNS(before_handler)
BURNS(after_handler)
BURNS(in_later_thread)
BURNS(in_child)

static pthread_barrier_t barrier;
static volatile int trapped, pending;

static void on_trap(int number) { trapped += number == SIGTRAP; }

static void *works(void *first)
{
	sigset_t traps, now;
	sigemptyset(&traps);
	sigaddset(&traps, SIGTRAP);
	truth_begin();
	before_handler(60 * MS);
	WAITING(pthread_barrier_wait(&barrier)); /* main takes the handler meanwhile */
	WAITING(pthread_barrier_wait(&barrier));
	after_handler(60 * MS);
	if (first) {
		pthread_sigmask(SIG_BLOCK, &traps, NULL);
		truth_spin(20 * truth_turns); /* the clock stands: charged to where the signal is unblocked */
		sigpending(&now);
		pending += sigismember(&now, SIGTRAP);
		pthread_kill(pthread_self(), SIGTRAP);
		sigpending(&now);
		pending += 10 * sigismember(&now, SIGTRAP);
		pthread_sigmask(SIG_UNBLOCK, &traps, NULL);
	}
	truth_end();
	return NULL;
}

static void *comes_later(void *unused)
{
	truth_begin();
	in_later_thread(60 * MS);
	truth_end();
	return unused;
}

static void forks(void)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t thread;
		truth_restart();
		in_child(60 * MS);
		pthread_create(&thread, NULL, comes_later, NULL);
		WAITING(pthread_join(thread, NULL));
		truth_print();
		_exit(0);
	}
	WAITING(waitpid(pid, &status, 0));
}

int main(void)
{
	pthread_t thread[THREADS], later;
	truth_start();
	pthread_barrier_init(&barrier, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, works, i ? NULL : &barrier);
	WAITING(pthread_barrier_wait(&barrier));
	struct sigaction action = {.sa_handler = on_trap, .sa_flags = SA_RESTART};
	sigaction(SIGTRAP, &action, NULL);
	WAITING(pthread_barrier_wait(&barrier));
	after_handler(60 * MS);
	for (int i = 0; i < THREADS; i++)
		WAITING(pthread_join(thread[i], NULL));
	pthread_create(&later, NULL, comes_later, NULL);
	WAITING(pthread_join(later, NULL));
	raise(SIGTRAP);
	truth_print();
	dprintf(1, "trapped %d, pending %d\n", trapped, pending);
	signal(SIGTRAP, SIG_DFL);
	forks();
	return trapped == 2 && pending == 10 ? 0 : 1;
}
