/* SPDX-License-Identifier: MIT */
/* file.c: the subject must neither harm the recording's descriptor nor notice that it was re-linked. */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "core/decimal.h"
#include "raw/kernel.h"
#include "raw/writer.h"
#include "threads/interpose/interpose.h"
#include "threads/redirect.h"

static bool is_recording(int fd)
{
	return !skein_self.inside && raw_owns_descriptor(fd);
}

/* As for a descriptor that is not open, which is how the subject should see it. */
EXPORT int close(int fd)
{
	if (!is_recording(fd))
		return real.close(fd);
	errno = EBADF;
	return -1;
}

/* The recording's descriptor in [first, last], or -1. */
static int recording_between(unsigned first, unsigned last)
{
	const unsigned most = 1u << 20; /* fs.nr_open as it comes */

	for (unsigned fd = first; fd <= last && fd < most; fd++)
		if (is_recording((int)fd))
			return (int)fd;
	return -1;
}

/* Around it, in two pieces. */
EXPORT int close_range(unsigned first, unsigned last, int flags)
{
	int fd = recording_between(first, last);

	if (fd < 0)
		return real.close_range(first, last, flags);
	if ((unsigned)fd > first && real.close_range(first, (unsigned)fd - 1, flags))
		return -1;
	return (unsigned)fd < last ? real.close_range((unsigned)fd + 1, last, flags) : 0;
}

EXPORT void closefrom(int first)
{
	int fd = recording_between(first < 0 ? 0 : (unsigned)first, INT_MAX);

	if (fd < 0) {
		real.closefrom(first);
		return;
	}
	for (int i = first < 0 ? 0 : first; i < fd; i++)
		real.close(i);
	real.closefrom(fd + 1);
}

/* A jump, not a call (every compiler at -O2 makes it one): the loader looks at its return address to learn whose
 * run path and namespace apply. */
static inline __attribute__((always_inline)) const char *redirected(const char *path)
{
	return session_redirect && !skein_self.inside ? session_redirect(path) : path;
}

EXPORT void *dlopen(const char *path, int mode)
{
	return real.dlopen(redirected(path), mode);
}

/* "/proc/self/exe" by any of its names. */
static bool names_program(const char *path)
{
	if (!path || strncmp(path, "/proc/", 6) != 0)
		return false;
	path += 6;
	if (!strcmp(path, "self/exe") || !strcmp(path, "thread-self/exe"))
		return true;
	return path[0] >= '1' && path[0] <= '9' && decimal_read(&path) == kernel_pid() && !strcmp(path, "/exe");
}

/* The path of the native program if that is what is asked for, else NULL. */
static const char *native_instead_of(const char *path)
{
	if (!session_native_program || skein_self.inside || !names_program(path))
		return NULL;
	return session_native_program();
}

static ssize_t answer(const char *text, char *to, size_t bytes)
{
	size_t length = strlen(text);

	if (length > bytes)
		length = bytes;
	memcpy(to, text, length); /* NOLINT(bugprone-not-null-terminated-result): readlink ends nothing with a 0 */
	return (ssize_t)length;
}

EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t bytes)
{
	const char *native = native_instead_of(path);
	return native && bytes ? answer(native, to, bytes) : real.readlink(path, to, bytes);
}

EXPORT ssize_t readlinkat(int folder, const char *restrict path, char *restrict to, size_t bytes)
{
	const char *native = native_instead_of(path);
	return native && bytes ? answer(native, to, bytes) : real.readlinkat(folder, path, to, bytes);
}

ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room);
ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t bytes, size_t room);

EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room)
{
	const char *native = bytes <= room ? native_instead_of(path) : NULL;
	return native && bytes ? answer(native, to, bytes) : real.__readlink_chk(path, to, bytes, room);
}

EXPORT ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t bytes, size_t room)
{
	const char *native = bytes <= room ? native_instead_of(path) : NULL;
	return native && bytes ? answer(native, to, bytes) : real.__readlinkat_chk(folder, path, to, bytes, room);
}
