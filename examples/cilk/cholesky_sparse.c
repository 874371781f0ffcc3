/* SPDX-License-Identifier: MIT */
/* cholesky_sparse.c: a sparse symmetric positive matrix as L L', kept as a tree of quarters with blocks of 4 x 4, of which empty ones do not
 * exist. It describes many circuits that have nothing to do with each other, so most quarters off the diagonal are empty and
 * the halves beside such a one are independent: that is where it runs in parallel.
 *
 *     cholesky_sparse [CIRCUITS]      a power of two
 *
 * Building, decomposing and checking were made parallel; free_matrix was forgotten. It does little work, a few per cent, but all other cores
 * wait for it: a profile should name it, or the library's free that it calls, first by idleness, seen from the bottom up. */
#include <cilk/cilk.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 4, CIRCUIT_LEVELS = 5, CIRCUIT = BLOCK << CIRCUIT_LEVELS };
enum { Q00, Q01, Q10, Q11, QUARTERS };

/* At level 0 a block, above it quarters; NULL is zero. On the diagonal only the lower half means anything. */
struct matrix {
	union {
		struct matrix *quarter[QUARTERS];
		double block[BLOCK][BLOCK];
	};
};

static struct matrix *new_matrix(int level)
{
	struct matrix *a;
	size_t bytes = level ? sizeof a->quarter : sizeof a->block;
	a = malloc(bytes);
	if (!a)
		exit(2);
	for (size_t i = 0; i < bytes / sizeof(double); i++)
		(&a->block[0][0])[i] = 0;
	return a;
}

static void free_matrix(int level, struct matrix *a)
{
	if (!a)
		return;
	if (level)
		for (int q = 0; q < QUARTERS; q++)
			free_matrix(level - 1, a->quarter[q]);
	free(a);
}

/* Random numbers in [-1, 1), the same in every run. */
static double random_at(long i, long j)
{
	uint64_t x = ((uint64_t)i << 32 | (uint64_t)j) + 1;
	x *= 0x9e3779b97f4a7c15;
	x = (x ^ x >> 32) * 0xd1342543de82ef95;
	return (double)(x >> 11) * 0x1p-52 - 1;
}

/* Rows from `row`, columns from `column` of a circuit: half of its blocks, and all on the diagonal. */
static struct matrix *build_circuit(int level, long row, long column)
{
	if (row < column || (level == 0 && row != column && random_at(~row, column) < 0))
		return NULL;
	struct matrix *a = new_matrix(level);
	if (level) {
		long half = (BLOCK << level) / 2;
		for (int q = 0; q < QUARTERS; q++)
			a->quarter[q] = build_circuit(level - 1, row + (q >> 1) * half, column + (q & 1) * half);
		return a;
	}
	for (long i = 0; i < BLOCK; i++)
		for (long j = 0; j < BLOCK; j++)
			if (row + i >= column + j)
				a->block[i][j] = random_at(row + i, column + j) + (row + i == column + j ? CIRCUIT : 0);
	return a;
}

static struct matrix *build(int level, long row)
{
	if (level == CIRCUIT_LEVELS)
		return build_circuit(level, row, row);
	struct matrix *a = new_matrix(level), *first, *second;
	long half = ((long)BLOCK << level) / 2;
	first = cilk_spawn build(level - 1, row);
	second = build(level - 1, row + half);
	cilk_sync;
	a->quarter[Q00] = first;
	a->quarter[Q11] = second;
	return a;
}

/* C -= A B', and C is made if it was empty; below the diagonal only, if C is on it */
static struct matrix *subtract(int level, struct matrix *c, const struct matrix *a, const struct matrix *b, int diagonal)
{
	if (!a || !b)
		return c;
	if (!c)
		c = new_matrix(level);
	if (level) {
		for (int q = 0; q < QUARTERS; q++)
			for (int k = 0; k < 2 && !(diagonal && q == Q01); k++)
				c->quarter[q] = subtract(level - 1, c->quarter[q], a->quarter[(q & 2) + k], b->quarter[(q & 1) * 2 + k], diagonal && q != Q10);
		return c;
	}
	for (int i = 0; i < BLOCK; i++)
		for (int j = 0; j < BLOCK; j++)
			for (int k = 0; k < BLOCK; k++)
				c->block[i][j] -= a->block[i][k] * b->block[j][k];
	return c;
}

/* X L' = B, X in place of B */
static void solve(int level, struct matrix *b, const struct matrix *l)
{
	if (!b)
		return;
	if (level) {
		for (int row = Q00; row <= Q10; row += Q10) {
			solve(level - 1, b->quarter[row], l->quarter[Q00]);
			b->quarter[row + 1] = subtract(level - 1, b->quarter[row + 1], b->quarter[row], l->quarter[Q10], 0);
			solve(level - 1, b->quarter[row + 1], l->quarter[Q11]);
		}
		return;
	}
	for (int i = 0; i < BLOCK; i++)
		for (int j = 0; j < BLOCK; j++) {
			for (int k = 0; k < j; k++)
				b->block[i][j] -= b->block[i][k] * l->block[j][k];
			b->block[i][j] /= l->block[j][j];
		}
}

