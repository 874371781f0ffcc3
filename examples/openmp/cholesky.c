/* SPDX-License-Identifier: MIT */
/* cholesky.c, with OpenMP: a symmetric positive matrix as L L', dense, in place and by quarters: A11 = L1 L1'; A21 = A21 / L1';
 * A22 -= A21 A21', of which only the lower half is needed; and the same again with A22.
 *
 *     cholesky [N] [BASE]
 *
 * A chain of N / BASE blocks on the diagonal, each with a solve and an update after it. A profile should show a parallelism of
 * about a hundred, the work in subtract_block, and the span there too, most of it under solve, which does one block column after
 * the other. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With rows of a power of two all rows of a block would share few sets of the cache. */
enum { PAD = 8, BASE_MOST = 64 };

static long coarsening = 32, dim; /* of the whole matrix, of which all others are parts */

/* Where to split, at a whole number of blocks. */
static long half(long n)
{
	return (n / 2 + coarsening - 1) / coarsening * coarsening;
}

/* C -= A B', where C is m x n and A is m x k. B is turned first, so that the inner loop runs along rows. */
static void subtract_block(double *restrict c, const double *a, const double *b, long m, long n, long k)
{
	double turned[BASE_MOST][BASE_MOST];
	for (long j = 0; j < n; j++)
		for (long l = 0; l < k; l++)
			turned[l][j] = b[j * dim + l];
	for (long i = 0; i < m; i++)
		for (long l = 0; l < k; l++) {
			double x = a[i * dim + l];
			for (long j = 0; j < n; j++)
				c[i * dim + j] -= x * turned[l][j];
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
		subtract(c + h, a, b + h * dim, m, n - h, k);
#pragma omp taskwait
	} else {
		long h = half(k);
		subtract(c, a, b, m, n, h);
		subtract(c, a + h, b + h, m, n, k - h);
	}
}

/* C -= A A' in the lower half of the n x n matrix C, where A is n x k; blocks on the diagonal are done whole */
static void subtract_square(double *c, const double *a, long n, long k)
{
	if (n <= coarsening) {
		subtract(c, a, a, n, n, k);
		return;
	}
	long h = half(n);
#pragma omp task
	subtract_square(c, a, h, k);
#pragma omp task
	subtract(c + h * dim, a + h * dim, a, n - h, h, k);
#pragma omp task
	subtract_square(c + h * dim + h, a + h * dim, n - h, k);
#pragma omp taskwait
}

/* X L' = B, X in place of the m x n matrix B */
static void solve_block(double *restrict b, const double *restrict l, long n, long m)
{
	for (long i = 0; i < m; i++)
		for (long j = 0; j < n; j++) {
			double sum = b[i * dim + j];
			for (long k = 0; k < j; k++)
				sum -= b[i * dim + k] * l[j * dim + k];
			b[i * dim + j] = sum / l[j * dim + j];
		}
}

static void solve(double *b, const double *l, long n, long m)
{
	if (m > coarsening) {
		long h = half(m);
#pragma omp task
		solve(b, l, n, h);
#pragma omp task
		solve(b + h * dim, l, n, m - h);
#pragma omp taskwait
	} else if (n > coarsening) {
		long h = half(n);
		solve(b, l, h, m);
		subtract(b + h, b, l + h * dim, m, n - h, h);
		solve(b + h, l + h * dim + h, n - h, m);
	} else {
		solve_block(b, l, n, m);
	}
}

static void cholesky_block(double *a, long n)
{
	for (long j = 0; j < n; j++) {
		double *row = a + j * dim, pivot = row[j];
		for (long k = 0; k < j; k++)
			pivot -= row[k] * row[k];
		row[j] = pivot = sqrt(pivot);
		for (long i = j + 1; i < n; i++) {
			double sum = a[i * dim + j];
			for (long k = 0; k < j; k++)
				sum -= a[i * dim + k] * row[k];
			a[i * dim + j] = sum / pivot;
		}
	}
}

static void cholesky(double *a, long n)
{
	if (n <= coarsening) {
		cholesky_block(a, n);
		return;
	}
	long h = half(n);
	double *below = a + h * dim, *rest = below + h;
	cholesky(a, h);
	solve(below, a, h, n - h);
	subtract_square(rest, below, n - h, h);
	cholesky(rest, n - h);
}

/* Random numbers in [-1, 1), the same in every run; number (i, j) of the matrix is also number (j, i). */
static double random_at(long i, long j, long n)
{
	uint64_t x = (uint64_t)(i < j ? j * n + i : i * n + j) + 1;
	x *= 0x9e3779b97f4a7c15;
	x = (x ^ x >> 32) * 0xd1342543de82ef95;
	return (double)(x >> 11) * 0x1p-52 - 1;
}

static void fill_row(double *row, long i, long n)
{
	for (long j = 0; j < n; j++)
		row[j] = random_at(i, j, n);
	row[i] += (double)n; /* so that it is positive */
}

static double dot(const double *x, const double *y, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static double dot_column(const double *x, const double *column, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += x[i] * column[i * dim];
	return sum;
}

/* The largest difference between L (L' x) and what A x was. */
static double residual(const double *l, const double *x, const double *ax, long n)
{
	double most = 0, *tx = malloc((size_t)n * 2 * sizeof *tx), *ltx = tx + n;
	if (!tx)
		return HUGE_VAL;
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		tx[i] = dot_column(x + i, l + i * dim + i, n - i);
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		ltx[i] = dot(l + i * dim, tx, i + 1);
	for (long i = 0; i < n; i++)
		most = fmax(most, fabs(ltx[i] - ax[i]));
	free(tx);
	return most;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 2560;
	if (argc > 2)
		coarsening = atol(argv[2]);
	if (n < 1 || coarsening < 1 || coarsening > BASE_MOST) {
		fprintf(stderr, "usage: cholesky [N] [BASE]: BASE from 1 to %d\n", BASE_MOST);
		return 2;
	}
	dim = n + PAD;
	double *a = malloc((size_t)(n * dim) * sizeof *a), *x = malloc((size_t)n * 2 * sizeof *x), *ax = x + n;
	if (!a || !x)
		return 2;
	fill_row(x, 0, n);
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		fill_row(a + i * dim, i, n);
		ax[i] = dot(a + i * dim, x, n);
	}
#pragma omp parallel
#pragma omp single
	cholesky(a, n);
	int right = residual(a, x, ax, n) < 1e-7;
	printf("cholesky %ld x %ld, base %ld, last pivot %.6f: %s\n", n, n, coarsening, a[(n - 1) * dim + n - 1],
	       right ? "right" : "wrong");
	free(x);
	free(a);
	return !right;
}
