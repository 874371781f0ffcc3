/* SPDX-License-Identifier: MIT */
#include "cli/copies_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "build/folder.h"
#include "build/strv.h"
#include "cli/copies_carry.h"

/* What copies_carry.c knows nothing of is off; in a user's overlay it always is. */
#define OPTIONS "index=off,redirect_dir=off,metacopy=off"
#define USER_OPTIONS "index=off,userxattr"
enum { ENOUGH_BYTES = 64 << 20 }; /* that a place for changes must have */

/* ---- a namespace ---- */

static int write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return done ? 0 : -1;
}

/* Who may mount keeps his rights; who may not is himself in a user namespace. */
static int separate(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	if (unshare(CLONE_NEWNS) < 0) {
		char users[64], groups[64];
		snprintf(users, sizeof users, "%u %u 1", uid, uid);
		snprintf(groups, sizeof groups, "%u %u 1", gid, gid);
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || write_map("/proc/self/setgroups", "deny") < 0 || write_map("/proc/self/uid_map", users) < 0 ||
		    write_map("/proc/self/gid_map", groups) < 0)
			return -1;
	}
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

/* ---- places ---- */

/* An overlay shows one file system: others that are mounted in the folder would be missing. */
static bool has_mounts_below(const char *here)
{
	char *line = NULL, point[PATH_MAX];
	size_t room = 0, length = strlen(here);
	bool found = strcmp(here, "/") == 0;
	FILE *mounts = fopen("/proc/self/mountinfo", "re");
	while (mounts && !found && getline(&line, &room, mounts) > 0) {
		if (sscanf(line, "%*s %*s %*s %*s %4095s", point) != 1)
			continue;
		char *to = point; /* spaces are written as \040 */
		for (const char *at = point; *at; to++) {
			unsigned byte;
			bool coded = *at == '\\' && sscanf(at + 1, "%3o", &byte) == 1;
			*to = coded ? (char)byte : *at;
			at += coded ? 4 : 1;
		}
		*to = 0;
		found = strncmp(point, here, length) == 0 && point[length] == '/';
	}
	if (mounts)
		fclose(mounts);
	free(line);
	return found;
}

static bool has_space(const char *folder)
{
	struct statvfs disk;
	return statvfs(folder, &disk) == 0 && (uint64_t)disk.f_bavail * disk.f_frsize >= ENOUGH_BYTES && disk.f_favail > 1000;
}

/* In the user's temporary folder, or, if that is full, beside the recording. */
static char *make_temporary(const char *session, struct fail *why)
{
	char *path = folder_temporary(why);
	if (path && has_space(path))
		return path;
	if (path)
		rmdir(path);
	free(path);
	path = str_format("%s/changes-XXXXXX", session);
	if (mkdtemp(path))
		return path;
	fail_set(why, FAIL_INTERNAL, "cannot make %s: %s", path, strerror(errno));
	free(path);
	return NULL;
}

