/* flags: -O2 -g -fopenmp -fno-optimize-sibling-calls */
/* A parallel loop, then tasks: fib_task makes a task for each call down to a depth. */
#include "../count.h"

enum { TURNS = 12, N = 18, TASK_N = 20, CUT = 14 };
COUNTED(fib_task);
COUNTED(fib);

ROUTINE static unsigned long fib(unsigned n)
{
	COUNT(fib);
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

ROUTINE static unsigned long fib_task(unsigned n)
{
	unsigned long a, b;
	COUNT(fib_task);
	if (n < CUT)
		return fib(n);
#pragma omp task shared(a)
	a = fib_task(n - 1);
	b = fib_task(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	unsigned long sum = 0, all = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum) schedule(dynamic)
	for (int i = 0; i < TURNS; i++)
		sum += fib(N);
#pragma omp parallel num_threads(3)
#pragma omp single
	all = fib_task(TASK_N);
	printf("%lu %lu\n", sum, all);
	fflush(stdout);
	EXPECT(fib);
	EXPECT(fib_task);
	expect("main", 1);
	return 0;
}
