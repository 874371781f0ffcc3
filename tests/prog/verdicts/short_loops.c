/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: relax runs a parallel loop of a few hundred additions, thousands of times; starting and ending it takes longer than it does. */
#include <stdio.h>
#include <time.h>
#include "work.h"

enum { CELLS = 256 };
static double cells[CELLS];

ROUTINE static void relax(void)
{
#pragma omp parallel for
	for (int i = 0; i < CELLS; i++)
		cells[i] = cells[i] * 0.5 + i;
}

int main(void)
{
	struct timespec from, now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	do {
		for (int i = 0; i < 1000; i++)
			relax();
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec - from.tv_sec < 1);
	printf("%g\n", cells[7]);
	return 0;
}
