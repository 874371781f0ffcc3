/* SPDX-License-Identifier: MIT */
/* openmp_loops.c: loops and sections that a team shares. A case's comment is the sum that makes its span. */
#include "openmp.h"

#include <omp.h>
#include <stdlib.h>

#define LOOP(name, clauses)                                         \
	static void name(void) /* 4 + 1 */                          \
	{                                                           \
		_Pragma(clauses) for (int i = 0; i < 20; i++)       \
			work((unsigned)i % 4 + 1);                  \
		work(1);                                            \
	}

LOOP(plain, "omp parallel for")
LOOP(chunked, "omp parallel for schedule(static, 3)")
LOOP(dynamic, "omp parallel for schedule(dynamic)")
LOOP(dynamic_chunked, "omp parallel for schedule(dynamic, 7)")
LOOP(guided, "omp parallel for schedule(guided)")
LOOP(by_auto, "omp parallel for schedule(auto)")
LOOP(by_runtime, "omp parallel for schedule(runtime)")
LOOP(monotonic, "omp parallel for schedule(monotonic : dynamic)")
LOOP(with_threads, "omp parallel for num_threads(8)")
LOOP(as_loop, "omp parallel loop")
LOOP(teams, "omp teams distribute parallel for")

static void serial(void)
{
	work(10);
}

static void downwards(void) /* 2 + 1 */
{
#pragma omp parallel for
	for (long i = 29; i >= 0; i -= 3)
		work(2);
	work(1);
}

static void by_unsigned(void) /* 2 + 1 */
{
#pragma omp parallel for schedule(dynamic)
	for (size_t i = 0; i < 10; i++)
		work(2);
	work(1);
}

static void collapsed(void) /* 2 + 1 */
{
#pragma omp parallel for collapse(2)
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 5; j++)
			work(2);
	work(1);
}

static void not_collapsed(void) /* 5 x 2 + 1 */
{
#pragma omp parallel for
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 5; j++)
			work(2);
	work(1);
}

static void reduction(void) /* 2 + 1 */
{
	unsigned sum = 0;
#pragma omp parallel for reduction(+ : sum)
	for (unsigned i = 0; i < 16; i++) {
		work(2);
		sum += i;
	}
	work(1);
	printf("sum %u\n", sum);
}

static void ordered(void) /* one after the other */
{
#pragma omp parallel for ordered
	for (int i = 0; i < 6; i++) {
#pragma omp ordered
		work(1);
	}
	work(1);
}

static void doacross(void) /* one after the other */
{
#pragma omp parallel for ordered(1)
	for (int i = 0; i < 6; i++) {
#pragma omp ordered depend(sink : i - 1)
		work(1);
#pragma omp ordered depend(source)
	}
	work(1);
}

static void nowait(void) /* a thread may have a part of both: 2 + 3 + 1 */
{
#pragma omp parallel
	{
#pragma omp for nowait
		for (int i = 0; i < 8; i++)
			work(2);
#pragma omp for
		for (int i = 0; i < 8; i++)
			work(3);
	}
	work(1);
}

static void leaf(void) /* iterations that call nothing: 3 */
{
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		sink = (unsigned)i;
	work(3);
}

enum { SIDE = 100 };
static double vector[SIDE];

static void simd(void) /* next to nothing beside 3 */
{
#pragma omp parallel for simd
	for (int i = 0; i < SIDE; i++)
		vector[i] = 2.0 * i;
	work(3);
	printf("%g\n", vector[SIDE - 1]);
}

static void sections(void) /* max(3, 1, 2) + 1 */
{
#pragma omp parallel sections
	{
#pragma omp section
		work(3);
#pragma omp section
		work(1);
#pragma omp section
		work(2);
	}
	work(1);
}

static void sections_inside(void) /* 1 + max(3, 2) + 1 */
{
#pragma omp parallel
	{
#pragma omp single
		work(1);
#pragma omp sections
		{
#pragma omp section
			work(3);
#pragma omp section
			{
				work(1);
				work(1);
			}
		}
#pragma omp single
		work(1);
	}
}

static void single_nowait(void) /* the thread that has it may have a part of the loop: 2 + 3 */
{
#pragma omp parallel
	{
#pragma omp single nowait
		work(2);
#pragma omp for
		for (int i = 0; i < 8; i++)
			work(3);
	}
}

static void of_tasks(void) /* 4 + 1: tasks of iterations are waited for at the loop's end */
{
#pragma omp parallel for
	for (unsigned i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
		work(i + 1);
		work(1);
	}
	work(1);
}

static void of_tasks_waited_for(void) /* 4 + 2 + 1 */
{
#pragma omp parallel for
	for (unsigned i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
		work(i % 4 + 1);
		work(1);
#pragma omp taskwait
		work(2);
	}
	work(1);
}

__attribute__((noinline)) static void tree(unsigned depth)
{
	if (!depth) {
		work(1);
		return;
	}
#pragma omp task
	tree(depth - 1);
	tree(depth - 1);
#pragma omp taskwait
	work(1);
}

static void of_trees(void) /* 1 + 1 + 2 + 3 + 4 + 5: taskwait in the half that is called waits for the other half's task, too */
{
#pragma omp parallel for schedule(dynamic)
	for (unsigned i = 0; i < 6; i++)
		tree(i);
}

