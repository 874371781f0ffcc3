#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Regions of skein_begin and skein_end in the span lens: --view regions, and --under REGION of record and of report.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/span/subjects.sh"
cd "$tmp" || exit

# record OPTIONS… -- COMMAND…: into prog.skein; then sites.csv, summary.csv and regions.csv are its tables
record() {
	rm -f prog.skein
	skein record span -o prog.skein "$@" >out 2>err </dev/null || not_ok "record $*" "$(tail -1 err)"
	skein report span prog.skein --csv >sites.csv
	skein report span prog.skein --view summary --csv >summary.csv
	skein report span prog.skein --view regions --csv >regions.csv
}
of() { csv_value regions.csv "region=$1" "$2"; }                   # REGION COLUMN
all() { echo "$(of "$1" count) $(of "$1" work) $(of "$1" span)"; } # REGION
figure() { awk -F, -v name="$1" '$1 == name { print $2 }' summary.csv; }
sum() { # PROFILE MEASURE COLUMN [CALLER CALLEE]: over sites.csv
	awk -F, -v profile="$1" -v measure="$2" -v column="$3" -v caller="${4-}" -v callee="${5-}" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["profile"] == profile && $at["measure"] == measure && (caller == "" || $at["caller"] == caller) && (callee == "" || $at["callee"] == callee) { s += $at[column] }
		END { printf "%d\n", s }' sites.csv
}
# between NAME LEAST ACTUAL MOST
between() { if [ "$2" -le "$3" ] && [ "$3" -le "$4" ]; then ok "$1"; else not_ok "$1" "$3 is not between $2 and $4"; fi; }

# under REGION COMMAND…: a recording under it has its figures, and sites that add up to them
under() {
	local want
	record -- "${@:2}"
	want=$(all "$1")
	record --under "$1" -- "${@:2}"
	same "under $1: the figures are those of the region" "$want" "$(figure under_count) $(figure work) $(figure span)"
	same "under $1: local work adds up" "$(figure work)" "$(sum work local work)"
	same "under $1: local spans add up" "$(figure span)" "$(sum span local span)"
	same "under $1: nothing is lost" 0 "$(figure lost_events)"
}

# ---- Cilk ----

span_subject span/regions.c
cp "$tmp/span/regions/regions" ./regions
record -- ./regions
same 'nothing is lost' 0 "$(figure lost_events)"
same 'a mark is no site' 0 "$(grep -c skein_region sites.csv)"
between 'a region of nothing costs a few instructions' 0 "$(of nothing work)" 8
between 'a region around one call has its work' "$(sum work top-call-site work main fib)" "$(of fib work)" $(($(sum work top-call-site work main fib) + 10))
between 'and its span' "$(sum work top-call-site span main fib)" "$(of fib span)" $(($(sum work top-call-site span main fib) + 10))
turn=$(($(sum work local work child turn) / 5000)) # instructions of one turn
between 'a spawn and its sync: the work is that of both' $((turn * 9000)) "$(of pair work)" $((turn * 9000 + 40))
between 'the span is that of the longer' $((turn * 5000)) "$(of pair span)" $((turn * 5000 + 40))
between 'what waits for a child that was spawned before has its own work' $((turn * 1500)) "$(of beside work)" $((turn * 1500 + 40))
between 'and the time of the wait' $((turn * 8500)) "$(of beside span)" $((turn * 8500 + 40))
same 'regions in a child and beside it count' 2 "$(of 'in a child' count)"
between 'their spans are added up' $((turn * 5000)) "$(of 'in a child' span)" $((turn * 5000 + 40))
between 'the region around them takes the longer' $((turn * 3000)) "$(of children span)" $((turn * 3000 + 60))
same 'a region in one of the same name does not count' 1 "$(of nested count)"
between 'but has its work' $((turn * 600)) "$(of nested work)" $((turn * 600 + 200))
same 'a region ends with its routine' '10 0' "$(of 'left open' count) $(of 'left open' unfinished)"
same 'regions in iterations' 10 "$(of iteration count)"
between 'have their work' $((turn * 45000)) "$(of iteration work)" $((turn * 45000 + 200))
same 'a region ends with the program' '1 0' "$(of 'to the end' count) $(of 'to the end' unfinished)"
record -- ./regions 1
between 'also if exit ends it' $((turn * 100)) "$(of 'to the end' work)" $((turn * 100 + 150))
for region in pair children 'in a child' nested 'left open' iteration; do
	under "$region" ./regions
done

# ---- a routine that is not profiled ----

for option in '--skip child' '--only main --only turn'; do
	record $option -- ./regions
	same "$option: nothing is lost" 0 "$(figure lost_events)"
	between "$option: a region in a routine that is not profiled" $((turn * 5000)) "$(of 'in a child' span)" $((turn * 5000 + 40))
	between "$option: a region around its calls" $((turn * 3000)) "$(of children span)" $((turn * 3000 + 60))
	between "$option: local work adds up" "$(figure work)" "$(sum work local work)" "$(figure work)"
done

# ---- report ----

record -- ./regions
skein report span prog.skein --under pair --view summary --csv >under.csv
same 'report --under: work and span of the region' "$(of pair work) $(of pair span) pair 1" \
	"$(awk -F, '$1 ~ /^(work|span|under|under_count)$/ { print $2 }' under.csv | xargs)"
