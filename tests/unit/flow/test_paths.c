/* SPDX-License-Identifier: MIT */
/* Call paths out of tables: what a recorder writes is what is read, and tables that nobody wrote do no harm. */
#include "analyse/flow/paths.h"
#include "unit/lib.h"

enum { ROWS = 8, MOST = 100 };

struct table {
	struct raw_table head;
	struct raw_flow_path rows[ROWS];
};

static struct table make(uint32_t first, uint32_t used)
{
	struct table t = {.head = {.kind = RAW_FLOW_PATHS, .object = first, .row_bytes = sizeof t.rows[0], .capacity = ROWS, .used = used}};
	for (uint32_t i = 0; i < ROWS; i++)
		t.rows[i] = (struct raw_flow_path){.place = 1000 + first + i, .parent = first + i - 1};
	return t;
}

static void lanes_have_paths_of_their_own(void **state)
{
	struct table one = make(1, ROWS), more = make(1 + ROWS, 2), other = make(1, 3);
	struct flow_paths paths = {0};
	uint64_t places[MOST];
	(void)state;
	flow_paths_add(&paths, 7, &more.head);
	flow_paths_add(&paths, 9, &other.head);
	flow_paths_add(&paths, 7, &one.head);
	flow_paths_sort(&paths);
	uint32_t last = flow_paths_find(&paths, 7, ROWS + 2), of_other = flow_paths_find(&paths, 9, 3);
	assert_int_equal(flow_paths_places(&paths, last, places, MOST), ROWS + 2);
	for (uint64_t i = 0; i < ROWS + 2; i++)
		assert_int_equal(places[i], 1000 + ROWS + 2 - i);
	assert_int_equal(flow_paths_places(&paths, last, places, 2), 2);
	assert_true(of_other != 0 && of_other != flow_paths_find(&paths, 7, 3));
	assert_int_equal(flow_paths_places(&paths, of_other, places, MOST), 3);
	assert_int_equal(places[2], 1001);
	assert_int_equal(flow_paths_find(&paths, 7, ROWS + 3), 0);
	assert_int_equal(flow_paths_find(&paths, 7, UINT64_C(0x100000001)), 0);
	assert_int_equal(flow_paths_find(&paths, 7, 0), 0);
	assert_int_equal(flow_paths_find(&paths, 8, 1), 0);
	assert_int_equal(flow_paths_places(&paths, 0, places, MOST), 0);
	assert_int_equal(flow_paths_places(&paths, UINT32_MAX, places, MOST), 0);
	flow_paths_free(&paths);
}

static void a_caller_that_does_not_come_before_ends_the_path(void **state)
{
	struct table t = make(1, ROWS);
	struct flow_paths paths = {0};
	uint64_t places[MOST];
	(void)state;
	t.rows[2].parent = 3; /* itself */
	t.rows[3].parent = 5;
	t.rows[4].parent = UINT32_MAX;
	flow_paths_add(&paths, 0, &t.head);
	flow_paths_sort(&paths);
	const size_t expected[] = {1, 2, 1, 1, 1, 2, 3, 4};
	for (uint32_t i = 0; i < ROWS; i++)
		assert_int_equal(flow_paths_places(&paths, flow_paths_find(&paths, 0, i + 1), places, MOST), expected[i]);
	flow_paths_free(&paths);
}

/* Random heads of tables and random callers: every path ends, within what is there. */
static void tables_that_nobody_wrote_do_no_harm(void **state)
{
	uint64_t random = 3, places[MOST], found = 0;
	(void)state;
	for (int turn = 0; turn < 20000; turn++) {
		struct flow_paths paths = {0};
		struct table tables[4];
		for (int i = 0; i < 4; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			tables[i] = make(1 + ROWS * ((uint32_t)(random >> 33) % 3), ROWS + (uint32_t)(random >> 50) % 3 * ROWS / 2);
			tables[i].head.object -= random >> 61 ? 0 : (uint32_t)(random >> 45) % 12;
			for (int k = 0; k < ROWS; k++)
				tables[i].rows[k].parent ^= (random >> (k * 4) & 15) > 12 ? (uint32_t)(random >> k) : 0;
			flow_paths_add(&paths, random >> 40 & 1, &tables[i].head);
		}
		flow_paths_sort(&paths);
		for (uint32_t path = 0; path < 40; path++) {
			size_t count = flow_paths_places(&paths, flow_paths_find(&paths, path & 1, path / 2), places, MOST);
			assert_true(count <= 4 * ROWS);
			found += count > 0;
		}
		flow_paths_free(&paths);
	}
	assert_true(found > 20000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_have_paths_of_their_own),
		cmocka_unit_test(a_caller_that_does_not_come_before_ends_the_path),
		cmocka_unit_test(tables_that_nobody_wrote_do_no_harm),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
