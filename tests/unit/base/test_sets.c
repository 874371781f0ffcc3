/* SPDX-License-Identifier: MIT */
/* Sets that are kept once are those that a row of flags per set would be. */
#include "base/sets.h"
#include "unit/lib.h"

enum { MEMBERS = 12, STEPS = 20000, SETS = 1 << MEMBERS };

static void equal_sets_have_one_number(void **state)
{
	struct sets sets = {0};
	static uint32_t flags[SETS + 1], number_of[SETS];
	uint64_t random = 1;
	uint32_t known = 1;
	(void)state;
	for (int i = 0; i < STEPS; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		uint32_t set = (uint32_t)(random >> 33) % known, member = (uint32_t)(random >> 20) % MEMBERS;
		uint32_t larger = sets_with(&sets, set, member), want = flags[set] | 1u << member;
		if (!number_of[want]) {
			assert_int_equal(larger, known);
			flags[known++] = want;
			number_of[want] = larger;
		}
		assert_int_equal(larger, number_of[want]);
	}
	for (uint32_t set = 0; set < known; set++) {
		const uint32_t *members = NULL;
		uint32_t got = 0;
		for (size_t i = 0, count = sets_members(&sets, set, &members); i < count; i++) {
			assert_true(i == 0 || members[i - 1] < members[i]);
			got |= 1u << members[i];
		}
		assert_int_equal(got, flags[set]);
	}
	sets_free(&sets);
}

static void a_set_has_a_bound(void **state)
{
	struct sets sets = {0};
	const uint32_t *members = NULL;
	uint32_t set = 0;
	(void)state;
	for (uint32_t i = 0; i < 2 * SETS_MEMBERS; i++)
		set = sets_with(&sets, set, i);
	assert_int_equal(sets_members(&sets, set, &members), SETS_MEMBERS);
	sets_free(&sets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(equal_sets_have_one_number), cmocka_unit_test(a_set_has_a_bound)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
