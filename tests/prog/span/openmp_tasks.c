/* SPDX-License-Identifier: MIT */
/* openmp_tasks.c: OpenMP tasks and what waits for them. A case's comment is the sum that makes its span. */
#include "openmp.h"

/* Runs what follows in a team, by one of its threads. */
#define TEAM _Pragma("omp parallel") _Pragma("omp single")

static void serial(void)
{
	work(10);
}

static void taskwait(void) /* max(3, 2, 1) + 1 */
{
	TEAM
	{
#pragma omp task
		work(3);
#pragma omp task
		work(2);
		work(1);
#pragma omp taskwait
		work(1);
	}
}

static void taskwait_late(void) /* 2 + 3: the last task begins where the path has come to */
{
	TEAM
	{
#pragma omp task
		work(1);
		work(2);
#pragma omp task
		work(3);
#pragma omp taskwait
	}
}

static void taskwait_twice(void) /* 3 + 2 + 1 */
{
	TEAM
	{
#pragma omp task
		work(3);
#pragma omp taskwait
#pragma omp task
		work(2);
		work(1);
#pragma omp taskwait
		work(1);
	}
}

static void barrier(void) /* max(3, 2, 1) + 1 */
{
#pragma omp parallel
	{
#pragma omp single nowait
		{
#pragma omp task
			work(3);
#pragma omp task
			work(2);
			work(1);
		}
#pragma omp barrier
#pragma omp single
		work(1);
	}
}

static void single_end(void) /* the same: the end of a single is a barrier */
{
#pragma omp parallel
	{
#pragma omp single
		{
#pragma omp task
			work(3);
#pragma omp task
			work(2);
			work(1);
		}
#pragma omp single
		work(1);
	}
}

static void single_nowait(void) /* max(3, 1 + 1): here it is none */
{
#pragma omp parallel
	{
#pragma omp single nowait
		{
#pragma omp task
			work(3);
			work(1);
		}
#pragma omp single nowait
		work(1);
	}
}

static void region_end(void) /* max(3, 2, 1) + 1 */
{
#pragma omp parallel
#pragma omp single nowait
	{
#pragma omp task
		work(3);
#pragma omp task
		work(2);
		work(1);
	}
	work(1);
}

static void masters(void) /* max(3, 1) + 2 */
{
#pragma omp parallel
	{
#pragma omp master
		{
#pragma omp task
			work(3);
			work(1);
		}
#pragma omp barrier
#pragma omp masked
		work(2);
	}
}

static void grandchild(void) /* max(5, 1 + 2): taskwait does not wait for it */
{
	TEAM
	{
#pragma omp task
		{
#pragma omp task
			work(5);
			work(1);
		}
#pragma omp taskwait
		work(2);
	}
}

static void grandchild_at_barrier(void) /* max(5, 1) + 2 */
{
#pragma omp parallel
	{
#pragma omp single
#pragma omp task
		{
#pragma omp task
			work(5);
			work(1);
		}
#pragma omp single
		work(2);
	}
}

static void grandchild_waited_for(void) /* max(5, 1) + 2 */
{
	TEAM
	{
#pragma omp task
		{
#pragma omp task
			work(5);
			work(1);
#pragma omp taskwait
		}
#pragma omp taskwait
		work(2);
	}
}

static void great_grandchild(void) /* 1 + 1 + 6, not waited for, beats 1 + 1 + 2 + 3 */
{
	TEAM
	{
#pragma omp task
		{
			work(1);
#pragma omp task
			{
				work(1);
#pragma omp task
				work(6);
				work(2);
			}
#pragma omp taskwait
		}
#pragma omp taskwait
		work(3);
	}
}

static void group(void) /* max(5, 1) + 2 */
{
	TEAM
	{
#pragma omp taskgroup
		{
#pragma omp task
			{
#pragma omp task
				work(5);
				work(1);
			}
		}
		work(2);
	}
}

static void group_later(void) /* max(5, 1 + 2) + 1: a group has no business with what was before it */
{
	TEAM
	{
#pragma omp task
		work(5);
#pragma omp taskgroup
		{
#pragma omp task
			work(1);
		}
		work(2);
#pragma omp taskwait
		work(1);
	}
}

