/* SPDX-License-Identifier: MIT */
/* openmp_loops.c: every construct that shares the iterations of a loop. Where one must be marked the line ends in its kind. */
#include <stdio.h>

static double a[1000], b[1000];

int main(int argc, char **argv)
{
	int n = 900 + argc;
	double sum = 0;
	(void)argv;
#pragma omp parallel for
	for (int i = 0; i < n; i++) /* omp for */
		a[i] = i * 2.0;
#pragma omp parallel for schedule(static, 4) reduction(+ : sum)
	for (int i = 0; i < n; i++) /* omp for */
		sum += a[i];
#pragma omp parallel for schedule(dynamic, 3)
	for (int i = 0; i < n; i++) /* omp for */
		b[i] = a[i] + 1;
#pragma omp parallel for schedule(guided)
	for (long i = 0; i < n; i++) /* omp for */
		b[i] += a[i];
#pragma omp parallel for schedule(runtime)
	for (unsigned i = 0; i < (unsigned)n; i++) /* omp for */
		b[i] += a[i];
#pragma omp parallel for collapse(2)
	for (int i = 0; i < 10; i++) /* omp for */
		for (int j = 0; j < n / 10; j++)
			a[i * 90 + j] += j;
#pragma omp parallel sections /* omp sections */
	{
#pragma omp section
		a[0] = 1;
#pragma omp section
		a[1] = 2;
	}
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
	for (int i = 0; i < n; i++) /* omp taskloop */
		b[i] *= 2;
#pragma omp simd
	for (int i = 0; i < n; i++)
		b[i] -= 1;
#pragma omp parallel for simd
	for (int i = 0; i < n; i++) /* omp for */
		b[i] -= a[i];
#pragma omp teams distribute parallel for
	for (int i = 0; i < n; i++) /* omp for */
		b[i] += 3;
#pragma omp parallel
#pragma omp for nowait ordered
	for (int i = 0; i < n; i++) {
		b[i] += 1;
#pragma omp ordered
		sum += b[i];
	}
#pragma omp parallel
#pragma omp master taskloop simd
	for (int i = 0; i < n; i++) /* omp taskloop */
		b[i] *= 2;
	for (int i = 0; i < n; i++)
		sum += b[i];
	printf("%.17g %.17g %.17g\n", sum, a[500], b[300]);
	return 0;
}
