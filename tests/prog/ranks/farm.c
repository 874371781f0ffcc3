/* SPDX-License-Identifier: MIT */
/* farm.c [TASKS]: a master hands out tasks to whichever worker is free, and a task with number 0 ends a worker. The master waits for
 * messages of any rank nearly all the time; ranks behave in two different ways. */
#include "ranks.h"

enum { TASK = 1, RESULT = 2, SPINS = 3000000 };

static __attribute__((noinline)) double compute(int task)
{
	double sum = 0;
	for (int i = 1; i <= SPINS; i++)
		sum += 1.0 / (i + task);
	return sum;
}

static double be_master(int tasks)
{
	double sum = 0, result;
	MPI_Status status;
	int next = 1;
	for (int r = 1; r < ranks; r++, next++)
		MPI_Send(&next, 1, MPI_INT, r, TASK, MPI_COMM_WORLD);
	for (int done = 0; done < next - 1; done++) {
		MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
		sum += result;
		int task = next <= tasks ? next++ : 0;
		MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
	}
	return sum;
}

static void be_worker(void)
{
	for (;;) {
		int task;
		MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (!task)
			return;
		work_begins();
		double result = compute(task);
		work_ends();
		MPI_Send(&result, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD);
	}
}

int main(int argc, char **argv)
{
	ranks_begin(&argc, &argv);
	double sum = 0;
	if (me == 0)
		sum = be_master(argc > 1 ? atoi(argv[1]) : 60);
	else
		be_worker();
	say_truth(sum);
	return 0;
}