static void group_in_group(void) /* max(6, 2 + 3) + 1 */
{
	TEAM
	{
#pragma omp taskgroup
		{
#pragma omp task
			work(6);
#pragma omp taskgroup
			{
#pragma omp task
				work(2);
			}
			work(3);
		}
		work(1);
	}
}

static void group_in_task(void) /* max(4, max(2, 1) + 3, 1) + 1 */
{
	TEAM
	{
#pragma omp task
		{
#pragma omp task
			work(4);
#pragma omp taskgroup
			{
#pragma omp task
				work(2);
				work(1);
			}
			work(3);
#pragma omp taskwait
		}
		work(1);
#pragma omp taskwait
		work(1);
	}
}

static void chain(void) /* 1 + 2 + 3 */
{
	int a = 0;
	TEAM
	{
#pragma omp task depend(out : a)
		work(1);
#pragma omp task depend(inout : a)
		work(2);
#pragma omp task depend(in : a)
		work(3);
		work(4);
	}
}

static void diamond(void) /* 1 + max(2, 3) + 1 */
{
	int a = 0, b = 0, c = 0;
	TEAM
	{
#pragma omp task depend(out : a)
		work(1);
#pragma omp task depend(in : a) depend(out : b)
		work(2);
#pragma omp task depend(in : a) depend(out : c)
		work(3);
#pragma omp task depend(in : b, c)
		work(1);
	}
}

static void independent(void) /* max(3, 2, 2) */
{
	int a[3];
	TEAM
	{
#pragma omp task depend(out : a[0])
		work(3);
#pragma omp task depend(out : a[1])
		work(2);
#pragma omp task depend(out : a[2])
		work(2);
	}
}

static void readers(void) /* 1 + max(4, 2) + 1: the last writer waits for all that read */
{
	int a;
	TEAM
	{
#pragma omp task depend(out : a)
		work(1);
#pragma omp task depend(in : a)
		work(4);
#pragma omp task depend(in : a)
		work(2);
#pragma omp task depend(out : a)
		work(1);
	}
}

static void sets(void) /* 1 + max(4, 2) + 1: an inoutset's members do not wait for each other */
{
	int a;
	TEAM
	{
#pragma omp task depend(out : a)
		work(1);
#pragma omp task depend(inoutset : a)
		work(4);
#pragma omp task depend(inoutset : a)
		work(2);
#pragma omp task depend(in : a)
		work(1);
	}
}

static void grandchild_of_dependence(void) /* max(1 + 5, 2 + 3): what depends on a task does not wait for its children */
{
	int a;
	TEAM
	{
#pragma omp task depend(out : a)
		{
			work(1);
#pragma omp task
			work(5);
			work(1);
		}
#pragma omp task depend(in : a)
		work(3);
	}
}

static void wait_for_one(void) /* max(6, 3 + 4) + 1 */
{
	int a, b;
	TEAM
	{
#pragma omp task depend(out : b)
		work(6);
#pragma omp task depend(out : a)
		work(3);
#pragma omp taskwait depend(in : a)
		work(4);
#pragma omp taskwait
		work(1);
	}
}

static void undeferred_depends(void) /* max(6, 4 + 3 + 1) */
{
	int a, b;
	TEAM
	{
#pragma omp task depend(out : b)
		work(6);
#pragma omp task depend(out : a)
		work(4);
#pragma omp task depend(in : a) if (0)
		work(3);
		work(1);
	}
}

static void undeferred(void) /* 3 + 1 */
{
	TEAM
	{
#pragma omp task if (0)
		work(3);
		work(1);
	}
}

static void undeferred_parent(void) /* max(5, 1 + 2): its child is a task all the same */
{
	TEAM
	{
#pragma omp task if (0)
		{
#pragma omp task
			work(5);
			work(1);
		}
		work(2);
	}
}

static void final(void) /* max(2 + 2 + 1, 3) */
{
	TEAM
	{
#pragma omp task final(1)
		{
#pragma omp task
			work(2);
#pragma omp task
			work(2);
			work(1);
		}
		work(3);
	}
}

static void final_undeferred(void) /* 2 + 2 + 3 */
{
	TEAM
	{
#pragma omp task final(1) if (0)
		{
#pragma omp task
			work(2);
#pragma omp task
			work(2);
		}
		work(3);
	}
}

