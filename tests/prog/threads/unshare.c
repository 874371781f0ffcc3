/* SPDX-License-Identifier: MIT */
/* unshare.c FLAGS [thread|number|TIMES]: what the kernel allows a process with one thread only, asked for at the start, a few times in the middle, and in
 * a forked child. With a thread it is refused, natively too. With `number`, by the number of the system call. With TIMES, it is only
 * asked for that often, and how often it was refused is printed. The flags of the list are the kernel's. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned long sink;
static int by_number;

__attribute__((noinline)) static void work(int ms)
{
	clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);
	while (clock() < end)
		for (int i = 0; i < 2000; i++)
			sink += (unsigned long)i;
}

static void try(const char *what, int flags)
{
	errno = 0;
	int result = by_number ? (int)syscall(SYS_unshare, flags) : unshare(flags);
	printf("%s: unshare %d %s\n", what, result, strerror(errno));
}

static void join(const char *name)
{
	int d = open(name, O_RDONLY | O_CLOEXEC);
	errno = 0;
	int result = by_number ? (int)syscall(SYS_setns, d, 0) : setns(d, 0);
	printf("%s: setns %d %s\n", name, result, strerror(errno));
	close(d);
}

static int refused(int flags, long times)
{
	int count = 0;
	for (; times > 0; times--)
		count += unshare(flags) != 0;
	return count;
}

static void *rest(void *end)
{
	char byte;
	return read(*(int *)end, &byte, 1) == 0 ? NULL : end;
}

int main(int argc, char **argv)
{
	int flags = argc > 1 ? (int)strtol(argv[1], NULL, 0) : 0, ends[2], status = 0;
	pthread_t thread;
	if (pipe(ends) != 0 || setvbuf(stdout, NULL, _IOLBF, 0) != 0)
		return 3;
	if (argc > 2 && strtol(argv[2], NULL, 10) > 0)
		return printf("refused: %d\n", refused(flags, strtol(argv[2], NULL, 10))) < 0;
	by_number = argc > 2 && strcmp(argv[2], "number") == 0;
	int has_thread = argc > 2 && !by_number;
	if (has_thread && pthread_create(&thread, NULL, rest, &ends[0]) != 0)
		return 3;
	try("first", flags);
	work(100);
	for (int i = 0; i < 20; i++) {
		try("again", flags & ~CLONE_NEWPID);
		work(3);
	}
	join("/proc/self/ns/user");
	join("/proc/self/ns/uts");
	pid_t child = fork();
	if (child == 0) {
		work(20);
		try("child", flags & ~CLONE_NEWPID);
		exit(7);
	}
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
	close(ends[1]);
	if (has_thread)
		pthread_join(thread, NULL);
	return 0;
}
