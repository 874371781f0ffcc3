/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* The cases of section 3.4.2 in OpenMP. A region's body is its creator's code: what it calls is S-C in every member of
 * the team, also behind tasks and regions that the body has ended, and S-S again when the region is closed. C-C takes a
 * region inside a region, or in a routine that was called in one. */
#include <omp.h>
#include <stdatomic.h>
#include "../count.h"

enum { N = 5, ROUNDS = 20 };

ROUTINE static void alone(void) { __asm__ volatile(""); }
ROUTINE static void in_body(void) { __asm__ volatile(""); }
ROUTINE static void in_task(void) { __asm__ volatile(""); }
ROUTINE static void in_inner(void) { __asm__ volatile(""); }
ROUTINE static void in_deep(void) { __asm__ volatile(""); }

static void times(void (*what)(void), int n) __attribute__((always_inline));
static inline void times(void (*what)(void), int n)
{
	while (n--)
		what();
}

ROUTINE static void flat(void)
{
	times(alone, N);
#pragma omp parallel num_threads(2)
	{
#pragma omp barrier
		times(in_body, N);
#pragma omp task
		in_task();
#pragma omp taskwait
		times(in_body, N);
	}
	times(alone, N);
}

static void meet(atomic_int *here)
{
	atomic_fetch_add(here, 1);
	while (atomic_load(here) < 2)
		;
}

/* Both members work when either enters deep, and neither waits before both are there. */
ROUTINE static void deep(atomic_int *here)
{
	meet(here);
#pragma omp parallel num_threads(2)
	times(in_deep, N);
}

ROUTINE static void calls_deep(void)
{
	atomic_int outside = 0, inside = 0;
#pragma omp parallel num_threads(2)
	{
		meet(&outside);
		deep(&inside);
	}
}

ROUTINE static void nested(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp parallel num_threads(2)
		times(in_inner, N);
		times(in_body, N);
	}
}

int main(void)
{
	omp_set_max_active_levels(2);
	for (int i = 0; i < ROUNDS; i++) {
		flat();
		nested();
	}
	calls_deep();
	expect("alone", 2 * N * ROUNDS);
	expect("in_body", (2 * 2 * N + 2 * N) * ROUNDS);
	expect("in_task", 2 * ROUNDS);
	expect("in_inner", 4 * N * ROUNDS);
	expect("in_deep", 4 * N);
	dprintf(1, "case flat alone sequential sequential %d\n", 2 * N * ROUNDS);
	dprintf(1, "case flat.omp_outlined in_body sequential concurrent %d\n", 2 * 2 * N * ROUNDS);
	dprintf(1, "case .omp_task_entry. in_task sequential concurrent %d\n", 2 * ROUNDS);
	dprintf(1, "case nested.omp_outlined in_body sequential concurrent %d\n", 2 * N * ROUNDS);
	dprintf(1, "case nested.omp_outlined_debug__.omp_outlined in_inner concurrent concurrent %d\n", 4 * N * ROUNDS);
	dprintf(1, "case calls_deep.omp_outlined deep sequential concurrent 2\n");
	dprintf(1, "case deep.omp_outlined in_deep concurrent concurrent %d\n", 4 * N);
	return 0;
}
