/* SPDX-License-Identifier: MIT */
/* Numbers and places as every lens shows them. */
#include "unit/lib.h"

#include "base/text.h"

static struct pool pool;

static int forget(void **state)
{
	(void)state;
	pool_free(&pool);
	return 0;
}

static void times_have_three_digits_and_a_unit(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {{0, "0"},           {1, "1 ns"},         {999, "999 ns"},     {999.6, "1.00 us"},
	             {12345, "12.3 us"}, {951e6, "951 ms"},   {999.4e6, "999 ms"}, {999.5e6, "1.00 s"},
	             {2.39e9, "2.39 s"}, {47.84e9, "47.8 s"}, {1234e9, "1234 s"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(text_ns(&pool, cases[i].ns), cases[i].text);
}

static void percents_have_the_digits_that_tell_something(void **state)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {{0, "0 %"},         {0.001, "<0.01 %"},   {0.04, "0.04 %"}, {0.94, "0.94 %"}, {0.96, "1.0 %"},
	             {7.72, "7.7 %"},    {9.94, "9.9 %"},      {9.96, "10 %"},   {93.4, "93 %"},   {99.4, "99 %"},
	             {99.77, "99.77 %"}, {99.999, ">99.99 %"}, {100, "100 %"},   {250, "250 %"}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(text_percent(&pool, cases[i].value), cases[i].text);
	assert_string_equal(text_share(&pool, 1, 4), "25 %");
	assert_string_equal(text_share(&pool, 1, 0), "0 %");
}

static void counts_are_exact_in_sentences_and_short_in_tables(void **state)
{
	(void)state;
	assert_string_equal(text_count(&pool, 0), "0");
	assert_string_equal(text_count(&pool, -1234), "-1,234");
	assert_string_equal(text_count(&pool, 5200010), "5,200,010");
	assert_string_equal(text_count(&pool, INT64_MAX), "9,223,372,036,854,775,807");
	assert_string_equal(text_amount(&pool, 999), "999");
	assert_string_equal(text_amount(&pool, 999999), "999,999");
	assert_string_equal(text_amount(&pool, 1000000), "1.00 M");
	assert_string_equal(text_amount(&pool, 5200010), "5.20 M");
	assert_string_equal(text_amount(&pool, 999499999), "999 M");
	assert_string_equal(text_amount(&pool, 999500000), "1.00 G");
	assert_string_equal(text_amount(&pool, INT64_MAX), "9.22 E");
}

static void places_have_no_folders(void **state)
{
	(void)state;
	assert_string_equal(text_place(&pool, "/src/a.c", 12), "a.c:12");
	assert_string_equal(text_place(&pool, "a.c", 12), "a.c:12");
	assert_string_equal(text_place(&pool, "", 12), "");
	assert_string_equal(text_s(1), "");
	assert_string_equal(text_s(0), "s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(times_have_three_digits_and_a_unit, forget),
		cmocka_unit_test_teardown(percents_have_the_digits_that_tell_something, forget),
		cmocka_unit_test_teardown(counts_are_exact_in_sentences_and_short_in_tables, forget),
		cmocka_unit_test_teardown(places_have_no_folders, forget),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
