/* SPDX-License-Identifier: MIT */
/* blocks.c: an LU decomposition in blocks of 16 x 16, whose innermost loop is a function of its own: calls of a few nanoseconds, which a
 * compiler inlines, and of which a profile of call sites has a row each. */
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 16, BLOCKS = 128 };
typedef double block[SIDE][SIDE];
static block matrix[BLOCKS][BLOCKS];

static void subtract(double factor, const double *restrict row, double *restrict from, int n)
{
	for (int i = 0; i < n; i++)
		from[i] -= factor * row[i];
}

static void decompose(block b)
{
	for (int k = 0; k < SIDE; k++)
		for (int i = k + 1; i < SIDE; i++) {
			b[i][k] /= b[k][k];
			subtract(b[i][k], &b[k][k + 1], &b[i][k + 1], SIDE - k - 1);
		}
}

static void solve_lower(block b, block l)
{
	for (int i = 1; i < SIDE; i++)
		for (int k = 0; k < i; k++)
			subtract(l[i][k], b[k], b[i], SIDE);
}

static void solve_upper(block b, block u)
{
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++) {
			b[i][k] /= u[k][k];
			subtract(b[i][k], &u[k][k + 1], &b[i][k + 1], SIDE - k - 1);
		}
}

static void subtract_product(block c, block a, block b)
{
	for (int i = 0; i < SIDE; i++)
		for (int k = 0; k < SIDE; k++)
			subtract(a[i][k], b[k], c[i], SIDE);
}

int main(void)
{
	for (int i = 0; i < BLOCKS * SIDE; i++)
		for (int j = 0; j < BLOCKS * SIDE; j++)
			matrix[i / SIDE][j / SIDE][i % SIDE][j % SIDE] = i == j ? 1e5 : rand() / (double)RAND_MAX;
	for (int k = 0; k < BLOCKS; k++) {
		decompose(matrix[k][k]);
		cilk_for (int i = k + 1; i < BLOCKS; i++) {
			solve_lower(matrix[k][i], matrix[k][k]);
			solve_upper(matrix[i][k], matrix[k][k]);
		}
		cilk_for (int i = k + 1; i < BLOCKS; i++)
			for (int j = k + 1; j < BLOCKS; j++)
				subtract_product(matrix[i][j], matrix[i][k], matrix[k][j]);
	}
	printf("%.6f\n", matrix[BLOCKS - 1][BLOCKS - 1][SIDE - 1][SIDE - 1]);
}
