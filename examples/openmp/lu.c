/* SPDX-License-Identifier: MIT */
/* lu.c, with OpenMP: LU decomposition without pivoting, in place and by quarters: A11 = L1 U1; the sides A12 and A21 in parallel; then
 * A22 -= A21 A12, which is nearly all of the work, and the same again with A22.
 *
 *     lu [N] [BASE]
 *
 * The corner must be done before the sides, the sides before the rest: a chain of N / BASE corners, each a serial block and two
 * solves after it. A profile should show a parallelism of about a hundred, the work in subtract_block, and the span there too, under
 * lower and upper: both solve one block column after the other. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With rows of a power of two all rows of a block would share few sets of the cache. */
enum { PAD = 8 };

static long coarsening = 32, dim; /* of the whole matrix, of which all others are parts */

/* Where to split, at a whole number of blocks. */
static long half(long n)
{
	return (n / 2 + coarsening - 1) / coarsening * coarsening;
}

/* C -= A B, where C is m x n and A is m x k */
static void subtract_block(double *restrict c, const double *restrict a, const double *restrict b, long m, long n, long k)
{
	for (long i = 0; i < m; i++)
		for (long l = 0; l < k; l++) {
			double x = a[i * dim + l];
			for (long j = 0; j < n; j++)
				c[i * dim + j] -= x * b[l * dim + j];
		}
}

static void subtract(double *c, const double *a, const double *b, long m, long n, long k)
{
	if (m <= coarsening && n <= coarsening && k <= coarsening) {
		subtract_block(c, a, b, m, n, k);
	} else if (m >= n && m >= k) {
		long h = half(m);
#pragma omp task
		subtract(c, a, b, h, n, k);
#pragma omp task
		subtract(c + h * dim, a + h * dim, b, m - h, n, k);
#pragma omp taskwait
	} else if (n >= k) {
		long h = half(n);
#pragma omp task
		subtract(c, a, b, m, h, k);
#pragma omp task
		subtract(c + h, a, b + h, m, n - h, k);
#pragma omp taskwait
	} else {
		long h = half(k);
		subtract(c, a, b, m, n, h);
		subtract(c, a + h, b + h * dim, m, n, k - h);
	}
}

/* L X = B, X in place of the n x m matrix B, L with ones on its diagonal */
static void lower_block(double *restrict b, const double *restrict l, long n, long m)
{
	for (long i = 1; i < n; i++)
		for (long k = 0; k < i; k++) {
			double x = l[i * dim + k];
			for (long j = 0; j < m; j++)
				b[i * dim + j] -= x * b[k * dim + j];
		}
}

static void lower(double *b, const double *l, long n, long m)
{
	if (m > coarsening) {
		long h = half(m);
#pragma omp task
		lower(b, l, n, h);
#pragma omp task
		lower(b + h, l, n, m - h);
#pragma omp taskwait
	} else if (n > coarsening) {
		long h = half(n);
		lower(b, l, h, m);
		subtract(b + h * dim, l + h * dim, b, n - h, m, h);
		lower(b + h * dim, l + h * dim + h, n - h, m);
	} else {
		lower_block(b, l, n, m);
	}
}

/* X U = B, X in place of the m x n matrix B */
static void upper_block(double *restrict b, const double *restrict u, long n, long m)
{
	for (long i = 0; i < m; i++)
		for (long k = 0; k < n; k++) {
			double x = b[i * dim + k] /= u[k * dim + k];
			for (long j = k + 1; j < n; j++)
				b[i * dim + j] -= x * u[k * dim + j];
		}
}

static void upper(double *b, const double *u, long n, long m)
{
	if (m > coarsening) {
		long h = half(m);
#pragma omp task
		upper(b, u, n, h);
#pragma omp task
		upper(b + h * dim, u, n, m - h);
#pragma omp taskwait
	} else if (n > coarsening) {
		long h = half(n);
		upper(b, u, h, m);
		subtract(b + h, b, u + h, m, n - h, h);
		upper(b + h, u + h * dim + h, n - h, m);
	} else {
		upper_block(b, u, n, m);
	}
}

static void lu_block(double *a, long n)
{
	for (long k = 0; k < n; k++)
		for (long i = k + 1; i < n; i++) {
			double x = a[i * dim + k] /= a[k * dim + k];
			for (long j = k + 1; j < n; j++)
				a[i * dim + j] -= x * a[k * dim + j];
		}
}

static void lu(double *a, long n)
{
	if (n <= coarsening) {
		lu_block(a, n);
		return;
	}
	long h = half(n);
	double *right = a + h, *below = a + h * dim, *rest = below + h;
	lu(a, h);
#pragma omp task
	lower(right, a, h, n - h);
#pragma omp task
	upper(below, a, h, n - h);
#pragma omp taskwait
	subtract(rest, below, right, n - h, n - h, h);
	lu(rest, n - h);
}

/* Random numbers in [-1, 1), the same in every run. */
static void fill_row(double *row, long n, uint64_t seed)
{
	for (long j = 0; j < n; j++) {
		uint64_t x = (seed + (uint64_t)j + 1) * 0x9e3779b97f4a7c15;
		x = (x ^ x >> 32) * 0xd1342543de82ef95;
		row[j] = (double)(x >> 11) * 0x1p-52 - 1;
	}
}

static double dot(const double *x, const double *y, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

/* The largest difference between L (U x) and what A x was. */
static double residual(const double *lu, const double *x, const double *ax, long n)
{
	double most = 0, *ux = malloc((size_t)n * 2 * sizeof *ux), *lux = ux + n;
	if (!ux)
		return HUGE_VAL;
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		ux[i] = dot(lu + i * dim + i, x + i, n - i);
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		lux[i] = ux[i] + dot(lu + i * dim, ux, i);
	for (long i = 0; i < n; i++)
		most = fmax(most, fabs(lux[i] - ax[i]));
	free(ux);
	return most;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 2048;
	if (argc > 2)
		coarsening = atol(argv[2]);
	if (n < 1 || coarsening < 1) {
		fprintf(stderr, "usage: lu [N] [BASE]\n");
		return 2;
	}
	dim = n + PAD;
	double *a = malloc((size_t)(n * dim) * sizeof *a), *x = malloc((size_t)n * 2 * sizeof *x), *ax = x + n;
	if (!a || !x)
		return 2;
	fill_row(x, n, 1);
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		fill_row(a + i * dim, n, (uint64_t)((i + 1) * n));
		a[i * dim + i] += (double)n; /* so that no pivot is small */
		ax[i] = dot(a + i * dim, x, n);
	}
#pragma omp parallel
#pragma omp single
	lu(a, n);
	int right = residual(a, x, ax, n) < 1e-8;
	printf("lu %ld x %ld, base %ld, last pivot %.6f: %s\n", n, n, coarsening, a[(n - 1) * dim + n - 1], right ? "right" : "wrong");
	free(x);
	free(a);
	return !right;
}
