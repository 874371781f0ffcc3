/* SPDX-License-Identifier: MIT */
/* meets.c: ends only if spawned calls run beside their callers, and if a sync waits for its own function's spawns alone. On one worker it never ends.
 *
 *     cilk_meets spawn | loop | sync | api */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
static atomic_int came[2], go, seen;

__attribute__((noinline)) static void meet(int me)
{
	came[me] = 1;
	while (!came[!me])
		;
}

static void spawned(void) { cilk_spawn meet(0); meet(1); cilk_sync; }
static void loop(void) { cilk_for (int i = 0; i < 2; i++) meet(i); }

__attribute__((noinline)) static void wait_for_go(void) { while (!go) ; }
__attribute__((noinline)) static void tick(void) { seen++; }
__attribute__((noinline)) static void helper(void) { cilk_spawn tick(); cilk_sync; }
static void own_spawns(void)
{
	cilk_spawn wait_for_go();
	helper(); /* its sync must not wait for wait_for_go */
	go = 1;
	cilk_sync;
}

__attribute__((noinline)) static void note_worker(void) { seen |= 1 << __cilkrts_get_worker_number(); meet(1); }
static void workers(void) { cilk_spawn note_worker(); seen |= 1 << __cilkrts_get_worker_number(); meet(0); cilk_sync; }

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "spawn";
	if (strcmp(what, "spawn") == 0)
		spawned();
	else if (strcmp(what, "loop") == 0)
		loop();
	else if (strcmp(what, "sync") == 0)
		own_spawns();
	else
		workers();
	printf("%s: met", what);
	if (strcmp(what, "api") == 0)
		printf(" on %d workers, two of them: %d", __cilkrts_get_nworkers(), __builtin_popcount((unsigned)seen));
	puts("");
	return 0;
}
