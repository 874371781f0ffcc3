/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: the tasks of place_row are too small for what it costs to create and schedule one. */
#include <stdlib.h>

static volatile unsigned solutions;

__attribute__((noinline)) static void place_row(unsigned row)
{
	if (row == 0) {
		solutions = solutions + 1;
		return;
	}
	for (int column = 0; column < 2; column++) {
#pragma omp task
		place_row(row - 1);
	}
#pragma omp taskwait
}

int main(int count, char **words)
{
	unsigned depth = count > 1 ? (unsigned)atoi(words[1]) : 11;
#pragma omp parallel num_threads(2)
#pragma omp single
	place_row(depth);
	return 0;
}
