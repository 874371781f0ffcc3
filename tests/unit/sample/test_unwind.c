/* SPDX-License-Identifier: MIT */
/* test_unwind.c: the unwinder against libgcc's.
 *
 * backtrace() reads the same tables with other code. Both are asked at the same point: in a function, in a signal handler, and at every
 * single instruction of a piece of program that the processor's trap flag steps through. What only we know (ends, guesses, foreign
 * stacks) is held against what the test itself has built.
 *
 *     test_sample_unwind time       instead: nanoseconds for a walk over some 40 frames */
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
#include "sample/unwind/unwind.h"

enum { DEEPEST = 512 };
#ifdef __clang__
#define NOINLINE __attribute__((noinline, disable_tail_calls))
#define FRAME_POINTER /* what asks for the address of its frame has one */
#else
#define FRAME_POINTER __attribute__((optimize("no-omit-frame-pointer")))
#define NOINLINE __attribute__((noinline, noclone, optimize("no-optimize-sibling-calls")))
#endif

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
static FRAME_POINTER __attribute__((noinline)) void step(void (*what)(void))
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

/* ---- signal handlers and their stacks ---- */

static struct path handled;
static void *handled_theirs[DEEPEST];
static int handled_count, return_frames;

static void on_signal(int signal)
{
	struct unwind u;
	(void)signal;
	unwind_here(&u, cache, stack_low, stack_high);
	handled.count = return_frames = 0;
	do {
		return_frames += u.is_return;
		handled.ip[handled.count++] = u.frame.ip;
	} while ((handled.how = unwind_step(&u)) == UNWIND_FRAME && handled.count < DEEPEST);
	handled_count = backtrace(handled_theirs, DEEPEST);
}

static NOINLINE void raise_deep(void)
{
	raise(SIGUSR1);
	sink++;
}

static void handle_with(int flags)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags}, old;
	sigaction(SIGUSR1, &action, &old);
	at_bottom = raise_deep;
	handled_count = 0;
	plain(8);
	at_bottom = NULL;
	sigaction(SIGUSR1, &old, NULL);
	assert_int_equal(handled.how, UNWIND_END);
	assert_true(handled.count > 10 && handled.count == handled_count);
	for (int i = 1; i < handled.count; i++)
		assert_true(handled.ip[i] == (uintptr_t)handled_theirs[i]);
	assert_int_equal(return_frames, handled.count - 1); /* raise was interrupted, all others called */
}

static void same_as_libgcc_through_a_signal_handler(void **state)
{
	(void)state;
	handle_with(0);
}

