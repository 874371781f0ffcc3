/* SPDX-License-Identifier: MIT */
#include "run/copies/one.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "run/copies/brief.h"
#include "run/copies/carry.h"
#include "run/copies/far.h"
#include "run/copies/folder.h"
#include "run/launch.h"

static void leave_text(const struct copies_brief *b, const char *name, const char *text)
{
	char *path = str_format("%s/%s", b->folder, name);
	FILE *file = fopen(path, "we");
	if (file) {
		fputs(text, file);
		fclose(file);
	}
	free(path);
}

static int give_up(const struct copies_brief *b, const struct fail *why)
{
	leave_text(b, COPIES_FAILED, why->text);
	return why->status;
}

static void set_environment(const struct copies_brief *b)
{
	for (size_t i = 0; i < b->environment.count; i++)
		putenv(b->environment.at[i]);
}

/* Only if it comes back something has failed. */
static int execute(const struct copies_brief *b, struct fail *why)
{
	if (b->is_fixed)
		/* where it is forbidden addresses differ: the recording is told beforehand */
		personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
	set_environment(b);
	execv(b->path, b->argv.at);
	return fail_set(why, FAIL_CANNOT_RUN, "cannot run %s: %s", b->path, strerror(errno));
}

/* What the program closes must be closed: only the program reads its input. */
static void let_go(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null >= 0 && fcntl(STDIN_FILENO, F_GETFD) >= 0)
		dup2(null, STDIN_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

/* Skein holds a lock until no copy runs any more. Where files cannot be locked, nothing is waited for. */
static void wait_for_all(const struct copies_brief *b)
{
	int fd = open(b->hold, O_RDWR | O_CLOEXEC);
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	while (fd >= 0 && fcntl(fd, F_SETLKW, &whole) < 0 && errno == EINTR)
		;
	if (fd >= 0)
		close(fd);
}

/* What the program wrote must not be lost. */
static int keep_changes(const struct copies_brief *b, struct copies_folder *own, const struct fail *reason)
{
	struct fail why = *reason;
	if (!own->in_memory)
		fail_set(&why, FAIL_INTERNAL, "%.500s; all files are in %.300s/upper", reason->text, own->temporary);
	copies_folder_abandon(own);
	return give_up(b, &why);
}

/* `own`: the private folder, or NULL. */
static int look_after(const struct copies_brief *b, struct copies_folder *own, struct fail *why)
{
	sigset_t before, held;
	struct launch_end end = {0};
	struct copies_far far = {.folder = b->folder, .group = b->group};
	launch_hold_signals(&before, &held);
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		struct fail reason;
		if (!b->outlives)
			launch_bind(parent);
		launch_give_signals_back(&before);
		execute(b, &reason);
		_exit(give_up(b, &reason));
	}
	if (child < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot start the program: %s", strerror(errno));
	let_go();
	if (*b->group)
		copies_far_wait(&far, child, &held, &end);
	else
		launch_wait(child, &held, NULL, 0, &end);
	copies_far_ended(b->folder, &end);
	if (own && b->is_kept && own->upper >= 0) {
		wait_for_all(b);
		if (copies_carry(own->upper, own->real, why) < 0)
			return keep_changes(b, own, why);
	}
	if (own)
		copies_folder_leave(own);
	return launch_pass_on(&end);
}

/* Descriptors of skein's own, which exec would have closed. */
static void close_own(void)
{
	DIR *list = opendir("/proc/self/fd");
	for (struct dirent *entry; list && (entry = readdir(list));) {
		int fd = atoi(entry->d_name);
		if (fd > STDERR_FILENO && fd != dirfd(list) && fcntl(fd, F_GETFD) & FD_CLOEXEC)
			close(fd);
	}
	if (list)
		closedir(list);
}

/* -1: why is filled. */
static int do_brief(const struct copies_brief *b, struct fail *why)
{
	struct copies_folder own;
	if (chdir(b->here) < 0)
		return fail_set(why, FAIL_INTERNAL, "a copy cannot enter the working folder %.400s: %s", b->here, strerror(errno));
	if (!b->is_private)
		return *b->group ? look_after(b, NULL, why) : execute(b, why);
	if (!b->is_first)
		return fail_set(
			why, FAIL_USAGE,
			"the launcher starts several processes per copy, which cannot share a private working folder: use --shared-folder");
	return copies_folder_enter(&own, b->here, b->folder, b->is_kept, why) < 0 ? -1 : look_after(b, &own, why);
}

int copies_one(const char *word)
{
	struct copies_brief b;
	struct fail why;
	if (copies_brief_read(&b, word, &why) < 0) {
		copies_brief_free(&b);
		return fail_print("skein", &why);
	}
	close_own();
	int status = do_brief(&b, &why);
	if (status < 0)
		status = give_up(&b, &why);
	copies_brief_free(&b);
	return status;
}
