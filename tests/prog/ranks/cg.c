/* SPDX-License-Identifier: MIT */
/* cg.c [STEPS]: conjugate gradients on a banded matrix, as NAS CG: two sums over all ranks in each step, and an exchange of edges. All
 * ranks have the same work: the imbalance is 1. */
#include <math.h>

#include "ranks.h"

enum { N = 200000, BAND = 5 };

static double x[N + 2 * BAND], r[N + 2 * BAND], p[N + 2 * BAND], q[N + 2 * BAND];

static void swap_edges(double *v)
{
	int left = me > 0 ? me - 1 : MPI_PROC_NULL, right = me < ranks - 1 ? me + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];
	MPI_Irecv(v, BAND, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(v + BAND + N, BAND, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(v + BAND, BAND, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(v + N, BAND, MPI_DOUBLE, right, 3, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static __attribute__((noinline)) double multiply(void)
{
	double dot = 0;
	for (int i = BAND; i < N + BAND; i++) {
		double sum = 12 * p[i];
		for (int d = 1; d <= BAND; d++)
			sum -= p[i - d] + p[i + d];
		q[i] = sum;
		dot += p[i] * sum;
	}
	return dot;
}

static __attribute__((noinline)) double update(double alpha)
{
	double dot = 0;
	for (int i = BAND; i < N + BAND; i++) {
		x[i] += alpha * p[i];
		r[i] -= alpha * q[i];
		dot += r[i] * r[i];
	}
	return dot;
}

static double sum_of_all(double mine)
{
	double all = 0;
	MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

int main(int argc, char **argv)
{
	ranks_begin(&argc, &argv);
	int steps = argc > 1 ? atoi(argv[1]) : 150;
	for (int i = BAND; i < N + BAND; i++)
		r[i] = p[i] = 1;
	double rho = sum_of_all(N);
	for (int s = 0; s < steps; s++) {
		swap_edges(p);
		work_begins();
		double dot = multiply();
		work_ends();
		double alpha = rho / sum_of_all(dot);
		work_begins();
		double mine = update(alpha);
		work_ends();
		double next = sum_of_all(mine), beta = next / rho;
		rho = next;
		work_begins();
		for (int i = BAND; i < N + BAND; i++)
			p[i] = r[i] + beta * p[i];
		work_ends();
	}
	say_truth(fabs(x[N / 2]));
	return 0;
}
