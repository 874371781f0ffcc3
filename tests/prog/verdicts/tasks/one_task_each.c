/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: visit_pages creates one task in each parallel region, so that one thread runs it while the other is at the barrier. Either
 * may be the one: work is not uneven. */
#include "../work.h"

ROUTINE static void score_page(void) { work_ms(20); }

ROUTINE static void visit_pages(void)
{
	for (int i = 0; i < 40; i++) {
#pragma omp parallel num_threads(2)
#pragma omp single nowait
#pragma omp task
		score_page();
	}
}

int main(void)
{
	visit_pages();
	return 0;
}
