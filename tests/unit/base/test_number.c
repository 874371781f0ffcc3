/* SPDX-License-Identifier: MIT */
/* Whole numbers from doubles: any double has one, and it is the nearest that is allowed. */
#include "unit/lib.h"

#include <math.h>
#include "base/number.h"

static const double odd[] = {NAN,     -NAN,   INFINITY, -INFINITY, 0x1p62, -0x1p62, 0x1p63,
                             -0x1p63, 0x1p64, 1e308,    -1e308,    5e-324, -5e-324, -0.0};

static void digits_after_the_point_are_cut(void **state)
{
	(void)state;
	assert_int_equal(number_whole(2.7), 2);
	assert_int_equal(number_whole(-2.7), -2);
	assert_int_equal(number_whole(0), 0);
	assert_int_equal(number_count(2.99), 2);
	assert_int_equal(number_within(3.99, 0, 20), 3);
	assert_int_equal(number_whole(0x1p53 - 1), (INT64_C(1) << 53) - 1);
}

static void what_does_not_fit_is_the_nearest_that_does(void **state)
{
	(void)state;
	assert_true(number_whole(INFINITY) == NUMBER_MOST);
	assert_true(number_whole(-INFINITY) == -NUMBER_MOST);
	assert_true(number_whole(0x1p63) == NUMBER_MOST);
	assert_true(number_count(1e30) == NUMBER_MOST);
	assert_true(number_count(-1) == 0);
	assert_int_equal(number_within(20.5, 0, 20), 20);
	assert_int_equal(number_within(-0.5, 0, 20), 0);
	assert_int_equal(number_within(1e30, -3, 3), 3);
	assert_true(number_within(0x1p63, INT64_MIN, INT64_MAX) == INT64_MAX);
	assert_true(number_within(-INFINITY, INT64_MIN, INT64_MAX) == INT64_MIN);
}

static void what_is_not_a_number_is_nothing_or_the_least(void **state)
{
	(void)state;
	assert_int_equal(number_whole(NAN), 0);
	assert_int_equal(number_count(NAN), 0);
	assert_int_equal(number_within(NAN, 3, 20), 3);
}

static void no_double_leaves_the_bounds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
		for (int64_t most = 0; most < 100; most += 7) {
			int64_t is = number_within(odd[i], -most, most);
			assert_true(is >= -most && is <= most);
			assert_true(number_count(odd[i]) <= NUMBER_MOST);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(digits_after_the_point_are_cut),
		cmocka_unit_test(what_does_not_fit_is_the_nearest_that_does),
		cmocka_unit_test(what_is_not_a_number_is_nothing_or_the_least),
		cmocka_unit_test(no_double_leaves_the_bounds),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
