/* SPDX-License-Identifier: MIT */
/* pipes: threads, and processes, that wait for each other's bytes; prints what it took of CPU time: `minimum_ns N`, since all of it
 * happens one after another. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TURNS = 5 };

static _Atomic uint64_t *spent; /* of all threads and processes */
static int there[2], back[2];

static uint64_t cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin(uint64_t ns)
{
	uint64_t from = cpu_ns(), now;
	do
		now = cpu_ns();
	while (now - from < ns);
	*spent += now - from;
}

static void answer(int in, int out, uint64_t ns)
{
	char c;
	for (int i = 0; i < TURNS && read(in, &c, 1) == 1; i++) {
		spin(ns);
		if (write(out, &c, 1) != 1)
			return;
	}
}

static void ask(int out, int in, uint64_t ns)
{
	char c = 0;
	for (int i = 0; i < TURNS; i++) {
		spin(ns);
		struct pollfd wanted = {in, POLLIN, 0};
		if (write(out, &c, 1) != 1 || poll(&wanted, 1, -1) != 1 || read(in, &c, 1) != 1)
			return;
	}
}

static void *body(void *unused)
{
	answer(there[0], back[1], 20000000);
	return unused;
}

int main(void)
{
	pthread_t thread;
	int ends[2];
	spent = mmap(NULL, sizeof *spent, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pipe(there) < 0 || pipe(back) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
		return 1;
	pthread_create(&thread, NULL, body, NULL);
	ask(there[1], back[0], 10000000);
	pthread_join(thread, NULL);
	pid_t child = fork();
	if (child == 0) {
		answer(ends[1], ends[1], 20000000);
		_exit(0);
	}
	ask(ends[0], ends[0], 10000000);
	waitpid(child, NULL, 0);
	printf("minimum_ns %llu\n", (unsigned long long)*spent);
	return 0;
}
