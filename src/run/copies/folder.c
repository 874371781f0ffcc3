/* SPDX-License-Identifier: MIT */
#include "run/copies/folder.h"

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

#include "base/folder.h"
#include "base/strv.h"
#include "run/copies/carry.h"

/* What carry.c knows nothing of is off; in a user's overlay it always is. */
#define OPTIONS "index=off,redirect_dir=off,metacopy=off"
#define USER_OPTIONS "index=off,userxattr"
enum { ENOUGH_BYTES = 64 << 20 }; /* free space that a place for changes must have */

/* ---- a namespace ---- */

static int write_map(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return done ? 0 : -1;
}

/* A user who may mount keeps his rights; another one gets a user namespace in which he is himself. */
static int separate(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	if (unshare(CLONE_NEWNS) < 0) {
		char users[64], groups[64];
		snprintf(users, sizeof users, "%u %u 1", uid, uid);
		snprintf(groups, sizeof groups, "%u %u 1", gid, gid);
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 || write_map("/proc/self/setgroups", "deny") < 0 ||
		    write_map("/proc/self/uid_map", users) < 0 || write_map("/proc/self/gid_map", groups) < 0)
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
	fail_set(why, FAIL_INTERNAL, "cannot create %s: %s", path, strerror(errno));
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
	if (mkdir(upper, 0700) == 0 && mkdir(work, 0700) == 0 && (own->upper = open_folder(upper)) >= 0 &&
	    (work_fd = open_folder(work)) >= 0) {
		dress_upper(own->upper, here);
		for (int i = 0; i < 2 && result < 0; i++) {
			char *options = str_format("lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d,workdir=/proc/self/fd/%d,%s",
			                           own->real, own->upper, work_fd, i ? USER_OPTIONS : OPTIONS);
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

/* ---- afterwards ---- */

/* Whether another process is in this namespace, such as a daemon that the program left. */
static bool has_company(pid_t janitor)
{
	char mine[64] = "", theirs[64], path[64];
	bool found = false;
	if (readlink("/proc/self/ns/mnt", mine, sizeof mine - 1) < 0)
		return false;
	DIR *list = opendir("/proc");
	for (struct dirent *entry; list && !found && (entry = readdir(list));) {
		long pid = atol(entry->d_name);
		if (pid <= 0 || pid == getpid() || pid == janitor)
			continue;
		memset(theirs, 0, sizeof theirs);
		snprintf(path, sizeof path, "/proc/%ld/ns/mnt", pid);
		found = readlink(path, theirs, sizeof theirs - 1) > 0 && strcmp(mine, theirs) == 0;
	}
	if (list)
		closedir(list);
	return found;
}

/* The overlay first: it may lie over the folder that is to be removed. */
static void remove_all(const struct copies_folder *own)
{
	if (chdir("/") == 0 && own->upper >= 0)
		umount2(own->here, MNT_DETACH);
	if (own->in_memory)
		umount2(own->temporary, MNT_DETACH);
	folder_remove(own->temporary);
}

/* A process of its own, which holds nothing that anybody could wait for. When the one who entered is gone, killed even,
 * it waits for those who still live here, and tidies up. */
static _Noreturn void be_janitor(struct copies_folder *own, int wake, bool keep)
{
	struct fail untold;
	char told;
	setsid();
	for (int fd = 0; fd < 1024; fd++)
		if (fd != own->real && fd != own->upper && fd != wake)
			close(fd);
	ssize_t got;
	while ((got = read(wake, &told, 1)) < 0 && errno == EINTR)
		;
	if (got == 1)
		_exit(0); /* there is nothing to tidy up, or it shall stay */
	while (has_company(0))
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	if (keep)
		copies_carry(own->upper, own->real, &untold);
	remove_all(own);
	_exit(0);
}

static int hire_janitor(struct copies_folder *own, bool keep)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	own->janitor = fork();
	if (own->janitor == 0)
		be_janitor(own, ends[0], keep);
	close(ends[0]);
	own->wake = ends[1];
	return own->janitor < 0 ? -1 : 0;
}

static void send_home(struct copies_folder *own)
{
	if (own->wake >= 0 && write(own->wake, "", 1) == 1)
		waitpid(own->janitor, NULL, 0);
}

static void forget(struct copies_folder *own)
{
	if (own->real >= 0)
		close(own->real);
	if (own->upper >= 0)
		close(own->upper);
	if (own->wake >= 0)
		close(own->wake);
	free(own->temporary);
	free(own->here);
	*own = (struct copies_folder){.real = -1, .upper = -1, .wake = -1};
}

void copies_folder_leave(struct copies_folder *own)
{
	if (own->temporary && !(own->wake >= 0 && has_company(own->janitor))) {
		send_home(own);
		remove_all(own);
	}
	forget(own);
}

void copies_folder_abandon(struct copies_folder *own)
{
	send_home(own);
	forget(own);
}

/* ---- the way in ---- */

static int cannot(struct fail *why, const char *reason)
{
	return fail_set(
		why, FAIL_INTERNAL,
		"the copies cannot have private working folders (%.500s): use --shared-folder if copies can run at the same time in one folder",
		reason);
}

int copies_folder_enter(struct copies_folder *own, const char *here, const char *session, bool keep, struct fail *why)
{
	struct statvfs disk;
	*own = (struct copies_folder){.real = -1, .upper = -1, .wake = -1};
	if (statvfs(here, &disk) == 0 && disk.f_flag & ST_RDONLY)
		return 0;
	if (has_mounts_below(here))
		return cannot(why, "another file system is mounted inside this one");
	own->here = str_copy(here);
	own->temporary = make_temporary(session, why);
	if (!own->temporary)
		return -1;
	if (separate() == 0 && mount_all(own, here, session) == 0 && hire_janitor(own, keep) == 0)
		return 0;
	char *reason = str_format("an overlay cannot be mounted: %s", strerror(errno));
	cannot(why, reason);
	free(reason);
	copies_folder_leave(own);
	return -1;
}

/* ---- beforehand ---- */

static _Noreturn void try_it(const char *here, const char *session, int report)
{
	struct copies_folder own;
	struct fail why = {0};
	if (copies_folder_enter(&own, here, session, false, &why) == 0)
		copies_folder_leave(&own);
	_exit(write(report, why.text, strlen(why.text)) < 0);
}

int copies_folder_check(const char *here, const char *session, struct fail *why)
{
	char text[1000] = "";
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) < 0)
		return fail_set(why, FAIL_INTERNAL, "cannot create a pipe: %s", strerror(errno));
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