static void cholesky_block(double a[BLOCK][BLOCK])
{
	for (int j = 0; j < BLOCK; j++) {
		for (int i = j; i < BLOCK; i++) {
			for (int k = 0; k < j; k++)
				a[i][j] -= a[i][k] * a[j][k];
			a[i][j] = i == j ? sqrt(a[j][j]) : a[i][j] / a[j][j];
		}
		for (int i = 0; i < j; i++)
			a[i][j] = 0;
	}
}

static void cholesky(int level, struct matrix *a)
{
	if (level == 0) {
		cholesky_block(a->block);
	} else if (a->quarter[Q10]) {
		cholesky(level - 1, a->quarter[Q00]);
		solve(level - 1, a->quarter[Q10], a->quarter[Q00]);
		a->quarter[Q11] = subtract(level - 1, a->quarter[Q11], a->quarter[Q10], a->quarter[Q10], 1);
		cholesky(level - 1, a->quarter[Q11]);
	} else if (level <= CIRCUIT_LEVELS) {
		cholesky(level - 1, a->quarter[Q00]);
		cholesky(level - 1, a->quarter[Q11]);
	} else {
		cilk_spawn cholesky(level - 1, a->quarter[Q00]);
		cholesky(level - 1, a->quarter[Q11]);
		cilk_sync;
	}
}

/* y += A x, or A' x; of a diagonal block the lower half */
static void multiply(int level, const struct matrix *a, const double *x, double *y, int turned)
{
	long half = ((long)BLOCK << level) / 2;
	if (!a)
		return;
	for (int q = 0; level && q < QUARTERS; q++) {
		long row = (q >> 1) * half, column = (q & 1) * half;
		multiply(level - 1, a->quarter[q], x + (turned ? row : column), y + (turned ? column : row), turned);
	}
	for (int i = 0; !level && i < BLOCK; i++)
		for (int j = 0; j < BLOCK; j++)
			y[turned ? j : i] += a->block[i][j] * x[turned ? i : j];
}

/* A x of a circuit, given L or the lower half of A */
static void image(const struct matrix *a, const double *x, double *y, int decomposed, long row)
{
	double between[CIRCUIT] = {0};
	if (decomposed) {
		multiply(CIRCUIT_LEVELS, a, x, between, 1);
		multiply(CIRCUIT_LEVELS, a, between, y, 0);
		return;
	}
	multiply(CIRCUIT_LEVELS, a, x, y, 0);
	multiply(CIRCUIT_LEVELS, a, x, y, 1);
	for (long i = 0; i < CIRCUIT; i++)
		y[i] -= (random_at(row + i, row + i) + CIRCUIT) * x[i];
}

static void images(int level, const struct matrix *a, const double *x, double *y, int decomposed, long row)
{
	long half = ((long)BLOCK << level) / 2;
	if (level == CIRCUIT_LEVELS) {
		image(a, x, y, decomposed, row);
		return;
	}
	cilk_spawn images(level - 1, a->quarter[Q00], x, y, decomposed, row);
	images(level - 1, a->quarter[Q11], x + half, y + half, decomposed, row + half);
	cilk_sync;
}

int main(int argc, char **argv)
{
	long circuits = argc > 1 ? atol(argv[1]) : 1024, n = circuits * CIRCUIT;
	int level = CIRCUIT_LEVELS, wrong = 0;
	if (circuits < 1 || circuits > 1L << 20 || (circuits & (circuits - 1))) {
		fprintf(stderr, "usage: cholesky_sparse [CIRCUITS]: a power of two\n");
		return 2;
	}
	while ((long)CIRCUIT << (level - CIRCUIT_LEVELS) < n)
		level++;
	double *x = malloc((size_t)n * sizeof *x), *before = calloc((size_t)n, sizeof *before), *after = calloc((size_t)n, sizeof *after);
	if (!x || !before || !after)
		return 2;
	for (long i = 0; i < n; i++)
		x[i] = (double)(i & 15) - 7;
	struct matrix *a = build(level, 0);
	images(level, a, x, before, 0, 0);
	cholesky(level, a);
	images(level, a, x, after, 1, 0);
	for (long i = 0; i < n; i++)
		wrong += !(fabs(after[i] - before[i]) < 1e-6);
	free_matrix(level, a);
	free(x);
	free(before);
	free(after);
	printf("cholesky_sparse %ld circuits, %ld x %ld: %s\n", circuits, n, n, wrong ? "wrong" : "right");
	return wrong != 0;
}
