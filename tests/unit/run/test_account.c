/* SPDX-License-Identifier: MIT */
/* What switches and samples of threads mean, with answers by hand. */
#include "run/attach/account.h"
#include "unit/lib.h"

enum { MS = 1000000 };

static void put(struct account *a, uint64_t ms, enum account_what what, uint32_t tid, uint32_t core, uint32_t node, uint32_t other)
{
	account_note(a, &(struct account_note){.time = ms * MS, .what = what, .tid = tid, .core = core, .node = node, .other = other});
}

static const struct account_cost *cost(const struct account *a, size_t thread, uint32_t node)
{
	const struct account_cost *c = map_find(&a->threads[thread]->costs, node);
	assert_non_null(c);
	return c;
}

/* Thread 1 works alone for 10 ms, then beside thread 2 for 10 ms, on 2 cores; thread 2 had waited for a lock. */
static void test_idleness(void **state)
{
	struct account a;
	(void)state;
	account_open(&a, 2, MS, 0);
	account_thread(&a, 1, 1, ACCOUNT_IS_READY, 0);
	account_thread(&a, 2, 1, ACCOUNT_WAITS, 0);
	put(&a, 0, ACCOUNT_PLACE, 2, 0, 7, RAW_WAIT_LOCK);
	put(&a, 10, ACCOUNT_ON, 2, 1, 0, 0); /* in another order than that of times */
	put(&a, 0, ACCOUNT_ON, 1, 0, 0, 0);
	put(&a, 20, ACCOUNT_SAMPLE, 1, 0, 5, 0);
	put(&a, 20, ACCOUNT_SAMPLE, 2, 1, 6, 0);
	account_close(&a, 20 * MS + 1);
	const struct account_cost *one = cost(&a, 0, 5), *two = cost(&a, 1, 6), *wait = cost(&a, 1, 7);
	assert_int_equal(one->row.samples, 1);
	assert_int_equal(one->row.work_ns[RAW_IDLE_SERIAL], 10 * MS);
	assert_int_equal(one->row.work_ns[RAW_IDLE_FULL], 10 * MS + 1);
	assert_int_equal(one->row.idle_ns, 10 * MS);
	assert_int_equal(one->why_ns[RAW_WAIT_LOCK], 10 * MS);
	assert_int_equal(two->row.work_ns[RAW_IDLE_FULL], 10 * MS + 1);
	assert_int_equal(two->row.idle_ns, 0);
	assert_int_equal(wait->waits[RAW_WAIT_LOCK].wait_ns, 10 * MS);
	assert_int_equal(wait->waits[RAW_WAIT_LOCK].quiet_ns, 0);
	assert_int_equal(a.threads[0]->cpu_ns, 20 * MS + 1);
	assert_int_equal(a.threads[1]->creator, 0);
	assert_int_equal(a.most_alive, 2);
	account_free(&a);
}

/* No thread works between 4 and 9 ms; the wait that ends at 9 ms ended that. The other one goes on. */
static void test_quiet(void **state)
{
	struct account a;
	(void)state;
	account_open(&a, 4, MS, 0);
	account_thread(&a, 1, 1, ACCOUNT_IS_READY, 0);
	account_thread(&a, 2, 1, ACCOUNT_WAITS, 0);
	put(&a, 0, ACCOUNT_PLACE, 2, 0, 8, RAW_WAIT_CONDITION);
	put(&a, 0, ACCOUNT_ON, 1, 0, 0, 0);
	put(&a, 4, ACCOUNT_PLACE, 1, 0, 9, RAW_WAIT_IO);
	put(&a, 4, ACCOUNT_OFF, 1, 0, 0, 0);
	put(&a, 9, ACCOUNT_ON, 1, 0, 0, 0);
	put(&a, 10, ACCOUNT_SAMPLE, 1, 0, 5, 0);
	account_close(&a, 10 * MS);
	assert_int_equal(cost(&a, 0, 9)->waits[RAW_WAIT_IO].wait_ns, 5 * MS);
	assert_int_equal(cost(&a, 0, 9)->waits[RAW_WAIT_IO].quiet_ns, 5 * MS);
	assert_int_equal(cost(&a, 1, 8)->waits[RAW_WAIT_CONDITION].wait_ns, 10 * MS);
	assert_int_equal(cost(&a, 1, 8)->waits[RAW_WAIT_CONDITION].quiet_ns, 0);
	account_free(&a);
}

/* A thread that lost its core to another one is ready: it works, and has no CPU time. One that ends is gone, and its last time is that of its
 * last place. */
static void test_ready_and_end(void **state)
{
	struct account a;
	(void)state;
	account_open(&a, 1, MS, 0);
	account_thread(&a, 1, 1, ACCOUNT_IS_READY, 0);
	put(&a, 0, ACCOUNT_ON, 1, 0, 0, 0);
	put(&a, 1, ACCOUNT_BEGIN, 2, 0, 0, 1);
	put(&a, 2, ACCOUNT_SAMPLE, 1, 0, 5, 0);
	put(&a, 3, ACCOUNT_READY, 1, 0, 0, 0);
	put(&a, 3, ACCOUNT_ON, 2, 0, 0, 0);
	put(&a, 5, ACCOUNT_SAMPLE, 2, 0, 6, 0);
	put(&a, 6, ACCOUNT_END, 2, 0, 0, 0);
	put(&a, 6, ACCOUNT_OFF, 2, 0, 0, 0); /* too late: ignored */
	put(&a, 6, ACCOUNT_ON, 1, 0, 0, 0);
	account_close(&a, 8 * MS);
	assert_int_equal(a.thread_count, 2);
	assert_int_equal(a.threads[0]->cpu_ns, 5 * MS);
	assert_int_equal(a.threads[1]->cpu_ns, 3 * MS);
	assert_int_equal(a.threads[1]->end_ns, 6 * MS);
	assert_int_equal(cost(&a, 1, 6)->row.work_ns[RAW_IDLE_OVER], 3 * MS);
	assert_int_equal(cost(&a, 0, 5)->row.work_ns[RAW_IDLE_FULL], 3 * MS);
	assert_int_equal(cost(&a, 0, 5)->row.work_ns[RAW_IDLE_OVER], 2 * MS);
	account_free(&a);
}

/* Where a record was lost, the core tells: no two threads have one. */
static void test_lost_record(void **state)
{
	struct account a;
	(void)state;
	account_open(&a, 2, MS, 0);
	account_thread(&a, 1, 1, ACCOUNT_IS_READY, 0);
	account_thread(&a, 2, 1, ACCOUNT_IS_READY, 0);
	put(&a, 0, ACCOUNT_ON, 1, 0, 0, 0);
	put(&a, 2, ACCOUNT_ON, 2, 0, 0, 0);
	put(&a, 4, ACCOUNT_SAMPLE, 2, 0, 6, 0);
	account_close(&a, 4 * MS);
	assert_int_equal(a.threads[0]->cpu_ns, 2 * MS);
	assert_int_equal(a.threads[1]->cpu_ns, 2 * MS);
	assert_int_equal(cost(&a, 1, 6)->row.idle_ns, 2 * MS);
	account_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_idleness), cmocka_unit_test(test_quiet),
	                                   cmocka_unit_test(test_ready_and_end), cmocka_unit_test(test_lost_record)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
