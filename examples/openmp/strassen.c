/* SPDX-License-Identifier: MIT */
/* strassen.c, with OpenMP: matrix multiplication C = A x B with seven products of halves in place of eight, paid for with sums of matrices.
 *
 *     strassen [N] [BASE]         N is even, and so are its halves, down to BASE
 *
 * Products are parallel, and so are the sums with each other, but each sum is a serial loop over a quarter of the matrix. The
 * sums are a tenth of the work and nearly all of the span: a profile should show a parallelism of some hundreds, with base() first in
 * work, and gather() and add() first in span. To split them by rows would be the repair. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With rows of a power of two all rows of a block would share few sets of the cache. */
enum { PAD = 8, SUMS = 10, PRODUCTS = 7 };

static long coarsening = 64;

static void base(double *restrict c, long c_dim, const double *restrict a, long a_dim, const double *restrict b, long b_dim, long n)
{
	for (long i = 0; i < n; i++) {
		for (long j = 0; j < n; j++)
			c[i * c_dim + j] = 0;
		for (long k = 0; k < n; k++) {
			double x = a[i * a_dim + k];
			for (long j = 0; j < n; j++)
				c[i * c_dim + j] += x * b[k * b_dim + j];
		}
	}
}

/* sum = x + sign y; both are parts of one matrix */
static void add(double *restrict sum, long sum_dim, const double *x, const double *y, double sign, long dim, long n)
{
	for (long i = 0; i < n; i++)
		for (long j = 0; j < n; j++)
			sum[i * sum_dim + j] = x[i * dim + j] + sign * y[i * dim + j];
}

/* c = sum of four products with a sign each; a sign of 0 leaves one out */
static void gather(double *restrict c, long c_dim, double *const product[PRODUCTS], const signed char sign[PRODUCTS], long dim, long n)
{
	for (long i = 0; i < n; i++) {
		for (long j = 0; j < n; j++)
			c[i * c_dim + j] = 0;
		for (int k = 0; k < PRODUCTS; k++) {
			double by = sign[k];
			const double *row = product[k] + i * dim;
			if (sign[k])
				for (long j = 0; j < n; j++)
					c[i * c_dim + j] += by * row[j];
		}
	}
}

static void strassen(double *c, long c_dim, const double *a, long a_dim, const double *b, long b_dim, long n)
{
	static const signed char signs[4][PRODUCTS] = {
		{1, 0, 0, 1, -1, 0, 1},
		{0, 0, 1, 0, 1, 0, 0},
		{0, 1, 0, 1, 0, 0, 0},
		{1, -1, 1, 0, 0, 1, 0},
	};
	if (n <= coarsening) {
		base(c, c_dim, a, a_dim, b, b_dim, n);
		return;
	}
	long h = n / 2, dim = h + PAD;
	const double *a11 = a, *a12 = a + h, *a21 = a + h * a_dim, *a22 = a21 + h;
	const double *b11 = b, *b12 = b + h, *b21 = b + h * b_dim, *b22 = b21 + h;
	double *space = malloc((size_t)(h * dim * (SUMS + PRODUCTS)) * sizeof *space), *s[SUMS], *p[PRODUCTS];
	if (!space)
		abort();
	for (int i = 0; i < SUMS; i++)
		s[i] = space + i * h * dim;
	for (int i = 0; i < PRODUCTS; i++)
		p[i] = space + (SUMS + i) * h * dim;

#pragma omp task shared(s)
	add(s[0], dim, a11, a22, 1, a_dim, h);
#pragma omp task shared(s)
	add(s[1], dim, b11, b22, 1, b_dim, h);
#pragma omp task shared(s)
	add(s[2], dim, a21, a22, 1, a_dim, h);
#pragma omp task shared(s)
	add(s[3], dim, b12, b22, -1, b_dim, h);
#pragma omp task shared(s)
	add(s[4], dim, b21, b11, -1, b_dim, h);
#pragma omp task shared(s)
	add(s[5], dim, a11, a12, 1, a_dim, h);
#pragma omp task shared(s)
	add(s[6], dim, a21, a11, -1, a_dim, h);
#pragma omp task shared(s)
	add(s[7], dim, b11, b12, 1, b_dim, h);
#pragma omp task shared(s)
	add(s[8], dim, a12, a22, -1, a_dim, h);
#pragma omp task shared(s)
	add(s[9], dim, b21, b22, 1, b_dim, h);
#pragma omp taskwait

#pragma omp task shared(s, p)
	strassen(p[0], dim, s[0], dim, s[1], dim, h);
#pragma omp task shared(s, p)
	strassen(p[1], dim, s[2], dim, b11, b_dim, h);
#pragma omp task shared(s, p)
	strassen(p[2], dim, a11, a_dim, s[3], dim, h);
#pragma omp task shared(s, p)
	strassen(p[3], dim, a22, a_dim, s[4], dim, h);
#pragma omp task shared(s, p)
	strassen(p[4], dim, s[5], dim, b22, b_dim, h);
#pragma omp task shared(s, p)
	strassen(p[5], dim, s[6], dim, s[7], dim, h);
#pragma omp task shared(s, p)
	strassen(p[6], dim, s[8], dim, s[9], dim, h);
#pragma omp taskwait

#pragma omp task shared(p)
	gather(c, c_dim, p, signs[0], dim, h);
#pragma omp task shared(p)
	gather(c + h, c_dim, p, signs[1], dim, h);
#pragma omp task shared(p)
	gather(c + h * c_dim, c_dim, p, signs[2], dim, h);
#pragma omp task shared(p)
	gather(c + h * c_dim + h, c_dim, p, signs[3], dim, h);
#pragma omp taskwait
	free(space);
}

