/* SPDX-License-Identifier: MIT */
/* carry.c: the upper layer's entries, by the kernel's rules (Documentation/filesystems/overlayfs): a character device
 * 0:0 says that the name is gone, a folder with the attribute `opaque` that nothing of the old folder is left in it.
 * Redirects, indexes and files without data do not occur: folder.c forbids them. */
#include "run/copies/carry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

struct carry {
	int error; /* of the first thing that failed, */
	char name[256];
};

static void blame(struct carry *c, const char *name)
{
	if (c->error)
		return;
	c->error = errno;
	snprintf(c->name, sizeof c->name, "%s", name);
}

static bool is_removed(const struct stat *st)
{
	return S_ISCHR(st->st_mode) && st->st_rdev == makedev(0, 0);
}

static bool is_opaque(int folder)
{
	char value[2] = "";
	return (fgetxattr(folder, "trusted.overlay.opaque", value, 1) == 1 || fgetxattr(folder, "user.overlay.opaque", value, 1) == 1) &&
		value[0] == 'y';
}

static bool is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int open_folder(int in, const char *name)
{
	return openat(in, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* With all that is in it. A name that is not there is fine. */
static void remove_name(struct carry *c, int in, const char *name)
{
	struct stat st;
	if (fstatat(in, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (S_ISDIR(st.st_mode)) {
		int fd = open_folder(in, name);
		DIR *list = fd < 0 ? NULL : fdopendir(fd);
		for (struct dirent *entry; list && (entry = readdir(list));)
			if (!is_dots(entry->d_name))
				remove_name(c, dirfd(list), entry->d_name);
		if (list)
			closedir(list);
	}
	if (unlinkat(in, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0) < 0)
		blame(c, name);
}

static int copy_bytes(int from, int to)
{
	static char buffer[1 << 16];
	for (ssize_t got; (got = read(from, buffer, sizeof buffer)) != 0;) {
		if (got < 0)
			return -1;
		for (ssize_t done = 0, put; done < got; done += put)
			if ((put = write(to, buffer + done, (size_t)(got - done))) < 0)
				return -1;
	}
	return 0;
}

static void copy_file(struct carry *c, int from_in, int to_in, const char *name)
{
	struct stat st;
	if (fstatat(to_in, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode))
		remove_name(c, to_in, name);
	int from = openat(from_in, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int to = from < 0 ? -1 : openat(to_in, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0 || copy_bytes(from, to) < 0)
		blame(c, name);
	if (to >= 0)
		close(to);
	if (from >= 0)
		close(from);
}

static void copy_link(struct carry *c, int from_in, int to_in, const char *name)
{
	char target[4096];
	ssize_t length = readlinkat(from_in, name, target, sizeof target - 1);
	if (length < 0) {
		blame(c, name);
		return;
	}
	target[length] = 0;
	remove_name(c, to_in, name);
	if (symlinkat(target, to_in, name) < 0)
		blame(c, name);
}

static void carry_folder(struct carry *c, int upper, int real);

static void copy_folder(struct carry *c, int from_in, int to_in, const char *name)
{
	struct stat st;
	int from = open_folder(from_in, name), to;
	if (from < 0) {
		blame(c, name);
		return;
	}
	if (fstatat(to_in, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && (!S_ISDIR(st.st_mode) || is_opaque(from)))
		remove_name(c, to_in, name);
	if (mkdirat(to_in, name, 0700) < 0 && errno != EEXIST)
		blame(c, name);
	to = open_folder(to_in, name);
	if (to >= 0) {
		carry_folder(c, from, to);
		close(to);
	}
	close(from);
}

static void carry_one(struct carry *c, int from, int to, const char *name, const struct stat *st)
{
	if (is_removed(st)) {
		remove_name(c, to, name);
		return;
	}
	if (S_ISDIR(st->st_mode)) {
		copy_folder(c, from, to, name);
	} else if (S_ISREG(st->st_mode)) {
		copy_file(c, from, to, name);
	} else if (S_ISLNK(st->st_mode)) {
		copy_link(c, from, to, name);
	} else {
		remove_name(c, to, name);
		if (mknodat(to, name, st->st_mode, st->st_rdev) < 0)
			blame(c, name);
	}
	/* A user may not give files away, and need not: they are his. The mode comes last, since a new owner or our
	 * mask takes bits off it. */
	if (fchownat(to, name, st->st_uid, st->st_gid, AT_SYMLINK_NOFOLLOW) < 0 && errno != EPERM && errno != EINVAL)
		blame(c, name);
	if (!S_ISLNK(st->st_mode) && fchmodat(to, name, st->st_mode & 07777, 0) < 0)
		blame(c, name);
	utimensat(to, name, (struct timespec[]){st->st_atim, st->st_mtim}, AT_SYMLINK_NOFOLLOW);
}

static void carry_folder(struct carry *c, int upper, int real)
{
	int fd = open_folder(upper, ".");
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct stat st;
	if (!list)
		blame(c, "a folder");
	for (struct dirent *entry; list && (entry = readdir(list));) {
		if (is_dots(entry->d_name))
			continue;
		if (fstatat(upper, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			blame(c, entry->d_name);
		else
			carry_one(c, upper, real, entry->d_name, &st);
	}
	if (list)
		closedir(list);
}

int copies_carry(int upper, int real, struct fail *why)
{
	struct carry c = {0};
	carry_folder(&c, upper, real);
	if (!c.error)
		return 0;
	return fail_set(why, FAIL_INTERNAL, "some files that the program wrote could not be copied to its working folder: %s: %s", c.name,
	                strerror(c.error));
}
