/* SPDX-License-Identifier: MIT */
/* Lines of fields, and lines of files. */
#include "unit/lib.h"

#include "base/fields.h"
#include "base/strv.h"

static void a_line_is_cut_at_its_tabs(void **state)
{
	char line[] = "a\t\tbc", one[] = "x", none[] = "";
	char *f[3];
	(void)state;
	assert_int_equal(fields_split(line, f, 3), 3);
	assert_string_equal(f[0], "a");
	assert_string_equal(f[1], "");
	assert_string_equal(f[2], "bc");
	assert_int_equal(fields_split(one, f, 3), 1);
	assert_int_equal(fields_split(none, f, 3), 1);
	assert_string_equal(f[0], "");
}

static void fields_that_find_no_room_are_counted(void **state)
{
	char line[] = "a\tb\tc\td";
	char *f[3] = {NULL, NULL, line};
	(void)state;
	assert_int_equal(fields_split(line, f, 2), 4);
	assert_string_equal(f[1], "b");
	assert_ptr_equal(f[2], line);
}

static void any_text_comes_back(void **state)
{
	char every[256], *text;
	size_t bytes;
	(void)state;
	for (int i = 0; i < 255; i++)
		every[i] = (char)(i + 1);
	every[255] = 0;
	FILE *out = open_memstream(&text, &bytes);
	fields_write(out, every);
	fclose(out);
	assert_null(strpbrk(text, "\t\n\r\x7f"));
	assert_true(fields_unescape(text));
	assert_string_equal(text, every);
	free(text);
}

static void illegal_escapes_are_told_and_stay(void **state)
{
	static const char *const bad[] = {"\\", "\\x", "\\x4", "\\xg0", "\\x00", "a\\n", "\\y41"};
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[16];
		strcpy(text, bad[i]);
		assert_false(fields_unescape(text));
		assert_string_equal(text, bad[i]);
	}
	char mixed[] = "\\x41\\x0a\\q";
	assert_false(fields_unescape(mixed));
	assert_string_equal(mixed, "A\n\\q");
}

static void a_number_is_digits_and_nothing_else(void **state)
{
	static const char *const bad[] = {"", " 1", "-1", "+1", "1 ", "1a", "0x1", "18446744073709551616"};
	uint64_t number;
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(fields_number(bad[i], &number));
	assert_true(fields_number("18446744073709551615", &number) && number == UINT64_MAX);
	assert_true(fields_number("007", &number) && number == 7);
	assert_int_equal(fields_hex('9'), 9);
	assert_int_equal(fields_hex('F'), 15);
	assert_int_equal(fields_hex('g'), -1);
}

static void a_file_is_read_line_by_line(void **state)
{
	char path[] = "/tmp/test_fields-XXXXXX";
	struct strv lines = {0};
	int fd = mkstemp(path);
	(void)state;
	assert_true(fd >= 0 && write(fd, "one\n\nlast", 9) == 9 && close(fd) == 0);
	assert_true(strv_read(&lines, path));
	assert_int_equal(lines.count, 3);
	assert_string_equal(lines.at[0], "one");
	assert_string_equal(lines.at[1], "");
	assert_string_equal(lines.at[2], "last");
	strv_free(&lines);
	unlink(path);
	assert_false(strv_read(&lines, path));
	assert_false(strv_read(&lines, "/tmp"));
	assert_int_equal(lines.count, 0);
}

static void ends_are_told(void **state)
{
	(void)state;
	assert_true(str_ends("1-0.raw", ".raw") && str_ends(".raw", ".raw") && str_ends("x", ""));
	assert_false(str_ends("raw", ".raw") || str_ends("a.raw.gz", ".raw"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_is_cut_at_its_tabs),
		cmocka_unit_test(fields_that_find_no_room_are_counted),
		cmocka_unit_test(any_text_comes_back),
		cmocka_unit_test(illegal_escapes_are_told_and_stay),
		cmocka_unit_test(a_number_is_digits_and_nothing_else),
		cmocka_unit_test(a_file_is_read_line_by_line),
		cmocka_unit_test(ends_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
