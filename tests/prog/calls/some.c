/* flags: -O2 -g -fno-optimize-sibling-calls */
/* Routines that are called so often that only some calls are timed. One call in a million takes long, waits long, or contains
 * one that does: if that call is not timed, its time must be found nevertheless, and if it is, it must count once. A line
 * "time ROUTINE NS" says what the routine took by itself, a line "inside ROUTINE NS" what it took with its callees. */
#define _GNU_SOURCE
#include <time.h>
#include "../count.h"

enum { CALLS = 3000000, MIDDLE = CALLS / 2, MS = 150 };

static volatile unsigned long sink;

static long now_ns(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

ROUTINE static void tiny(int i)
{
	sink += (unsigned long)i;
}

ROUTINE static void long_once(int i)
{
	long began = i == MIDDLE ? now_ns() : 0;
	while (began && now_ns() < began + MS * 1000000L)
		;
}

ROUTINE static void wait_once(int i)
{
	if (i == MIDDLE)
		nanosleep(&(struct timespec){.tv_nsec = MS * 1000000L}, NULL);
}

/* Its callees take all of its time. */
ROUTINE static void around(int i)
{
	long_once(i);
	wait_once(i);
}

ROUTINE static void deep(int n, int i)
{
	if (n)
		deep(n - 1, i);
	else
		long_once(i);
}

/* Takes a microsecond now and then, and hardly anything else. */
ROUTINE static void uneven(int i)
{
	for (int k = i % 64 ? 0 : 1000; k > 0; k--)
		sink += (unsigned long)k;
}

int main(void)
{
	for (int i = 0; i < CALLS; i++)
		tiny(i);
	for (int i = 0; i < CALLS; i++)
		around(i);
	for (int i = 0; i < CALLS; i += 10)
		deep(9, i);
	for (int i = 0; i < CALLS; i++)
		uneven(i);
	expect("tiny", CALLS);
	expect("around", CALLS);
	expect("long_once", CALLS + CALLS / 10);
	expect("wait_once", CALLS);
	expect("deep", CALLS);
	expect("uneven", CALLS);
	arc("deep", "deep", CALLS / 10 * 9);
	dprintf(1, "time long_once %ld\n", 2 * MS * 1000000L);
	dprintf(1, "wait wait_once %ld\n", MS * 1000000L);
	dprintf(1, "inside wait_once %ld\n", MS * 1000000L);
	dprintf(1, "inside around %ld\n", 2 * MS * 1000000L);
	dprintf(1, "inside deep %ld\n", MS * 1000000L);
	return 0;
}
