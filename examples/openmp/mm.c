/* SPDX-License-Identifier: MIT */
/* mm.c, with OpenMP: matrix multiplication C += A x B by quarters: four products in parallel, then the four that add to the same places.
 *
 *     mm [N] [BASE] [TIMES]         N is even, and so are its halves, down to BASE
 *
 * Each halving makes eight products and puts two of them on the critical path, so the call of mm from main has the parallelism
 * 4^log2(N / BASE): 256 for 512 and 32. All of the work and of the span is in base(), and no site holds it back but the two phases
 * themselves; a smaller BASE brings more. TIMES repeats it and changes nothing of this. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* With rows of a power of two all rows of a block would share few sets of the cache. */
enum { PAD = 8 };

static long coarsening = 32;

static void base(double *restrict c, const double *restrict a, const double *restrict b, long dim, long n)
{
	for (long i = 0; i < n; i++)
		for (long k = 0; k < n; k++) {
			double x = a[i * dim + k];
			for (long j = 0; j < n; j++)
				c[i * dim + j] += x * b[k * dim + j];
		}
}

static void mm(double *c, const double *a, const double *b, long dim, long n)
{
	if (n <= coarsening) {
		base(c, a, b, dim, n);
		return;
	}
	long h = n / 2, right = h, below = h * dim, across = below + h;
#pragma omp task
	mm(c, a, b, dim, h);
#pragma omp task
	mm(c + right, a, b + right, dim, h);
#pragma omp task
	mm(c + below, a + below, b, dim, h);
#pragma omp task
	mm(c + across, a + below, b + right, dim, h);
#pragma omp taskwait
#pragma omp task
	mm(c, a + right, b + below, dim, h);
#pragma omp task
	mm(c + right, a + right, b + across, dim, h);
#pragma omp task
	mm(c + below, a + across, b + below, dim, h);
#pragma omp task
	mm(c + across, a + across, b + across, dim, h);
#pragma omp taskwait
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

/* C x = TIMES A (B x) for a random x: wrong products pass rarely, and it costs next to nothing. */
static int check(const double *c, const double *a, const double *b, long dim, long n, long times)
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
		right &= cx[i] == (double)times * abx[i];
	free(x);
	return right;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 512, times = argc > 3 ? atol(argv[3]) : 30;
	if (argc > 2)
		coarsening = atol(argv[2]);
	long side = n;
	while (coarsening > 0 && side > coarsening && side % 2 == 0)
		side /= 2;
	if (n < 1 || coarsening < 1 || side > coarsening || times < 1) {
		fprintf(stderr, "usage: mm [N] [BASE] [TIMES]: N is even, and so are its halves, down to BASE\n");
		return 2;
	}
	long dim = n + PAD;
	double *c = calloc((size_t)(n * dim) * 3, sizeof *c), *a = c + n * dim, *b = a + n * dim;
	if (!c)
		return 2;
#pragma omp parallel for
	for (long i = 0; i < n; i++) {
		fill_row(a + i * dim, n, (uint64_t)(2 * i * n));
		fill_row(b + i * dim, n, (uint64_t)((2 * i + 1) * n));
	}
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < times; i++)
		mm(c, a, b, dim, n);
	int right = check(c, a, b, dim, n, times);
	printf("mm %ld x %ld, base %ld, %ld times, last element %.0f: %s\n", n, n, coarsening, times, c[(n - 1) * dim + n - 1],
	       right ? "right" : "wrong");
	free(c);
	return !right;
}
