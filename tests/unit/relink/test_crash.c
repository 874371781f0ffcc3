/* SPDX-License-Identifier: MIT */
/* Which function a crash report names, and which functions are left out for an object. */
#include "unit/lib.h"

#include <stdio.h>
#include <unistd.h>

#include "relink/crash.h"

static void write_log(char *path, const char *text)
{
	int fd = mkstemp(path);
	FILE *to = fdopen(fd, "w");
	assert_non_null(to);
	fputs(text, to);
	fclose(to);
}

static char *function_of(const char *text)
{
	char path[] = "/tmp/skein-crash-XXXXXX";
	write_log(path, text);
	char *name = crash_function(path);
	unlink(path);
	return name;
}

static void names(const char *text, const char *expected)
{
	char *name = function_of(text);
	if (expected)
		assert_string_equal(name ? name : "(none)", expected);
	else
		assert_null(name);
	free(name);
}

static void each_kind_of_report_names_its_function(void **state)
{
	(void)state;
	names("Stack dump:\n"
	      "1.\tRunning pass 'Function Pass Manager' on module 'ld-temp.o'.\n"
	      "2.\tRunning pass 'X86 DAG->DAG Instruction Selection' on function '@_ZL5counti'\n",
	      "_ZL5counti");
	names("1.\tRunning pass \"Event\" on module \"main.o\"\n2.\tskein on function '@bad'\n", "bad");
	names("1.\tRunning pass \"sroa<modify-cfg>\" on function \"main\"\n", "main");
	names("2.\tskein on function '@outer'\n3.\tRunning pass \"sroa\" on function \"inner\"\n", "inner");
	names("on function '@-[NSString isn't]'\n", "-[NSString isn't]");
}

static void other_logs_name_none(void **state)
{
	(void)state;
	names("", NULL);
	names("error: undefined symbol: f\n", NULL);
	names("on function \n", NULL);
	names("on function '@'\n", NULL);
	names("on function 'open\n", NULL);
	assert_null(crash_function("/nowhere/log"));
}

static void a_function_is_noted_once_per_object(void **state)
{
	struct crashes crashes = {0};
	char path[] = "/tmp/skein-crash-XXXXXX";

	(void)state;
	write_log(path, "on function '@f'\n");
	assert_null(crashes_lines(&crashes, "a.o"));
	assert_true(crashes_note(&crashes, "a.o", path));
	assert_false(crashes_note(&crashes, "a.o", path));
	assert_true(crashes_note(&crashes, "b.o", path));
	unlink(path);
	char *one = crashes_lines(&crashes, "a.o"), *all = crashes_lines(&crashes, CRASH_ANYWHERE);
	assert_string_equal(one, "f\n");
	assert_string_equal(all, "f\nf\n");
	assert_null(crashes_lines(&crashes, "c.o"));
	free(one);
	free(all);
	crashes_free(&crashes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_report_names_its_function),
		cmocka_unit_test(other_logs_name_none),
		cmocka_unit_test(a_function_is_noted_once_per_object),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
