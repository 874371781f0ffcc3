/* SPDX-License-Identifier: MIT */
/* The longest intervals of many, against a sorted list. */
#include "unit/lib.h"

#include "report/flow/longest.h"

enum { MOST_LENGTHS = 5000 };

static uint64_t lengths[MOST_LENGTHS];
static bool is_kept[MOST_LENGTHS];

static int downwards(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? 1 : x > y ? -1 : 0;
}

static size_t choose(size_t count, size_t most)
{
	static struct longest longest;
	size_t kept = 0;
	longest = (struct longest){0};
	for (size_t i = 0; i < count; i++)
		longest_count(&longest, lengths[i]);
	longest_choose(&longest, most);
	for (size_t i = 0; i < count; i++)
		kept += is_kept[i] = longest_has(&longest, lengths[i]);
	return kept;
}

/* As many as there is room for; and whatever is left out is at most an eighth longer than the shortest that has to be kept. */
static void those_that_are_left_out_are_not_longer(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 200; round++) {
		static uint64_t sorted[MOST_LENGTHS];
		size_t count = 1 + (size_t)rand() % MOST_LENGTHS, most = (size_t)rand() % (MOST_LENGTHS + 100);
		for (size_t i = 0; i < count; i++)
			sorted[i] = lengths[i] = ((uint64_t)rand() << 31 | (uint64_t)rand()) >> rand() % 63;
		qsort(sorted, count, sizeof *sorted, downwards);
		assert_int_equal(choose(count, most), most < count ? most : count);
		for (size_t i = 0; most && i < count; i++)
			if (!is_kept[i])
				assert_true(lengths[i] <= sorted[most - 1] + sorted[most - 1] / 8);
	}
}

/* Of those that are alike, every so many-th. */
static void of_those_alike_every_so_many_th(void **state)
{
	(void)state;
	for (size_t i = 0; i < 1000; i++)
		lengths[i] = 1000;
	assert_int_equal(choose(1000, 100), 100);
	for (size_t i = 0; i < 1000; i += 10) {
		int kept = 0;
		for (size_t k = i; k < i + 10; k++)
			kept += is_kept[k];
		assert_int_equal(kept, 1);
	}
}

static void none_and_few(void **state)
{
	(void)state;
	lengths[0] = UINT64_MAX;
	lengths[1] = 1;
	lengths[2] = 7;
	assert_int_equal(choose(3, 1), 1);
	assert_true(is_kept[0]);
	assert_int_equal(choose(3, 2), 2);
	assert_true(is_kept[2]);
	assert_int_equal(choose(3, 0), 0);
	assert_int_equal(choose(0, 5), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_are_left_out_are_not_longer),
		cmocka_unit_test(of_those_alike_every_so_many_th),
		cmocka_unit_test(none_and_few),
	};
	return cmocka_run_group_tests_name("longest", tests, NULL, NULL);
}
