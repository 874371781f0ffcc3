#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein record idle: what it runs and how, what it refuses, and what it leaves behind. Accuracy and survival are suites of their own.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/idle/roots.sh"
cd "$tmp" || exit
examples=$(realpath "$tests/../examples")

# top FILE QUERY: over the rows of the merged top-down view
top() {
	skein report idle "$1" --view top-down --csv >rows.csv
	sqlite3 :memory: ".mode csv" ".import rows.csv t" ".mode list" "$2"
}
summary() { skein report idle "$1" --view summary --csv | sed -n "s/^$2,//p"; }
nothing_left() { same "$1: nothing is left but the recording" '' "$(find . -maxdepth 1 -name '.*.session-*')"; }

cat >burn.c <<'C'
#include <stdlib.h>
#include <sys/mman.h>
static volatile unsigned long sink;
__attribute__((noinline)) void burn(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink += i; }
__attribute__((noinline)) void touch(unsigned pages)
{
	char *p = mmap(0, pages * 4096ul, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (unsigned i = 0; i < pages; i++)
		p[i * 4096ul] = 1;
	munmap(p, pages * 4096ul);
}
int main(int argc, char **argv)
{
	burn(argc > 1 ? strtoul(argv[1], 0, 10) : 400000000);
	touch(20000);
	return 7;
}
C
cc -O2 -g burn.c -o burn

# ---- any program, as it is ----
expect_status 7 'the exit status is that of the program' skein record idle -- ./burn
nothing_left 'a plain program'
same 'the routine that burns has nearly all of the work' 1 "$(top burn.skein "select max(work_ns + 0) * 10 > (select max(work_ns + 0) from t) * 7 from t where routine = 'burn' and kind = 'routine'")"
same 'one core worked, the other was idle' 1 "$(top burn.skein "select idle_ns + 0 >= (work_ns + 0) * 9 / 10 * ($(summary burn.skein cores) - 1) from t order by depth + 0 limit 1")"
expect_status 7 'a rate can be chosen' skein record idle --rate 100 -o slow.skein -- ./burn
same 'and is the one of the recording' 10000000 "$(summary slow.skein period_ns)"
expect_status 2 'a rate of nothing is wrong use' skein record idle --rate 0 -- ./burn
expect_sentence 'in one sentence'
printf '#!/bin/sh\n./burn\nexit 3\n' >script
chmod +x script
expect_status 3 'a script runs in its interpreter' skein record idle -- ./script
same 'what it starts is recorded, too' 1 "$(top script.skein "select count(*) from t where routine = 'burn' and kind = 'routine'")"
nothing_left 'a script'

# ---- the clock's signal is the subject's, too ----
cc -O1 -g "$tests/prog/idle/traps.c" -o traps
./traps >native
expect_status 3 'a subject that uses SIGTRAP' skein record idle -- ./traps
equal 'sees what it sees without us' native "$tmp/out"
same 'and is sampled' 1 "$(top traps.skein "select max(work_ns + 0) > 100000000 from t where routine = 'burn'")"

expect_status 7 'a program under Valgrind' skein record idle -o valgrind.skein -- valgrind -q --tool=none ./burn 2000000
nothing_left 'Valgrind'

# ---- events ----
expect_status 7 'an event of the kernel can be sampled' skein record idle --event page-faults:50 -o faults.skein -- ./burn 1000
same 'page faults are where they happen' 1 "$(top faults.skein 'select "page-faults" + 0 between 19000 and 20500 from t where routine = '"'touch'"' and kind = '"'routine'")"
expect_status 2 'an unknown event is wrong use' skein record idle --event page-fault -- ./burn
expect_match 'the nearest one is named' 'page-faults' "$tmp/err"
expect_status 2 'so is a period of nothing' skein record idle --event page-faults:0 -- ./burn
if perf_reason=$(skein record idle --event cycles -o cycles.skein -- ./burn 1000 2>&1 >/dev/null); [ -e cycles.skein ]; then
	same 'this machine counts cycles' 1 "$(top cycles.skein 'select "cycles" + 0 > 0 from t order by depth + 0 limit 1')"
else
	expect_match 'a machine without counters says so in one sentence' '^skein: (this machine cannot|no permission to) count cycles' <(echo "$perf_reason")
fi

# ---- what cannot be ----
cc -O2 -static burn.c -o static
expect_status 126 'a static program is refused' skein record idle -- ./static
expect_sentence 'a static program: in one sentence'
if is_root; then
	cp burn setuid && chown nobody setuid && chmod u+s setuid
	expect_status 126 'a program with other rights is refused' skein record idle -- ./setuid
	expect_sentence 'other rights: in one sentence'
else
	skip 'a program with other rights' 'it needs root'
fi
expect_status 127 'a program that is not there' skein record idle -- ./nowhere
echo text >text
chmod +x text
expect_status 126 'a text is no program' skein record idle -- ./text
nothing_left 'what cannot be'

# ---- a program that gcc built for OpenMP ----
cat >team.c <<'C'
static volatile unsigned long sink[2][64];
__attribute__((noinline)) void one(unsigned long n) { for (unsigned long i = 0; i < n; i++) sink[0][0] += i; }
int main(void)
{
#pragma omp parallel num_threads(2)
	{
#pragma omp single
		one(150000000);
	}
	return 0;
}
C
gcc -O2 -g -fopenmp team.c -o team
expect_status 0 'runs on libomp' skein record idle -- ./team
same 'its waiting threads are seen' 1 "$(top team.skein "select idle_ns + 0 >= (work_ns + 0) * 8 / 10 from t where routine = 'one' and kind = 'routine' and $(summary team.skein cores) > 1 or routine = 'one' and $(summary team.skein cores) = 1 limit 1")"
same 'and the runtime has no frames in it' 0 "$(top team.skein "select count(*) from t where object like '%libomp%' or object like '%libgomp%'")"
nothing_left 'libgomp'

# ---- Cilk ----
skein-cc -O2 -g "$examples/cilk/nqueens.c" -o nqueens -lm
expect_status 0 'a Cilk program runs in parallel, though it was linked to run serially' env CILK_NWORKERS=2 skein record idle -- ./nqueens 10
same 'two workers took part' 2 "$(summary nqueens.skein threads)"
same 'it has one root' _start "$(roots nqueens.skein nqueens)"
same 'no frame of a runtime is in it' 0 "$(top nqueens.skein "select count(*) from t where object like '%libomp%' or object like '%libskein%' or context like '%skein%' or context like '%kmp%'")"
same 'its routines are those of the program, not of the copy' "$(realpath nqueens)" "$(top nqueens.skein "select distinct object from t where kind = 'routine' and routine = 'main'")"
expect_status 0 'or as it was linked' skein record idle --serial -o serial.skein -- ./nqueens 10
same 'then there is one thread' 1 "$(summary serial.skein threads)"
nothing_left 'Cilk'
