/* SPDX-License-Identifier: MIT */
/* openmp.c: Cilk inside OpenMP inside Cilk. Prints a sum that does not depend on who ran what. */
#include <cilk/cilk.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_long total;
__attribute__((noinline)) static long fib(long n)
{
	if (n < 2)
		return n;
	long x = cilk_spawn fib(n - 1), y = fib(n - 2);
	cilk_sync;
	return x + y;
}

__attribute__((noinline)) static void team(int n)
{
#pragma omp parallel num_threads(3)
	{
		total += fib(n);
#pragma omp barrier
#pragma omp for
		for (int i = 0; i < 10; i++)
			total += fib(5) + i;
	}
}

__attribute__((noinline)) static void spawned_teams(int n)
{
	cilk_spawn team(n);
	cilk_spawn team(n - 1);
	team(3);
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 8; i++) {
		cilk_spawn team(2);
		total += fib(i);
		cilk_sync;
	}
	cilk_sync;
}

int main(void)
{
#pragma omp parallel num_threads(4)
	{
		total += fib(12);
#pragma omp single
		{
#pragma omp task
			total += fib(10);
			cilk_for (int i = 0; i < 100; i++)
				total += fib(i % 8);
		}
#pragma omp critical
		total += fib(3);
	}
	team(12);
	spawned_teams(10);
	cilk_for (int i = 0; i < 20; i++) {
		long s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
		for (int j = 0; j < 50; j++)
			s += j + fib(3);
		total += s;
	}
	printf("%ld\n", (long)total);
	return 0;
}
