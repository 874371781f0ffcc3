/* SPDX-License-Identifier: MIT */
/* Names from anywhere, as terminals, scripts and spreadsheets get them. */
#include "unit/lib.h"

#include "base/escape.h"
#include "base/fail.h"

static struct pool pool;

static int forget(void **state)
{
	(void)state;
	pool_free(&pool);
	return 0;
}

/* What a writer puts into a file. */
static const char *written(void (*write)(FILE *, const char *), const char *text)
{
	char *got = NULL;
	size_t bytes;
	FILE *file = open_memstream(&got, &bytes);
	write(file, text);
	fclose(file);
	const char *kept = pool_text(&pool, got);
	free(got);
	return kept;
}

static void what_commands_a_terminal_is_shown_as_bytes(void **state)
{
	static const char *const cases[][2] = {
		{"\x1b[2J", "\\x1b[2J"},
		{"a\nb\rc\td", "a\\x0ab\\x0dc\\x09d"},
		{"\x7f", "\\x7f"},
		{"\xc2\x9b"
	         "31m",
	         "\\xc2\\x9b31m"},                            /* U+009B, a control in one character */
		{"\x9b", "\\x9b"},                            /* not UTF-8 */
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},          /* U+202E, right to left */
		{"\xe2\x81\xa6", "\\xe2\\x81\\xa6"},          /* U+2066 */
		{"\xd8\x9c", "\\xd8\\x9c"},                   /* U+061C */
		{"\xe2\x80\xa8", "\\xe2\\x80\\xa8"},          /* U+2028, a line's end */
		{"\xef\xbb\xbf", "\\xef\\xbb\\xbf"},          /* U+FEFF */
		{"\xef\xbf\xb9", "\\xef\\xbf\\xb9"},          /* U+FFF9 */
		{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
		{"\xe2\x80", "\\xe2\\x80"},                   /* cut off */
		{"größe → 量 👍", "größe → 量 👍"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(escape_plain(&pool, cases[i][0]), cases[i][1]);
}

static void no_field_of_csv_is_a_formula(void **state)
{
	static const char *const cases[][2] = {
		{"=1+1", "\\x3d1+1"},
		{"=HYPERLINK(\"http://x\",\"y\")", "\"\\x3dHYPERLINK(\"\"http://x\"\",\"\"y\"\")\""},
		{"+1", "\\x2b1"},
		{"-[Shape draw]", "\\x2d[Shape draw]"},
		{"@SUM(1)", "\\x40SUM(1)"},
		{" =1", "\" \\x3d1\""},
		{"\t=1", "\\x09=1"},
		{"\r=1", "\\x0d=1"},
		{"\xef\xbc\x9d"
	         "1",
	         "\\xef\\xbc\\x9d1"}, /* of full width */
		{"\xef\xbc\xa0"
	         "量",
	         "\\xef\\xbc\\xa0量"},
		{"-", "-"},
		{"a=b", "a=b"},
		{"operator-(int)", "operator-(int)"},
		{"a,b", "\"a,b\""},
		{"", ""},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_string_equal(written(escape_csv, cases[i][0]), cases[i][1]);
}

static void messages_are_one_line_without_commands(void **state)
{
	struct fail why;
	const char *path = lib_path("said");
	char line[400] = "";
	int before = dup(STDERR_FILENO);
	(void)state;
	fail_set(&why, FAIL_USAGE, "there is no %s", "a\nb \x1b[31m \xe2\x80\xae \xc2\x9b \xff …");
	fflush(stderr);
	assert_non_null(freopen(path, "w", stderr));
	assert_int_equal(fail_print("skein", &why), FAIL_USAGE);
	fail_note("skein", "warning: %s", "\xe2\x80\xaf\xe2\x81\xa9");
	fflush(stderr);
	assert_int_equal(dup2(before, STDERR_FILENO), STDERR_FILENO);
	close(before);
	FILE *file = fopen(path, "r");
	assert_non_null(fgets(line, sizeof line, file));
	assert_string_equal(line, "skein: there is no a\\x0ab \\x1b[31m \\xe2\\x80\\xae \\xc2\\x9b \\xff …\n");
	assert_non_null(fgets(line, sizeof line, file));
	assert_string_equal(line, "skein: warning: \xe2\x80\xaf\\xe2\\x81\\xa9\n");
	assert_null(fgets(line, sizeof line, file));
	fclose(file);
}

int main(void)
{
	setenv("LC_ALL", "C.UTF-8", 1);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(what_commands_a_terminal_is_shown_as_bytes, forget),
		cmocka_unit_test_teardown(no_field_of_csv_is_a_formula, forget),
		cmocka_unit_test_setup_teardown(messages_are_one_line_without_commands, lib_enter, lib_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
