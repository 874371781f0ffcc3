/* SPDX-License-Identifier: MIT */
/* few_iterations.c: a parallel loop of ten long iterations; with an argument the last of them takes as long as all others.
 * True cause: the number of iterations; with an argument, that they are uneven. */
static volatile unsigned sink;

__attribute__((noinline)) static void work(unsigned times)
{
	for (unsigned i = 0; i < times * 100000; i++)
		sink = i;
}

int main(int argc, char **argv)
{
	(void)argv;
#pragma omp parallel for
	for (int i = 0; i < 10; i++)
		work(argc > 1 && i == 9 ? 9 : 1);
	return 0;
}
