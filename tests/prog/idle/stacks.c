/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread -fno-optimize-sibling-calls */
/* Unusual stacks: coroutines (swapcontext), a thread with the smallest stack there may be, a deep recursion, and a
 * handler on an alternate stack that is left by siglongjmp. */
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include "truth.h"

enum { COROUTINES = 4, TURNS = 10, STACK = 65536, DEPTH = 5000 };

BURNS(in_coroutine)
BURNS(in_small_stack)
BURNS(at_depth)
BURNS(in_left_handler)

static ucontext_t scheduler, coroutines[COROUTINES];

static void coroutine(int number)
{
	for (int turn = 0; turn < TURNS; turn++) {
		in_coroutine(2 * MS);
		swapcontext(&coroutines[number], &scheduler);
	}
}

static void take_turns(void)
{
	for (int turn = 0; turn < TURNS; turn++)
		for (int i = 0; i < COROUTINES; i++)
			swapcontext(&scheduler, &coroutines[i]);
}

static void *small(void *unused)
{
	truth_begin();
	in_small_stack(60 * MS);
	truth_end();
	return unused;
}

static void in_thread(void *(*run)(void *), size_t stack)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	if (stack && pthread_attr_setstacksize(&attributes, stack))
		exit(1);
	if (pthread_create(&thread, &attributes, run, NULL))
		exit(2);
	WAITING(pthread_join(thread, NULL));
}

ROUTINE static int deep(int depth)
{
	if (depth == 0) {
		at_depth(60 * MS);
		return 0;
	}
	return deep(depth - 1) + 1;
}

static sigjmp_buf back;
static void on_usr1(int number)
{
	in_left_handler(60 * MS);
	siglongjmp(back, number);
}

int main(void)
{
	stack_t stack = {.ss_sp = malloc(STACK), .ss_size = STACK};
	truth_start();
	for (int i = 0; i < COROUTINES; i++) {
		getcontext(&coroutines[i]);
		coroutines[i].uc_stack.ss_sp = malloc(STACK);
		coroutines[i].uc_stack.ss_size = STACK;
		coroutines[i].uc_link = &scheduler;
		makecontext(&coroutines[i], (void (*)(void))coroutine, 1, i);
	}
	take_turns();
	in_thread(small, (size_t)sysconf(_SC_THREAD_STACK_MIN) > 16384 ? (size_t)sysconf(_SC_THREAD_STACK_MIN) : 16384);
	dprintf(1, "depth %d\n", deep(DEPTH));
	struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_ONSTACK};
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR1);
	truth_print();
	return 0;
}
