/* SPDX-License-Identifier: MIT */
/* Where a program spends its time, seen from outside: in a file that is not ours, nothing is ours; in our runtime, by its name, all of it;
 * and a child that did not become another program is where its parent was. */
#include "unit/lib.h"

#include "run/launch.h"

static struct watch_seen see(const char *program, const char *script)
{
	char *argv[] = {(char *)(uintptr_t)program, (char *)"-c", (char *)(uintptr_t)script, NULL};
	struct watch watch;
	struct launch_end end;
	struct fail why;
	sigset_t before;
	sigprocmask(SIG_SETMASK, NULL, &before);
	watch_open(&watch);
	assert_int_equal(launch_run(&(struct launch){.path = program, .argv = argv, .session_folder = "/nowhere", .watch = &watch}, &end,
	                            &why),
	                 0);
	launch_give_signals_back(&before);
	assert_int_equal(end.code, 0);
	return watch_close(&watch);
}

#define COUNT "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done"

static void test_foreign(void **state)
{
	(void)state;
	struct watch_seen seen = see("/bin/sh", COUNT);
	if (!seen.is_allowed)
		skip();
	assert_true(seen.all > 0);
	assert_int_equal(seen.own, 0);
}

/* A shell that has the name of the runtime: many of its samples are in it, the rest in the C library. */
static void test_runtime(void **state)
{
	(void)state;
	assert_int_equal(system("cp \"$(readlink -f /bin/sh)\" libskein-rt.so"), 0);
	char *path = realpath("libskein-rt.so", NULL);
	struct watch_seen seen = see(path, COUNT), forked = see(path, "( " COUNT " ) & wait");
	free(path);
	if (!seen.is_allowed)
		skip();
	assert_true(10 * seen.own > seen.all);
	assert_true(10 * forked.own > forked.all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_foreign, lib_enter, lib_leave),
		cmocka_unit_test_setup_teardown(test_runtime, lib_enter, lib_leave),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
