/* SPDX-License-Identifier: MIT */
/* together.c: the linker's process divides itself.
 *
 * Nothing but the plan, the folder and standard error differs in the children: all that the linker knows of symbols,
 * archives and options, and all that the plugin noted, is there twice without being written down. The first process
 * waits, lets as many work at once as there are cores, and ends. */
#include "pass/together.h"
#include "pass/pass.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child has only the thread that forked, and would wait for the others forever. */
static bool has_one_thread(void)
{
	size_t threads = 0;
	DIR *tasks = opendir("/proc/self/task");
	for (struct dirent *task; tasks && (task = readdir(tasks));)
		threads += task->d_name[0] != '.';
	if (tasks)
		closedir(tasks);
	return threads == 1;
}

static size_t core_count(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return count > 0 ? (size_t)count : 1;
}

static void move_to(const char *path, int flags, int descriptor)
{
	int fd = open(path, flags, 0600);
	if (fd < 0 || dup2(fd, descriptor) < 0)
		pass_fail("cannot open %s: %s", path, strerror(errno));
	close(fd);
}

static void become(const char *folder, pid_t parent)
{
	char path[4096];
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(1);
	snprintf(path, sizeof path, "%s/log", folder);
	move_to(path, O_WRONLY | O_CREAT | O_APPEND, STDERR_FILENO);
	move_to(folder, O_RDONLY | O_DIRECTORY, TOGETHER_OUTPUT);
	snprintf(path, sizeof path, "%s/table", folder);
	pass_set_option(PLAN_TABLE, path);
}

/* Whether one that was waited for has failed. */
static bool wait_for_one(void)
{
	int status;
	pid_t child;
	while ((child = wait(&status)) < 0 && errno == EINTR)
		;
	return child < 0 || status != 0;
}

unsigned together_part(unsigned copy)
{
	char *lines = strdup(pass_option(PLAN_TOGETHER));
	size_t running = 0, most = core_count();
	pid_t parent = getpid();
	bool failed = false;
	if (!lines)
		pass_fail("out of memory");
	if (*lines && !has_one_thread())
		pass_fail("the linker has several threads, so it cannot fork");
	for (char *line = strtok(lines, "\n"); line; line = strtok(NULL, "\n")) {
		char *folder = strchr(line, '\t');
		if (!folder)
			pass_fail("the plan names no folder for a copy");
		if (running == most && running--)
			failed |= wait_for_one();
		pid_t child = failed ? -1 : fork();
		if (child == 0) {
			become(folder + 1, parent);
			copy = (unsigned)atoi(line);
			free(lines);
			return copy;
		}
		failed |= child < 0;
		running += child > 0;
	}
	bool divided = running > 0 || failed;
	while (running--)
		failed |= wait_for_one();
	if (divided)
		_exit(failed);
	free(lines);
	return copy;
}