skein report span prog.skein --under pair --view regions --csv >one.csv
equal 'report --under: one row' one.csv <(grep -E '^(region|pair),' regions.csv)
expect_status 0 'report --under --view speedup' skein report span prog.skein --under pair --view speedup
expect_match 'the verdict is about the region' 'Under pair the parallelism is 1.8' "$tmp/out"
expect_status 2 'a region that is not there' skein report span prog.skein --under pear
expect_match 'the nearest is named' 'no region has the name pear; did you mean pair\?' "$tmp/err"

# ---- a region whose name no mark has ----

expect_status 125 'record --under with a slip of the pen' skein record span --under pear -- ./regions
expect_match 'names the nearest region' 'no call site matches --under pear; did you mean pair\?' "$tmp/err"

# ---- OpenMP ----

cat >tasks.c <<'EOF'
#include <skein/skein.h>
__attribute__((noinline)) static unsigned turn(unsigned n)
{
	unsigned x = n;
	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}
static unsigned sums[64];
int main(void)
{
#pragma omp parallel
#pragma omp single
	{
#pragma omp task
		sums[0] = turn(8000);
		skein_begin("tasks");
#pragma omp task
		sums[1] = turn(5000);
#pragma omp task
		{
			skein_begin("in a task");
			sums[2] = turn(3000);
			skein_end();
		}
#pragma omp taskwait
		skein_end();
		skein_begin("loop");
#pragma omp taskloop grainsize(1)
		for (int i = 0; i < 8; i++)
			sums[i] = turn(1000);
		skein_end();
	}
	skein_begin("for");
#pragma omp parallel for
	for (int i = 0; i < 64; i++)
		sums[i] = turn(100);
	skein_end();
	return 0;
}
EOF
skein-cc -O2 -g -fopenmp "-I$tests/../include" tasks.c -o tasks 2>compile.log || not_ok 'OpenMP compiles' "$(cat compile.log)"
record -- ./tasks
same 'OpenMP: nothing is lost' 0 "$(figure lost_events)"
between 'tasks: work of both' $((turn * 8000)) "$(of tasks work)" $((turn * 8000 + 100))
between 'tasks: a wait for an older one takes its time' $((turn * 8000)) "$(of tasks span)" $((turn * 8000 + 100))
between 'a region in a task' $((turn * 3000)) "$(of 'in a task' span)" $((turn * 3000 + 20))
between 'taskloop: work of all' $((turn * 8000)) "$(of loop work)" $((turn * 8000 + 400))
between 'taskloop: span of one' $((turn * 1000)) "$(of loop span)" $((turn * 1000 + 200))
between 'for: work of all' $((turn * 6400)) "$(of for work)" $((turn * 6400 + 2000))
between 'for: span of one' $((turn * 100)) "$(of for span)" $((turn * 100 + 200))
for region in loop for; do
	under "$region" ./tasks
done

# ---- threads ----

cat >threads.c <<'EOF'
#include <pthread.h>
#include <signal.h>
#include <skein/skein.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) static unsigned turn(unsigned n)
{
	unsigned x = n;
	while (n--)
		__asm__ volatile("" : "+r"(x));
	return x;
}
static void *run(void *arg)
{
	skein_begin("in a thread");
	turn(*(unsigned *)arg);
	skein_end();
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t a, b;
	unsigned long_one = 6000, short_one = 4000;
	(void)argv;
	skein_begin("threads");
	pthread_create(&a, NULL, run, &long_one);
	pthread_create(&b, NULL, run, &short_one);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	skein_end();
	skein_begin("stopped");
	if (argc > 1)
		raise(SIGKILL);
	turn(100);
	if (fork() == 0)
		_exit(turn(10000));
	wait(NULL);
	if (execl("/nowhere", "nowhere", NULL) < 0)
		turn(200);
	skein_end();
	return 0;
}
EOF
skein-cc -O2 -g -pthread "-I$tests/../include" threads.c -o threads 2>compile.log || not_ok 'threads compile' "$(cat compile.log)"
record -- ./threads
same 'threads: nothing is lost' 0 "$(figure lost_events)"
between 'a region with threads has their work' $((turn * 10000)) "$(of threads work)" $((turn * 10000 + 1000))
between 'and the span of the longer one' $((turn * 6000)) "$(of threads span)" $((turn * 6000 + 1000))
same 'regions in threads are added up' 2 "$(of 'in a thread' count)"
between 'with their work' $((turn * 10000)) "$(of 'in a thread' work)" $((turn * 10000 + 40))
between 'fork, and exec that fails: the region goes on' $((turn * 300)) "$(of stopped work)" $((turn * 300 + 1000))
same 'and ends once' '1 0' "$(of stopped count) $(of stopped unfinished)"
rm -f prog.skein
expect_status 137 'a process is killed in a region' skein record span -o prog.skein -- ./threads 1
skein report span prog.skein --view regions --csv >regions.csv
same 'that region is unfinished' '0 1 0' "$(of stopped count) $(of stopped unfinished) $(of stopped work)"
same 'others are there' 1 "$(of threads count)"
