/* SPDX-License-Identifier: MIT */
/* ranks.h: what the kernels share: a clock of their own work, which is the truth that reports are held against.
 *
 *     work_begins();
 *     …computes, without MPI…
 *     work_ends();
 *     say_truth(checksum);      all ranks: rank 0 prints "truth rank 3 work_ns 123…" for each, and "checksum …"
 *
 * The clock is that of the process's CPU time: it stands still while a rank has no core. */
#ifndef RANKS_H
#define RANKS_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double worked_s, began_s;
static int me, ranks;

static double cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void work_begins(void)
{
	began_s = cpu_s();
}

static void work_ends(void)
{
	worked_s += cpu_s() - began_s;
}

static void ranks_begin(int *argc, char ***argv)
{
	MPI_Init(argc, argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static void say_truth(double checksum)
{
	double *all = calloc((size_t)ranks, sizeof *all);
	double sum = 0;
	MPI_Gather(&worked_s, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	MPI_Reduce(&checksum, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	for (int r = 0; me == 0 && r < ranks; r++)
		printf("truth rank %d work_ns %.0f\n", r, 1e9 * all[r]);
	if (me == 0)
		printf("checksum %.10g\n", sum);
	free(all);
	MPI_Finalize();
}

#endif
