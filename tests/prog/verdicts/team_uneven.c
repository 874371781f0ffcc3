/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: a loop that is divided statically has nearly all its work in the first quarter, which one thread of the team gets. */
#include "work.h"

ROUTINE static void row(int i) { work_ms(i < 10 ? 60 : 1); }

int main(void)
{
#pragma omp parallel for schedule(static) num_threads(4)
	for (int i = 0; i < 40; i++)
		row(i);
	return 0;
}
