/* SPDX-License-Identifier: MIT */
#include "run/ranks/part.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/strv.h"
#include "run/session_folder.h"

enum { COPY_BYTES = 1 << 16, MOST_ASIDE = 10000, GUARD_TRIES = 150, LEAST_ROOM = 4 << 20 };

/* ---- names ---- */

static bool is_folder(const char *path)
{
	struct stat is;
	return stat(path, &is) == 0 && S_ISDIR(is.st_mode);
}

static int make_folder(const char *folder, struct fail *why)
{
	if (mkdir(folder, 0700) == 0 || (errno == EEXIST && is_folder(folder)))
		return 0;
	return fail_set(why, FAIL_INTERNAL, "cannot create the folder %.300s for the recordings of ranks: %s; choose another place with -o",
	                folder, strerror(errno));
}

int part_name(const char *recording, const struct rank *me, char folder[PATH_MAX], char file[PATH_MAX], struct fail *why)
{
	char name[80];
	if (me->task >= 0 && me->rank >= 0 && me->ranks != 1)
		snprintf(name, sizeof name, "task-%06" PRId64 "-rank-%06" PRId64, me->task, me->rank);
	else if (me->task >= 0)
		snprintf(name, sizeof name, "task-%06" PRId64, me->task);
	else
		snprintf(name, sizeof name, "rank-%06" PRId64, me->rank);
	bool is_whole = is_folder(recording) || str_ends(recording, ".d");
	if (snprintf(folder, PATH_MAX, "%s%s", recording, is_whole ? "" : ".d") >= PATH_MAX ||
	    snprintf(file, PATH_MAX, "%s/%s.skein", folder, name) >= PATH_MAX)
		return fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: choose a shorter one with -o");
	return make_folder(folder, why);
}

/* Whether a short recording has room there. */
static bool has_room(const char *session)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof path, "%s/" PART_LOCAL, session) >= (int)sizeof path)
		return false;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool has = fd >= 0 && posix_fallocate(fd, 0, LEAST_ROOM) == 0;
	if (fd >= 0)
		close(fd);
	unlink(path);
	return has;
}

/* A node whose TMPDIR cannot be written to, or is full, has the session beside the part. */
int part_session(const char *file, char session[PATH_MAX], struct fail *why)
{
	const char *where = getenv("TMPDIR");
	struct fail unsaid;
	char local[PATH_MAX];
	int length = snprintf(local, sizeof local, "%s/%s", where && *where ? where : "/tmp", str_base(file));
	if (length < (int)sizeof local && session_folder_make(local, session, &unsaid) == 0) {
		if (has_room(session))
			return 0;
		session_folder_remove(session);
	}
	return session_folder_make(file, session, why);
}

/* ---- from the session to its place ---- */

static int copy_bytes(int from, int to)
{
	static char bytes[COPY_BYTES];
	ssize_t got;
	while ((got = read(from, bytes, sizeof bytes)) > 0)
		for (ssize_t done = 0, put; done < got; done += put)
			if ((put = write(to, bytes + done, (size_t)(got - done))) < 0)
				return -1;
	return got < 0 ? -1 : 0;
}

/* Into a new file. -1: errno says why, and the file is gone again. */
static int copy_file(const char *source, const char *target)
{
	int from = open(source, O_RDONLY | O_CLOEXEC), to = from < 0 ? -1 : open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int result = to < 0 ? -1 : copy_bytes(from, to);
	if (result == 0)
		result = fsync(to);
	int error = errno;
	if (from >= 0)
		close(from);
	if (to >= 0 && close(to) < 0 && result == 0) { /* NFS says here that the disk is full */
		result = -1;
		error = errno;
	}
	if (result < 0 && to >= 0)
		unlink(target);
	errno = error;
	return result;
}

