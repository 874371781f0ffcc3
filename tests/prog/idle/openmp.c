/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -fopenmp */
/* OpenMP: a serial phase, two threads in a region, in an uneven loop and in tasks, of which one is long or which wait for their own; then by its
 * argument, `regions`: of 4 and of 16 threads, and nested ones; `locks`: a critical section and a lock that two threads fight for. */
#include <omp.h>
#include <string.h>
#include "truth.h"

enum { PHASE_MS = 100, ROUNDS = 8 };

BURNS(serial)
BURNS(region_two)
BURNS(region_four)
BURNS(region_sixteen)
BURNS(loop_body)
BURNS(task_body)
BURNS(tree_leaf)
BURNS(nested_body)
BURNS(in_critical)
BURNS(in_lock)
BURNS(between_locks)

/* From here to the end of the region the thread that meets it is one among others. */
#define REGION_BEGINS truth_end()
#define REGION_ENDS truth_begin()
#define WORKING(call) (truth_begin(), (call), truth_end())

static void regions(void)
{
	REGION_BEGINS;
#pragma omp parallel num_threads(4)
	WORKING(region_four(PHASE_MS * MS / 4));
#pragma omp parallel num_threads(16)
	WORKING(region_sixteen(PHASE_MS * MS / 8));
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(2)
	WORKING(nested_body(PHASE_MS * MS / 2));
	REGION_ENDS;
}

/* Who waits for its children does other tasks meanwhile. */
static void tree(int leaves)
{
	if (leaves == 1) {
		WORKING(tree_leaf(PHASE_MS * MS / 64));
		return;
	}
#pragma omp task
	tree(leaves / 2);
#pragma omp task
	tree(leaves / 2);
#pragma omp taskwait
}

static void of_two(void)
{
	REGION_BEGINS;
#pragma omp parallel num_threads(2)
	WORKING(region_two(PHASE_MS * MS / 2));
	/* the first half of the iterations has three quarters of the work */
#pragma omp parallel for num_threads(2) schedule(static)
	for (int i = 0; i < 16; i++)
		WORKING(loop_body(PHASE_MS * MS / 32 * (i < 8 ? 3 : 1)));
	/* four of 5 ms and one of 60: it cannot be even */
#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 5; i++)
#pragma omp task
		WORKING(task_body(i ? 5 * MS : 60 * MS));
#pragma omp parallel num_threads(2)
#pragma omp single
	tree(64);
	REGION_ENDS;
}

static void locks(void)
{
	omp_lock_t lock;
	omp_init_lock(&lock);
	REGION_BEGINS;
#pragma omp parallel num_threads(2)
	for (int i = 0; i < ROUNDS; i++) {
#pragma omp critical
		WORKING(in_critical(4 * MS));
		WORKING(between_locks(2 * MS));
	}
#pragma omp parallel num_threads(2)
	for (int i = 0; i < ROUNDS; i++) {
		omp_set_lock(&lock);
		WORKING(in_lock(4 * MS));
		omp_unset_lock(&lock);
		WORKING(between_locks(2 * MS));
	}
	REGION_ENDS;
	omp_destroy_lock(&lock);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	omp_set_dynamic(0);
	omp_set_max_active_levels(2);
	truth_start();
	serial(PHASE_MS * MS);
	of_two();
	if (!strcmp(what, "locks"))
		locks();
	if (!strcmp(what, "regions"))
		regions();
	truth_print();
	return 0;
}
