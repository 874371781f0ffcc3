/* SPDX-License-Identifier: MIT */
/* stencil.c [STEPS]: a grid in strips, one per rank, with an exchange of edges after each step, like NAS MG. The last rank has twice as many
 * rows: it comes last to each exchange, and to the sum of the residual. OpenMP shares out the rows of a strip, if it is built with it. */
#include <string.h>

#include "ranks.h"

enum { COLUMNS = 1024, ROWS = 128 };

static double *old_grid, *new_grid;
static int rows;

static __attribute__((noinline)) double relax(void)
{
	double change = 0;
#pragma omp parallel for reduction(+ : change) schedule(static)
	for (int y = 1; y <= rows; y++)
		for (int x = 1; x < COLUMNS - 1; x++) {
			const double *at = old_grid + (size_t)y * COLUMNS + (size_t)x;
			double next = 0.25 * (at[-1] + at[1] + at[-COLUMNS] + at[COLUMNS]);
			change += (next - *at) * (next - *at);
			new_grid[(size_t)y * COLUMNS + (size_t)x] = next;
		}
	return change;
}

static __attribute__((noinline)) void exchange(void)
{
	int up = me > 0 ? me - 1 : MPI_PROC_NULL, down = me < ranks - 1 ? me + 1 : MPI_PROC_NULL;
	MPI_Sendrecv(old_grid + COLUMNS, COLUMNS, MPI_DOUBLE, up, 1, old_grid + (size_t)(rows + 1) * COLUMNS, COLUMNS, MPI_DOUBLE, down, 1,
	             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(old_grid + (size_t)rows * COLUMNS, COLUMNS, MPI_DOUBLE, down, 2, old_grid, COLUMNS, MPI_DOUBLE, up, 2, MPI_COMM_WORLD,
	             MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
	ranks_begin(&argc, &argv);
	int steps = argc > 1 ? atoi(argv[1]) : 200;
	double change = 0, all = 0;
	rows = me == ranks - 1 ? 2 * ROWS : ROWS;
	old_grid = calloc((size_t)(rows + 2) * COLUMNS, sizeof *old_grid);
	new_grid = calloc((size_t)(rows + 2) * COLUMNS, sizeof *new_grid);
	for (int x = 0; x < COLUMNS; x++)
		old_grid[x] = new_grid[x] = me == 0 ? 1 : 0;
	for (int s = 0; s < steps; s++) {
		exchange();
		work_begins();
		change = relax();
		work_ends();
		double *swap = old_grid;
		old_grid = new_grid;
		new_grid = swap;
		if (s % 10 == 9)
			MPI_Allreduce(&change, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	}
	free(old_grid);
	free(new_grid);
	say_truth(change);
	return 0;
}
