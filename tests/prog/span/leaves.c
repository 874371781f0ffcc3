/* flags: -O2 -g -fno-optimize-sibling-calls */
/* entered: compare */
/* run: jump */
/* run: again */
/* run: jump-loop */
/* run: exit */
/* run: _exit */
/* run: fork */
/* run: sort */
/* run: serial */
/* run: varargs */
/* Ways to leave a fork-join program, or parts of it, with spawns outstanding. Work and span are known in units of one loop. */
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../count.h"

enum { UNIT = 200000 };
static jmp_buf out;
static unsigned long compared;
COUNTED(work);
COUNTED(down);

ROUTINE static void work(int units)
{
	COUNT(work);
	for (volatile int i = 0; i < units * UNIT; i++)
		;
}

static void known(double all, double longest)
{
	dprintf(1, "figure parallelism %.3f %.3f\nfigure lost_events 0 0\n", all / longest * 0.99, all / longest * 1.01);
	EXPECT(work);
}

/* In each frame a spawn of a unit, and a unit beside it, before the next one; the innermost jumps. */
ROUTINE static void down(int depth)
{
	COUNT(down);
	cilk_spawn work(1);
	if (depth == 1)
		longjmp(out, 1);
	work(1);
	down(depth - 1);
	cilk_sync;
}

ROUTINE static void spawn_and_jump(int depth)
{
	cilk_spawn work(10); /* outlives all that is jumped over: its end is the sync here, which the jump skips */
	down(depth);
	cilk_sync;
}

ROUTINE static void leave(const char *how, int depth)
{
	cilk_spawn work(3);
	if (depth == 1) {
		work(1);
		known(10 * 3 + 1, 3); /* ten spawns side by side, and a unit beside them */
		if (!strcmp(how, "exit"))
			exit(7);
		_exit(8);
	}
	leave(how, depth - 1);
	cilk_sync;
}

static int compare(const void *a, const void *b)
{
	compared++;
	work(1);
	return *(const int *)a - *(const int *)b;
}

ROUTINE static int sum(int count, ...)
{
	va_list list;
	int total = 0;
	va_start(list, count);
	while (count--)
		total += va_arg(list, int);
	va_end(list);
	work(1);
	return total;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "jump";
	if (!strcmp(how, "jump")) {
		if (!setjmp(out))
			down(10);
		/* ten spawns, nine units: the jump is a sync of all that it leaves */
		work(1);
		known(10 + 9 + 1, 9 + 1 + 1);
		EXPECT(down);
	} else if (!strcmp(how, "again")) {
		for (volatile int i = 0; i < 10; i++)
			if (!setjmp(out))
				spawn_and_jump(5);
		known(10 * (10 + 5 + 4), 10 * 10);
		EXPECT(down);
	} else if (!strcmp(how, "jump-loop")) {
		volatile int turns = 0;
		if (!setjmp(out))
			cilk_for (int i = 0; i < argc + 8; i++) {
				work(2);
				if (i == 5)
					longjmp(out, 1);
				turns++;
			}
		work(1);
		dprintf(1, "turns %d\n", turns);
		known(13, 3);
	} else if (!strcmp(how, "exit") || !strcmp(how, "_exit")) {
		leave(how, 10);
	} else if (!strcmp(how, "fork")) {
		int status;
		cilk_spawn work(2);
		pid_t child = fork();
		if (!child) {
			cilk_spawn work(5);
			work(5);
			cilk_sync;
			_exit(3);
		}
		waitpid(child, &status, 0);
		work(2);
		cilk_sync;
		dprintf(1, "child %d\n", WEXITSTATUS(status));
		dprintf(1, "figure processes 2 2\n");
		known(4, 2);
	} else if (!strcmp(how, "sort")) {
		int list[64];
		for (int i = 0; i < 64; i++)
			list[i] = i * 37 % 64;
		qsort(list, 64, sizeof *list, compare);
		dprintf(1, "sorted %d %d\nwork work 99 100\n", list[0], list[63]);
		known(1, 1);
	} else if (!strcmp(how, "serial")) {
		work(5);
		dprintf(1, "figure parallelism 1 1\n");
		known(1, 1);
	} else {
		cilk_spawn sum(3, 1, 2, 3);
		dprintf(1, "sum %d\n", sum(4, 1, 2, 3, 4));
		cilk_sync;
		known(2, 1);
	}
	return 0;
}
