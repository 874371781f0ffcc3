/* SPDX-License-Identifier: MIT */
#include "run/launch.h"
#include "keys/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* From here on they wait to be fetched by sigwaitinfo. */
void launch_hold_signals(sigset_t *before, sigset_t *held)
{
	sigemptyset(held);
	sigaddset(held, SIGINT);
	sigaddset(held, SIGQUIT);
	sigaddset(held, SIGTERM);
	sigaddset(held, SIGHUP);
	sigaddset(held, SIGCHLD);
	sigprocmask(SIG_BLOCK, held, before);
}

void launch_give_signals_back(const sigset_t *before)
{
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

static _Noreturn void become(const char *path, char **argv, const char *folder, const char *const *environment, const sigset_t *before,
                             int report)
{
	launch_give_signals_back(before);
	setenv(ENVIRONMENT_SESSION, folder, 1);
	for (; environment && *environment; environment++)
		putenv((char *)(uintptr_t)*environment); /* putenv's string is only read */
	execv(path, argv);
	int code = errno;
	ssize_t written = write(report, &code, sizeof code);
	_exit(written == sizeof code ? FAIL_CANNOT_RUN : FAIL_INTERNAL);
}

/* What a terminal sends has reached the subject, too. */
bool launch_is_for_child(int code)
{
	return code != SI_KERNEL;
}

/* A signal to the whole group has reached the child too, which may have died of it. Other signals are passed on. */
bool launch_child_ends(void)
{
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	return sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = 50000000}) > 0;
}

struct launch_end launch_end_of(int status)
{
	return (struct launch_end){.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
	                           .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
}

void launch_wait(pid_t child, const sigset_t *held, struct launch_end *end)
{
	for (;;) {
		siginfo_t info;
		int status, number = sigwaitinfo(held, &info);
		if (number > 0 && number != SIGCHLD && launch_is_for_child(info.si_code) && !launch_child_ends())
			kill(child, number);
		if (waitpid(child, &status, WNOHANG) == child) {
			*end = launch_end_of(status);
			return;
		}
	}
}

int launch_run(const char *path, char **argv, const char *session_folder, const char *const *environment, struct launch_end *end,
               struct fail *why)
{
	sigset_t before, held;
	int report[2], code = 0;
	if (pipe2(report, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(errno));
	fflush(NULL);
	launch_hold_signals(&before, &held);
	pid_t child = fork();
	if (child == 0)
		become(path, argv, session_folder, environment, &before, report[1]);
	int fork_error = errno;
	close(report[1]);
	bool failed = child >= 0 && read(report[0], &code, sizeof code) == sizeof code;
	close(report[0]);
	if (child >= 0)
		launch_wait(child, &held, end);
	if (child < 0 || failed)
		launch_give_signals_back(&before); /* otherwise not yet: a second Ctrl-C must not cost the recording */
	signal(SIGXFSZ, SIG_IGN);
	if (child < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(fork_error));
	if (failed)
		return fail_set(why, FAIL_CANNOT_RUN, "cannot run %s: %s", path, strerror(code));
	return 0;
}

int launch_pass_on(const struct launch_end *end)
{
	if (!end->signal)
		return end->code;
	sigset_t only;
	fflush(NULL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* the core worth having is the subject's */
	signal(end->signal, SIG_DFL);
	sigemptyset(&only);
	sigaddset(&only, end->signal);
	sigprocmask(SIG_UNBLOCK, &only, NULL);
	raise(end->signal);
	return 128 + end->signal;
}
