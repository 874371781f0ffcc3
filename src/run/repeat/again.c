/* SPDX-License-Identifier: MIT */
#include "run/repeat/again.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 65536, PATIENCE_MS = 2000 };

/* ---- a file without a name ---- */

static int open_nameless(void)
{
	char path[PATH_MAX];
	const char *folder = getenv("TMPDIR");
	snprintf(path, sizeof path, "%.4000s/skein-input-XXXXXX", folder && *folder ? folder : "/tmp");
	int fd = mkostemp(path, O_CLOEXEC); /* mode 0600 */
	if (fd >= 0)
		unlink(path);
	return fd;
}

static int write_whole(int fd, const char *piece, size_t bytes)
{
	while (bytes) {
		ssize_t written = write(fd, piece, bytes);
		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return -1;
		piece += written;
		bytes -= (size_t)written;
	}
	return 0;
}

/* A writer that never ends would make skein wait without a word. */
static void say_waiting(bool *said)
{
	struct pollfd polled = {.fd = STDIN_FILENO, .events = POLLIN};
	if (!*said && poll(&polled, 1, PATIENCE_MS) == 0) {
		fail_note("skein", "reading standard input to its end, to give it to each run; if the program needs none, add </dev/null");
		*said = true;
	}
}

static int copy_input(int to)
{
	char piece[PIECE];
	bool said = false;
	for (;;) {
		say_waiting(&said);
		ssize_t got = read(STDIN_FILENO, piece, sizeof piece);
		if (got == 0)
			return 0;
		if (got < 0 && (errno == EINTR || errno == EAGAIN)) {
			poll(&(struct pollfd){.fd = STDIN_FILENO, .events = POLLIN}, 1, -1);
			continue;
		}
		if (got < 0 || write_whole(to, piece, (size_t)got) < 0)
			return -1;
	}
}

static int keep_input(struct fail *why)
{
	int file = open_nameless();
	if (file < 0)
		return fail_set(why, FAIL_INTERNAL,
		                "cannot create a file that keeps standard input for each run: %s; set TMPDIR to a folder "
		                "that can be written to",
		                strerror(errno));
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	int reader = copy_input(file) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1; /* what a run writes there would reach the next one */
	bool kept = reader >= 0 && dup2(reader, STDIN_FILENO) == STDIN_FILENO;
	int error = errno;
	if (reader >= 0)
		close(reader);
	close(file);
	return kept ? 0 : fail_set(why, FAIL_INTERNAL, "cannot keep standard input for each run: %s", strerror(error));
}

/* ---- which input there is ---- */

int again_open(struct again *again, struct fail *why)
{
	struct stat is;
	*again = (struct again){0};
	if (fstat(STDIN_FILENO, &is) < 0 || !(S_ISREG(is.st_mode) || S_ISFIFO(is.st_mode) || S_ISSOCK(is.st_mode)))
		return 0;
	again->start = S_ISREG(is.st_mode) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : 0;
	again->rewinds = again->start >= 0;
	return S_ISREG(is.st_mode) ? 0 : keep_input(why);
}

int again_begin(const struct again *again, struct fail *why)
{
	if (again->rewinds && lseek(STDIN_FILENO, again->start, SEEK_SET) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot read standard input again from its beginning: %s", strerror(errno));
	return 0;
}
