/* SPDX-License-Identifier: MIT */
/* test_ends.c: what only our unwinder knows: where a walk ends, code that no table knows, foreign stacks. It is held against what the test itself has
 * built. */
#include "unit/unwind/walk.h"

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

int main(void)
{
	walk_start();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(coroutine_ends_where_its_context_was_made),
		cmocka_unit_test(end_of_the_last_context_is_an_end),
		cmocka_unit_test(thread_ends_in_clone),
		cmocka_unit_test(frame_pointers_and_small_frames_lead_through_unknown_code),
		cmocka_unit_test(garbage_in_the_frame_pointer_loses_the_path_and_nothing_else),
		cmocka_unit_test(leaf_without_tables_is_left_by_the_top_of_the_stack),
		cmocka_unit_test(wild_contexts_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
