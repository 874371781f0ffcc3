/* SPDX-License-Identifier: MIT */
/* spawn.c: starts child processes and waits for them. */
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strv.h"

#define LONGEST_BYTES 120000 /* longest command line; the kernel allows 131,072 bytes for one word and somewhat more for all */
#define GUARDED 8            /* children at once that a signal is passed on to */

static volatile sig_atomic_t caught;
static volatile pid_t running[GUARDED];

static void on_signal(int number)
{
	caught = number;
	for (int i = 0; i < GUARDED; i++)
		if (running[i] > 0 && number != SIGINT)
			kill(running[i], number);
}

void spawn_guard(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
}

void spawn_raise(void)
{
	if (!caught)
		return;
	signal(caught, SIG_DFL);
	raise(caught);
}

static int redirect(int to, const char *path, int flags)
{
	if (!path)
		return 0;
	int fd = open(path, flags, 0600);
	if (fd < 0)
		return -1;
	int result = dup2(fd, to);
	close(fd);
	return result < 0 ? -1 : 0;
}

/* Between fork and exec; the parent learns of a failure through the pipe. */
static void become(const struct spawn *job, char *const *argv, int failed)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	if (redirect(job->held_as, job->held, O_RDONLY | O_DIRECTORY) == 0 && (!job->folder || chdir(job->folder) == 0) &&
	    redirect(0, job->input, O_RDONLY) == 0 && redirect(1, job->output, O_WRONLY | O_CREAT | O_TRUNC) == 0 &&
	    redirect(2, job->errors, O_WRONLY | O_CREAT | O_APPEND) == 0) {
		if (job->environment)
			execvpe(argv[0], argv, job->environment);
		else
			execvp(argv[0], argv);
	}
	int error = errno;
	ssize_t ignored = write(failed, &error, sizeof error);
	(void)ignored;
	_exit(127);
}

/* Every word quoted, in the way that args_split reads. */
static int write_response(struct spawn *job)
{
	snprintf(job->response, sizeof job->response, "/tmp/skein-args-XXXXXX");
	int fd = mkostemp(job->response, O_CLOEXEC);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return -1;
	for (char *const *word = job->argv + 1; *word; word++) {
		fputc('"', out);
		for (const char *p = *word; *p; p++) {
			if (*p == '"' || *p == '\\')
				fputc('\\', out);
			fputc(*p, out);
		}
		fputs("\"\n", out);
	}
	return fclose(out);
}

static size_t argv_bytes(char *const *argv)
{
	size_t bytes = 0;
	for (; *argv; argv++)
		bytes += strlen(*argv) + 1;
	return bytes;
}

int spawn_start(struct spawn *job, struct fail *why)
{
	char *const *argv = job->argv;
	char *brief[3] = {job->argv[0], NULL, NULL}, at[80];
	int ends[2], error = 0;

	job->response[0] = 0;
	if (argv_bytes(argv) > LONGEST_BYTES) {
		if (write_response(job) < 0)
			return fail_set(why, FAIL_INTERNAL, "cannot write a response file for %s: %s", argv[0], strerror(errno));
		snprintf(at, sizeof at, "@%s", job->response);
		brief[1] = at;
		argv = brief;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start %s: %s", argv[0], strerror(errno));
	fflush(NULL);
	job->pid = fork();
	if (job->pid == 0)
		become(job, argv, ends[1]);
	close(ends[1]);
	if (job->pid < 0)
		error = errno;
	else if (read(ends[0], &error, sizeof error) > 0)
		waitpid(job->pid, NULL, 0);
	close(ends[0]);
	if (error) {
		if (job->response[0])
			unlink(job->response);
		return fail_set(why, error == ENOENT ? FAIL_NOT_FOUND : FAIL_INTERNAL,
		                "cannot start %s: %s; run `skein doctor` to see what is missing", argv[0], strerror(error));
	}
	for (int i = 0; i < GUARDED; i++)
		if (!running[i]) {
			running[i] = job->pid;
			break;
		}
	return 0;
}

int spawn_wait(struct spawn *job)
{
	int status;

	while (waitpid(job->pid, &status, 0) < 0)
		if (errno != EINTR)
			return 125;
	for (int i = 0; i < GUARDED; i++)
		if (running[i] == job->pid)
			running[i] = 0;
	if (job->response[0])
		unlink(job->response);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

size_t spawn_cores(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return count > 0 ? (size_t)count : 1;
}