static void same_as_libgcc_from_an_alternate_stack(void **state)
{
	(void)state;
	stack_t stack = {.ss_size = 1 << 20}, old;
	stack.ss_sp = mmap(NULL, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_int_equal(sigaltstack(&stack, &old), 0);
	handle_with(SA_ONSTACK);
	old.ss_flags = SS_DISABLE;
	sigaltstack(&old, NULL);
	munmap(stack.ss_sp, stack.ss_size);
}

/* ---- contexts and threads: where a walk ends ---- */

static ucontext_t outside, inside;
static struct path in_coroutine;
static int coroutine_depth;

static NOINLINE int coroutine_deep(int depth)
{
	struct unwind u;
	if (depth)
		return coroutine_deep(depth - 1) + 1;
	unwind_here(&u, cache, stack_low, stack_high);
	follow(&u, &in_coroutine);
	return 0;
}

static void coroutine(void)
{
	sink = coroutine_deep(coroutine_depth);
	swapcontext(&inside, &outside);
	sink = coroutine_deep(coroutine_depth);
}

static void coroutine_ends_where_its_context_was_made(void **state)
{
	(void)state;
	size_t bytes = 1 << 18;
	char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = bytes;
	inside.uc_link = &outside;
	coroutine_depth = 20;
	makecontext(&inside, coroutine, 0);
	for (int resumed = 0; resumed < 2; resumed++) {
		in_coroutine.count = 0;
		swapcontext(&outside, &inside);
		/* 21 of coroutine_deep, coroutine, and where it returns to */
		assert_int_equal(in_coroutine.count, 23);
		assert_int_equal(in_coroutine.how, UNWIND_END);
	}
	munmap(stack, bytes);
}

static void walk_and_leave(void)
{
	struct path path;
	struct unwind u;
	unwind_here(&u, cache, stack_low, stack_high);
	follow(&u, &path);
	_exit(path.how == UNWIND_END && path.count < 10 ? 0 : 1);
}

static void last_coroutine(void)
{
	sink = coroutine_deep(3);
}

/* A context that nothing follows ends the program: its exit functions are called from where the context was made. */
static void end_of_the_last_context_is_an_end(void **state)
{
	(void)state;
	static char stack[1 << 16];
	int status;
	pid_t child = fork();
	if (child == 0) {
		atexit(walk_and_leave);
		getcontext(&inside);
		inside.uc_stack.ss_sp = stack;
		inside.uc_stack.ss_size = sizeof stack;
		inside.uc_link = NULL;
		makecontext(&inside, last_coroutine, 0);
		setcontext(&inside);
		_exit(2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void *thread_body(void *argument)
{
	struct unwind_cache *own = aligned_alloc(64, UNWIND_CACHE_BYTES);
	uintptr_t low, high;
	struct unwind u;
	struct path *path = argument;
	memset(own, 0, UNWIND_CACHE_BYTES);
	find_stack(&low, &high);
	unwind_here(&u, own, low, high);
	follow(&u, path);
	void *theirs[DEEPEST];
	int count = backtrace(theirs, DEEPEST);
	bool is_same = count == path->count;
	for (int i = 1; i < count && is_same; i++)
		is_same = path->ip[i] == (uintptr_t)theirs[i];
	free(own);
	return (void *)(uintptr_t)is_same;
}

static void thread_ends_in_clone(void **state)
{
	(void)state;
	static struct path path;
	pthread_t thread;
	void *is_same;
	assert_int_equal(pthread_create(&thread, NULL, thread_body, &path), 0);
	pthread_join(thread, &is_same);
	assert_int_equal(path.how, UNWIND_END);
	assert_true(is_same != NULL);
}

/* ---- code that no table knows ---- */

/* They call what they are given; the first keeps a frame pointer, the second has only made room for a word, the last
 * makes rbp garbage; none has an entry in .eh_frame. */
void untold_with_frame_pointer(void (*callee)(void));
void untold_small(void (*callee)(void));
void untold_with_garbage(void (*callee)(void), uintptr_t garbage);
int untold_leaf(int n);
__asm__(".pushsection .text\n"
        "untold_with_frame_pointer:\n"
        "	pushq %rbp\n"
        "	movq %rsp, %rbp\n"
        "	subq $32, %rsp\n"
        "	call *%rdi\n"
        "	leave\n"
        "	ret\n"
        "untold_small:\n"
        "	pushq $0\n"
        "	call *%rdi\n"
        "	addq $8, %rsp\n"
        "	ret\n"
        "untold_with_garbage:\n"
        "	pushq %rbp\n"
        "	pushq $0\n"
        "	pushq $0\n"
        "	movq %rsi, %rbp\n"
        "	call *%rdi\n"
        "	addq $16, %rsp\n"
        "	popq %rbp\n"
        "	ret\n"
        "untold_leaf:\n"
        "	subq $8, %rsp\n"
        "	xorl %eax, %eax\n"
        "1:	addl %edi, %eax\n"
        "	decl %edi\n"
        "	jne 1b\n"
        "	addq $8, %rsp\n"
        "	ret\n"
        ".popsection\n");

static struct path untold;

static NOINLINE void walk_untold(void)
{
	struct unwind u;
	unwind_here(&u, cache, stack_low, stack_high);
	follow(&u, &untold);
	sink++;
}

static NOINLINE void call_untold(void (*how)(void (*)(void)))
{
	how(walk_untold);
	sink++;
}

static void frame_pointers_and_small_frames_lead_through_unknown_code(void **state)
{
	(void)state;
	void (*untolds[])(void (*)(void)) = {untold_with_frame_pointer, untold_small};
	struct path direct;
	struct unwind u;
	unwind_here(&u, cache, stack_low, stack_high);
	follow(&u, &direct);
	for (int which = 0; which < 2; which++) {
		call_untold(untolds[which]);
		/* walk_untold, the unknown one, call_untold; then as from here */
		assert_int_equal(untold.how, UNWIND_END);
		assert_int_equal(untold.count, direct.count + 3);
		for (int i = 1; i < direct.count; i++)
			assert_true(untold.ip[i + 3] == direct.ip[i]);
	}
}

static void garbage_in_the_frame_pointer_loses_the_path_and_nothing_else(void **state)
{
	(void)state;
	uintptr_t page = (uintptr_t)mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uintptr_t garbage[] = {0,
	                       1,
	                       8,
	                       0x1234567,
	                       page,
	                       page + 8,
	                       page - 8,
	                       stack_low,
	                       stack_high,
	                       stack_high - 8,
	                       UINTPTR_MAX,
	                       UINTPTR_MAX - 7,
	                       (uintptr_t)1 << 47,
	                       (uintptr_t)&garbage,
	                       (uintptr_t)walk_untold,
	                       UINT64_C(0xffffffffff600000)};
	for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
		untold.count = 0;
		untold_with_garbage(walk_untold, garbage[i]);
		assert_int_equal(untold.how, UNWIND_LOST);
		assert_int_equal(untold.count, 2);
	}
	munmap((void *)page, 4096);
}

static void untold_leaves(void)
{
	sink = untold_leaf(3) + untold_leaf(5);
}

static void leaf_without_tables_is_left_by_the_top_of_the_stack(void **state)
{
	(void)state;
	step(untold_leaves);
	assert_true(stepped.steps > 20);
	assert_int_equal(stepped.lost, 0); /* libgcc stops at the leaf: what it says is a part of ours */
	assert_int_equal(stepped.wrong, 0);
}

static void wild_contexts_do_no_harm(void **state)
{
	(void)state;
	ucontext_t context;
	struct path path;
	struct unwind u;
	memset(&context, 0, sizeof context);
	context.uc_mcontext.gregs[REG_RSP] = (long long)(uintptr_t)&context;
	for (int ip = 0; ip < 2; ip++) {
		context.uc_mcontext.gregs[REG_RIP] = ip;
		unwind_begin(&u, cache, (uintptr_t)&context, stack_high, &context);
		assert_true(u.place == (uint64_t)ip && unwind_step(&u) == UNWIND_LOST);
	}
	srand(4);
	for (int round = 0; round < 20000; round++) {
		memset(&context, 0, sizeof context);
		for (int i = 0; i < NGREG; i++) {
			uintptr_t near[] = {stack_high - (uintptr_t)(rand() % 65536), (uintptr_t)walk_untold + (uintptr_t)(rand() % 4096),
			                    (uintptr_t)qsort + (uintptr_t)(rand() % 1000000) - 500000, (uintptr_t)rand() << (rand() % 34)};
			context.uc_mcontext.gregs[i] = (long long)near[rand() % 4];
		}
		unwind_begin(&u, cache, (uintptr_t)&context, stack_high, &context);
		follow(&u, &path);
		assert_true(path.count >= 1 && path.count < DEEPEST);
	}
}

/* ---- a handler that walks while its thread does ---- */

static volatile unsigned disturbed;

/* Walks from anywhere in the C library: other rules come into the cache all over. */
static void disturb(int signal)
{
	ucontext_t context;
	struct path path;
	struct unwind u;
	(void)signal;
	memset(&context, 0, sizeof context);
	for (int i = 0; i < 30; i++) {
		static unsigned seed = 1;
		seed = seed * 1103515245 + 12345;
		context.uc_mcontext.gregs[REG_RIP] = (long long)(uintptr_t)qsort - 100000 + seed / 65536 * 30;
		context.uc_mcontext.gregs[REG_RSP] = context.uc_mcontext.gregs[REG_RBP] = (long long)(uintptr_t)&context;
		unwind_begin(&u, cache, (uintptr_t)&context, stack_high, &context);
		follow(&u, &path);
	}
	disturbed++;
}

static NOINLINE void walk_disturbed(void)
{
	struct itimerval often = {{0, 100}, {0, 100}}, never = {{0, 0}, {0, 0}};
	struct path first, again;
	struct unwind u;
	bool is_same = true;
	signal(SIGALRM, disturb);
	for (int i = 0; disturbed < 1000 && is_same; i++) {
		unwind_here(&u, cache, stack_low, stack_high);
		follow(&u, i ? &again : &first);
		for (int k = 1; i && k < first.count; k++)
			is_same = is_same && again.count == first.count && again.how == UNWIND_END && again.ip[k] == first.ip[k];
		if (i == 0)
			setitimer(ITIMER_REAL, &often, NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	signal(SIGALRM, SIG_IGN);
	assert_true(is_same);
}

static void walks_are_not_disturbed_by_those_of_a_handler(void **state)
{
	(void)state;
	at_bottom = walk_disturbed;
	disturbed = 0;
	plain(8);
	at_bottom = NULL;
}

/* ---- every sample of a program that throws frames away ---- */

static NOINLINE void jump_out(int depth, jmp_buf to)
{
	volatile char room[40];
	room[depth % 40] = 1;
	if (depth == 0 && room[0])
		longjmp(to, 1);
	if (depth > 0)
		jump_out(depth - 1, to);
	sink = room[depth % 40];
}

static void piece_that_jumps(void)
{
	jmp_buf here;
	if (setjmp(here) == 0)
		jump_out(10, here);
}

/* While longjmp puts registers back, tables and truth differ for an instruction or two: for libgcc too. */
static void same_as_libgcc_through_setjmp_and_longjmp(void **state)
{
	(void)state;
	step(piece_that_jumps);
	assert_true(stepped.steps > 100);
	assert_int_equal(stepped.wrong, 0);
	assert_true(stepped.lost < 5);
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

static void measure_walks(const char *what, int walks, bool is_cold)
{
	struct timespec from, to;
	struct unwind u;
	int frames = 0;
	clock_gettime(CLOCK_MONOTONIC, &from);
	for (int i = 0; i < walks; i++) {
		if (is_cold)
			modules_closed(); /* no rule is believed any more */
		frames = 0;
		unwind_here(&u, cache, stack_low, stack_high);
		do
			frames++;
		while (unwind_step(&u) == UNWIND_FRAME);
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	double ns = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / walks;
	printf("%s: %d frames %.0f ns, %.2f ns a frame\n", what, frames, ns, ns / frames);
}

static NOINLINE void measure(void)
{
	for (int round = 0; round < 5; round++)
		measure_walks("warm", 200000, false);
	measure_walks("rules found anew", 5000, true);
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
		cmocka_unit_test(same_as_libgcc_through_setjmp_and_longjmp),
		cmocka_unit_test(same_as_libgcc_through_a_signal_handler),
		cmocka_unit_test(same_as_libgcc_from_an_alternate_stack),
		cmocka_unit_test(coroutine_ends_where_its_context_was_made),
		cmocka_unit_test(end_of_the_last_context_is_an_end),
		cmocka_unit_test(thread_ends_in_clone),
		cmocka_unit_test(frame_pointers_and_small_frames_lead_through_unknown_code),
		cmocka_unit_test(garbage_in_the_frame_pointer_loses_the_path_and_nothing_else),
		cmocka_unit_test(leaf_without_tables_is_left_by_the_top_of_the_stack),
		cmocka_unit_test(wild_contexts_do_no_harm),
		cmocka_unit_test(walks_are_not_disturbed_by_those_of_a_handler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
