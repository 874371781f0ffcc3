/* SPDX-License-Identifier: MIT */
#include "run/copies/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/strv.h"

enum { SHOWN_BYTES = 1 << 14 };

void copies_output_none(struct copies_output *o)
{
	*o = (struct copies_output){-1, -1, -1};
}

static void close_one(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* With the size and the manners of ours. Without one the copies only look different to themselves. */
static void open_terminal(struct copies_output *o, int ours)
{
	struct termios manners;
	struct winsize size;
	char name[64];
	o->terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (o->terminal < 0 || grantpt(o->terminal) < 0 || unlockpt(o->terminal) < 0 || ptsname_r(o->terminal, name, sizeof name) != 0 ||
	    (o->slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
		close_one(&o->terminal);
		return;
	}
	if (tcgetattr(ours, &manners) == 0)
		tcsetattr(o->slave, TCSANOW, &manners);
	if (ioctl(ours, TIOCGWINSZ, &size) == 0)
		ioctl(o->slave, TIOCSWINSZ, &size);
}

int copies_output_open(struct copies_output *o, const char *folder, struct fail *why)
{
	char *path = str_format("%s/output", folder);
	copies_output_none(o);
	o->file = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
	unlink(path);
	free(path);
	if (o->file < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot create a file for the output of a copy in %s: %s", folder, strerror(errno));
	if (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO))
		open_terminal(o, isatty(STDOUT_FILENO) ? STDOUT_FILENO : STDERR_FILENO);
	return 0;
}

/* A file that the caller of skein opened for the program: one copy writes there, and each has its own place to read
 * from. */
static void take_other(int fd, int file)
{
	int mode = fcntl(fd, F_GETFL) & O_ACCMODE, mine = -1;
	char path[64];
	struct stat st;
	if (mode == O_RDONLY && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		off_t at = lseek(fd, 0, SEEK_CUR);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		mine = open(path, O_RDONLY | O_CLOEXEC);
		if (mine >= 0 && (lseek(mine, at, SEEK_SET) < 0 || dup2(mine, fd) < 0))
			errno = 0; /* then it is shared */
		close(mine);
	} else if (mode != O_RDONLY) {
		dup2(file, fd);
	}
}

void copies_output_take(const struct copies_output *o)
{
	DIR *list = o->file >= 0 ? opendir("/proc/self/fd") : NULL;
	for (struct dirent *entry; list && (entry = readdir(list));) {
		int fd = atoi(entry->d_name);
		if (fd > STDERR_FILENO && fd != dirfd(list) && !(fcntl(fd, F_GETFD) & FD_CLOEXEC))
			take_other(fd, o->file);
	}
	if (list)
		closedir(list);
	for (int fd = STDOUT_FILENO; o->file >= 0 && fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			dup2(o->slave >= 0 && isatty(fd) ? o->slave : o->file, fd);
}

void copies_output_started(struct copies_output *o)
{
	close_one(&o->slave);
}

void copies_output_read(struct copies_output *o)
{
	char piece[4096];
	ssize_t got = -1;
	errno = EAGAIN;
	while (o->terminal >= 0 && (got = read(o->terminal, piece, sizeof piece)) > 0)
		if (write(o->file, piece, (size_t)got) != got)
			break;
	if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) /* the pipe has no writer any more */
		close_one(&o->terminal);
}

void copies_output_show(const struct copies_output *o, size_t copy, FILE *to)
{
	char text[SHOWN_BYTES];
	struct stat st;
	if (o->file < 0 || fstat(o->file, &st) < 0 || st.st_size == 0)
		return;
	off_t from = st.st_size > SHOWN_BYTES ? st.st_size - SHOWN_BYTES : 0;
	ssize_t got = pread(o->file, text, sizeof text, from);
	fprintf(to, "skein: copy %zu printed%s:\n", copy, from ? ", at its end" : "");
	if (got > 0)
		fwrite(text, 1, (size_t)got, to);
	if (got > 0 && text[got - 1] != '\n')
		fputc('\n', to);
}

void copies_output_close(struct copies_output *o)
{
	close_one(&o->file);
	close_one(&o->terminal);
	close_one(&o->slave);
}
