/* SPDX-License-Identifier: MIT */
/* cuts.c: a function with so many paths that they are cut, which calls itself. Tables of its own get larger while frames further out still have the old ones; one of the inner frames
 * forks, and both processes go on with all frames. Prints `expect FUNCTION COUNT` for both together. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
enum { DEPTH = 6, ROUNDS = 4000, AFTER = 300 };

static volatile unsigned sink;
static unsigned state = 7;

static unsigned dice(void)
{
	state = state * 1103515245u + 12345u;
	return state >> 8;
}

/* Rarely more than some of the ways: each level has its own. */
static unsigned some_ways(unsigned depth)
{
	return dice() & (0x111111u << depth % 4 | 0x801u << depth);
}

APART static pid_t fork_here(void)
{
	fflush(stdout);
	return fork();
}

#define MAYBE(k) if (ways & 1u << (k)) sink += (k)
#define MAYBE_6(k) MAYBE(k); MAYBE(k + 1); MAYBE(k + 2); MAYBE(k + 3); MAYBE(k + 4); MAYBE(k + 5)

APART static pid_t walk(unsigned depth)
{
	pid_t child = 0;
	for (volatile unsigned i = 0; i < ROUNDS + AFTER; i++) {
		unsigned ways = some_ways(depth);
		MAYBE_6(0); MAYBE_6(6); MAYBE_6(12); MAYBE_6(18);
		if (i == ROUNDS)
			child = depth ? walk(depth - 1) : fork_here();
	}
	return child;
}

int main(void)
{
	pid_t child = walk(DEPTH);
	int status = 0;
	if (child == 0)
		return 0;
	waitpid(child, &status, 0);
	printf("expect walk %d\n", (DEPTH + 1) * (ROUNDS + 2 * AFTER)); /* a path that both have begun is both's */
	return child < 0 || status;
}
