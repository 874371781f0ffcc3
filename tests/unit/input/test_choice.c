/* SPDX-License-Identifier: MIT */
/* test_choice.c: activations count in the points of the set of functions that they called, against a list of all of them. */
#include "unit/input/form.h"

#include "core/input/choice.h"

enum { KEY = 5, FIRST_TARGET = 100, TOLD_MAX = 1000 };

static struct {
	uint64_t key, target;
} told[TOLD_MAX];
static size_t told_count;

static void tell(void *context, uint64_t key, uint32_t reader, uint64_t target)
{
	(void)context;
	assert_int_equal(reader, 3);
	assert_true(told_count < TOLD_MAX);
	told[told_count].key = key;
	told[told_count++].target = target;
}

static struct input_point *take_rows(void *context, uint32_t room)
{
	return heap_take(context, room * sizeof(struct input_point));
}

static void show_rows(void *context, struct input_point *rows, uint32_t count)
{
	(void)context, (void)rows, (void)count;
}

static const struct input_shelf shelf = {take_rows, show_rows, tell};

/* An activation that called the targets whose bits are set. */
static void activate(struct input_thread *t, struct input_routine *r, uint32_t targets)
{
	input_call(t, r);
	for (uint32_t i = 0; i < 32; i++)
		for (int times = 0; targets >> i & 1 && times < 2; times++)
			input_choose(&t->routines, input_top(t), FIRST_TARGET + i);
	t->cost += 7;
	input_return(t, NULL);
}

static uint64_t calls_of(struct input_thread *t, uint32_t set)
{
	uint64_t calls = 0, *value = input_map_find(&t->routines.map, input_set_key(KEY, set));
	const struct input_routine *r = value ? (const struct input_routine *)(uintptr_t)*value : NULL;
	for (uint32_t i = 0; r && i < r->same.count; i++)
		calls += r->same.rows[i].calls;
	return calls;
}

static size_t told_of(uint32_t set)
{
	size_t found = 0;
	for (size_t i = 0; i < told_count; i++)
		found += told[i].key == input_set_key(KEY, set);
	return found;
}

static struct input_thread thread;
static struct input_port with_shelf;

static struct input_routine *start(void)
{
	heap_start();
	told_count = 0;
	memset(&thread, 0, sizeof thread);
	with_shelf = port;
	with_shelf.shelf = &shelf;
	thread.routines = (struct input_routines){.port = &with_shelf, .sizes_max = 128, .reader = 3};
	thread.count_max = INPUT_COUNT_MAX;
	assert_true(input_thread_start(&thread, 1, input_routine_of(&thread.routines, 0)));
	return input_routine_of(&thread.routines, KEY);
}

static void one_function_makes_one_set(void **state)
{
	(void)state;
	struct input_routine *r = start();
	for (int i = 0; i < 10; i++)
		activate(&thread, r, i % 3 ? 1 : 0);
	assert_int_equal(calls_of(&thread, 0), 4);
	assert_int_equal(calls_of(&thread, 1), 6);
	assert_int_equal(told_count, 1);
	assert_int_equal(told[0].key, input_set_key(KEY, 1));
	assert_int_equal(told[0].target, FIRST_TARGET);
}

static void each_set_has_its_own_points(void **state)
{
	(void)state;
	struct input_routine *r = start();
	static const uint32_t sets[] = {1, 2, 3, 1, 2, 2, 0, 3, 1};
	for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
		activate(&thread, r, sets[i]);
	assert_int_equal(calls_of(&thread, 0), 1); /* none */
	assert_int_equal(calls_of(&thread, 1), 3); /* the first function */
	assert_int_equal(calls_of(&thread, 2), 3); /* the second one */
	assert_int_equal(calls_of(&thread, 3), 2); /* both */
	assert_int_equal(told_of(0), 0);
	assert_int_equal(told_of(1), 1);
	assert_int_equal(told_of(2), 1);
	assert_int_equal(told_of(3), 2);
	told_count = 0;
	input_choice_tell(&thread.routines, r);
	assert_int_equal(told_count, 4);
	assert_int_equal(r->open, 0);
}

/* The last set takes what the others have no room for, functions beyond the last have no names, and nothing is lost. */
static void too_many_sets_and_functions_are_the_last_ones(void **state)
{
	enum { MANY = 20 };
	(void)state;
	struct input_routine *r = start();
	for (uint32_t i = 0; i < MANY; i++)
		activate(&thread, r, 1u << i);
	assert_int_equal(calls_of(&thread, 0), 0);
	for (uint32_t set = 1; set < INPUT_SETS; set++)
		assert_int_equal(calls_of(&thread, set), 1);
	assert_int_equal(calls_of(&thread, INPUT_SETS), MANY - INPUT_SETS + 1);
	assert_int_equal(calls_of(&thread, INPUT_SETS + 1), 0);
	assert_int_equal(told_of(INPUT_SETS), INPUT_TARGETS - INPUT_SETS + 2);
	assert_int_equal(told[told_count - 1].target, INPUT_OTHER_TARGETS);
}

static void recursion_and_missing_memory_lose_nothing(void **state)
{
	(void)state;
	struct input_routine *r = start();
	input_call(&thread, r);
	input_choose(&thread.routines, input_top(&thread), FIRST_TARGET + 1);
	activate(&thread, r, 1);
	heap.left = 0;
	activate(&thread, r, 4); /* no room for another set: it counts as the routine's own, or is lost and said to be */
	heap.left = SIZE_MAX / 2;
	input_return(&thread, NULL);
	uint64_t all = thread.routines.lost;
	for (uint32_t set = 0; set <= INPUT_SETS; set++)
		all += calls_of(&thread, set);
	assert_int_equal(all, 3);
	assert_int_equal(r->open, 0);
	input_thread_end(&thread);
	input_thread_clear(&thread);
}

/* A key that uses the bits of a set's number, such as an address without a file, has no sets. */
static void a_large_key_has_no_sets(void **state)
{
	(void)state;
	start();
	struct input_routine *r = input_routine_of(&thread.routines, UINT64_C(0x7f0012345678));
	activate(&thread, r, 1);
	activate(&thread, r, 2);
	assert_null(r->choice);
	assert_int_equal(r->same.rows[0].calls, 2);
	assert_int_equal(told_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_function_makes_one_set),
		cmocka_unit_test(each_set_has_its_own_points),
		cmocka_unit_test(too_many_sets_and_functions_are_the_last_ones),
		cmocka_unit_test(recursion_and_missing_memory_lose_nothing),
		cmocka_unit_test(a_large_key_has_no_sets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
