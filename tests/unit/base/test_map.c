/* SPDX-License-Identifier: MIT */
/* Maps and lookups beside a naive search, on random keys that collide often. */
#include "unit/lib.h"

#include "base/hash.h"
#include "base/map.h"

enum { KEYS = 3000, STEPS = 20000 };

static void a_map_holds_what_was_put_there(void **state)
{
	static char values[KEYS];
	static bool known[KEYS];
	struct map map = {0};
	size_t count = 0;
	(void)state;
	srand(1);
	for (int step = 0; step < STEPS; step++) {
		size_t key = (size_t)rand() % KEYS;
		void **place = map_at(&map, key << 40 | key); /* keys 0 and those that differ in few bits, too */
		assert_ptr_equal(*place, known[key] ? &values[key] : NULL);
		if (step % 3 == 0) { /* a place that is left empty stays new */
			count += !known[key];
			known[key] = true;
			*place = &values[key];
		}
		size_t other = (size_t)rand() % KEYS;
		assert_ptr_equal(map_find(&map, other << 40 | other), known[other] ? &values[other] : NULL);
		if (step % 4 == 0) {
			map_drop(&map, other << 40 | other);
			count -= known[other];
			known[other] = false;
		}
	}
	size_t held = 0;
	for (size_t i = 0; i < map.room; i++)
		held += map.at[i].value != NULL;
	assert_int_equal(held, count);
	map_free(&map);
	assert_null(map.at);
}

static bool is_text(const void *array, size_t number, const void *what)
{
	return strcmp(((char(*)[8])(uintptr_t)array)[number], what) == 0;
}

static size_t search(char (*list)[8], size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i], text) == 0)
			return i + 1;
	return 0;
}

static void a_lookup_finds_what_a_search_finds(void **state)
{
	static char list[KEYS][8];
	struct lookup lookup = {0};
	size_t count = 0;
	(void)state;
	srand(2);
	for (int step = 0; step < STEPS; step++) {
		char text[8];
		snprintf(text, sizeof text, "%d", rand() % KEYS);
		size_t *place = lookup_at(&lookup, hash_text(HASH_START, text) % 97, is_text, list, text); /* many have the same hash */
		assert_int_equal(*place, search(list, count, text));
		if (!*place && step % 5) {
			memcpy(list[count++], text, sizeof text);
			*place = count;
		}
	}
	assert_true(count > KEYS / 2);
	lookup_free(&lookup);
	assert_null(lookup.at);
}

static void hashes_tell_order_and_parts_apart(void **state)
{
	(void)state;
	assert_true(hash_text(HASH_START, "a") == UINT64_C(0xaf63dc4c8601ec8c)); /* FNV-1a's own example */
	assert_true(hash_number(hash_number(HASH_START, 1), 2) != hash_number(hash_number(HASH_START, 2), 1));
	assert_true(hash_text(hash_number(hash_text(HASH_START, "ab"), 0), "c") !=
	            hash_text(hash_number(hash_text(HASH_START, "a"), 0), "bc"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_holds_what_was_put_there),
		cmocka_unit_test(a_lookup_finds_what_a_search_finds),
		cmocka_unit_test(hashes_tell_order_and_parts_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