/* Small whole numbers, so that every sum is exact. */
static void fill_row(double *row, long n, uint64_t seed)
{
	for (long j = 0; j < n; j++) {
		uint64_t x = (seed + (uint64_t)j + 1) * 0x9e3779b97f4a7c15;
		x = (x ^ x >> 32) * 0xd1342543de82ef95;
		row[j] = (double)(x >> 61) - 3;
	}
}

static double dot(const double *x, const double *y, long n)
{
	double sum = 0;
	for (long i = 0; i < n; i++)
		sum += x[i] * y[i];
	return sum;
}

static void apply(double *out, const double *matrix, const double *x, long dim, long n)
{
#pragma omp parallel for
	for (long i = 0; i < n; i++)
		out[i] = dot(matrix + i * dim, x, n);
}

/* C x = A (B x) for a random x: wrong products pass rarely, and it costs next to nothing. */
static int check(const double *c, const double *a, const double *b, long dim, long n)
{
	double *x = malloc((size_t)n * 4 * sizeof *x), *bx = x + n, *abx = bx + n, *cx = abx + n;
	if (!x)
		return 0;
	fill_row(x, n, 1);
	apply(bx, b, x, dim, n);
	apply(abx, a, bx, dim, n);
	apply(cx, c, x, dim, n);
	int right = 1;
	for (long i = 0; i < n; i++)
		right &= cx[i] == abx[i];
	free(x);
	return right;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 2048;
	if (argc > 2)
		coarsening = atol(argv[2]);
	long side = n;
	while (coarsening > 0 && side > coarsening && side % 2 == 0)
		side /= 2;
	if (n < 1 || coarsening < 1 || side > coarsening) {
		fprintf(stderr, "usage: strassen [N] [BASE]: N is even, and so are its halves, down to BASE\n");
		return 2;
	}
	long dim = n + PAD;
	double *c = malloc((size_t)(n * dim) * 3 * sizeof *c), *a = c + n * dim, *b = a + n * dim;
	if (!c)
		return 2;
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		fill_row(a + i * dim, n, (uint64_t)(2 * i * n));
		fill_row(b + i * dim, n, (uint64_t)((2 * i + 1) * n));
	}
#pragma omp parallel
#pragma omp single
	strassen(c, dim, a, dim, b, dim, n);
	int right = check(c, a, b, dim, n);
	printf("strassen %ld x %ld, base %ld, last element %.0f: %s\n", n, n, coarsening, c[(n - 1) * dim + n - 1],
	       right ? "right" : "wrong");
	free(c);
	return !right;
}
