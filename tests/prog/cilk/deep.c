/* SPDX-License-Identifier: MIT */
/* deep.c: recursion 20,000 deep, through spawned calls, through calls beside spawned ones, and through an ending in the depths.
 *
 *     cilk_deep [DEPTH] [exit]     exit: the program ends from within a spawned call, with status 7 */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int ends;
__attribute__((noinline)) static long one(long n)
{
	if (ends && n == 0)
		exit(7);
	return n;
}
__attribute__((noinline)) static long spawned(long n) { if (n == 0) return one(0); long x = cilk_spawn spawned(n - 1); cilk_sync; return x + 1; }
__attribute__((noinline)) static long beside(long n) { if (n == 0) return one(0); long y = cilk_spawn one(1); long x = beside(n - 1); cilk_sync; return x + y; }
__attribute__((noinline)) static long looped(long n) { long x = 0; if (n == 0) return one(0); cilk_for (int i = 0; i < 1; i++) x = looped(n - 1); return x + 1; }
int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 20000;
	ends = argc > 2 && strcmp(argv[2], "exit") == 0;
	printf("%ld ", spawned(n));
	printf("%ld ", beside(n));
	printf("%ld\n", looped(n / 20));
	return 0;
}
