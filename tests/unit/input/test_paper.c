/* SPDX-License-Identifier: MIT */
/* test_paper.c: the paper's own examples, by every form of the algorithm: Figure 1 a and b, Examples 1 to 4, and
 * section 3's activations whose RMS makes them look twice as steep. */
#include "unit/input/form_concurrent.h"
#include "unit/input/form_serial.h"

enum { T1, T2, F = 0, G, H, X = 1 << 16, N = 1000 };

static const struct form *const forms[] = {&serial_form, &concurrent_form};
enum { FORMS = sizeof forms / sizeof *forms };

static void begin(const struct form *form)
{
	heap_start();
	count_max = INPUT_COUNT_MAX;
	form->start(2);
	form->thread_start(T1, 1, 3);
	form->thread_start(T2, 2, 3);
}

/* The one thread has waited for the other: both have taken or given a lock. */
static void hand_over(const struct form *form, int to)
{
	if (form->sync) {
		form->sync(!to);
		form->sync(to);
	}
	form->turn(to);
}

static void other_writes_x(const struct form *form)
{
	hand_over(form, T2);
	form->call(T2, G);
	form->write(T2, X, 4);
	form->back(T2, NULL);
	hand_over(form, T1);
}

static void same_sizes(const struct input_activation *a, uint64_t rms, uint64_t external, uint64_t trms)
{
	assert_int_equal(a->size[INPUT_RMS], rms);
	assert_int_equal(a->size[INPUT_RMS_EXTERNAL], external);
	assert_int_equal(a->size[INPUT_TRMS], trms);
}

static void figure_1a(void **state)
{
	(void)state;
	for (int i = 0; i < FORMS; i++) {
		const struct form *form = forms[i];
		struct input_activation f;
		begin(form);
		hand_over(form, T1);
		form->call(T1, F);
		form->read(T1, X, 4);
		other_writes_x(form);
		form->read(T1, X, 4);
		form->back(T1, &f);
		same_sizes(&f, 1, 1, 2);
		assert_int_equal(f.thread, 1);
	}
}

static void figure_1b(void **state)
{
	(void)state;
	for (int i = 0; i < FORMS; i++) {
		const struct form *form = forms[i];
		struct input_activation f, h;
		begin(form);
		hand_over(form, T1);
		form->call(T1, F);
		form->read(T1, X, 4);
		other_writes_x(form);
		form->call(T1, H);
		form->read(T1, X, 4);
		form->back(T1, &h);
		form->read(T1, X, 4);
		form->back(T1, &f);
		same_sizes(&h, 1, 1, 1);
		assert_int_equal(h.thread, 1); /* a first access that is induced counts as induced */
		same_sizes(&f, 1, 1, 2);
		assert_int_equal(f.thread, 1);
	}
}

static void example_3_a_consumer_reads_as_much_as_was_produced(void **state)
{
	(void)state;
	for (int i = 0; i < FORMS; i++) {
		const struct form *form = forms[i];
		struct input_activation consumer, item;
		begin(form);
		hand_over(form, T1);
		form->call(T1, F);
		for (int n = 0; n < N; n++) {
			other_writes_x(form);
			form->call(T1, H);
			form->read(T1, X, 4);
			form->back(T1, &item);
			same_sizes(&item, 1, 1, 1);
		}
		form->back(T1, &consumer);
		same_sizes(&consumer, 1, 1, N);
		assert_int_equal(consumer.thread, N);
		assert_int_equal(consumer.external, 0);
		assert_int_equal(*input_map_find(&form->thread(T1)->sources, 2), N);
	}
}

static void example_4_a_buffer_is_read_as_often_as_it_is_loaded(void **state)
{
	(void)state;
	for (int i = 0; i < FORMS; i++) {
		const struct form *form = forms[i];
		struct input_activation reader;
		begin(form);
		hand_over(form, T1);
		form->call(T1, F);
		for (int n = 0; n < N; n++) {
			form->kernel_write(T1, X, 8);
			form->read(T1, X, 4);
		}
		form->back(T1, &reader);
		same_sizes(&reader, 1, N, N);
		assert_int_equal(reader.external, N);
		assert_int_equal(reader.thread, 0);
		assert_int_equal(*input_map_find(&form->thread(T1)->sources, INPUT_KERNEL), N);
	}
}

/* Activation i costs i and reads i times: half of them are first accesses, the others induced. */
static void section_3_rms_has_half_the_points_at_twice_the_slope(void **state)
{
	(void)state;
	for (int i = 0; i < FORMS; i++) {
		const struct form *form = forms[i];
		begin(form);
		hand_over(form, T1);
		for (int n = 1; n <= 100; n++) {
			form->call(T1, F);
			for (int k = 0; k < (n + 1) / 2; k++)
				form->read(T1, X + 4 * (uint64_t)k, 4);
			for (int k = 0; k < n / 2; k++) {
				other_writes_x(form);
				form->read(T1, X, 4);
			}
			form->thread(T1)->cost += (uint64_t)n;
			form->back(T1, NULL);
		}
		struct input_routines *routines = &form->thread(T1)->routines;
		struct input_points rms = {0}, trms = {0};
		assert_true(input_routine_points(routines, input_routine_of(routines, F), INPUT_RMS, &rms));
		assert_true(input_routine_points(routines, input_routine_of(routines, F), INPUT_TRMS, &trms));
		assert_int_equal(rms.count, 50);
		assert_int_equal(trms.count, 100);
		for (uint32_t p = 0; p < rms.count; p++)
			assert_int_equal(rms.rows[p].cost_max, 2 * rms.rows[p].size);
		for (uint32_t p = 0; p < trms.count; p++)
			assert_int_equal(trms.rows[p].cost_max, trms.rows[p].size);
		input_points_free(&rms, &port);
		input_points_free(&trms, &port);
	}
	heap_start();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figure_1a),
		cmocka_unit_test(figure_1b),
		cmocka_unit_test(example_3_a_consumer_reads_as_much_as_was_produced),
		cmocka_unit_test(example_4_a_buffer_is_read_as_often_as_it_is_loaded),
		cmocka_unit_test(section_3_rms_has_half_the_points_at_twice_the_slope),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
