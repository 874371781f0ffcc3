/* SPDX-License-Identifier: MIT */
/* fft.c, with OpenMP: a fast Fourier transform, recursive and radix 2: the even and the odd samples in parallel, then half as many butterflies
 * as there are samples, in parallel as well.
 *
 *     fft [LOG2_SAMPLES]
 *
 * No step passes serially over more than a few thousand samples: the span is the chain of base cases, one leaf and one row of
 * butterflies for every halving, and the parallelism is in the thousands. A profile should show the span in butterflies,
 * and some in filling the table of roots.
 *
 * The samples are a tone and a click, whose transform is known: a peak, and a wave around it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEAF = 64, ROW = 2048, BLOCK = 1024, TONE = 3, CLICK = 5 };

struct complex {
	double re, im;
};

/* Roots for a transform of 2 half samples begin at roots[half]. */
static void butterflies(struct complex *out, const struct complex *roots, long half, long low, long high)
{
	for (long i = low; i < high; i++) {
		struct complex w = roots[half + i], x = out[i], y = out[half + i];
		struct complex wy = {w.re * y.re - w.im * y.im, w.re * y.im + w.im * y.re};
		out[i] = (struct complex){x.re + wy.re, x.im + wy.im};
		out[half + i] = (struct complex){x.re - wy.re, x.im - wy.im};
	}
}

static void combine(struct complex *out, const struct complex *roots, long half, long low, long high)
{
	if (high - low <= ROW) {
		butterflies(out, roots, half, low, high);
		return;
	}
	long middle = low + (high - low) / 2;
#pragma omp task
	combine(out, roots, half, low, middle);
#pragma omp task
	combine(out, roots, half, middle, high);
#pragma omp taskwait
}

/* Samples in the order of their reversed numbers, then all rows of butterflies. */
static void leaf(struct complex *out, const struct complex *in, const struct complex *roots, long n, long stride)
{
	for (long i = 0, reversed = 0; i < n; i++) {
		out[reversed] = in[i * stride];
		long bit = n >> 1;
		for (; reversed & bit; bit >>= 1)
			reversed ^= bit;
		reversed |= bit;
	}
	for (long half = 1; half < n; half *= 2)
		for (struct complex *at = out; at < out + n; at += 2 * half)
			for (long i = 0; i < half; i++) {
				struct complex w = roots[half + i], x = at[i], y = at[half + i];
				struct complex wy = {w.re * y.re - w.im * y.im, w.re * y.im + w.im * y.re};
				at[i] = (struct complex){x.re + wy.re, x.im + wy.im};
				at[half + i] = (struct complex){x.re - wy.re, x.im - wy.im};
			}
}

static void fft(struct complex *out, const struct complex *in, const struct complex *roots, long n, long stride)
{
	if (n <= LEAF) {
		leaf(out, in, roots, n, stride);
		return;
	}
	long half = n / 2;
#pragma omp task
	fft(out, in, roots, half, 2 * stride);
#pragma omp task
	fft(out + half, in + stride, roots, half, 2 * stride);
#pragma omp taskwait
	combine(out, roots, half, 0, half);
}

/* e^(-2 pi i k / n) from the table */
static struct complex root(const struct complex *roots, long k, long n)
{
	struct complex w = roots[n / 2 + (k & (n / 2 - 1))];
	return k & n / 2 ? (struct complex){-w.re, -w.im} : w;
}

static void fill_roots(struct complex *roots, long low, long high)
{
	long half = 1;
	for (long i = low; i < high; i++) {
		while (2 * half <= i)
			half *= 2;
		double angle = 3.14159265358979323846 * (double)(i - half) / (double)half;
		roots[i] = (struct complex){cos(angle), -sin(angle)};
	}
}

static void fill_samples(struct complex *in, const struct complex *roots, long n, long low, long high)
{
	for (long i = low; i < high; i++) {
		struct complex w = root(roots, TONE * i & (n - 1), n);
		in[i] = (struct complex){w.re + (i == CLICK), -w.im};
	}
}

/* The largest difference from what the transform of a tone and a click must be. */
static double error_of(const struct complex *out, const struct complex *roots, long n, long low, long high)
{
	double most = 0;
	for (long i = low; i < high; i++) {
		struct complex w = root(roots, CLICK * i & (n - 1), n);
		double error = fabs(out[i].re - w.re - (i == TONE ? (double)n : 0)) + fabs(out[i].im - w.im);
		most = error > most ? error : most;
	}
	return most;
}

int main(int argc, char **argv)
{
	int log2_n = argc > 1 ? atoi(argv[1]) : 23;
	if (log2_n < 4 || log2_n > 28) {
		fprintf(stderr, "usage: fft [LOG2_SAMPLES]: from 4 to 28\n");
		return 2;
	}
	long n = 1L << log2_n, block = n < BLOCK ? n : BLOCK, blocks = n / block;
	struct complex *in = malloc((size_t)n * sizeof *in), *out = malloc((size_t)n * sizeof *out);
	struct complex *roots = malloc((size_t)n * sizeof *roots);
	double *error = malloc((size_t)blocks * sizeof *error), most = 0;
	if (!in || !out || !roots || !error)
		return 2;
#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		fill_roots(roots, i * block, (i + 1) * block);
#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		fill_samples(in, roots, n, i * block, (i + 1) * block);

#pragma omp parallel
#pragma omp single
	fft(out, in, roots, n, 1);

#pragma omp parallel for
	for (long i = 0; i < blocks; i++)
		error[i] = error_of(out, roots, n, i * block, (i + 1) * block);
	for (long i = 0; i < blocks; i++)
		most = fmax(most, error[i]);
	int right = most < 1e-13 * (double)n * log2_n;
	printf("fft of %ld samples, peak %.3f: %s\n", n, out[TONE].re, right ? "right" : "wrong");
	free(error);
	free(roots);
	free(out);
	free(in);
	return !right;
}
