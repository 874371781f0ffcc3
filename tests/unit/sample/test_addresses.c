/* SPDX-License-Identifier: MIT */
/* Ranges of addresses that grow where they are, and the memory of the runtime that lies in them. */
#include "unit/lib.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "raw/addresses.h"
#include "threads/arena.h"

enum { PAGE = 4096, PRIVATE = MAP_PRIVATE | MAP_ANONYMOUS };

static void what_was_written_stays_where_it_is(void **state)
{
	(void)state;
	char *at = addresses_begin((size_t)1 << 36, PAGE, PRIVATE, -1), *other = addresses_begin((size_t)1 << 36, PAGE, PRIVATE, -1);
	assert_non_null(at);
	assert_non_null(other);
	at[7] = 'x';
	for (size_t pages = 1; pages < 1024; pages *= 2) {
		assert_true(addresses_extend(at, pages * PAGE, 2 * pages * PAGE, PRIVATE, -1));
		at[2 * pages * PAGE - 1] = 'y';
	}
	assert_true(at[7] == 'x' && other[0] == 0);
	munmap(at, 1024 * PAGE);
	munmap(other, PAGE);
}

static void a_range_never_grows_over_others(void **state)
{
	(void)state;
	char *at = addresses_begin(16 * PAGE, PAGE, PRIVATE, -1);
	char *in_the_way = mmap(at + 2 * PAGE, PAGE, PROT_READ | PROT_WRITE, PRIVATE | MAP_FIXED, -1, 0);
	*in_the_way = 'z';
	assert_false(addresses_extend(at, PAGE, 4 * PAGE, PRIVATE, -1));
	assert_true(*in_the_way == 'z');
	assert_true(addresses_extend(at, PAGE, 2 * PAGE, PRIVATE, -1));
	munmap(at, 3 * PAGE);
}

/* What may become large takes no more of the subject's addresses than it uses. */
static void reserving_takes_no_addresses(void **state)
{
	(void)state;
	struct rlimit before, few;
	size_t open, more;
	getrlimit(RLIMIT_AS, &before);
	few = (struct rlimit){(rlim_t)512 << 20, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_AS, &few), 0);
	for (int i = 0; i < 100; i++) {
		char *at = arena_reserve((size_t)1 << 30, &open);
		assert_non_null(at);
		at[open - 1] = 1;
		more = open;
		assert_true(arena_open(at, (size_t)1 << 30, &more, open + 1));
		assert_true(more > open && !at[more - 1]);
		arena_release(at, more);
	}
	char *at = arena_reserve((size_t)1 << 30, &open);
	assert_false(arena_open(at, (size_t)1 << 30, &open, (size_t)600 << 20)); /* more than the limit allows */
	assert_false(arena_open(at, 2 * open, &open, 2 * open + 1));
	arena_release(at, open);
	setrlimit(RLIMIT_AS, &before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_stays_where_it_is),
		cmocka_unit_test(a_range_never_grows_over_others),
		cmocka_unit_test(reserving_takes_no_addresses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
