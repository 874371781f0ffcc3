/* SPDX-License-Identifier: MIT */
/* walk.h: walks by our unwinder and by libgcc's, at one point and at every instruction of a piece of program. */
#ifndef SKEIN_UNIT_UNWIND_WALK_H
#define SKEIN_UNIT_UNWIND_WALK_H

#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <cmocka.h>
#include "unwind/unwind.h"

static volatile int sink;

enum { DEEPEST = 512 };
#ifdef __clang__
#define NOINLINE __attribute__((noinline, disable_tail_calls))
#define FRAME_POINTER /* what asks for the address of its frame has one */
#else
#define FRAME_POINTER __attribute__((optimize("no-omit-frame-pointer")))
#define NOINLINE __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
#endif

static __attribute__((unused)) _Alignas(64) unsigned char cache_memory[UNWIND_CACHE_BYTES];
static struct unwind_cache *const cache = (struct unwind_cache *)cache_memory;
static uintptr_t stack_low, stack_high;

struct path {
	uintptr_t ip[DEEPEST];
	int count;
	enum unwind_step how;
};

static __attribute__((unused)) void find_stack(uintptr_t *low, uintptr_t *high)
{
	pthread_attr_t attr;
	void *at;
	size_t bytes;
	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &at, &bytes);
	pthread_attr_destroy(&attr);
	*low = (uintptr_t)at;
	*high = (uintptr_t)at + bytes;
}

static __attribute__((unused)) void follow(struct unwind *u, struct path *path)
{
	path->count = 0;
	do {
		if (path->count == DEEPEST)
			return;
		path->ip[path->count++] = u->frame.ip;
	} while ((path->how = unwind_step(u)) == UNWIND_FRAME);
}

/* How many frames of libgcc's list, from the one that has ip on, are the same in ours; all of them should be. */
static __attribute__((unused)) int same(const struct path *path, void **theirs, int count, uintptr_t ip)
{
	int first = 0;
	while (first < count && (uintptr_t)theirs[first] != ip)
		first++;
	if (first == count)
		return 0;
	for (int i = first; i < count; i++)
		if (i - first >= path->count || path->ip[i - first] != (uintptr_t)theirs[i])
			return 0;
	return count - first;
}

static __attribute__((unused)) NOINLINE void check_here(void)
{
	struct path path;
	struct unwind u;
	void *theirs[DEEPEST];
	unwind_here(&u, cache, stack_low, stack_high);
	assert_true(u.is_return);
	follow(&u, &path);
	int count = backtrace(theirs, DEEPEST);
	/* The first frame is this one, at another call. */
	assert_true(path.count > 2 && count == path.count);
	for (int i = 1; i < count; i++)
		assert_true(path.ip[i] == (uintptr_t)theirs[i]);
	assert_int_equal(path.how, UNWIND_END);
}

static struct {
	volatile int steps, wrong, lost;
	uintptr_t first_wrong;
} stepped;

static __attribute__((unused)) void on_trap(int signal, siginfo_t *info, void *context)
{
	const ucontext_t *c = context;
	static struct path path;
	static void *theirs[DEEPEST];
	struct unwind u;
	(void)signal, (void)info;
	unwind_begin(&u, cache, stack_low, stack_high, c);
	follow(&u, &path);
	int count = backtrace(theirs, DEEPEST);
	stepped.steps++;
	if (path.how != UNWIND_END)
		stepped.lost++;
	if (!same(&path, theirs, count, (uintptr_t)c->uc_mcontext.gregs[REG_RIP])) {
		if (!stepped.wrong)
			stepped.first_wrong = (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
		stepped.wrong++;
	}
}

/* With a frame pointer: pushfq moves the stack pointer behind the compiler's back. */
static __attribute__((unused)) FRAME_POINTER __attribute__((noinline)) void step(void (*what)(void))
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;
	memset(&stepped, 0, sizeof stepped);
	assert_int_equal(sigaction(SIGTRAP, &action, &old), 0);
	__asm__ volatile("" ::"r"(__builtin_frame_address(0)));
	__asm__ volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");
	what();
	__asm__ volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
	sigaction(SIGTRAP, &old, NULL);
	if (stepped.wrong || stepped.lost)
		printf("# %d steps, %d wrong, %d lost, first at %p\n", stepped.steps, stepped.wrong, stepped.lost,
		       (void *)stepped.first_wrong);
}

/* libgcc is loaded, and our own tables are there. */
static void walk_start(void)
{
	void *theirs[4];
	backtrace(theirs, 4);
	modules_start();
	find_stack(&stack_low, &stack_high);
}

#endif
