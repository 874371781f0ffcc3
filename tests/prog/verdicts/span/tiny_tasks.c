/* SPDX-License-Identifier: MIT */
/* tiny_tasks.c: main creates rounds of OpenMP tasks that do next to nothing.
 * True cause: the tasks are too small for what it costs to schedule one. */
static volatile unsigned sink;

__attribute__((noinline)) static void touch(unsigned i)
{
	sink = i;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
	for (unsigned round = 0; round < 1000; round++) {
		for (unsigned i = 0; i < 100; i++) {
#pragma omp task
			touch(i);
		}
#pragma omp taskwait
	}
	return 0;
}
