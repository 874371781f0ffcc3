/* SPDX-License-Identifier: MIT */
/* diff.c: two programs for bench/diff.sh.
 *
 *     diff work MS     20 routines that work for MS milliseconds in all; `part` has 20 % of it, SLOWER percent more of that if it is defined
 *     diff paths MS    calls two routines from four places each by chance, 40 deep: nearly each sample has a call path of its own */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifndef SLOWER
#define SLOWER 0
#endif
enum { DEPTH = 40, LOOPS_PER_MS = 250000, ROUTINES = 20, ROUNDS = 50 };

static volatile uint64_t sink;

static __attribute__((always_inline)) inline void spin(long loops)
{
	for (long i = 0; i < loops; i++)
		sink = sink * 3 + 1;
}

/* Nineteen have 4.2 % each. */
#define ROUTINE(name) \
	__attribute__((noinline)) static void name(long loops) { spin(loops * 42 / 1000); }
ROUTINE(a) ROUTINE(b) ROUTINE(c) ROUTINE(d) ROUTINE(e) ROUTINE(f) ROUTINE(g) ROUTINE(h) ROUTINE(i) ROUTINE(j)
ROUTINE(k) ROUTINE(l) ROUTINE(m) ROUTINE(n) ROUTINE(o) ROUTINE(p) ROUTINE(q) ROUTINE(r) ROUTINE(s)
__attribute__((noinline)) static void part(long loops)
{
	spin(loops * 202 / 1000 * (100 + SLOWER) / 100);
}

static void work(long ms)
{
	void (*const all[ROUTINES])(long) = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, part};
	for (int round = 0; round < ROUNDS; round++)
		for (int at = 0; at < ROUTINES; at++)
			all[at](ms * LOOPS_PER_MS / ROUNDS);
}

static uint64_t chance(void)
{
	static uint64_t state = 88172645463325252u;
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state >> 20;
}

static void one(int depth);
static __attribute__((noinline)) void other(int depth)
{
	if (!depth) {
		spin(20000);
		return;
	}
	switch (chance() % 4) {
	case 0: one(depth - 1); break;
	case 1: other(depth - 1); break;
	case 2: one(depth - 1); break;
	default: other(depth - 1);
	}
	sink++;
}

static __attribute__((noinline)) void one(int depth)
{
	if (!depth) {
		spin(20000);
		return;
	}
	switch (chance() % 4) {
	case 0: other(depth - 1); break;
	case 1: one(depth - 1); break;
	case 2: other(depth - 1); break;
	default: one(depth - 1);
	}
	sink++;
}

int main(int argc, char **argv)
{
	long ms = argc > 2 ? strtol(argv[2], NULL, 10) : 1000;
	if (argc > 1 && strcmp(argv[1], "work") == 0) {
		work(ms);
	} else {
		clock_t end = clock() + ms * (CLOCKS_PER_SEC / 1000);
		while (clock() < end)
			one(DEPTH);
	}
	printf("%d\n", sink != 0);
	return 0;
}
