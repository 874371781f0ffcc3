/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: reduce_all runs alone between parallel loops; the team waits at its barrier meanwhile. */
#include "work.h"
ROUTINE static void cell(void)
{
	work_ms(2);
}
ROUTINE static void reduce_all(void)
{
	work_ms(40);
}
int main(void)
{
	for (int s = 0; s < 10; s++) {
#pragma omp parallel for num_threads(4)
		for (int i = 0; i < 8; i++)
			cell();
		reduce_all();
	}
	return 0;
}
