/* flags: -O2 -g -pthread -fno-optimize-sibling-calls */
/* run: down */
/* run: spawn */
/* run: general */
/* run: thrown-away */
/* Recursion one million deep, on a stack of a gigabyte: steady, spawned, through a pointer, and left by a jump. */
#include <cilk/cilk.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>
#include "../count.h"

enum { DEPTH = 1000000 };
static const char *how;
static jmp_buf out;
COUNTED(down);

ROUTINE static long down(long n)
{
	COUNT(down);
	long below = n == 0 ? 0 : down(n - 1);
	__asm__ volatile("");
	return below + 1;
}

ROUTINE static long spawn(long n)
{
	long below = 0;
	if (n > 0)
		below = cilk_spawn spawn(n - 1);
	cilk_sync;
	__asm__ volatile("");
	return below + 1;
}

ROUTINE static long general(long n);
static long (*volatile pointer)(long) = general;

ROUTINE static long general(long n)
{
	long below = n == 0 ? 0 : pointer(n - 1);
	if (n == 0 && !strcmp(how, "thrown-away"))
		longjmp(out, 1);
	__asm__ volatile("");
	return below + 1;
}

static void *run(void *unused)
{
	long result = 0;
	if (!strcmp(how, "down"))
		result = down(DEPTH);
	else if (!strcmp(how, "spawn"))
		result = spawn(DEPTH);
	else if (!setjmp(out))
		result = general(DEPTH);
	dprintf(1, "result %ld\nfigure lost_events 0 0\nfigure parallelism 1 1.5\n", result);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_attr_t attr;
	pthread_t thread;
	how = argc > 1 ? argv[1] : "down";
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1L << 30);
	pthread_create(&thread, &attr, run, NULL);
	pthread_join(thread, NULL);
	EXPECT(down);
	return 0;
}
