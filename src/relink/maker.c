/* SPDX-License-Identifier: MIT */
#include "relink/maker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/strv.h"

enum { STEP_MS = 50, MOST_STEP_MS = 1000, OWNER_BYTES = 256 };

/* ---- who has the lock ---- */

/* When a process started, in ticks since the computer did: numbers of processes are used again. 0: there is none. */
static unsigned long long started(long pid)
{
	char path[64], text[1024];
	unsigned long long ticks = 0;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	FILE *file = fopen(path, "re");
	size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
	text[got] = 0;
	const char *at = strrchr(text, ')');
	if (at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
		ticks = 0;
	if (file)
		fclose(file);
	return ticks;
}

static void name_owner(char owner[OWNER_BYTES])
{
	char host[128] = "";
	gethostname(host, sizeof host - 1);
	snprintf(owner, OWNER_BYTES, "%s %ld %llu", host, (long)getpid(), started(getpid()));
}

static bool read_owner(const char *lock, char owner[OWNER_BYTES])
{
	int fd = open(lock, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = fd < 0 ? -1 : read(fd, owner, OWNER_BYTES - 1);
	if (fd >= 0)
		close(fd);
	owner[got > 0 ? got : 0] = 0;
	return got >= 0;
}

/* On this computer it can be asked. */
static bool is_gone(const char *owner)
{
	char host[128], mine[128] = "";
	long pid;
	unsigned long long since;
	gethostname(mine, sizeof mine - 1);
	return sscanf(owner, "%127s %ld %llu", host, &pid, &since) == 3 && strcmp(host, mine) == 0 && started(pid) != since;
}

/* Both times are of the file system: clocks of computers differ. */
static bool is_old(const char *lock, const char *mine)
{
	struct stat theirs, now;
	return utimensat(AT_FDCWD, mine, NULL, 0) == 0 && stat(mine, &now) == 0 && stat(lock, &theirs) == 0 &&
		now.st_mtime - theirs.st_mtime > MAKER_STALE_S;
}

/* ---- taking it ---- */

/* A lock that another process has made meanwhile in the place of the stale one is put back. */
static void remove_stale(const char *lock, const char *mine, const char *seen)
{
	char owner[OWNER_BYTES], *away = str_format("%s.stale", mine);
	if (rename(lock, away) == 0) {
		if (read_owner(away, owner) && strcmp(owner, seen) != 0 && link(away, lock) < 0)
			errno = 0; /* a third one has it by now: two makers at once do no harm */
		unlink(away);
	}
	free(away);
}

/* A file of this process alone, with its name in it. NULL: none can be made. */
static char *make_own(const char *root)
{
	char owner[OWNER_BYTES], *path = str_format("%s/" MAKER_LOCK "own-XXXXXX", root);
	int fd = mkostemp(path, O_CLOEXEC);
	name_owner(owner);
	bool made = fd >= 0 && write(fd, owner, strlen(owner)) == (ssize_t)strlen(owner);
	if (fd >= 0 && close(fd) < 0)
		made = false;
	if (made)
		return path;
	unlink(path);
	free(path);
	return NULL;
}

/* What link() returns may be lost on the way over a network: the count of names tells. */
static bool try_link(const char *mine, const char *lock, bool *is_impossible)
{
	struct stat is;
	*is_impossible = link(mine, lock) < 0 && errno != EEXIST;
	return stat(mine, &is) == 0 && is.st_nlink == 2;
}

static bool is_made(const char *root, const char *key)
{
	char *path = str_format("%s/%s", root, key);
	bool made = access(path, F_OK) == 0;
	free(path);
	return made;
}

/* True: this process makes the entry, with the lock or, where there are none, without. */
static bool wait_for(const char *lock, const char *mine, const char *root, const char *key, bool *has_lock, void (*says)(void *),
                     void *context)
{
	char owner[OWNER_BYTES];
	bool is_impossible;
	for (int step = STEP_MS; !(*has_lock = try_link(mine, lock, &is_impossible)); step = step < MOST_STEP_MS ? 2 * step : step) {
		if (is_impossible)
			return true;
		if (step == STEP_MS && says)
			says(context);
		if (read_owner(lock, owner) && (is_gone(owner) || is_old(lock, mine)))
			remove_stale(lock, mine, owner);
		else
			nanosleep(&(struct timespec){.tv_sec = step / 1000, .tv_nsec = step % 1000 * 1000000L}, NULL);
		if (is_made(root, key))
			return false;
	}
	return !is_made(root, key);
}

bool maker_begin(struct maker *maker, const char *root, const char *key, void (*says)(void *context), void *context)
{
	char *mine = make_own(root), *lock = str_format("%s/" MAKER_LOCK "%s", root, key);
	bool has_lock = false, makes = !mine || wait_for(lock, mine, root, key, &has_lock, says, context);
	if (mine)
		unlink(mine);
	free(mine);
	*maker = (struct maker){has_lock ? lock : NULL};
	if (!has_lock)
		free(lock);
	return makes;
}

void maker_end(struct maker *maker)
{
	if (!maker->lock)
		return;
	unlink(maker->lock);
	free(maker->lock);
	maker->lock = NULL;
}
