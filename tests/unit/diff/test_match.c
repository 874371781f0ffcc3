/* SPDX-License-Identifier: MIT */
/* Things of two lists are paired by their strictest common key, in the order of their lines. */
#include "unit/lib.h"

#include "analyse/diff/match.h"

static void stricter_keys_go_first(void **state)
{
	struct match_thing old[] = {{.keys = {"a b", "b"}}, {.keys = {"c b", "b"}}};
	struct match_thing new[] = {{.keys = {"c b", "b"}}, {.keys = {"d b", "b"}}};
	size_t found[2];
	(void)state;
	match_lists(old, 2, new, 2, found);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 0);
}

static void equal_keys_go_by_lines(void **state)
{
	struct match_thing old[] = {{.keys = {"f"}, .line = 20}, {.keys = {"f"}, .line = 10}};
	struct match_thing new[] = {{.keys = {"f"}, .line = 13}, {.keys = {"f"}, .line = 23}};
	size_t found[2];
	(void)state;
	match_lists(old, 2, new, 2, found);
	assert_int_equal(found[0], 1);
	assert_int_equal(found[1], 0);
}

static void what_is_ambiguous_waits_for_the_last_pass(void **state)
{
	struct match_thing old[] = {{.keys = {"f", [MATCH_PASSES - 1] = "g"}, .line = 1}};
	struct match_thing new[] = {{.keys = {"f", [MATCH_PASSES - 1] = "g"}, .line = 5},
	                            {.keys = {"f"}, .line = 3},
	                            {.keys = {[MATCH_PASSES - 1] = "g"}, .line = 7}};
	size_t found[3];
	(void)state;
	match_lists(old, 1, new, 3, found);
	assert_int_equal(found[0], 0);
	assert_true(found[1] == MATCH_NONE);
	assert_true(found[2] == MATCH_NONE);
}

static void empty_lists_are_fine(void **state)
{
	struct match_thing one[] = {{.keys = {"f"}}};
	size_t found[1] = {0};
	(void)state;
	match_lists(NULL, 0, one, 1, found);
	assert_true(found[0] == MATCH_NONE);
	match_lists(one, 1, NULL, 0, found);
	match_lists(NULL, 0, NULL, 0, found);
}

/* The naive way: pass by pass, each group looked up in full. */
static void naive(const struct match_thing *old, size_t old_count, const struct match_thing *new, size_t new_count, size_t *found)
{
	bool old_done[64] = {false};
	for (size_t i = 0; i < new_count; i++)
		found[i] = MATCH_NONE;
	for (int pass = 0; pass < MATCH_PASSES; pass++) {
		bool was_old[64], was_new[64];
		for (size_t i = 0; i < old_count; i++)
			was_old[i] = old_done[i];
		for (size_t i = 0; i < new_count; i++)
			was_new[i] = found[i] != MATCH_NONE;
		for (size_t i = 0; i < new_count; i++) {
			const char *key = new[i].keys[pass];
			size_t mine = 0, theirs = 0, rank = 0;
			if (!key || was_new[i])
				continue;
			for (size_t j = 0; j < new_count; j++)
				if (new[j].keys[pass] && !was_new[j] && strcmp(new[j].keys[pass], key) == 0) {
					mine++;
					rank += new[j].line < new[i].line || (new[j].line == new[i].line &&j < i);
				}
			for (size_t j = 0; j < old_count; j++)
				theirs += old[j].keys[pass] && !was_old[j] && strcmp(old[j].keys[pass], key) == 0;
			if (mine != theirs && pass + 1 < MATCH_PASSES)
				continue;
			for (size_t j = 0; j < old_count; j++) {
				size_t place = 0;
				if (!old[j].keys[pass] || was_old[j] || strcmp(old[j].keys[pass], key) != 0)
					continue;
				for (size_t k = 0; k < old_count; k++)
					place += old[k].keys[pass] && !was_old[k] && strcmp(old[k].keys[pass], key) == 0 &&
						(old[k].line < old[j].line || (old[k].line == old[j].line && k < j));
				if (place == rank) {
					found[i] = j;
					old_done[j] = true;
				}
			}
		}
	}
}

static void random_lists_are_paired_as_the_naive_way_does(void **state)
{
	static const char *const words[] = {"a", "b", "c", "d", NULL};
	uint64_t seed = 5;
	(void)state;
	for (int turn = 0; turn < 2000; turn++) {
		struct match_thing lists[2][20] = {0};
		size_t counts[2], is[20], should[20];
		for (int l = 0; l < 2; l++) {
			seed = seed * UINT64_C(6364136223846793005) + 1;
			counts[l] = (seed >> 33) % 20;
			for (size_t i = 0; i < counts[l]; i++) {
				for (int k = 0; k < MATCH_PASSES; k++) {
					seed = seed * UINT64_C(6364136223846793005) + 1;
					lists[l][i].keys[k] = words[(seed >> 33) % 5];
				}
				lists[l][i].line = (int64_t)(seed >> 50) % 8;
			}
		}
		match_lists(lists[0], counts[0], lists[1], counts[1], is);
		naive(lists[0], counts[0], lists[1], counts[1], should);
		for (size_t i = 0; i < counts[1]; i++)
			if (is[i] != should[i])
				fail_msg("turn %d: %zu is %zu, not %zu", turn, i, is[i], should[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stricter_keys_go_first),
		cmocka_unit_test(equal_keys_go_by_lines),
		cmocka_unit_test(what_is_ambiguous_waits_for_the_last_pass),
		cmocka_unit_test(empty_lists_are_fine),
		cmocka_unit_test(random_lists_are_paired_as_the_naive_way_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
