/* SPDX-License-Identifier: MIT */
/* turn.c: a lock on .NAME.lock, by name and by content. */
#include "store/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* To write even the largest recording takes seconds. */
enum { MOST_WAIT_MS = 120000, STEP_MS = 10 };

static bool name_lock(const char *path, char lock[PATH_MAX])
{
	char folder[PATH_MAX], name[PATH_MAX];
	snprintf(folder, sizeof folder, "%s", path);
	snprintf(name, sizeof name, "%s", path);
	return snprintf(lock, PATH_MAX, "%s/.%s.lock", dirname(folder), basename(name)) < PATH_MAX;
}

/* The writer before has removed the file when its turn was over: then the lock is on a file that has no name. */
static bool still_has_name(const char *lock, int fd)
{
	struct stat by_name, by_lock;
	return fstat(fd, &by_lock) == 0 && lstat(lock, &by_name) == 0 && by_name.st_dev == by_lock.st_dev &&
		by_name.st_ino == by_lock.st_ino;
}

static int try_once(const char *lock)
{
	int fd = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
	if (fd < 0)
		return TURN_FREE;
	int error = flock(fd, LOCK_EX | LOCK_NB) < 0 ? errno : 0;
	if (!error && still_has_name(lock, fd))
		return fd;
	close(fd);
	return !error || error == EWOULDBLOCK || error == EINTR ? TURN_BUSY : TURN_FREE;
}

int turn_take(const char *path, struct fail *why)
{
	char lock[PATH_MAX];
	if (!name_lock(path, lock))
		return TURN_FREE;
	int turn = try_once(lock);
	for (int waited = 0; turn == TURN_BUSY && waited < MOST_WAIT_MS; waited += STEP_MS) {
		nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
		turn = try_once(lock);
	}
	if (turn == TURN_BUSY)
		fail_set(why, FAIL_INTERNAL,
		         "cannot write the recording %s: another process has kept the lock %s for two minutes; end that process", path,
		         lock);
	return turn;
}

void turn_give(const char *path, int turn)
{
	char lock[PATH_MAX];
	if (turn < 0)
		return;
	if (name_lock(path, lock))
		unlink(lock);
	close(turn);
}
