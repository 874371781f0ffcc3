/* SPDX-License-Identifier: MIT */
/* test_sample_unwind.c: the unwinder against libgcc's.
 *
 * backtrace() reads the same tables with other code. Both are asked at the same point: in a function, in a signal handler, and at every
 * single instruction of a piece of program that the processor's trap flag steps through. What only we know (ends, guesses, foreign
 * stacks) is held against what the test itself has built.
 *
 *     test_sample_unwind time       instead: nanoseconds for a walk over 40 frames */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <alloca.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include "sample/unwind.h"

enum { DEEPEST = 512 };
#define NOINLINE __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))

static _Alignas(64) unsigned char cache_memory[UNWIND_CACHE_BYTES];
static struct unwind_cache *const cache = (struct unwind_cache *)cache_memory;
static uintptr_t stack_low, stack_high;

struct path {
	uintptr_t ip[DEEPEST];
	int count;
	enum unwind_step how;
};

static void find_stack(uintptr_t *low, uintptr_t *high)
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

static void follow(struct unwind *u, struct path *path)
{
	path->count = 0;
	do {
		if (path->count == DEEPEST)
			return;
		path->ip[path->count++] = u->frame.ip;
	} while ((path->how = unwind_step(u)) == UNWIND_FRAME);
}

/* How many frames of libgcc's list, from the one that has ip on, are the same in ours; all of them should be. */
static int same(const struct path *path, void **theirs, int count, uintptr_t ip)
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

static NOINLINE void check_here(void)
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

/* ---- frames of every kind ---- */

static volatile int sink;
static void (*at_bottom)(void);

static NOINLINE int plain(int depth);

static NOINLINE int with_alloca(int depth)
{
	char *room = alloca((size_t)depth * 24 + 8);
	memset(room, depth, 8);
	int r = plain(depth - 1);
	sink = room[0];
	return r + room[1];
}

static NOINLINE int realigned(int depth, int a, int b, int c, int d, int e, int f, int g)
{
	_Alignas(64) volatile char room[128];
	room[depth & 127] = 1;
	return with_alloca(depth - 1) + room[depth & 127] + a + b + c + d + e + f + g;
}

static NOINLINE int realigned_alloca(int depth)
{
	_Alignas(32) volatile char room[64];
	char *more = alloca((size_t)depth * 8 + 64);
	room[depth & 63] = 1;
	more[0] = 2;
	sink = more[0];
	return realigned(depth - 1, 1, 2, 3, 4, 5, 6, 7) + room[depth & 63];
}

static int compare(const void *a, const void *b)
{
	if (at_bottom && *(const int *)a == 3)
		at_bottom();
	return *(const int *)a - *(const int *)b;
}

static NOINLINE int plain(int depth)
{
	int numbers[] = {5, 3, 4};
	if (depth > 0)
		return realigned_alloca(depth - 1) + 1;
	qsort(numbers, 3, sizeof *numbers, compare);
	return numbers[0];
}

static void same_as_libgcc_in_recursion_alloca_realigned_and_callbacks(void **state)
{
	(void)state;
	for (int round = 0; round < 3; round++) {
		at_bottom = check_here;
		plain(4 * round * round);
	}
	at_bottom = NULL;
}

/* ---- every instruction ---- */

static struct {
	volatile int steps, wrong, lost;
	uintptr_t first_wrong;
} stepped;

static void on_trap(int signal, siginfo_t *info, void *context)
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
static __attribute__((noinline, optimize("no-omit-frame-pointer"))) void step(void (*what)(void))
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER}, old;
	memset(&stepped, 0, sizeof stepped);
	assert_int_equal(sigaction(SIGTRAP, &action, &old), 0);
	__asm__ volatile("pushfq\n orq $0x100, (%%rsp)\n popfq" ::: "memory", "cc");
	what();
	__asm__ volatile("pushfq\n andq $~0x100, (%%rsp)\n popfq" ::: "memory", "cc");
	sigaction(SIGTRAP, &old, NULL);
	if (stepped.wrong || stepped.lost)
		printf("# %d steps, %d wrong, %d lost, first at %p\n", stepped.steps, stepped.wrong, stepped.lost, (void *)stepped.first_wrong);
}

static void piece_of_program(void)
{
	char text[64];
	sink = plain(8);
	snprintf(text, sizeof text, "%d %s %g", sink, "words", 0.5);
	sink = (int)strtol(text, NULL, 10) + (int)strlen(text);
	free(realloc(malloc(100), 5000));
}

static void same_as_libgcc_at_every_instruction(void **state)
{
	(void)state;
	step(piece_of_program);
	assert_true(stepped.steps > 1000);
	assert_int_equal(stepped.wrong, 0);
	assert_int_equal(stepped.lost, 0);
}

/* ---- time ---- */

static NOINLINE int descend(int depth, int a, int b, int c, void (*bottom)(void))
{
	volatile int keep[4] = {a, b, c, depth};
	int r;
	if (depth == 0) {
		bottom();
		return keep[0];
	}
	r = descend(depth - 1, b + keep[0], c + keep[1], a + keep[2], bottom);
	return r + a * keep[3] + b + c;
}

static NOINLINE void measure(void)
{
	struct timespec from, to;
	struct unwind u;
	int walks = 200000, frames = 0;
	for (int round = 0; round < 5; round++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (int i = 0; i < walks; i++) {
			frames = 0;
			unwind_here(&u, cache, stack_low, stack_high);
			do
				frames++;
			while (unwind_step(&u) == UNWIND_FRAME);
		}
		clock_gettime(CLOCK_MONOTONIC, &to);
		double ns = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / walks;
		printf("%d frames %.0f ns, %.2f ns a frame\n", frames, ns, ns / frames);
	}
}

int main(int argc, char **argv)
{
	void *theirs[4];
	backtrace(theirs, 4); /* it loads libgcc the first time */
	modules_start();
	find_stack(&stack_low, &stack_high);
	if (argc > 1 && strcmp(argv[1], "time") == 0) {
		descend(36, 1, 2, 3, measure);
		return 0;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_libgcc_in_recursion_alloca_realigned_and_callbacks),
		cmocka_unit_test(same_as_libgcc_at_every_instruction),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
