/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: the critical section `totals` contains all the work of the loop. */
#include "../work.h"

static long total;

ROUTINE static void add(int i)
{
#pragma omp critical(totals)
	{
		work_ms(5);
		total += i;
	}
}

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(4)
	for (int i = 0; i < 160; i++)
		add(i);
	return total == 0;
}
