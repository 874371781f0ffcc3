/* SPDX-License-Identifier: MIT */
/* openmp_untied.c: untied tasks. The compiler divides them into parts at task scheduling points, and each part hands the task to
 * the runtime again. A case's comment is the sum that makes its span; a random tree computes its own. */
#include <stdbool.h>
#include "openmp.h"

/* Runs what follows in a team, by one of its threads. */
#define TEAM _Pragma("omp parallel") _Pragma("omp single")

static void serial(void)
{
	work(10);
}

static void one_by_one(void) /* 10 times 1 */
{
	TEAM
	for (int i = 0; i < 10; i++) {
#pragma omp task untied
		work(1);
#pragma omp taskwait
	}
}

static void side_by_side(void) /* max(3, 2, 1) + 1 */
{
	TEAM
	{
#pragma omp task untied
		work(3);
#pragma omp task untied
		work(2);
		work(1);
#pragma omp taskwait
		work(1);
	}
}

static void parts(void) /* 1 + max(2, 0) + 3 + 4 */
{
	TEAM
	{
#pragma omp task untied
		{
			work(1);
#pragma omp task
			work(2);
#pragma omp taskwait
			work(3);
#pragma omp taskyield
			work(4);
		}
#pragma omp taskwait
	}
}

static void child_of_an_earlier_part(void) /* max(6, 1 + 1 + 2) + 1: parts between the creation and the wait */
{
	TEAM
	{
#pragma omp task untied
		{
#pragma omp task
			work(6);
			work(1);
#pragma omp taskyield
			work(1);
#pragma omp taskyield
			work(2);
#pragma omp taskwait
			work(1);
		}
	}
}

static void grandchild(void) /* max(5, 1 + 2): taskwait does not wait for it */
{
	TEAM
	{
#pragma omp task untied
		{
#pragma omp task untied
			work(5);
			work(1);
		}
#pragma omp taskwait
		work(2);
	}
}

static void group(void) /* max(5, 1) + 2 */
{
	TEAM
	{
#pragma omp taskgroup
		{
#pragma omp task untied
			{
#pragma omp task untied
				work(5);
#pragma omp taskyield
				work(1);
			}
		}
		work(2);
	}
}

static void chain(void) /* 1 + 1 + 2 + 3 */
{
	int a = 0;
	TEAM
	{
#pragma omp task untied depend(out : a)
		{
			work(1);
#pragma omp taskyield
			work(1);
		}
#pragma omp task untied depend(inout : a)
		work(2);
#pragma omp task depend(in : a)
		work(3);
		work(4);
	}
}

static void undeferred(void) /* 1 + max(4, 2) + 1 */
{
	TEAM
	{
#pragma omp task if (0)
		{
			work(1);
#pragma omp task untied
			work(4);
			work(2);
#pragma omp taskwait
		}
		work(1);
	}
}

static void final(void) /* max(1 + 2 + 3, 4) */
{
	TEAM
	{
#pragma omp task untied final(1)
		{
			work(1);
#pragma omp task untied
			work(2);
#pragma omp taskwait
			work(3);
		}
		work(4);
	}
}

static void turns(void) /* 3 times max(2, 1) */
{
	TEAM
	{
#pragma omp task untied
		for (int i = 0; i < 3; i++) {
#pragma omp task untied
			work(2);
			work(1);
#pragma omp taskwait
		}
	}
}

static unsigned fib(unsigned n)
{
	unsigned x = 0, y = 0;
	work(1);
	if (n < 2)
		return n;
#pragma omp task untied shared(x)
	x = fib(n - 1);
#pragma omp task untied shared(y)
	y = fib(n - 2);
#pragma omp taskwait
	return x + y;
}

static void fibonacci(void) /* a call for each number from 8 to 1 */
{
	unsigned f = 0;
	TEAM
	f = fib(8);
	printf("fib %u\n", f);
}

/* ---- random trees: what a node does follows from its seed ---- */

static unsigned child(unsigned seed, unsigned number)
{
	return (seed * 2654435761u + number * 40503u + 12345u) ^ seed >> 13;
}

static unsigned chance(unsigned seed, unsigned what, unsigned of)
{
	return child(seed, 100 + what) / 65536 % of;
}

static void spawn(unsigned seed, unsigned depth);
static void visit(unsigned seed, unsigned depth);

#define BODY                                                \
	{                                                   \
		work(chance(seed, 0, 3));                   \
		if (depth)                                  \
			spawn(child(seed, 0), depth - 1);   \
		if (chance(seed, 1, 2)) {                   \
			_Pragma("omp taskwait")             \
		}                                           \
		work(chance(seed, 2, 3));                   \
		if (depth) {                                \
			_Pragma("omp task untied")          \
			visit(child(seed, 1), depth - 1);   \
		}                                           \
		if (chance(seed, 3, 2)) {                   \
			_Pragma("omp taskwait")             \
		}                                           \
		work(chance(seed, 4, 3));                   \
	}

static void visit(unsigned seed, unsigned depth)
BODY

static void spawn(unsigned seed, unsigned depth)
{
	if (chance(seed, 5, 2)) {
#pragma omp task untied firstprivate(seed, depth)
		BODY
	} else {
#pragma omp task firstprivate(seed, depth)
		BODY
	}
}

/* The end of a node that begins at `start`. Everything ends at *last or before. */
static unsigned end_of(unsigned seed, unsigned depth, unsigned start, unsigned *units, unsigned *last)
{
	unsigned at = start, children = start;
	for (unsigned i = 0; i < 3; i++) {
		unsigned mine = chance(seed, 2 * i, 3);
		*units += mine;
		at += mine;
		if (depth && i < 2) {
			unsigned end = end_of(child(seed, i), depth - 1, at, units, last);
			children = end > children ? end : children;
		}
		if (i < 2 && chance(seed, 2 * i + 1, 2) && children > at)
			at = children;
	}
	*last = at > *last ? at : *last;
	return at;
}

static unsigned tree;

static void grow(void)
{
	TEAM
	spawn(tree, 3);
}

enum { TREES = 8 };

int main(int argc, char **argv)
{
	static const struct subject subjects[] = {
		{"serial", 10, 10, serial},
		{"one_by_one", 10, 10, one_by_one},
		{"side_by_side", 7, 4, side_by_side},
		{"parts", 10, 10, parts},
		{"child_of_an_earlier_part", 11, 7, child_of_an_earlier_part},
		{"grandchild", 8, 5, grandchild},
		{"group", 8, 7, group},
		{"chain", 11, 7, chain},
		{"undeferred", 8, 6, undeferred},
		{"final", 10, 6, final},
		{"turns", 9, 6, turns},
		{"fibonacci", 67, 8, fibonacci},
		{NULL, 0, 0, NULL},
	};
	static struct subject trees[TREES + 1];
	static char names[TREES][16];
	const char *name = argc > 1 ? argv[1] : "list";
	bool grows = strncmp(name, "tree_", 5) == 0, lists = strcmp(name, "list") == 0;
	tree = grows ? (unsigned)(name[5] - '0') % TREES : 0;
	for (unsigned i = 0; i < TREES; i++) {
		snprintf(names[i], sizeof names[i], "tree_%u", i);
		trees[i] = (struct subject){names[i], 0, 0, grow};
		if (lists || (grows && i == tree)) /* what is known costs instructions, too */
			end_of(i, 3, 0, &trees[i].work, &trees[i].span);
	}
	if (grows)
		return run_subject(trees, name);
	int status = run_subject(subjects, name);
	return lists ? status | run_subject(trees, name) : status;
}