static void mergeable_undeferred(void) /* 2 + 1 */
{
	TEAM
	{
#pragma omp task mergeable if (0)
		work(2);
		work(1);
	}
}

__attribute__((noinline)) static void create(void)
{
	work(1);
#pragma omp task
	work(5);
}

static void outlives_its_creator(void) /* 1 + 5 + 1 */
{
	TEAM
	{
		create();
		work(2);
#pragma omp taskwait
		work(1);
	}
}

__attribute__((noinline)) static void create_deep(int depth)
{
	work(1);
	if (depth)
		create_deep(depth - 1);
	else
		create();
	work(1);
}

static void outlives_many(void) /* max(4 + 5, 4 + 3 + 1) + 1 */
{
	TEAM
	{
		create_deep(2);
		work(1);
#pragma omp taskwait
		work(1);
	}
}

__attribute__((noinline)) static void wait_deep(int depth)
{
	work(1);
	if (depth)
		wait_deep(depth - 1);
	else {
#pragma omp taskwait
	}
	work(1);
}

static void waited_for_deeper(void) /* 9 + 3 + 1 */
{
	TEAM
	{
#pragma omp task
		work(9);
		wait_deep(2);
		work(1);
	}
}

static void taskloop(void) /* 4 + 1 */
{
	TEAM
	{
#pragma omp taskloop
		for (int i = 0; i < 40; i++)
			work((unsigned)i % 4 + 1);
		work(1);
	}
}

static void taskloop_grainsize(void) /* within a chunk, too: 1 + 1 */
{
	TEAM
	{
#pragma omp taskloop grainsize(8)
		for (int i = 0; i < 64; i++)
			work(1);
		work(1);
	}
}

static void taskloop_num_tasks(void) /* 2 + 1 */
{
	TEAM
	{
#pragma omp taskloop num_tasks(3)
		for (long i = 10; i > 0; i--)
			work(2);
		work(1);
	}
}

static void taskloop_nogroup(void) /* max(4, 3) + 1 */
{
	TEAM
	{
#pragma omp taskloop nogroup grainsize(2)
		for (int i = 0; i < 8; i++)
			work(4);
		work(3);
#pragma omp taskwait
		work(1);
	}
}

static void taskloop_undeferred(void) /* one after the other, but the iterations of a chunk: 4 chunks */
{
	TEAM
	{
#pragma omp taskloop if (0) grainsize(1)
		for (int i = 0; i < 4; i++)
			work(1);
		work(1);
	}
}

static void taskloop_of_tasks(void) /* 1 + 3 + 1 */
{
	TEAM
	{
#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 8; i++) {
			work(1);
#pragma omp task
			work(3);
		}
		work(1);
	}
}

static void taskloop_reduction(void) /* 2 + 1 */
{
	unsigned sum = 0;
	TEAM
	{
#pragma omp taskloop reduction(+ : sum) grainsize(2)
		for (unsigned i = 0; i < 8; i++) {
			work(2);
			sum += i;
		}
		work(1);
	}
	printf("sum %u\n", sum);
}

static void later_taskloop(void) /* max(6, 2 + 1) + 1: it has a group of its own */
{
	TEAM
	{
#pragma omp task
		work(6);
#pragma omp taskloop
		for (int i = 0; i < 8; i++)
			work(2);
		work(1);
#pragma omp taskwait
		work(1);
	}
}

static void nested_region(void) /* max(6, max(2, 1) + 2) + 1: a region's end waits for the region's tasks only */
{
	TEAM
	{
#pragma omp task
		work(6);
#pragma omp parallel
#pragma omp single
		{
#pragma omp task
			work(2);
			work(1);
		}
		work(2);
#pragma omp taskwait
		work(1);
	}
}

static void critical(void) /* that one waits for the other is no part of the model: 2 */
{
	TEAM
	for (int i = 0; i < 4; i++) {
#pragma omp task
		{
#pragma omp critical
			work(2);
		}
	}
}

static void tree(unsigned depth)
{
	if (!depth) {
		work(1);
		return;
	}
#pragma omp task
	tree(depth - 1);
	tree(depth - 1);
#pragma omp taskwait
}

static void leaves(void) /* 1 */
{
	TEAM
	tree(6);
}

