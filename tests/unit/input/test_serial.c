/* SPDX-License-Identifier: MIT */
/* test_serial.c: core/input/serial against the naive sets, with a counter of 31 bits and with one that ends all
 * the time; and what memory it needs. */
#include "unit/input/form_serial.h"
#include "unit/input/play.h"

enum { TRACES = 2000 };

static void random_traces_are_as_the_naive_sets_say(void **state)
{
	(void)state;
	count_max = INPUT_COUNT_MAX;
	for (uint64_t i = 0; i < traces(TRACES); i++)
		play_trace(&serial_form, i);
}

/* With n activations open, 3 * n + 3 is the least that a counter can come down to: some of these are renumbered at every call. */
static void a_counter_that_ends_changes_nothing(void **state)
{
	(void)state;
	uint64_t renumbered = 0;
	for (uint64_t i = 0; i < traces(TRACES) / 8; i++) {
		count_max = 10 + (uint32_t)(i % 100);
		play_trace(&serial_form, i);
		for (int lane = 0; lane < LANES; lane++)
			renumbered += serial_lanes[lane].renumbered;
	}
	assert_true(renumbered > traces(TRACES));
}

static void without_memory_it_goes_on_and_counts_the_loss(void **state)
{
	(void)state;
	for (size_t left = 0; left < 400000; left += 4000) {
		uint64_t lost = 0;
		heap_start();
		count_max = 40;
		serial_start(2);
		serial_lanes[0].routines.port = &port;
		serial_lanes[0].routines.sizes_max = INPUT_SIZES_MAX;
		heap.left = left;
		if (!input_serial_thread_start(&serial, &serial_lanes[0], 1, serial_routine_of(0, 0)))
			continue;
		for (int i = 0; i < 200; i++) {
			serial_call(0, i);
			serial_write(0, (uint64_t)i * 100000, 8);
			serial_read(0, (uint64_t)i * 50000, 8);
			serial_kernel_write(0, (uint64_t)i * 70000, 8);
		}
		assert_true(serial_lanes[0].depth + serial_lanes[0].too_deep == 201);
		lost = serial_lanes[0].lost;
		input_return_to(&serial_lanes[0], 1);
		serial_thread_end(0);
		assert_true(lost + serial_lanes[0].routines.lost > 0 || left > 300000);
	}
	heap_start();
}

static void memory_that_is_unmapped_is_given_back(void **state)
{
	(void)state;
	heap_start();
	count_max = INPUT_COUNT_MAX;
	serial_start(2);
	serial_thread_start(0, 1, 0);
	serial_thread_start(1, 2, 0);
	serial_write(1, 1 << 20, 4);
	input_serial_forget(&serial, 1 << 20, 4096);
	size_t before = heap.left;
	for (int i = 0; i < 100; i++) {
		for (int lane = 0; lane < 2; lane++) {
			serial_turn(lane);
			for (uint64_t at = 0; at < 1 << 20; at += 1024)
				serial_write(lane, (1 << 24) + at, 4);
		}
		input_serial_forget(&serial, 1 << 24, 1 << 20);
		if (!i)
			before = heap.left;
		assert_int_equal(heap.left, before);
	}
	serial_read(0, 1 << 24, 4);
	assert_int_equal(input_top(&serial_lanes[1])->size, 1);
	assert_false(input_top(&serial_lanes[1])->is_induced);
	heap_start();
}

/* A million frames, and a read of what each of them has read. */
static void a_stack_of_a_million_is_no_matter(void **state)
{
	(void)state;
	heap_start();
	count_max = INPUT_COUNT_MAX;
	serial_start(2);
	serial_thread_start(0, 1, 0);
	enum { DEEP = 1000000 };
	for (uint64_t i = 0; i < DEEP; i++) {
		serial_call(0, 1);
		serial_read(0, 4 * i, 4);
	}
	for (uint64_t i = 0; i < DEEP; i += 1000)
		serial_read(0, 4 * i, 4);
	struct input_activation a;
	serial_back(0, &a);
	assert_int_equal(a.size[INPUT_RMS], 1000 + 1);
	assert_false(a.outermost);
	input_return_to(&serial_lanes[0], 2);
	serial_back(0, &a);
	assert_int_equal(a.size[INPUT_RMS], DEEP);
	assert_true(a.outermost);
	assert_int_equal(serial_lanes[0].routines.lost + serial_lanes[0].lost, 0);
	heap_start();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_traces_are_as_the_naive_sets_say),
		cmocka_unit_test(a_counter_that_ends_changes_nothing),
		cmocka_unit_test(without_memory_it_goes_on_and_counts_the_loss),
		cmocka_unit_test(memory_that_is_unmapped_is_given_back),
		cmocka_unit_test(a_stack_of_a_million_is_no_matter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
