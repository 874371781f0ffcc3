/* SPDX-License-Identifier: MIT */
/* Axes of plots: values have their places, and marks are round, rising, and not too close, whatever the range. */
#include "unit/lib.h"

#include <math.h>

#include "report/axis.h"

static struct axis of(enum axis_kind kind, double least, double most, double margin)
{
	struct axis a;
	axis_start(&a, kind);
	axis_include(&a, least);
	axis_include(&a, most);
	axis_close(&a, margin);
	return a;
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) <= 1e-9 * fmax(1, fabs(b)));
}

static void values_have_their_places(void **state)
{
	struct axis log = of(AXIS_LOG, 10, 1000, 0), linear = of(AXIS_LINEAR, 10, 1000, 0), from_0 = of(AXIS_LOG_FROM_0, 0, 99, 0);
	(void)state;
	assert_near(axis_place(&log, 10), 0);
	assert_near(axis_place(&log, 100), 0.5);
	assert_near(axis_place(&log, 1000), 1);
	assert_near(axis_value(&log, 0.5), 100);
	assert_near(axis_place(&linear, 0), 0); /* begins at 0 */
	assert_near(axis_place(&linear, 500), 0.5);
	assert_near(axis_value(&linear, 0.25), 250);
	assert_near(axis_place(&from_0, 0), 0);
	assert_near(axis_place(&from_0, 9), 0.5);
	assert_near(axis_value(&from_0, 0.5), 9);
}

static void what_has_no_place_is_left_out(void **state)
{
	struct axis log = of(AXIS_LOG, 0, 100, 0), from_0 = of(AXIS_LOG_FROM_0, -1, 9, 0);
	(void)state;
	assert_near(log.from, 100 / pow(10, 0.05)); /* 100 is its only value */
	assert_false(axis_has(&log, 0));
	assert_false(axis_has(&log, NAN));
	assert_true(axis_has(&log, 100));
	assert_near(from_0.from, 0);
	assert_false(axis_has(&from_0, -1));
	assert_false(axis_has(&from_0, 11));
}

static void a_margin_is_a_share_of_the_length(void **state)
{
	struct axis log = of(AXIS_LOG, 1, 100, 0.25), linear = of(AXIS_LINEAR, 0, 100, 0.25), below = of(AXIS_LINEAR, -100, 100, 0.25);
	(void)state;
	assert_near(log.from, pow(10, -0.5));
	assert_near(log.to, pow(10, 2.5));
	assert_near(linear.from, 0); /* 0 stays at the corner */
	assert_near(linear.to, 125);
	assert_near(below.from, -150);
}

static void an_axis_of_nothing_has_a_length(void **state)
{
	(void)state;
	for (int kind = AXIS_LOG; kind <= AXIS_LOG_FROM_0; kind++) {
		struct axis nothing, one = of((enum axis_kind)kind, 7, 7, 0);
		axis_start(&nothing, (enum axis_kind)kind);
		axis_close(&nothing, 0.04);
		assert_true(nothing.to > nothing.from);
		assert_true(one.to > one.from);
		assert_true(axis_has(&one, 7));
	}
}

static void expect_marks(struct axis a, size_t most, const char *expected)
{
	struct pool pool = {0};
	double marks[AXIS_MARKS];
	size_t count = axis_marks(&a, most, marks);
	const char *text = "";
	for (size_t i = 0; i < count; i++)
		text = pool_print(&pool, "%s%s%s", text, i ? " | " : "", axis_label(&pool, marks[i]));
	assert_string_equal(text, expected);
	pool_free(&pool);
}

static void marks_are_those_that_a_person_would_choose(void **state)
{
	struct axis calls = of(AXIS_LOG, 0.7, 3, 0);
	(void)state;
	calls.is_whole = true;
	expect_marks(of(AXIS_LINEAR, 0, 100, 0), 11, "0 | 10 | 20 | 30 | 40 | 50 | 60 | 70 | 80 | 90 | 100");
	expect_marks(of(AXIS_LINEAR, 0, 100, 0.04), 6, "0 | 20 | 40 | 60 | 80 | 100");
	expect_marks(of(AXIS_LINEAR, 0, 1, 0), 5, "0 | 0.5 | 1");
	expect_marks(of(AXIS_LINEAR, 0, 17000000, 0), 10, "0 | 2 M | 4 M | 6 M | 8 M | 10 M | 12 M | 14 M | 16 M");
	expect_marks(of(AXIS_LOG, 1, 1e7, 0), 8, "1 | 10 | 100 | 1,000 | 10,000 | 100,000 | 1 M | 10 M");
	expect_marks(of(AXIS_LOG, 1, 1e7, 0), 4, "1 | 100 | 10,000 | 1 M");
	expect_marks(of(AXIS_LOG, 8, 4096, 0), 10, "10 | 20 | 50 | 100 | 200 | 500 | 1,000 | 2,000");
	expect_marks(of(AXIS_LOG, 67, 90, 0), 6, "70 | 75 | 80 | 85 | 90");
	expect_marks(of(AXIS_LOG, 3, 70, 0), 3, "5 | 10 | 20 | 50");
	expect_marks(of(AXIS_LOG_FROM_0, 0, 1000, 0), 6, "0 | 1 | 10 | 100 | 1,000");
	expect_marks(of(AXIS_LOG_FROM_0, 0, 9, 0), 6, "0 | 1 | 2 | 5");
	expect_marks(calls, 10, "1 | 2 | 3");
}

/* The labels of two marks need room: the marks are not much closer than if all were evenly far apart. */
static void marks_hold_whatever_the_range(void **state)
{
	(void)state;
	srand(13);
	for (int round = 0; round < 20000; round++) {
		double least = pow(10, rand() % 1200 / 100.0 - 1), most = least * pow(10, rand() % 900 / 100.0), marks[AXIS_MARKS];
		size_t wanted = 2 + (size_t)rand() % 12;
		struct axis a = of((enum axis_kind)(rand() % 3), least, most, rand() % 2 ? 0.04 : 0);
		size_t count = axis_marks(&a, wanted, marks);
		assert_in_range(count, 1, AXIS_MARKS);
		for (size_t i = 0; i < count; i++) {
			assert_true(axis_has(&a, marks[i]));
			assert_true(i == 0 || axis_place(&a, marks[i]) - axis_place(&a, marks[i - 1]) > 0.3 / (double)wanted);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_have_their_places),
		cmocka_unit_test(what_has_no_place_is_left_out),
		cmocka_unit_test(a_margin_is_a_share_of_the_length),
		cmocka_unit_test(an_axis_of_nothing_has_a_length),
		cmocka_unit_test(marks_are_those_that_a_person_would_choose),
		cmocka_unit_test(marks_hold_whatever_the_range),
	};
	return cmocka_run_group_tests_name("axis", tests, NULL, NULL);
}
