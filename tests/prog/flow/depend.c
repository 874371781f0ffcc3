/* SPDX-License-Identifier: MIT */
/* depend.c: tasks of OpenMP that depend on each other. Three times: one task writes a, two read it; another one changes b. With cores
 * enough the run takes what the tasks of a take one behind the other, the two readers at once. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { MS = 1000000, TURNS = 3, WRITES = 20, READS = 10, CHANGES = 15 };

static volatile unsigned sink;
int a, b;

__attribute__((noinline)) static void work(int ms)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	int64_t end = now.tv_sec * INT64_C(1000000000) + now.tv_nsec + (int64_t)ms * MS;
	do {
		sink++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while (now.tv_sec * INT64_C(1000000000) + now.tv_nsec < end);
}

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < TURNS; i++) {
#pragma omp task depend(out : a)
		work(WRITES);
#pragma omp task depend(in : a)
		work(READS);
#pragma omp task depend(in : a)
		work(READS);
#pragma omp task depend(inout : b)
		work(CHANGES);
	}
	printf("minimum %d\n", TURNS * (WRITES + READS) * MS);
	return 0;
}
