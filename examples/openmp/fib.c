/* SPDX-License-Identifier: MIT */
/* fib.c, with OpenMP: a Fibonacci number the slow way: two recursive calls in parallel, and nothing else to do.
 *
 *     fib [N]
 *
 * Work grows like 1.618^N, span like N: a parallelism of millions, and no site holds it back. What a profile does show: a call has
 * hardly any work of its own, so with a burden for every task most of that parallelism is gone. N is 34 if not given, not 38 as in
 * the Cilk version: making a task takes many times as long as a call. The group is Cilk's sync: a taskwait in fib(n - 2), which is part of
 * the same task as its caller, would wait for the caller's fib(n - 1), too, and the span would grow like N^2. */
#include <stdio.h>
#include <stdlib.h>

static long fib(long n)
{
	if (n < 2)
		return n;
	long x, y;
#pragma omp taskgroup
	{
#pragma omp task shared(x)
		x = fib(n - 1);
		y = fib(n - 2);
	}
	return x + y;
}

static long fib_by_sums(long n)
{
	long x = 0, y = 1;
	while (n-- > 0) {
		long sum = x + y;
		x = y;
		y = sum;
	}
	return x;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 34;
	if (n < 0 || n > 60) {
		fprintf(stderr, "usage: fib [N]: N from 0 to 60\n");
		return 2;
	}
	long result;
#pragma omp parallel
#pragma omp single
	result = fib(n);
	int right = result == fib_by_sums(n);
	printf("fib(%ld) = %ld: %s\n", n, result, right ? "right" : "wrong");
	return !right;
}