static unsigned fib(unsigned n)
{
	unsigned x = 0, y = n;
	work(1);
	if (n < 2)
		return n;
#pragma omp taskgroup
	{
#pragma omp task shared(x)
		x = fib(n - 1);
		y = fib(n - 2);
	}
	return x + y;
}

static void fibonacci(void) /* a call for each number from 10 to 1 */
{
	unsigned f = 0;
	TEAM
	f = fib(10);
	printf("fib %u\n", f);
}

static void all_memory(void) /* max(3, 2) + 1 + 2 */
{
	int a, b;
	TEAM
	{
#pragma omp task depend(out : a)
		work(3);
#pragma omp task depend(out : b)
		work(2);
#pragma omp task depend(inout : omp_all_memory)
		work(1);
#pragma omp task depend(in : b)
		work(2);
	}
}

static void two_addresses(void) /* 1 + 2 + 3 + 1: what waited for one address is waited for by the other */
{
	int a, b;
	TEAM
	{
#pragma omp task depend(out : a)
		work(1);
#pragma omp task depend(inout : a, b)
		work(2);
#pragma omp task depend(inout : b)
		work(3);
#pragma omp task depend(in : a, b)
		work(1);
	}
}

static void not_parallel(void) /* max(5, max(2, 1) + 1): a team of one is a team */
{
	TEAM
	{
#pragma omp task
		work(5);
#pragma omp parallel if (0)
		{
#pragma omp task
			work(2);
			work(1);
		}
		work(1);
	}
}

int main(int argc, char **argv)
{
	static const struct subject subjects[] = {
		{"serial", 10, 10, serial},
		{"taskwait", 7, 4, taskwait},
		{"taskwait_late", 6, 5, taskwait_late},
		{"taskwait_twice", 7, 6, taskwait_twice},
		{"barrier", 7, 4, barrier},
		{"single_end", 7, 4, single_end},
		{"single_nowait", 5, 3, single_nowait},
		{"region_end", 7, 4, region_end},
		{"masters", 6, 5, masters},
		{"grandchild", 8, 5, grandchild},
		{"grandchild_at_barrier", 8, 7, grandchild_at_barrier},
		{"grandchild_waited_for", 8, 7, grandchild_waited_for},
		{"great_grandchild", 13, 8, great_grandchild},
		{"group", 8, 7, group},
		{"group_later", 9, 6, group_later},
		{"group_in_group", 12, 7, group_in_group},
		{"group_in_task", 12, 6, group_in_task},
		{"chain", 10, 6, chain},
		{"diamond", 7, 5, diamond},
		{"independent", 7, 3, independent},
		{"readers", 8, 6, readers},
		{"sets", 8, 6, sets},
		{"grandchild_of_dependence", 10, 6, grandchild_of_dependence},
		{"wait_for_one", 14, 8, wait_for_one},
		{"undeferred_depends", 14, 8, undeferred_depends},
		{"undeferred", 4, 4, undeferred},
		{"undeferred_parent", 8, 5, undeferred_parent},
		{"final", 8, 5, final},
		{"final_undeferred", 7, 7, final_undeferred},
		{"mergeable_undeferred", 3, 3, mergeable_undeferred},
		{"outlives_its_creator", 9, 7, outlives_its_creator},
		{"outlives_many", 14, 10, outlives_many},
		{"waited_for_deeper", 16, 13, waited_for_deeper},
		{"taskloop", 101, 5, taskloop},
		{"taskloop_grainsize", 65, 2, taskloop_grainsize},
		{"taskloop_num_tasks", 21, 3, taskloop_num_tasks},
		{"taskloop_nogroup", 36, 5, taskloop_nogroup},
		{"taskloop_undeferred", 5, 5, taskloop_undeferred},
		{"taskloop_of_tasks", 33, 5, taskloop_of_tasks},
		{"taskloop_reduction", 17, 3, taskloop_reduction},
		{"later_taskloop", 24, 7, later_taskloop},
		{"nested_region", 12, 7, nested_region},
		{"critical", 8, 2, critical},
		{"leaves", 64, 1, leaves},
		{"fibonacci", 177, 10, fibonacci},
		{"all_memory", 8, 6, all_memory},
		{"two_addresses", 7, 7, two_addresses},
		{"not_parallel", 9, 5, not_parallel},
		{NULL, 0, 0, NULL},
	};
	return run_subject(subjects, argc > 1 ? argv[1] : "list");
}
