/* SPDX-License-Identifier: MIT */
/* nqueens.c, with OpenMP: in how many ways can N queens stand on a board of N x N so that none attacks another?
 *
 *     nqueens [N]
 *
 * Row by row, one task for every queen that can be placed, each with a board of its own. The span is one path from the first row
 * to the last: a parallelism of hundreds of thousands, and no site holds it back. A task tries N places against at most N queens,
 * some hundreds of instructions: little, so a burden for every task takes much of it. */
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

struct board {
	signed char column[MOST]; /* of the queen in each row */
};

/* Is the queen in this row out of reach of all above it? */
static int is_safe(const struct board *board, int row)
{
	int column = board->column[row];
	for (int i = 0; i < row; i++) {
		int aside = board->column[i] - column;
		if (aside == 0 || aside == row - i || aside == i - row)
			return 0;
	}
	return 1;
}

static long nqueens(const struct board *board, int row, int n)
{
	if (row == n)
		return 1;
	struct board next[MOST];
	long found[MOST];
	for (int i = 0; i < n; i++) {
		next[i] = *board;
		next[i].column[row] = (signed char)i;
		found[i] = 0;
		if (is_safe(&next[i], row))
#pragma omp task shared(next, found)
			found[i] = nqueens(&next[i], row + 1, n);
	}
#pragma omp taskwait
	long sum = 0;
	for (int i = 0; i < n; i++)
		sum += found[i];
	return sum;
}

int main(int argc, char **argv)
{
	static const long known[MOST + 1] = {1,	   1,	 0,	0,	2,	10,	 4,	  40,	  92,
					     352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
	int n = argc > 1 ? atoi(argv[1]) : 13;
	if (n < 1 || n > MOST) {
		fprintf(stderr, "usage: nqueens [N]: N from 1 to %d\n", MOST);
		return 2;
	}
	struct board empty = {{0}};
	long result;
#pragma omp parallel
#pragma omp single
	result = nqueens(&empty, 0, n);
	int right = result == known[n];
	printf("%d queens stand in %ld ways: %s\n", n, result, right ? "right" : "wrong");
	return !right;
}
