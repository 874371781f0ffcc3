/* flags: -pthread */
/* input_lives endless: sums until it is killed, in two threads. fork: a child goes on where its parent was. exit: leaves by exit, with a thread that waits and one that has no end. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "expect.h"

enum { N = 30, TURNS = 100 };
static volatile int cells[N], sink;
static pthread_barrier_t met;
static jmp_buf landing;

ROUTINE static int sum(int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += cells[i];
	return s;
}

ROUTINE static void sums(int turns)
{
	for (int i = 0; i < turns; i++)
		sink += sum(N);
}

ROUTINE static void *endless(void *unused)
{
	for (;;)
		sums(TURNS);
	return unused;
}

ROUTINE static void *waiting(void *unused)
{
	sums(TURNS);
	pthread_barrier_wait(&met);
	pause();
	return unused;
}

ROUTINE static void leave(void)
{
	sink += sum(1);
	exit(0);
}

/* A child leaves routines that its parent entered by a jump and by returning, and goes on. */
ROUTINE static void forks(int depth, int turns)
{
	if (depth) {
		forks(depth - 1, turns);
		sums(1);
		return;
	}
	sums(turns);
	pid_t child = fork();
	sums(child ? 2 * turns : turns);
	if (child)
		waitpid(child, NULL, 0);
	else
		longjmp(landing, 1);
}

ROUTINE static void lands(void)
{
	if (setjmp(landing) == 0)
		forks(3, TURNS);
	else
		sums(1);
}

int main(int count, char **words)
{
	pthread_t thread;
	const char *way = count == 2 ? words[1] : "";
	if (strcmp(way, "endless") == 0) {
		pthread_create(&thread, NULL, endless, NULL);
		puts("runs");
		fflush(stdout);
		endless(NULL);
	}
	if (strcmp(way, "fork") == 0) {
		pid_t me = getpid();
		lands();
		sums(1);
		if (getpid() != me)
			return 0;
		expect("sum", "all", N, 4 * TURNS + 3 + 1 + 2);
		expect_calls("sums", 3 + 3 + 1 + 2);
		expect_calls("forks", 4);
		expect_calls("lands", 1);
		expect_calls("main", 1);
		return 0;
	}
	pthread_barrier_init(&met, NULL, 2);
	pthread_create(&thread, NULL, waiting, NULL);
	pthread_barrier_wait(&met);
	expect("sum", "all", N, TURNS);
	expect("sum", "all", 1, 1);
	expect_calls("leave", 1);
	expect_calls("main", 1);
	leave();
}