/* The copy gets its name when it is whole. */
static int place(const char *source, const char *target, struct fail *why)
{
	char folder[PATH_MAX], name[PATH_MAX], next[PATH_MAX];
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(folder, sizeof folder, "%s", target);
	snprintf(name, sizeof name, "%s", target);
	if (snprintf(next, sizeof next, "%s/.%s.new-%lx%lx%x", dirname(folder), basename(name), (long)now.tv_sec, now.tv_nsec,
	             (unsigned)getpid()) >= (int)sizeof next)
		return fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: %.100s…", target);
	if (copy_file(source, next) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot write the recording %.300s: %s", target, strerror(errno));
	if (rename(next, target) == 0)
		return 0;
	fail_set(why, FAIL_INTERNAL, "cannot write the recording %.300s: %s", target, strerror(errno));
	unlink(next);
	return -1;
}

/* An earlier part of another build goes to FILE.old-1 (-2 …), as other recordings do. */
static int place_aside(const char *file, struct apart *made, struct fail *why)
{
	if (!*made->aside)
		return 0;
	unlink(made->aside);
	for (int n = 1; n < MOST_ASIDE; n++) {
		if (snprintf(made->aside, sizeof made->aside, "%s.old-%d", file, n) >= (int)sizeof made->aside)
			break;
		if (access(made->aside, F_OK) < 0)
			return rename(file, made->aside) == 0
				? 0
				: fail_set(why, FAIL_INTERNAL, "cannot rename the earlier recording %.300s: %s", file, strerror(errno));
	}
	return fail_set(why, FAIL_INTERNAL, "cannot rename the earlier recording %.300s: all names are taken", file);
}

int part_store(const char *session, const char *file, bool keep, struct apart *made, struct fail *why)
{
	char local[PATH_MAX];
	if (snprintf(local, sizeof local, "%s/" PART_LOCAL, session) >= (int)sizeof local)
		return fail_set(why, FAIL_INTERNAL, "the path of the session folder is too long: %.100s…", session);
	unlink(local); /* of a skein that was killed while it wrote */
	if (access(file, F_OK) == 0 && copy_file(file, local) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot copy the earlier recording %.300s to %.300s: %s", file, local, strerror(errno));
	if (apart_store(session, local, made, why) < 0 || place_aside(file, made, why) < 0 || place(local, file, why) < 0)
		return -1;
	unlink(local);
	if (!keep)
		session_folder_remove(session);
	return 0;
}

/* ---- if skein is killed ---- */

/* A launcher ends all ranks when one has failed, by signals that cannot be held. */
static _Noreturn void guard(int told, const char *session, const char *file)
{
	char word;
	struct apart made;
	struct fail unsaid;
	ssize_t got;
	while ((got = read(told, &word, 1)) < 0 && errno == EINTR)
		;
	if (got != 0)
		_exit(0);
	for (int tries = 0; tries < GUARD_TRIES && session_folder_user(session); tries++)
		;
	if (session_folder_has_recordings(session))
		part_store(session, file, false, &made, &unsaid);
	else
		session_folder_remove(session);
	_exit(0);
}

static void leave_everything(int but)
{
	int nowhere = open("/dev/null", O_RDWR);
	for (int i = 0; i < 3; i++)
		dup2(nowhere, i);
	close_range(3, (unsigned)but - 1, 0);
	close_range((unsigned)but + 1, ~0u, 0);
	for (int number = 1; number < NSIG; number++)
		if (number != SIGCHLD)
			signal(number, SIG_IGN);
}

struct part_guard part_guard(const char *session, const char *file)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		return (struct part_guard){-1};
	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		close(ends[1]);
		setsid();
		if (fork())
			_exit(0);
		leave_everything(ends[0]);
		guard(ends[0], session, file);
	}
	close(ends[0]);
	if (child > 0)
		while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
			;
	else
		close(ends[1]);
	return (struct part_guard){child > 0 ? ends[1] : -1};
}

void part_guard_end(struct part_guard *guard)
{
	if (guard->tells < 0)
		return;
	while (send(guard->tells, "", 1, MSG_NOSIGNAL) < 0 && errno == EINTR) /* the guard may have been killed */
		;
	close(guard->tells);
	guard->tells = -1;
}
