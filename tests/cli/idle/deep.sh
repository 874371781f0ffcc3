#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A stack that takes longer to walk than the time between two samples: the program goes on, and its work is where it was done.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cat >deep.c <<'END'
#include <stdio.h>
static volatile double sum;
__attribute__((noinline)) int deep(int n)
{
	if (n)
		return deep(n - 1) + 1;
	for (int i = 0; i < 100000000; i++)
		sum += i;
	return 0;
}
int main(void)
{
	printf("%d\n", deep(30000));
	return 6;
}
END
cc -O1 -g -fno-optimize-sibling-calls deep.c -o deep
for rate in 1000 20000; do
	expect_status 6 "$rate samples a second: the program ends" timeout -s KILL 120 skein record idle -q --rate $rate -o run.skein -- ./deep
	same "$rate: it says the same" 30000 "$(cat out)"
	skein report idle --view flat --csv run.skein >rows
	expect_match "$rate: its work is in deep" '^[^,]*,?.*\bdeep\b' rows
done

# Tasks in tasks: the path of each begins at main, whatever lies below it on the stack, and is as long as the tasks are deep.
cat >nest.c <<'END'
#include <stdio.h>
static volatile long sum;
__attribute__((noinline)) static void nested(int depth)
{
	for (int i = 0; i < 100000; i++)
		sum += i;
	if (depth == 0)
		return;
#pragma omp task
	nested(depth - 1);
#pragma omp taskwait
}
int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	nested(4000);
	puts("done");
	return 6;
}
END
clang-19 -O1 -g -fopenmp nest.c -o nest
export OMP_STACKSIZE=256M OMP_WAIT_POLICY=passive
expect_status 6 'nested tasks: the program ends' bash -c 'ulimit -s 262144 && exec timeout -s KILL 120 skein record idle -q -o nest.skein -- ./nest'
same 'nested tasks: it says the same' 'done' "$(cat out)"
skein report idle nest.skein --view summary --csv | tr -d '\r' >figures
same 'nested tasks: no path is cut' 0 "$(awk -F, '$1 == "paths_cut" {print $2}' figures)"
skein report idle nest.skein --view top-down --csv --top 0 | tr -d '\r' >rows
check 'nested tasks: the longest path has a scope for each' awk -F, 'NR > 1 && $1 > most {most = $1} END {exit !(most > 3000)}' rows
finish