__attribute__((noinline)) static void split(unsigned depth)
{
	if (!depth) {
		work(1);
		return;
	}
#pragma omp task
	split(depth - 1);
#pragma omp task
	split(depth - 1);
#pragma omp taskwait
	work(1);
}

static void of_splits(void) /* 1 + 5 */
{
#pragma omp parallel for schedule(dynamic)
	for (unsigned i = 0; i < 6; i++)
		split(i);
}

static void of_groups(void) /* max(5, 3 + 1) + 2: a group in an iteration does not wait for the task before the loop */
{
#pragma omp parallel
	{
#pragma omp single nowait
		{
#pragma omp task
			work(5);
		}
#pragma omp for
		for (unsigned i = 0; i < 8; i++) {
#pragma omp taskgroup
			{
#pragma omp task
				work(3);
			}
			work(1);
		}
#pragma omp single
		work(2);
	}
}

static void tasks_around(void) /* max(7, 2) + 1: the end of the loop waits for tasks that were there before */
{
#pragma omp parallel
	{
#pragma omp single nowait
		{
#pragma omp task
			work(7);
		}
#pragma omp for
		for (int i = 0; i < 4; i++)
			work(2);
#pragma omp single
		work(1);
	}
}

static void nested(void) /* 3 + 1 */
{
#pragma omp parallel for
	for (int i = 0; i < 4; i++) {
#pragma omp parallel for
		for (int j = 0; j < 4; j++)
			work(3);
		work(1);
	}
}

static void nested_with_tasks(void) /* max(6, 3 + 1) */
{
#pragma omp parallel for
	for (int i = 0; i < 4; i++) {
#pragma omp task
		work(6);
#pragma omp parallel for
		for (int j = 0; j < 4; j++) {
#pragma omp task
			work(3);
		}
		work(1);
	}
}

static void critical(void) /* that one waits for the other is no part of the model: 2 */
{
#pragma omp parallel for
	for (int i = 0; i < 8; i++) {
#pragma omp critical
		work(2);
	}
}

static void asks(void) /* 10: what is dealt out by hand goes to one thread */
{
	int threads = 0, wrong = 0;
	omp_set_num_threads(8);
	omp_set_dynamic(0);
#pragma omp parallel reduction(+ : wrong)
	{
		int n = omp_get_num_threads(), me = omp_get_thread_num();
		for (int i = me; i < 10; i += n)
			work(1);
		wrong += me >= n;
#pragma omp single
		threads = n;
	}
	printf("%s\n", threads > 0 && !wrong ? "right" : "wrong");
}

static void asks_for_more(void) /* 4 + 1 */
{
	omp_set_num_threads(8);
	plain();
}

static void repeated(void) /* 5 x (2 + 1) */
{
	for (int k = 0; k < 5; k++) {
#pragma omp parallel for
		for (int i = 0; i < 8; i++)
			work(2);
		work(1);
	}
}

static void empty(void) /* 1 */
{
	int n = getenv("no such variable") != NULL;
#pragma omp parallel for
	for (int i = 0; i < n; i++)
		work(2);
	work(1);
}

int main(int argc, char **argv)
{
	static const struct subject subjects[] = {
		{"serial", 10, 10, serial},
		{"plain", 51, 5, plain},
		{"chunked", 51, 5, chunked},
		{"dynamic", 51, 5, dynamic},
		{"dynamic_chunked", 51, 5, dynamic_chunked},
		{"guided", 51, 5, guided},
		{"by_auto", 51, 5, by_auto},
		{"by_runtime", 51, 5, by_runtime},
		{"monotonic", 51, 5, monotonic},
		{"with_threads", 51, 5, with_threads},
		{"as_loop", 51, 5, as_loop},
		{"teams", 51, 5, teams},
		{"downwards", 21, 3, downwards},
		{"by_unsigned", 21, 3, by_unsigned},
		{"collapsed", 41, 3, collapsed},
		{"not_collapsed", 41, 11, not_collapsed},
		{"reduction", 33, 3, reduction},
		{"ordered", 7, 7, ordered},
		{"doacross", 7, 7, doacross},
		{"nowait", 41, 6, nowait},
		{"leaf", 3, 3, leaf},
		{"simd", 3, 3, simd},
		{"sections", 7, 4, sections},
		{"sections_inside", 7, 5, sections_inside},
		{"single_nowait", 26, 5, single_nowait},
		{"of_tasks", 15, 5, of_tasks},
		{"of_tasks_waited_for", 45, 7, of_tasks_waited_for},
		{"of_trees", 120, 16, of_trees},
		{"of_splits", 120, 6, of_splits},
		{"of_groups", 39, 7, of_groups},
		{"tasks_around", 16, 8, tasks_around},
		{"nested", 52, 4, nested},
		{"nested_with_tasks", 76, 6, nested_with_tasks},
		{"critical", 16, 2, critical},
		{"asks", 10, 10, asks},
		{"asks_for_more", 51, 5, asks_for_more},
		{"repeated", 85, 15, repeated},
		{"empty", 1, 1, empty},
		{NULL, 0, 0, NULL},
	};
	return run_subject(subjects, argc > 1 ? argv[1] : "list");
}
