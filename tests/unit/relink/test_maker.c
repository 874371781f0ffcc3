/* SPDX-License-Identifier: MIT */
/* One process makes an entry of the cache, and others wait for it; a lock that was left behind is taken over. */
#include "unit/lib.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include "relink/maker.h"

static void say(void *context)
{
	++*(int *)context;
}

static void the_first_one_is_the_maker(void **state)
{
	(void)state;
	struct maker maker;
	int said = 0;
	assert_true(maker_begin(&maker, ".", "prog-1", say, &said));
	assert_int_equal(access("lock-prog-1", F_OK), 0);
	assert_int_equal(said, 0);
	maker_end(&maker);
	assert_int_equal(access("lock-prog-1", F_OK), -1);
}

/* A child that comes second tells so, and finds the entry when it is made. */
static void the_second_one_waits_for_the_entry(void **state)
{
	(void)state;
	struct maker maker, second;
	int told[2], status;
	char word;
	assert_true(maker_begin(&maker, ".", "prog-1", NULL, NULL));
	assert_int_equal(pipe(told), 0);
	pid_t child = fork();
	if (child == 0) {
		int said = 0;
		assert_int_equal(write(told[1], "b", 1), 1);
		bool makes = maker_begin(&second, ".", "prog-1", say, &said);
		maker_end(&second);
		_exit(makes ? 1 : said == 1 ? 0 : 2);
	}
	assert_int_equal(read(told[0], &word, 1), 1);
	nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
	assert_int_equal(waitpid(child, &status, WNOHANG), 0); /* it waits */
	assert_int_equal(mkdir("prog-1", 0700), 0);
	maker_end(&maker);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(access("lock-prog-1", F_OK), -1);
}

/* The maker has failed: the next one makes the entry. */
static void who_waits_is_the_next_maker(void **state)
{
	(void)state;
	struct maker maker, second;
	int status;
	assert_true(maker_begin(&maker, ".", "prog-1", NULL, NULL));
	pid_t child = fork();
	if (child == 0) {
		bool makes = maker_begin(&second, ".", "prog-1", NULL, NULL);
		maker_end(&second);
		_exit(!makes);
	}
	maker_end(&maker);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void the_lock_of_a_process_that_is_gone_is_taken(void **state)
{
	(void)state;
	struct maker maker;
	int status;
	pid_t child = fork();
	if (child == 0) {
		maker_begin(&maker, ".", "prog-1", NULL, NULL);
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(access("lock-prog-1", F_OK), 0);
	assert_true(maker_begin(&maker, ".", "prog-1", NULL, NULL));
	maker_end(&maker);
}

/* Another computer's process cannot be asked: its lock is taken when it is old. */
static void an_old_lock_of_another_computer_is_taken(void **state)
{
	(void)state;
	struct maker maker;
	struct timeval then[2] = {{.tv_sec = time(NULL) - MAKER_STALE_S - 60}, {.tv_sec = time(NULL) - MAKER_STALE_S - 60}};
	lib_write("lock-prog-1", "elsewhere 1 1");
	assert_int_equal(utimes("lock-prog-1", then), 0);
	assert_true(maker_begin(&maker, ".", "prog-1", NULL, NULL));
	maker_end(&maker);
	assert_int_equal(access("lock-prog-1", F_OK), -1);
}

static void a_fresh_lock_of_another_computer_is_kept(void **state)
{
	(void)state;
	struct maker maker;
	int status;
	lib_write("lock-prog-1", "elsewhere 1 1");
	pid_t child = fork();
	if (child == 0)
		_exit(maker_begin(&maker, ".", "prog-1", NULL, NULL));
	nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	assert_int_equal(waitpid(child, &status, WNOHANG), 0);
	assert_string_equal(lib_read("lock-prog-1"), "elsewhere 1 1");
	assert_int_equal(mkdir("prog-1", 0700), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void without_locks_all_are_makers(void **state)
{
	(void)state;
	struct maker maker;
	assert_true(maker_begin(&maker, "nowhere", "prog-1", NULL, NULL));
	maker_end(&maker);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, lib_enter, lib_leave)
int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(the_first_one_is_the_maker),
		IN_FOLDER(the_second_one_waits_for_the_entry),
		IN_FOLDER(who_waits_is_the_next_maker),
		IN_FOLDER(the_lock_of_a_process_that_is_gone_is_taken),
		IN_FOLDER(an_old_lock_of_another_computer_is_taken),
		IN_FOLDER(a_fresh_lock_of_another_computer_is_kept),
		IN_FOLDER(without_locks_all_are_makers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
