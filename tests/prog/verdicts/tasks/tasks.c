/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* True cause: one of many tasks, in node_build, is as long as all others together. */
#include "../work.h"

ROUTINE static void node_build(int i) { work_ms(i ? 5 : 500); }

int main(void)
{
#pragma omp parallel num_threads(4)
#pragma omp single
	for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
		node_build(i);
	}
	return 0;
}
