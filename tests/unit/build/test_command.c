/* SPDX-License-Identifier: MIT */
/* Records of how sources were compiled: one behind another as a linker puts them, with gaps, cut off, and of any bytes. */
#include "unit/lib.h"

#include "build/command.h"

static size_t add(unsigned char *to, const char *folder, const char *const *words)
{
	struct strv list = {0};
	for (; *words; words++)
		strv_add(&list, *words);
	struct blob record = command_record(folder, &list);
	size_t size = record.size;
	memcpy(to, record.at, size);
	blob_free(&record);
	strv_free(&list);
	return size;
}

static void records_are_read_as_they_were_written(void **state)
{
	unsigned char bytes[256] = {0};
	struct command c = {0};
	size_t size = add(bytes, "/my folder", (const char *const[]){"clang-19", "-O2", "-DX=a b", "-c", "a.c", NULL}), at = 0;
	(void)state;
	size += 3; /* a linker may align */
	size += add(bytes + size, "/", (const char *const[]){"clang++-19", "b.cpp", NULL});
	assert_true(command_next((struct blob){bytes, size}, &at, &c));
	assert_string_equal(c.folder, "/my folder");
	assert_int_equal(c.words.count, 5);
	assert_string_equal(c.words.at[2], "-DX=a b");
	assert_true(command_next((struct blob){bytes, size}, &at, &c));
	assert_string_equal(c.folder, "/");
	assert_string_equal(c.words.at[1], "b.cpp");
	assert_false(command_next((struct blob){bytes, size}, &at, &c));
	command_free(&c);
}

/* However it is cut: whole records or none, and an end. */
static void what_is_cut_off_is_no_record(void **state)
{
	unsigned char bytes[256] = {0};
	size_t size = add(bytes, "/here", (const char *const[]){"clang-19", "-c", "a.c", NULL});
	(void)state;
	for (size_t cut = 0; cut < size; cut++) {
		unsigned char *exact = malloc(cut ? cut : 1);
		struct command c = {0};
		size_t at = 0;
		memcpy(exact, bytes, cut);
		assert_false(command_next((struct blob){exact, cut}, &at, &c));
		command_free(&c);
		free(exact);
	}
}

static void any_bytes_come_to_an_end(void **state)
{
	(void)state;
	for (unsigned seed = 0; seed < 2000; seed++) {
		unsigned char bytes[64];
		struct command c = {0};
		size_t at = 0, records = 0;
		srand(seed);
		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = rand() % 3 ? (unsigned char)rand() : 0;
		while (command_next((struct blob){bytes, sizeof bytes}, &at, &c))
			assert_true(++records < sizeof bytes);
		assert_true(at <= sizeof bytes);
		command_free(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_read_as_they_were_written),
		cmocka_unit_test(what_is_cut_off_is_no_record),
		cmocka_unit_test(any_bytes_come_to_an_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
