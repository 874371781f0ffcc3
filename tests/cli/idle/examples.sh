#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Cholesky example, as section 5.4 of the paper has it: from the bottom up and by idleness, the serial routine that frees the matrix comes first,
# by itself or as the caller of the library's free.
# alone
. "$(dirname "$0")/../../lib/lib.sh"
examples=$(realpath "$tests/../examples")
. "$tests/lib/idle/roots.sh"
cd "$tmp" || exit

# first_blamed: the routines of the first row of the bottom-up view and of its callers
first_blamed() {
	skein report idle run.skein --view bottom-up --csv >bottom-up.csv || return
	awk -F, 'NR > 1 && $1 == 0 && ++roots == 2 {exit} NR > 1 {print $2}' bottom-up.csv
}

# record PROGRAM: into run.skein; fails, with a reason, if the program does
record() {
	skein record idle -o run.skein -- "$1" >out 2>err && grep -q 'right$' out || { head -c 300 out err; return 1; }
}

# In three of at most fifteen runs: where other programs want the cores, a runtime's threads may wait for each other for longer than the matrix takes to be freed. With four busy loops
# beside it on two cores, 9 of 12 runs named it; then fewer than three of fifteen do so with a chance of 1 in 10^6.
skein-cc -O2 -g "$examples/cilk/cholesky_sparse.c" -o cilk -lm
named=0 seen=
for ((run = 1; run <= 15 && named < 3; run++)); do
	check "Cilk: run $run is right" record ./cilk
	first_blamed | grep -qx free_matrix && named=$((named + 1))
	seen+=" $(first_blamed | head -n 1)"
done
same 'Cilk: free_matrix is named first in three runs' 3 "$named"
echo "# first were:$seen"
skein report idle run.skein --csv >top-down.csv
same 'Cilk: all of the program is below one root' _start "$(roots run.skein cilk)"
same 'Cilk: no frame of the runtime is in a logical path' '' "$(awk -F, '$2 ~ /__kmp|skein_cilk/ {print $2}' top-down.csv | head -n 3)"
check 'Cilk: both workers worked' awk -F, 'NR > 1 && $5 > 0 {n++} END {exit n < 2}' <(skein report idle run.skein --view threads --csv)

# A sample can come while libomp has begun a task and not called its code, or has come back from it. Three in ten such runs have one that shows if these are not told apart.
skein-cc -O2 -g "$examples/cilk/fib.c" -o fib
found=
for _ in {1..20}; do
	skein record idle --rate 4000 -o run.skein -- ./fib >out 2>err || found+=" failed"
	found+=" $(roots run.skein fib)"
done
same 'Cilk: so it is while tasks begin and end' _start "$(tr ' ' '\n' <<<"$found" | sort -u | paste -sd ' ' | xargs)"

# With OpenMP: all of its time is time in which another core idles.
clang-19 -O2 -g -fopenmp "$examples/openmp/cholesky_sparse.c" -o openmp -lm
check 'OpenMP: the run is right' record ./openmp
skein report idle run.skein --csv >top-down.csv
check 'OpenMP: free_matrix is serial' awk -F, '$2 == "free_matrix" && !found {found = 1; wrong = $7 < 0.9 * $6} END {exit !found || wrong}' top-down.csv
