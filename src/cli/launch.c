/* SPDX-License-Identifier: MIT */
#include "cli/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct signals {
	sigset_t mask;
	struct sigaction interrupt, quit;
};

/* From here on: TERM, HUP and CHLD wait to be fetched by sigwaitinfo, INT and QUIT are ignored. */
static void hold_signals(struct signals *before, sigset_t *held)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigemptyset(held);
	sigaddset(held, SIGTERM);
	sigaddset(held, SIGHUP);
	sigaddset(held, SIGCHLD);
	sigprocmask(SIG_BLOCK, held, &before->mask);
	sigaction(SIGINT, &ignore, &before->interrupt);
	sigaction(SIGQUIT, &ignore, &before->quit);
}

static void give_signals_back(const struct signals *before)
{
	sigaction(SIGINT, &before->interrupt, NULL);
	sigaction(SIGQUIT, &before->quit, NULL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static _Noreturn void become(const char *path, char **argv, const char *folder, const struct signals *before, int report)
{
	give_signals_back(before);
	setenv("SKEIN_SESSION", folder, 1);
	execv(path, argv);
	int code = errno;
	ssize_t written = write(report, &code, sizeof code);
	_exit(written == sizeof code ? FAIL_CANNOT_RUN : FAIL_INTERNAL);
}

static void wait_for(pid_t child, const sigset_t *held, int *status)
{
	for (;;) {
		siginfo_t info;
		int number = sigwaitinfo(held, &info);
		if (number == SIGTERM || number == SIGHUP)
			kill(child, number);
		if (waitpid(child, status, WNOHANG) == child)
			return;
	}
}

int launch_run(const char *path, char **argv, const char *session_folder, struct launch_end *end, struct fail *why)
{
	struct signals before;
	sigset_t held;
	int report[2], code = 0, status = 0;
	if (pipe2(report, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(errno));
	fflush(NULL);
	hold_signals(&before, &held);
	pid_t child = fork();
	if (child == 0)
		become(path, argv, session_folder, &before, report[1]);
	int fork_error = errno;
	close(report[1]);
	bool failed = child >= 0 && read(report[0], &code, sizeof code) == sizeof code;
	close(report[0]);
	if (child >= 0)
		wait_for(child, &held, &status);
	if (child < 0 || failed)
		give_signals_back(&before); /* else not yet: a second Ctrl-C must not cost the recording that is written next */
	signal(SIGXFSZ, SIG_IGN);
	if (child < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(fork_error));
	if (failed)
		return fail_set(why, FAIL_CANNOT_RUN, "cannot run %s: %s", path, strerror(code));
	*end = (struct launch_end){.code = WIFEXITED(status) ? WEXITSTATUS(status) : 0, .signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0};
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
