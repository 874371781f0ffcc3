/* SPDX-License-Identifier: MIT */
/* Signals to skein while its subject runs, and while the recording is written. */
#include "unit/lib.h"

#include <signal.h>
#include <sys/wait.h>
#include "run/launch.h"

static int ready[2], said[2], writing[2];

/* A child whose standard error is said[1]. */
static pid_t fork_one(void)
{
	assert_int_equal(pipe(ready), 0);
	assert_int_equal(pipe(said), 0);
	assert_int_equal(pipe(writing), 0);
	pid_t child = fork();
	if (child == 0)
		dup2(said[1], STDERR_FILENO);
	else
		close(writing[1]);
	return child;
}

static void wait_until_ready(void)
{
	char c;
	assert_int_equal(read(ready[0], &c, 1), 1);
}

static const char *what_was_said(void)
{
	static char text[512];
	close(said[1]);
	ssize_t got = read(said[0], text, sizeof text - 1);
	text[got > 0 ? got : 0] = 0;
	return text;
}

static int status_of(pid_t child)
{
	int status = 0;
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

/* A process that writes a recording for ever. Its end of the pipe is closed when it ends. */
static pid_t fork_writer(void)
{
	pid_t writer = fork();
	if (writer == 0) {
		sigset_t none;
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		for (;;)
			pause();
	}
	return writer;
}

static void an_interrupt_ends_the_writing_at_once(void **state)
{
	(void)state;
	pid_t child = fork_one();
	if (child == 0) {
		sigset_t before, held;
		launch_hold_signals(&before, &held);
		raise(SIGINT); /* meant for the subject */
		launch_drop_interrupts();
		launch_let_interrupt("/a/folder", fork_writer());
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	wait_until_ready();
	kill(child, SIGINT);
	int status = status_of(child);
	assert_int_equal(read(writing[0], &(char){0}, 1), 0); /* no writer is left */
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGINT);
	assert_non_null(strstr(what_was_said(), "run `skein recover /a/folder`"));
}

static void what_holds_signals_holds_them_again(void **state)
{
	(void)state;
	pid_t child = fork_one();
	if (child == 0) {
		sigset_t before, held, pending;
		launch_hold_signals(&before, &held);
		launch_let_interrupt("/a/folder", getpid());
		launch_stop_interrupt();
		raise(SIGINT);
		sigpending(&pending);
		_exit(sigismember(&pending, SIGINT) == 1 ? 0 : 1);
	}
	assert_int_equal(status_of(child), 0);
}

static void who_ignores_interrupts_is_not_stopped(void **state)
{
	(void)state;
	pid_t child = fork_one();
	if (child == 0) {
		signal(SIGINT, SIG_IGN);
		launch_let_interrupt("/a/folder", getpid());
		raise(SIGINT);
		_exit(0);
	}
	assert_int_equal(status_of(child), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interrupt_ends_the_writing_at_once),
		cmocka_unit_test(what_holds_signals_holds_them_again),
		cmocka_unit_test(who_ignores_interrupts_is_not_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
