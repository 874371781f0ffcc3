/* SPDX-License-Identifier: MIT */
#include "run/snapshot.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/strv.h"
#include "keys/environment.h"
#include "keys/session.h"
#include "run/session_folder.h"

enum { PIECE = 1 << 20 };

/* The value of the variable in the environment that the process began with; false: it has none, or may not be read. */
static bool environment_of(long pid, char folder[PATH_MAX])
{
	char path[64], *entry = NULL;
	size_t room = 0;
	bool found = false;
	snprintf(path, sizeof path, "/proc/%ld/environ", pid);
	FILE *file = fopen(path, "re");
	while (file && !found && getdelim(&entry, &room, 0, file) > 0)
		found = str_starts(entry, ENVIRONMENT_SESSION "=") &&
			snprintf(folder, PATH_MAX, "%s", entry + sizeof ENVIRONMENT_SESSION) < PATH_MAX;
	free(entry);
	if (file)
		fclose(file);
	return found;
}

static bool environment_of_child(long pid, char folder[PATH_MAX])
{
	char path[96];
	long child;
	bool found = false;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
	FILE *file = fopen(path, "re");
	while (file && !found && fscanf(file, "%ld", &child) == 1)
		found = environment_of(child, folder);
	if (file)
		fclose(file);
	return found;
}

int snapshot_find(long pid, char folder[PATH_MAX], struct fail *why)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld", pid);
	if (access(path, F_OK) < 0)
		return fail_set(why, FAIL_NOT_FOUND, "there is no process %ld", pid);
	if (!environment_of(pid, folder) && !environment_of_child(pid, folder))
		return fail_set(
			why, FAIL_NOT_FOUND,
			"process %ld is not recorded by skein, or belongs to another user: name a process that `skein record` started",
			pid);
	if (!session_folder_has_recordings(folder))
		return fail_set(why, FAIL_NOT_FOUND, "nothing of process %ld has been recorded yet, or its recording is being written now",
		                pid);
	return 0;
}

/* ---- copying ---- */

static int copy_bytes(int from, int to)
{
	char *piece = malloc(PIECE);
	ssize_t got = -1;
	while (piece && (got = read(from, piece, PIECE)) > 0)
		for (ssize_t done = 0, now; done < got; done += now)
			if ((now = write(to, piece + done, (size_t)(got - done))) < 0) {
				free(piece);
				return -1;
			}
	free(piece);
	return got == 0 ? 0 : -1;
}

static int copy_file(const char *folder, const char *copy, const char *name, struct fail *why)
{
	char path[PATH_MAX], target[PATH_MAX];
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX ||
	    snprintf(target, sizeof target, "%s/%s", copy, name) >= PATH_MAX)
		return fail_set(why, FAIL_INTERNAL, "the path of the recording is too long: choose a shorter one with -o");
	int from = open(path, O_RDONLY | O_CLOEXEC), to = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int result = from >= 0 && to >= 0 ? copy_bytes(from, to) : -1;
	if (result < 0)
		fail_set(why, FAIL_INTERNAL, "cannot copy %.600s: %s", path, strerror(errno));
	if (from >= 0)
		close(from);
	if (to >= 0)
		close(to);
	return result;
}

static bool is_wanted(const char *name)
{
	return strcmp(name, "session") == 0 || strcmp(name, SESSION_SWITCHES_FILE) == 0 || str_ends(name, ".raw");
}

int snapshot_copy(const char *folder, const char *recording, char copy[PATH_MAX], struct fail *why)
{
	DIR *list = opendir(folder);
	if (!list)
		return fail_set(why, FAIL_INTERNAL, "cannot open the session %.600s: %s", folder, strerror(errno));
	int result = session_folder_make(recording, copy, why);
	for (struct dirent *entry; result == 0 && (entry = readdir(list));)
		if (is_wanted(entry->d_name) && copy_file(folder, copy, entry->d_name, why) < 0) {
			session_folder_remove(copy);
			result = -1;
		}
	closedir(list);
	return result;
}

/* A grandchild, which the init process waits for: a request is never waited for here. */
void snapshot_request(void)
{
	char of[32];
	snprintf(of, sizeof of, "%ld", (long)getpid());
	pid_t child = fork();
	if (child > 0)
		waitpid(child, NULL, 0);
	if (child)
		return;
	if (fork() != 0)
		_exit(0);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, STDIN_FILENO);
		dup2(nowhere, STDOUT_FILENO);
	}
	execl("/proc/self/exe", "skein", "snapshot", of, (char *)NULL);
	_exit(FAIL_INTERNAL);
}
