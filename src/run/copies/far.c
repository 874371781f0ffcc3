/* SPDX-License-Identifier: MIT */
/* far.c: signals are bytes, one a signal, with a bit for those of a terminal; ends are lines, one a process. */
#include "run/copies/far.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strv.h"
#include "run/copies/brief.h"

enum { BY_TERMINAL = 128, LOOK_NS = 100000000 };

static int open_in(const char *folder, const char *name, int flags)
{
	char *path = str_format("%s/%s", folder, name);
	int fd = open(path, flags | O_CLOEXEC, 0600);
	free(path);
	return fd;
}

static void append(const char *folder, const char *name, const void *bytes, size_t count)
{
	int fd = open_in(folder, name, O_WRONLY | O_CREAT | O_APPEND);
	if (fd < 0)
		return;
	ssize_t written = write(fd, bytes, count);
	(void)written; /* the launcher has already reported a reader that waits in vain */
	close(fd);
}

char *copies_far_group(void)
{
	char boot[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t bytes = fd >= 0 ? read(fd, boot, sizeof boot - 1) : 0;
	if (fd >= 0)
		close(fd);
	boot[bytes > 0 ? strcspn(boot, "\n") : 0] = 0;
	return str_format("%s %ld", boot, (long)getpgrp());
}

/* ---- signals ---- */

void copies_far_signal(const char *folder, int number, bool by_terminal)
{
	unsigned char byte = (unsigned char)(number | (by_terminal ? BY_TERMINAL : 0));
	append(folder, COPIES_SIGNALS, &byte, 1);
}

static void pass_on(struct copies_far *far, pid_t child, bool is_here)
{
	unsigned char byte;
	int fd = open_in(far->folder, COPIES_SIGNALS, O_RDONLY);
	for (; fd >= 0 && pread(fd, &byte, 1, (off_t)far->seen) == 1; far->seen++)
		if (!(byte & BY_TERMINAL) || !is_here)
			kill(child, byte & ~BY_TERMINAL);
	if (fd >= 0)
		close(fd);
}

void copies_far_wait(struct copies_far *far, pid_t child, const sigset_t *held, struct launch_end *end)
{
	char *mine = copies_far_group();
	bool is_here = strcmp(mine, far->group) == 0;
	free(mine);
	for (;;) {
		siginfo_t info;
		int status, number = sigtimedwait(held, &info, &(struct timespec){.tv_nsec = LOOK_NS});
		if (number > 0 && number != SIGCHLD && launch_is_for_child(info.si_code) && !launch_child_ends())
			kill(child, number);
		if (waitpid(child, &status, WNOHANG) == child) {
			*end = launch_end_of(status);
			return;
		}
		pass_on(far, child, is_here);
	}
}

/* ---- ends ---- */

void copies_far_ended(const char *folder, const struct launch_end *end)
{
	char line[64];
	int bytes = snprintf(line, sizeof line, "%d %d\n", end->code, end->signal);
	append(folder, COPIES_ENDED, line, (size_t)bytes);
}

bool copies_far_end(const char *folder, struct launch_end *end)
{
	char text[64] = "", rest;
	struct stat begun = {0};
	int fd = open_in(folder, COPIES_ENDED, O_RDONLY), mark = open_in(folder, COPIES_BEGUN, O_RDONLY);
	ssize_t bytes = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	bool one = mark >= 0 && fstat(mark, &begun) == 0 && begun.st_size == 1;
	struct launch_end told = {0};
	if (fd >= 0)
		close(fd);
	if (mark >= 0)
		close(mark);
	if (bytes <= 0 || !one || sscanf(text, "%d %d%c", &told.code, &told.signal, &rest) != 3)
		return false;
	*end = told;
	return true;
}
