/* SPDX-License-Identifier: MIT */
/* What `skein look` plans to run, and the folder in which changes of its later runs are dropped. */
#include "unit/lib.h"

#include <sys/wait.h>

#include "keys/lenses.h"
#include "run/lens.h"
#include "run/look/plan.h"
#include "run/look/spare.h"

static void every_lens_is_planned_once_and_the_cheapest_is_first(void **state)
{
	(void)state;
	assert_int_equal(look_plan_count, run_lens_count);
	for (size_t i = 0; i < look_plan_count; i++) {
		assert_non_null(run_lens_find(look_plan[i].lens));
		assert_true(i == 0 || look_plan[i].factor >= look_plan[i - 1].factor);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(look_plan[i].lens, look_plan[k].lens);
	}
	assert_false(look_plan[0].relinks); /* any program has a first run */
}

static void what_runs_serially_takes_its_cpu_time(void **state)
{
	(void)state;
	const struct look_plan parallel = {"calls", 1.5, false, true}, serial = {"span", 1.5, true, true};
	assert_int_equal(look_estimate(&parallel, 1000, 4000), 1500);
	assert_int_equal(look_estimate(&serial, 1000, 4000), 6000);
	assert_int_equal(look_estimate(&serial, 1000, 10), 1500);
	assert_int_equal(look_estimate(&serial, 0, 0), 0);
	assert_true(look_estimate(&parallel, UINT64_MAX, 0) >= UINT64_C(1) << 62);
}

static void a_run_must_end_within_the_budget(void **state)
{
	(void)state;
	assert_true(look_fits(0, 1000, UINT64_MAX)); /* no budget */
	assert_true(look_fits(100, 40, 60));
	assert_false(look_fits(100, 40, 61));
	assert_false(look_fits(100, 100, 0));
	assert_false(look_fits(100, 101, 0));
}

/* Runs the command in the view; its exit status. */
static int run_in(const struct spare *spare, const char *command)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		if (spare_join(spare) < 0)
			_exit(99);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(98);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void what_is_changed_in_the_view_is_dropped(void **state)
{
	(void)state;
	struct spare spare;
	struct fail why;
	lib_write("here/kept", "old");
	lib_write("here/session/raw", "");
	assert_int_equal(chdir("here"), 0);
	if (spare_open(&spare, lib_path("here/session"), &why) < 0)
		lib_skip(why.text);
	assert_int_equal(run_in(&spare, "echo new >kept && echo more >other && echo seen >session/raw && test \"$(cat kept)\" = new"), 0);
	assert_int_equal(run_in(&spare, "test -e other"), 0); /* until it is closed */
	assert_string_equal(lib_read("kept"), "old");
	spare_close(&spare);
	assert_string_equal(lib_read("kept"), "old");
	assert_false(lib_exists("other"));
	assert_string_equal(lib_read("session/raw"), "seen\n"); /* the session is real */
	assert_int_equal(chdir(".."), 0);
}

static void the_program_has_no_child_that_it_does_not_know(void **state)
{
	(void)state;
	struct spare spare;
	struct fail why;
	lib_write("session/raw", "");
	if (spare_open(&spare, lib_path("session"), &why) < 0)
		lib_skip(why.text);
	assert_int_equal(run_in(&spare, "! read -r children </proc/$$/task/$$/children || test -z \"$children\""), 0);
	spare_close(&spare);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nor have we */
	assert_int_equal(errno, ECHILD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_lens_is_planned_once_and_the_cheapest_is_first),
		cmocka_unit_test(what_runs_serially_takes_its_cpu_time),
		cmocka_unit_test(a_run_must_end_within_the_budget),
		cmocka_unit_test_setup_teardown(what_is_changed_in_the_view_is_dropped, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(the_program_has_no_child_that_it_does_not_know, lib_enter, lib_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
