/* SPDX-License-Identifier: MIT */
/* test_unwind.c: the unwinder against libgcc's.
 *
 * backtrace() reads the same tables with other code. Both are asked at the same point: in a function, in a signal handler, and at every
 * single instruction of a piece of program that the processor's trap flag steps through. test_ends.c has what only we know.
 *
 *     test_unwind time       instead: nanoseconds for a walk over some 40 frames */
#include "unit/unwind/walk.h"

/* ---- frames of every kind ---- */

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
	walk_start();
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
		cmocka_unit_test(walks_are_not_disturbed_by_those_of_a_handler),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
