/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: walk_pages waits for each task before it creates the next, so that no two of them ever exist at the same time. */
#include "../work.h"

ROUTINE static void score_page(void) { work_ms(20); }

ROUTINE static void walk_pages(void)
{
	for (int i = 0; i < 40; i++) {
#pragma omp task
		score_page();
#pragma omp taskwait
	}
}

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	walk_pages();
	return 0;
}
