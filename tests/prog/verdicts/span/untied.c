/* SPDX-License-Identifier: MIT */
/* untied.c: ten untied tasks, each waited for before the next one is created.
 * True cause: main waits for each task before it creates the next one; nothing runs in parallel. */
static volatile unsigned sink;

__attribute__((noinline)) static void work(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = i;
}

int main(void)
{
#pragma omp parallel
#pragma omp single
	for (int i = 0; i < 10; i++) {
#pragma omp task untied
		work();
#pragma omp taskwait
	}
	return 0;
}
