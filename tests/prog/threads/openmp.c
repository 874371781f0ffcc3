/* SPDX-License-Identifier: MIT */
/* openmp.c: who works and who waits in OpenMP's constructs. Run with OMP_WAIT_POLICY=active and =passive: the
 * answers are the same, though in one case the idle threads spin. */
#include <omp.h>
#include <pthread.h>
#include "standin.h"

static bool is_set(void *flag) { return *(atomic_bool *)flag; }
static bool is_two(void *counter) { return *(atomic_int *)counter >= 2; }
static bool is_four(void *counter) { return *(atomic_int *)counter >= 4; }

static void barriers(void)
{
	bool worker_alone = false, master_alone = false;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		worker_alone = working_becomes(1);
	CHECK("main waits in the barrier that ends a region", worker_alone, "%d working", (int)skein_n_working);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0)
		master_alone = working_becomes(1);
	CHECK("so does a worker", master_alone, "%d working", (int)skein_n_working);
	CHECK("workers are idle between regions", working_becomes(1), "%d working", (int)skein_n_working);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0)
			worker_alone = working_becomes(1);
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			master_alone = working_becomes(1);
	}
	CHECK("explicit barriers wait, too", worker_alone && master_alone, "%d %d", worker_alone, master_alone);
	CHECK("time between regions is waiting for work, not for the barrier",
	      standin_waits(RAW_WAIT_TASK) >= 2 && standin_waits(RAW_WAIT_BARRIER) >= 4, "%d, %d",
	      (int)standin_waits(RAW_WAIT_TASK), (int)standin_waits(RAW_WAIT_BARRIER));
}

/* Both run at once: one on the thread that waits in taskwait, one on the thread that waits in the barrier. Gives up soon,
 * since libomp may let a thread sleep and run both tasks in the other one. */
static bool task_meets(atomic_int *met)
{
	uint64_t end = now_ns() + 200000000;

	atomic_fetch_add(met, 1);
	while (!is_two(met))
		if (now_ns() > end)
			return false;
	bool both = working_becomes(2);
	atomic_fetch_add(met, 1);
	return comes_true(is_four, met) && both;
}

static void tasks(void)
{
	bool a = false, b = false, alone = false;
	int sum = 0;

	for (int tries = 0; tries < 50 && !(a && b); tries++) {
		atomic_int met = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
		{
#pragma omp task shared(a, met)
			a = task_meets(&met);
#pragma omp task shared(b, met)
			b = task_meets(&met);
#pragma omp taskwait
			alone = working_becomes(1);
		}
	}
	CHECK("a thread that runs a task inside taskwait or barrier works", a && b, "%d %d, %d working", a, b, (int)skein_n_working);
	CHECK("and is idle again afterwards", alone && working_becomes(1), "%d working", (int)skein_n_working);
#pragma omp parallel num_threads(3)
#pragma omp single
	{
#pragma omp taskgroup
		for (int i = 0; i < 1000; i++) {
#pragma omp task untied shared(sum)
			{
#pragma omp task if (0) shared(sum)
				{
#pragma omp atomic
					sum += 1;
				}
#pragma omp taskyield
			}
		}
#pragma omp taskloop grainsize(1) shared(sum)
		for (int i = 0; i < 100; i++) {
#pragma omp atomic
			sum += 1;
		}
	}
	CHECK("untied, undeferred and nested tasks and task loops run", sum == 1100, "%d", sum);
	CHECK("they are adopted and given up again", standin->adopted >= 2 && standin->adoptions == 0, "%d, %d left", standin->adopted, standin->adoptions);
}

static void locks(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	bool held = false, sole = false, nested = false, tested = false;
	atomic_bool in = false;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel num_threads(2)
	{
		if (omp_get_thread_num() == 0) {
			omp_set_lock(&lock);
			in = true;
			held = working_becomes(1);
			omp_unset_lock(&lock);
		} else {
			comes_true(is_set, &in);
			omp_set_lock(&lock);
			omp_unset_lock(&lock);
		}
#pragma omp barrier
		in = false;
#pragma omp barrier
		if (omp_get_thread_num() == 1)
			comes_true(is_set, &in);
#pragma omp critical
		if (omp_get_thread_num() == 0) {
			in = true;
			sole = working_becomes(1);
		}
	}
	omp_set_lock(&lock);
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	nested = skein_n_working == 1;
	tested = !omp_test_lock(&lock) && skein_n_working == 1;
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_unset_lock(&lock);
	CHECK("a thread waits for a lock", held, "no");
	CHECK("and for a critical section", sole, "no");
	CHECK("a nested lock and a failed test are no waits", nested && tested, "%d %d", nested, tested);
}

static void nests(void)
{
	atomic_int all = 0;

	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
	{
		atomic_fetch_add(&all, 1);
		if (working_becomes(4))
			atomic_fetch_add(&all, 16);
		while (atomic_load(&all) < 4 * 17)
			;
	}
	CHECK("all members of nested teams work", all == 4 * 17, "%d", all);
	CHECK("and only main afterwards", working_becomes(1), "%d working", (int)skein_n_working);
}

static void *other_root(void *unused)
{
	atomic_int met = 0;
#pragma omp parallel num_threads(2)
	task_meets(&met);
	return unused;
}

int main(void)
{
	pthread_t t;

	barriers();
	tasks();
	locks();
	nests();
	pthread_create(&t, NULL, other_root, NULL);
	pthread_join(t, NULL);
	CHECK("a region may begin in any thread", working_becomes(1), "%d working", (int)skein_n_working);
	omp_pause_resource_all(omp_pause_hard);
	CHECK("teams were opened and closed", standin->teams >= 10 && standin->open_teams == 0, "%d, %d open", standin->teams, standin->open_teams);
	CHECK("nothing is held when the runtime has gone", standin->held == 0 && standin->adoptions == 0, "%d held", standin->held);
	CHECK("waits of the lens begin and end in turn", standin->bad_waits == 0 && standin->wait_begins == standin->wait_ends,
	      "%d bad, %d of %d ended", standin->bad_waits, standin->wait_ends, standin->wait_begins);
	return failures > 0;
}
