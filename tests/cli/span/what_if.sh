#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --what-if and --under of the span lens, end to end: against the program as it is, against each other, and against closed forms.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
examples=$tests/../examples

# compile NAME SOURCE FLAGS…
compile() { skein-cc -O2 -g "${@:3}" "$2" -o "$1" -lm >compile.log 2>&1 || not_ok "$1 compiles" "$(head -c 300 compile.log)"; }

# record OPTIONS… -- COMMAND…: into prog.skein; then sites.csv, summary.csv and what_if.csv are its tables
record() {
	rm -f prog.skein
	skein record span -o prog.skein "$@" >out 2>err </dev/null || not_ok "record $*" "$(tail -1 err)"
	skein report span prog.skein --csv >sites.csv
	skein report span prog.skein --view summary --csv >summary.csv
	skein report span prog.skein --view what-if --csv >what_if.csv
}

figure() { awk -F, -v name="$1" '$1 == name { print $2 }' summary.csv; } # of summary.csv

# exact N COLUMN: of the N-th --what-if, from 1; 0 is the program as it is
exact() { awk -F, -v n="$1" -v column="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR == n + 2 { print $at[column] }' what_if.csv; }

# sum PROFILE MEASURE COLUMN [CALLEE]: over sites.csv
sum() {
	awk -F, -v profile="$1" -v measure="$2" -v column="$3" -v callee="${4-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["profile"] == profile && $at["measure"] == measure && (callee == "" || $at["callee"] == callee) { s += $at[column] }
		END { printf "%d\n", s }' sites.csv
}
first_callee() { awk -F, 'NR == 2 { print $5 }' sites.csv; } # sites.csv is sorted by local span on the span

# near NAME A B TOLERANCE: whole numbers
near() { if [ $(($2 - $3)) -le "$4" ] && [ $(($3 - $2)) -le "$4" ]; then ok "$1"; else not_ok "$1" "$2 and $3 differ by more than $4"; fi; }

# ---- what-if: factor 1 is the program, factor 0.5 of main half of it, whoever waits for whom ----

unchanged() { # NAME COMMAND…
	local name=$1
	shift
	record --what-if main=1 --what-if main=0.5 -- "$@"
	same "$name: factor 1 changes nothing" "$(exact 0 work) $(exact 0 span)" "$(exact 1 work) $(exact 1 span)"
	near "$name: half of main is half the work" "$(($(exact 2 work) * 2))" "$(exact 0 work)" 1
	near "$name: half of main is half the span" "$(($(exact 2 span) * 2))" "$(exact 0 span)" 1
}

for program in fib:18 quicksort:20000 cholesky:100 mergesort:20000 heat:32; do
	compile "${program%:*}" "$examples/cilk/${program%:*}.c"
	unchanged "cilk ${program%:*}" "./${program%:*}" "${program#*:}"
done
for program in fib:16 cholesky:100 mergesort:20000 relax:100; do
	compile "omp_${program%:*}" "$examples/openmp/${program%:*}.c" -fopenmp
	unchanged "openmp ${program%:*}" "./omp_${program%:*}" "${program#*:}"
done
compile threads "$tests/prog/calls/fib_threads.c" -pthread "-I$tests/prog"
unchanged 'threads' ./threads
compile jumps "$tests/prog/calls/longjmp.c" "-I$tests/prog"
unchanged 'jumps' ./jumps

# ---- what-if: quicksort ----

record --what-if partition=0 --what-if partition=0.5 --what-if pqsort-\>partition=0 --what-if ' pqsort -> partition=2' --what-if pqsort=0 -- ./quicksort 20000
partition=$(sum span local span partition) work=$(sum work local work partition)
near 'partition for nothing leaves at least the rest of the path' "$(($(exact 1 span) / 1000))" "$((($(exact 0 span) - partition) / 1000))" $((partition / 20000))
check 'and no less' [ "$(exact 1 span)" -ge $(($(exact 0 span) - partition)) ]
same 'its work is gone, too' $(($(exact 0 work) - work)) "$(exact 1 work)"
near 'half of it leaves half' "$(exact 2 work)" $(($(exact 0 work) - work / 2)) 1
check 'half the factor is between' [ "$(exact 1 span)" -lt "$(exact 2 span)" -a "$(exact 2 span)" -lt "$(exact 0 span)" ]
same 'a caller and a callee mean the same site' "$(exact 1 work) $(exact 1 span)" "$(exact 3 work) $(exact 3 span)"
same 'what is twice as much is added once' $(($(exact 0 work) + work)) "$(exact 4 work)"
top=$(awk -F, '$4 == "main" && $5 == "pqsort" && $7 == "work" && $8 == "top-call-site" { print $10 }' sites.csv)
same 'all that pqsort calls goes with its topmost invocation' $(($(exact 0 work) - top)) "$(exact 5 work)"

# ---- what-if: another path becomes critical ----

cat >two_paths.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static unsigned turn(unsigned n)
{
	unsigned x = n;
	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}
__attribute__((noinline)) static unsigned left(unsigned n) { return turn(n) + 1; }
__attribute__((noinline)) static unsigned right(unsigned n) { return turn(n) + 2; }
static unsigned loop(unsigned n)
{
	static unsigned sums[64];
	unsigned all = 0;
	cilk_for (unsigned i = 0; i < 64; i++) /* the loop */
		sums[i] = turn(n);
	for (unsigned i = 0; i < 64; i++)
		all += sums[i];
	return all;
}
int main(int argc, char **argv)
{
	unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 1000, a, b;
	a = cilk_spawn left(100 * n);
	b = right(80 * n);
	cilk_sync;
	printf("%u\n", a + b + loop(n));
	return 0;
}
END
compile two_paths two_paths.c
line=$(grep -n 'the loop' two_paths.c | cut -d: -f1)
record --what-if left=0.9 --what-if left=0.5 --what-if left=0 --what-if right=0 --what-if "two_paths.c:$line=0" --what-if 'loop=0' --what-if left=2 -- ./two_paths 1000
l=$(sum work top-call-site work left) r=$(sum work top-call-site work right) span=$(exact 0 span)
check 'left is longer than right' [ "$l" -gt "$r" ]
near 'nine tenths of left: left is still critical' "$(exact 1 span)" $((span - l / 10)) 1
near 'half of left: right is critical' "$(exact 2 span)" $((span - (l - r))) 20
same 'nothing of left: right all the more' "$(exact 2 span)" "$(exact 3 span)"
same 'nothing of right: no gain' "$span" "$(exact 4 span)"
same 'but less work' $(($(exact 0 work) - r)) "$(exact 4 work)"
check 'a loop by its line' [ "$(exact 5 span)" -lt "$span" ]
same 'twice left is twice left' $((span + l)) "$(exact 7 span)"

# ---- sites that are not there ----

missing() { # NAME PATTERN OPTIONS…
	expect_status 125 "$1" skein record span "${@:3}" -- ./quicksort 100
	expect_sentence "$1: one sentence"
	expect_match "$1: what it says" "$2" "$tmp/err"
}
missing 'a site with a slip of the pen' 'no call site matches --what-if partitoin; did you mean partition\?' --what-if partitoin=0
missing 'a site that is nowhere' 'no call site matches --under nobody; .*--inlined' --under nobody
missing 'a line without a call' 'no call site matches --under quicksort.c:1:' --under quicksort.c:1
missing 'another caller' 'no call site matches --what-if main->partition' --what-if 'main->partition=0'

# ---- under ----

# adds_up NAME: local figures sum to those of the site
adds_up() {
	same "$1: local spans sum to the span" "$(figure span)" "$(sum span local span)"
	same "$1: local work sums to the work" "$(figure work)" "$(sum work local work)"
}

compile bfs "$examples/cilk/bfs.c"
compile bfs_fixed "$examples/cilk/bfs_fixed.c"
record -- ./bfs 100
same 'bfs: building the graph is first in the program' build_graph "$(first_callee)"
want="$(sum work top-call-site count bfs) $(sum work top-call-site work bfs) $(sum work top-call-site span bfs)"
whole="$(figure work) $(figure span)"
record --under bfs -- ./bfs 100
same 'under bfs: its totals are those of its site in the program' "$want" "$(figure under_count) $(figure work) $(figure span)"
same 'under bfs: the program is what it was' "$whole" "$(figure program_work) $(figure program_span)"
same 'under bfs: process_block is first' process_block "$(first_callee)"
check 'under bfs: it has nearly all of the span' [ "$(sum span local span process_block)" -gt $(($(figure span) * 9 / 10)) ]
same 'under bfs: nothing else is there' 0 "$(sum work local count build_graph)"
adds_up 'under bfs'
skein report span prog.skein | tr '\n' ' ' >report
expect_match 'under bfs: the verdict is about bfs' '(^|- )Under bfs the parallelism is ' report
expect_match 'under bfs: so are shares' 'alone accounts for +[0-9.]+ % +of +the +span +of +bfs' report
expect_match 'under bfs: so is the legend' 'The span is the +span +of +bfs, +not +of +the +program' report
before=$(figure parallelism)
record --under bfs -- ./bfs_fixed 100
check 'under bfs: repaired it has five times the parallelism' awk -v a="$before" -v b="$(figure parallelism)" 'BEGIN { exit !(b >= 5 * a) }'

record -- ./fib 18
want="$(sum work top-call-site work main) $(sum work top-call-site span main)"
own=$(sum span local span main) work=$(figure work) span=$(figure span)
own_work=$(sum work local work main) others=$(awk -F, '$7 == "span" && $8 == "local" && $4 == "main" && $5 != "fib" { s += $11 } END { print s + 0 }' sites.csv)
record --under fib -- ./fib 18
same 'fib under fib: once' 1 "$(figure under_count)"
same 'fib under fib: all of the span but what main does' $((span - own - others)) "$(figure span)"
check 'fib under fib: and of the work' [ "$(figure work)" -gt $((work - own_work - others - 1)) -a "$(figure work)" -lt "$work" ]
adds_up 'fib under fib'
record --under main -- ./fib 18
same 'under main is the program' "$want" "$(figure work) $(figure span)"
adds_up 'under main'
record --under 'two_paths.c:'"$line" -- ./two_paths 100
same 'under a loop: once' 1 "$(figure under_count)"
check 'under a loop: 64 iterations' [ "$(figure work)" -eq $((64 * $(figure span))) -a "$(sum work local count turn)" -eq 64 ]
adds_up 'under a loop'
record --under left --what-if left=0 -- ./two_paths 100
adds_up 'under left, in the general way'
check 'and with a what-if' [ "$(exact 1 work)" -gt 0 ]

# ---- several objects, and C++ ----

cat >part.c <<'END'
__attribute__((noinline)) int inner(int n) { int s = 0; for (int i = 0; i < n; i++) s += i ^ n; return s; }
int outer(int n) { return inner(n) + inner(n * 2) + 1; }
END
cat >whole.cpp <<'END'
#include <cstdio>
extern "C" int outer(int);
namespace ns { struct A { __attribute__((noinline)) int go(int n) { int s = 0; for (int i = 0; i < n; i++) s += outer(i); return s; } }; }
int main() { ns::A a; std::printf("%d\n", a.go(100)); }
END
compile libpart.so part.c -fPIC -shared
skein-c++ -O2 -g whole.cpp -o whole -L. -lpart "-Wl,-rpath,$tmp" 2>compile.log || not_ok 'whole compiles' "$(head -c 300 compile.log)"
record --under inner --what-if inner=0 -- ./whole
same 'a site of a library' 200 "$(figure under_count)"
same 'and what-ifs of it' $(($(figure program_work) - $(figure work))) "$(exact 1 work)"
for name in ns::A::go 'ns::A::go(int)' _ZN2ns1A2goEi; do
	record --under "$name" -- ./whole
	same "C++: $name" 1 "$(figure under_count)"
	adds_up "C++: $name"
done
expect_status 125 'a site of no object' skein record span --under innner -- ./whole

# ---- threads and tasks ----

record --under worker -- ./threads
check 'a function of threads: as often as there are threads' [ "$(figure under_count)" -ge 2 ]
adds_up 'under a function of threads'
record --under main -- ./threads
same 'threads that were created under a site are under it' "$(figure program_work) $(figure program_span)" "$(figure work) $(figure span)"
adds_up 'under main, with threads'
record --under sort -- ./omp_mergesort 20000
adds_up 'under a function with tasks'