/* The folder that changes go to lends the overlay its mode and owner. Who does not own the real one must not gain rights by it. */
static void dress_upper(int upper, const char *here)
{
	struct stat st;
	mode_t mode = 0;
	if (stat(here, &st) < 0)
		return;
	if (fchown(upper, st.st_uid, st.st_gid) == 0) {
		mode = st.st_mode & 07777;
	} else {
		mode |= access(here, R_OK) == 0 ? 0500 : 0;
		mode |= access(here, W_OK) == 0 ? 0300 : 0;
		mode |= access(here, X_OK) == 0 ? 0100 : 0;
	}
	fchmod(upper, mode);
	futimens(upper, (struct timespec[]){st.st_atim, st.st_mtim});
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int mount_overlay(struct copies_folder *own, const char *here)
{
	char *upper = str_format("%s/upper", own->temporary), *work = str_format("%s/work", own->temporary);
	int result = -1, work_fd = -1;
	if (mkdir(upper, 0700) == 0 && mkdir(work, 0700) == 0 && (own->upper = open_folder(upper)) >= 0 && (work_fd = open_folder(work)) >= 0) {
		dress_upper(own->upper, here);
		for (int i = 0; i < 2 && result < 0; i++) {
			char *options = str_format("lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,%s", own->real, own->upper, work_fd,
			                           i ? USER_OPTIONS : OPTIONS);
			result = mount("skein", here, "overlay", 0, options);
			free(options);
		}
	}
	int code = errno;
	if (work_fd >= 0)
		close(work_fd);
	if (result < 0 && own->upper >= 0) {
		close(own->upper);
		own->upper = -1;
		rmdir(upper);
		char *inner = str_format("%s/work", work);
		rmdir(inner);
		free(inner);
		rmdir(work);
	}
	free(upper);
	free(work);
	errno = code;
	return result;
}

/* Not every file system can hold changes; memory can. */
static int mount_all(struct copies_folder *own, const char *here, const char *session)
{
	int folder = open_folder(session), result = -1;
	size_t length = strlen(here);
	own->real = open_folder(here);
	if (own->real < 0 || folder < 0)
		return -1;
	result = mount_overlay(own, here);
	if (result < 0 && mount("skein", own->temporary, "tmpfs", 0, "mode=0700") == 0) {
		own->in_memory = true;
		result = mount_overlay(own, here);
	}
	if (result == 0 && strncmp(session, here, length) == 0 && session[length] == '/') {
		char *path = str_format("/proc/self/fd/%d", folder);
		result = mount(path, session, NULL, MS_BIND, NULL);
		free(path);
	}
	close(folder);
	return result < 0 || chdir(here) < 0 ? -1 : 0;
}

static int cannot(struct fail *why, const char *reason)
{
	return fail_set(why, FAIL_INTERNAL,
	                "the copies cannot have working folders of their own (%.500s): use --shared-folder if copies that run at once do not disturb each other's files there", reason);
}

int copies_folder_enter(struct copies_folder *own, const char *here, const char *session, struct fail *why)
{
	struct statvfs disk;
	*own = (struct copies_folder){.real = -1, .upper = -1};
	if (statvfs(here, &disk) == 0 && disk.f_flag & ST_RDONLY)
		return 0;
	if (has_mounts_below(here))
		return cannot(why, "other file systems are mounted in this one");
	own->temporary = make_temporary(session, why);
	if (!own->temporary)
		return -1;
	if (separate() == 0 && mount_all(own, here, session) == 0)
		return 0;
	char *reason = str_format("an overlay cannot be mounted: %s", strerror(errno));
	cannot(why, reason);
	free(reason);
	copies_folder_leave(own, false);
	return -1;
}

/* ---- afterwards ---- */

/* Somebody else in this namespace, such as a daemon that the program left. */
static bool has_company(void)
{
	char mine[64] = "", theirs[64], path[64];
	bool found = false;
	if (readlink("/proc/self/ns/mnt", mine, sizeof mine - 1) < 0)
		return false;
	DIR *list = opendir("/proc");
	for (struct dirent *entry; list && !found && (entry = readdir(list));) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || atol(entry->d_name) == getpid())
			continue;
		memset(theirs, 0, sizeof theirs);
		snprintf(path, sizeof path, "/proc/%.20s/ns/mnt", entry->d_name);
		found = readlink(path, theirs, sizeof theirs - 1) > 0 && strcmp(mine, theirs) == 0;
	}
	if (list)
		closedir(list);
	return found;
}

/* In a process of its own, which holds nothing that anybody could wait for. */
static void wait_for_company(const struct copies_folder *own)
{
	setsid();
	for (int fd = 0; fd < 1024; fd++)
		if (fd != own->real && fd != own->upper)
			close(fd);
	while (has_company())
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static void remove_all(const struct copies_folder *own)
{
	if (chdir("/") == 0 && own->in_memory)
		umount2(own->temporary, MNT_DETACH);
	folder_remove(own->temporary);
}

void copies_folder_leave(struct copies_folder *own, bool keep)
{
	struct fail untold;
	bool company = own->upper >= 0 && has_company();
	pid_t janitor = company ? fork() : -1;
	if (janitor == 0) {
		wait_for_company(own);
		if (keep)
			copies_carry(own->upper, own->real, &untold);
		remove_all(own);
		_exit(0);
	}
	if (own->temporary && !company)
		remove_all(own);
	if (own->real >= 0)
		close(own->real);
	if (own->upper >= 0)
		close(own->upper);
	free(own->temporary);
	*own = (struct copies_folder){.real = -1, .upper = -1};
}

/* ---- beforehand ---- */

static _Noreturn void try_it(const char *here, const char *session, int report)
{
	struct copies_folder own;
	struct fail why = {0};
	if (copies_folder_enter(&own, here, session, &why) == 0)
		copies_folder_leave(&own, false);
	_exit(write(report, why.text, strlen(why.text)) < 0);
}

int copies_folder_check(const char *here, const char *session, struct fail *why)
{
	char text[1000] = "";
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot make a pipe: %s", strerror(errno));
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		try_it(here, session, ends[1]);
	close(ends[1]);
	ssize_t got = child < 0 ? 0 : read(ends[0], text, sizeof text - 1);
	close(ends[0]);
	if (child > 0)
		waitpid(child, NULL, 0);
	if (got <= 0 && child > 0)
		return 0;
	return fail_set(why, FAIL_INTERNAL, "%s", child < 0 ? "cannot start a process" : text);
}
