/* SPDX-License-Identifier: MIT */
/* brief_loops.c: many parallel loops, each of 64 short iterations.
 * True cause: a loop costs more to divide among threads than it does; there are no tasks to make larger. */
static volatile unsigned sink;

__attribute__((noinline)) static void touch(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink = i;
}

int main(void)
{
	for (unsigned round = 0; round < 1000; round++) {
#pragma omp parallel for
		for (int i = 0; i < 64; i++)
			touch(20);
	}
	return 0;
}
