/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* run: fork */
/* run: fork-threads */
/* run: exec-self */
/* run: exec-path */
/* run: exec-other */
/* run: exec-fails */
/* run: vfork */
/* run: grandchild */
/* Processes that become two, and processes that become another program. Counts are sums over all of them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../count.h"

ROUTINE static void step(void) { __asm__ volatile(""); }

ROUTINE static void steps(int count)
{
	while (count--)
		step();
}

ROUTINE static void *thread_steps(void *unused)
{
	steps(50);
	return unused;
}

static void reap(pid_t child)
{
	int status = 0;
	waitpid(child, &status, 0);
	dprintf(1, "child %d\n", WEXITSTATUS(status));
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "fork";
	if (!strcmp(how, "child")) {
		steps(7);
		return 5;
	}
	steps(100);
	if (!strcmp(how, "fork")) {
		pid_t child = fork();
		steps(child ? 20 : 3);
		if (!child)
			exit(4);
		reap(child);
		expect("step", 123);
		expect("steps", 3);
		expect("main", 1);
	} else if (!strcmp(how, "fork-threads")) {
		pthread_t thread[4];
		pthread_create(&thread[0], NULL, thread_steps, NULL);
		pid_t child = fork();
		for (int i = 1; i < 4; i++)
			pthread_create(&thread[i], NULL, thread_steps, NULL);
		for (int i = child ? 0 : 1; i < 4; i++)
			pthread_join(thread[i], NULL);
		if (!child)
			_exit(6);
		reap(child);
		expect("step", 100 + 4 * 50 + 3 * 50);
		expect("thread_steps", 7);
	} else if (!strcmp(how, "exec-self")) {
		pid_t child = fork();
		if (!child) {
			steps(1);
			execl("/proc/self/exe", argv[0], "child", NULL);
			_exit(9);
		}
		reap(child);
		expect("step", 108);
		expect("main", 2);
	} else if (!strcmp(how, "exec-path")) {
		char path[4096], *again[] = {argv[0], "child", NULL};
		ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
		path[length > 0 ? length : 0] = 0;
		pid_t child = fork();
		if (!child) {
			execv(path, again);
			_exit(9);
		}
		reap(child);
		if (!(child = vfork())) {
			execlp(argv[0], argv[0], "child", NULL);
			_exit(9);
		}
		reap(child);
		if (posix_spawn(&child, argv[0], NULL, NULL, again, environ))
			return 1;
		reap(child);
		expect("step", 100 + 3 * 7);
		expect("main", 4);
	} else if (!strcmp(how, "exec-other")) {
		pid_t child = fork();
		if (!child) {
			steps(1);
			execl("/bin/sh", "sh", "-c", "exit 8", NULL);
			_exit(9);
		}
		reap(child);
		expect("step", 101);
	} else if (!strcmp(how, "exec-fails")) {
		execl("/nonexistent", "nothing", NULL);
		steps(10);
		expect("step", 110);
		execl("/bin/sh", "sh", "-c", "exit 12", NULL);
	} else if (!strcmp(how, "vfork")) {
		int status = system("exit 3");
		dprintf(1, "system %d\n", WEXITSTATUS(status));
		pid_t child = vfork();
		if (!child) {
			execl("/bin/sh", "sh", "-c", "exit 2", NULL);
			_exit(9);
		}
		reap(child);
		steps(10);
		expect("step", 110);
	} else if (!strcmp(how, "grandchild")) {
		pid_t child = fork();
		if (!child) {
			pid_t grandchild = fork();
			steps(1);
			if (!grandchild)
				_exit(3);
			reap(grandchild);
			_exit(2);
		}
		reap(child);
		expect("step", 102);
	}
	return 0;
}
