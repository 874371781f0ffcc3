/* SPDX-License-Identifier: MIT */
#include "run/look/spare.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/folder.h"
#include "run/copies/folder.h"

/* What the keeper tells: how it went. */
struct told {
	bool is_there;
	struct fail why;
};

/* Signals are for the program and for skein. */
static _Noreturn void keep(const char *here, const char *session, int wake, int report)
{
	struct copies_folder own;
	struct told told = {0};
	char nothing;
	setsid();
	told.is_there = copies_folder_enter(&own, here, session, false, &told.why) == 0;
	if (write(report, &told, sizeof told) != sizeof told || !told.is_there)
		_exit(FAIL_INTERNAL);
	close(report);
	while (read(wake, &nothing, 1) < 0 && errno == EINTR)
		;
	copies_folder_leave(&own);
	_exit(0);
}

static bool is_ours(int namespace, const char *name)
{
	char path[64];
	struct stat theirs, ours;
	snprintf(path, sizeof path, "/proc/self/ns/%s", name);
	return namespace >= 0 && fstat(namespace, &theirs) == 0 && stat(path, &ours) == 0 && theirs.st_ino == ours.st_ino;
}

/* -1: it is the one that we are in. */
static int open_namespace(pid_t keeper, const char *name)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/ns/%s", (long)keeper, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (!is_ours(fd, name))
		return fd;
	close(fd);
	return -1;
}

static void forget(struct spare *s)
{
	free(s->here);
	*s = (struct spare){.wake = -1, .mounts = -1, .user = -1};
}

int spare_open(struct spare *s, const char *session, struct fail *why)
{
	int wake[2] = {-1, -1}, report[2] = {-1, -1};
	struct told told = {0};
	*s = (struct spare){.wake = -1, .mounts = -1, .user = -1};
	s->here = folder_here(why);
	if (!s->here)
		return -1;
	if (pipe2(wake, O_CLOEXEC) < 0 || pipe2(report, O_CLOEXEC) < 0) {
		fail_set(why, FAIL_INTERNAL, "cannot create a pipe: %s", strerror(errno));
		forget(s);
		return -1;
	}
	fflush(NULL);
	s->keeper = fork();
	if (s->keeper == 0) {
		close(wake[1]);
		keep(s->here, session, wake[0], report[1]);
	}
	close(wake[0]);
	close(report[1]);
	s->wake = wake[1];
	bool is_told = s->keeper > 0 && read(report[0], &told, sizeof told) == sizeof told;
	close(report[0]);
	if (is_told && told.is_there) {
		s->mounts = open_namespace(s->keeper, "mnt");
		s->user = open_namespace(s->keeper, "user");
		return 0;
	}
	spare_close(s);
	if (is_told)
		*why = told.why;
	else
		fail_set(why, FAIL_INTERNAL, "the process that keeps a private working folder could not be started");
	return -1;
}

int spare_join(const struct spare *s)
{
	if (s->user >= 0 && setns(s->user, CLONE_NEWUSER) < 0)
		return -1;
	if (s->mounts >= 0 && setns(s->mounts, CLONE_NEWNS) < 0)
		return -1;
	return chdir(s->here); /* the path leads into the overlay now */
}

void spare_close(struct spare *s)
{
	int status;
	if (s->wake >= 0)
		close(s->wake);
	if (s->mounts >= 0)
		close(s->mounts);
	if (s->user >= 0)
		close(s->user);
	while (s->keeper > 0 && waitpid(s->keeper, &status, 0) < 0 && errno == EINTR)
		;
	forget(s);
}
