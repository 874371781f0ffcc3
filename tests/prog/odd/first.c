/* SPDX-License-Identifier: MIT */
/* first: a container's first process. first within: makes two such namespaces by itself; both of their first processes have number 1.
 *
 * The first process gets orphans as its own children. A signal for which it has no handler does not end it; with CALM in the environment none comes. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"

/* Three children, each of which leaves an orphan. */
static int init(void)
{
	int children = 0;
	if (getpid() == 1 && !getenv("CALM"))
		kill(getpid(), SIGTERM);
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			if (fork() == 0) {
				usleep(20000);
				work(2);
				_exit(0);
			}
			work(1);
			_exit(0);
		}
	work(5);
	while (wait(NULL) > 0)
		children++;
	return 10 * getpid() + children;
}

static int contains(void)
{
	int status;
	pid_t child;
	if (unshare(CLONE_NEWPID) || (child = fork()) < 0)
		return 1;
	if (child == 0)
		exit(init());
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}

int main(int argc, char **argv)
{
	int status;
	if (argc < 2 || strcmp(argv[1], "within") != 0) {
		dprintf(1, "init returned %d\n", init());
		report_work();
		return 7;
	}
	for (int i = 0; i < 2; i++)
		if (fork() == 0)
			_exit(contains());
	while (wait(&status) > 0)
		dprintf(1, "init returned %d\n", WEXITSTATUS(status));
	report_work();
	return 7;
}
