/* SPDX-License-Identifier: MIT */
/* long_tasks.c: a tree of tasks with 1,024 equal leaves, each much longer than it costs to schedule a task.
 * True cause: nothing limits the program; the tasks are not too small. */
static volatile unsigned sink;

__attribute__((noinline)) static void work(void)
{
	for (unsigned i = 0; i < 20000; i++)
		sink = i;
}

static void tree(int depth)
{
	if (!depth) {
		work();
		return;
	}
#pragma omp task
	tree(depth - 1);
	tree(depth - 1);
#pragma omp taskwait
}

int main(void)
{
#pragma omp parallel
#pragma omp single
	tree(10);
	return 0;
}
