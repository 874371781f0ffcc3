/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Ways to make a process: fork (from main and beside a thread that burns), vfork with exec, posix_spawn, and exec while another thread burns. Each
 * process burns in a routine of its own and tells how much. */
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include "truth.h"

extern char **environ;
static char *self;

BURNS(in_parent)
BURNS(in_fork)
BURNS(in_thread_of_fork)
BURNS(in_vfork)
BURNS(in_spawn)
BURNS(in_exec)

static int status_of(pid_t pid)
{
	int status = -1;
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static void *thread_of_fork(void *unused)
{
	truth_begin();
	in_thread_of_fork(60 * MS);
	truth_end();
	return unused;
}

static void forked(void)
{
	pthread_t thread;
	truth_restart();
	in_fork(60 * MS);
	pthread_create(&thread, NULL, thread_of_fork, NULL);
	WAITING(pthread_join(thread, NULL));
	truth_print();
	_exit(3);
}

static volatile int stop;
static void *endless(void *unused)
{
	while (!stop)
		truth_spin(1000);
	return unused;
}

static int as(const char *role)
{
	truth_start();
	if (!strcmp(role, "vfork"))
		in_vfork(60 * MS);
	if (!strcmp(role, "spawn"))
		in_spawn(60 * MS);
	if (!strcmp(role, "exec"))
		in_exec(60 * MS);
	truth_print();
	return 4;
}

int main(int argc, char **argv)
{
	char *vfork_argv[] = {argv[0], (char *)"vfork", NULL}, *spawn_argv[] = {argv[0], (char *)"spawn", NULL};
	pthread_t thread;
	pid_t pid;
	if (argc > 1)
		return as(argv[1]);
	self = argv[0];
	truth_start();
	in_parent(60 * MS);
	pid = fork();
	if (!pid)
		forked();
	dprintf(1, "fork %d\n", status_of(pid));
	pid = vfork();
	if (!pid) {
		execv(self, vfork_argv);
		_exit(127);
	}
	dprintf(1, "vfork %d\n", status_of(pid));
	posix_spawn(&pid, self, NULL, NULL, spawn_argv, environ);
	dprintf(1, "posix_spawn %d\n", status_of(pid));
	pthread_create(&thread, NULL, endless, NULL);
	in_parent(60 * MS);
	pid = fork();
	if (!pid)
		forked();
	dprintf(1, "fork beside a thread %d\n", status_of(pid));
	truth_print();
	execl(self, self, "exec", (char *)NULL);
	return 127;
}
