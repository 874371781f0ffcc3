#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Bodies that gcc made of OpenMP constructs are named by their function and construct: gcc's own names do not tell a parallel
# region from a task.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >team.c <<'C'
#include <time.h>
static volatile unsigned long sink;
/* CPU time: on a busy machine, too, each body gets samples. */
#define SPIN(ms) for (clock_t until = clock() + (ms) * (CLOCKS_PER_SEC / 1000); clock() < until;) for (int i = 0; i < 1000; i++) sink += i;
__attribute__((noinline)) void region(void)
{
#pragma omp parallel num_threads(1)
	SPIN(60)
}
__attribute__((noinline)) void loop(int n)
{
#pragma omp parallel for num_threads(1) schedule(dynamic)
	for (int k = 0; k < n; k++)
		SPIN(20)
}
__attribute__((noinline)) void many(int n)
{
	for (int k = 0; k < n; k++) {
#pragma omp task firstprivate(k)
		SPIN(20 + k)
	}
#pragma omp taskwait
}
__attribute__((noinline)) void chunks(int n)
{
#pragma omp taskloop
	for (int k = 0; k < n; k++)
		SPIN(20)
}
/* In one function, so that the order of calls alone does not tell. */
__attribute__((noinline)) void both(int n)
{
#pragma omp parallel num_threads(1) shared(n)
	SPIN(20 * n)
	for (int k = 0; k < n; k++) {
#pragma omp task
		SPIN(20)
#pragma omp task shared(n)
		SPIN(10 * n)
	}
}
int main(void)
{
	region();
	loop(3);
	many(3);
	chunks(3);
	both(3);
}
C
cat >want <<'END'
both (parallel)
both (task)
chunks (task)
loop (parallel)
many (task)
region (parallel)
END
while read -r flags; do
	check "$flags: it is built" gcc $flags -fopenmp team.c -o team
	expect_status 0 "$flags: it is recorded" skein record idle -o run.skein -- ./team
	COLUMNS=200 skein report idle run.skein --view flat --top 0 >text
	grep -oE '[a-z]+ \((parallel|task|OpenMP)(, line [0-9]+)?\)' text | sed 's/, line [0-9]*//' | LC_ALL=C sort -u >got
	equal "$flags: names" want got
	same "$flags: each of three bodies has its own construct" openmp-parallel,openmp-task,openmp-task \
		"$(sqlite3 run.skein "SELECT kind FROM routine WHERE linkage LIKE 'both.\_omp\_fn%' ESCAPE '\' ORDER BY kind" | paste -sd,)"
done <<'END'
-O2 -g
-O0 -g
-O2 -no-pie
-O2 -fno-plt
-O3 -g -fno-pie -no-pie
END
