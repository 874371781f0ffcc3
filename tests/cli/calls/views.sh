#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What can be asked of the calls lens: every view in every format, chosen routines, marked parts.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"

build_subject calls/regions.c || not_ok 'regions is built' "$(cat "$tmp/build.log")"
build_subject calls/fib_threads.c || not_ok 'fib_threads is built' "$(cat "$tmp/build.log")"
cd "$tmp/calls/regions" || exit

# arcs OPTION…: record with them; the arcs, as caller>callee calls
arcs() {
	rm -f run.skein
	skein record calls "$@" -o run.skein -- ./regions >/dev/null 2>"$tmp/err" || cat "$tmp/err"
	skein report calls run.skein --view arcs --csv >arcs.csv
	awk -F, 'NR > 1 {calls[$1 ">" $2] += $7} END {for (arc in calls) print arc, calls[arc]}' arcs.csv | sort
}

arcs >all
expect_match 'a marked part is called by its routine' '^marked>first part 10$' all
expect_match 'a part inside a part' '^first part>inner part 10$' all
expect_match 'what a part calls' '^inner part>middle 10$' all
expect_match 'a part that a return leaves open is closed' '^left open>leaf 10$' all
expect_match 'what follows it has the right caller' '^main>marked 10$' all

for mode in '' --counts; do
	arcs $mode --skip middle >skipped
	expect_match "--skip${mode:+ with $mode}: arcs go past what is not profiled" '^(inner part|marked)>leaf (20|40)$' skipped
	check "--skip${mode:+ with $mode}: it has no row" [ -z "$(grep '>middle ' skipped)" ]
	arcs $mode --only 'main' --only 'leaf' >chosen
	check "--only${mode:+ with $mode}: nothing else has a row" [ -z "$(grep -E '>(middle|marked) ' chosen)" ]
	same "--only${mode:+ with $mode}: no call is lost" 40 "$(awk '/>leaf / {n += $NF} END {print n}' chosen)"
done

cd "$tmp/calls/fib_threads" || exit
skein record calls -o run.skein -- ./fib_threads 2 30 >/dev/null 2>"$tmp/err" || not_ok 'fib_threads is recorded' "$(cat "$tmp/err")"
for view in routines family arcs callees workers threads together concurrency summary; do
	expect_status 0 "--view $view, text" skein report calls run.skein --view $view
	check "--view $view fits a terminal" [ "$(awk '{if (length($0) > n) n = length($0)} END {print n + 0}' "$tmp/out")" -le 132 ]
	expect_status 0 "--view $view, CSV" skein report calls run.skein --view $view --csv
	cp "$tmp/out" view.csv
	check "--view $view: every row of the CSV has as many fields as its header" awk -F, '
		{gsub(/"[^"]*"/, "")} NR == 1 {n = NF} NF != n {print "line " NR ": " $0; exit 1} END {exit NR < 2}' view.csv
	expect_status 0 "--view $view, JSON" skein report calls run.skein --view $view --json
	printf '.mode list\nselect json_valid(cast(readfile(%s) as text));\n' "'$tmp/out'" >valid.sql
	same "--view $view: the JSON is valid" 1 "$(sqlite3 :memory: <valid.sql)"
done
skein report calls run.skein --csv >calls.csv
same 'the columns that scripts may rely on' routine,file,line,worker,entry,calls,elapsed_ns,direct_ns,callee_calls,callee_ns,wait_ns,union_ns \
	"$(head -n 1 calls.csv | tr -d '\r' | cut -d, -f1-12)"
skein report calls run.skein --view arcs --csv >arcs.csv
same 'columns of arcs' caller,callee,file,line,entry,callee_call,calls,elapsed_ns "$(head -n 1 arcs.csv | tr -d '\r' | cut -d, -f1-8)"
skein report calls run.skein --view callees --csv >callees.csv
same 'columns of callees' routine,file,line,worker,entry,callee_call,case,callee_calls,callee_elapsed_ns,callee_outer_ns \
	"$(head -n 1 callees.csv | tr -d '\r' | cut -d, -f1-10)"
skein report calls run.skein --view threads --csv >threads.csv
same 'columns of threads' thread,process,tid,worker,creator,start_ns,end_ns,alive_ns,cpu_ns,wait_ns,name "$(head -n 1 threads.csv | tr -d '\r')"
same 'the creator of each thread' '0: 1:0 2:0' "$(awk -F, 'NR > 1 {printf "%s%s:%s", (NR > 2 ? " " : ""), $1, $5}' threads.csv)"
skein report calls run.skein --view together --csv >together.csv
same 'columns of together' routine_a,routine_b,together_ns "$(head -n 1 together.csv | tr -d '\r' | cut -d, -f1-3)"
skein report calls run.skein --view summary --csv >summary.csv
for name in threads workers calls wall_ns cpu_ns lost_events; do
	check "summary has $name" [ -n "$(csv_value summary.csv "name=$name" value)" ]
done
same 'a number on a page can be had from SQL' "$(csv_value summary.csv name=calls value)" "$(sqlite3 run.skein 'select sum(calls) from calls_routine')"

# The newest recording of the folder is the default, and --top and --sort do what they say.
expect_status 0 'a report without a file' skein report calls
expect_status 0 '--top' skein report calls run.skein --top 1 --sort calls --csv
same '--top 1 --sort calls is the routine with most calls' "$(sqlite3 run.skein 'select name from calls_routine join routine using (routine) group by routine order by sum(calls) desc limit 1')" "$(awk -F, 'NR == 2 {print $1}' "$tmp/out")"

# Figure 6 of the paper: what each routine called in each case, in each worker.
build_subject calls/cases.c || not_ok 'cases is built' "$(cat "$tmp/build.log")"
cd "$tmp/calls/cases" || exit
skein record calls -o run.skein -- ./cases >/dev/null 2>"$tmp/err" || not_ok 'cases is recorded' "$(cat "$tmp/err")"
skein report calls run.skein --view callees --csv >callees.csv
callees_of() { csv_value callees.csv "routine=$1,worker=$2,case=$3" callee_calls; }
same 'S-S: calls of main before and after the thread' 140 "$(callees_of main 0 S-S)"
same 'S-C: calls of main beside the thread, in its own worker' 101 "$(callees_of main 0 S-C)"
same 'S-C: what main forked ran in another worker' 1 "$(callees_of main 1 S-C)"
same 'S-C: both workers together' 102 "$(callees_of main all S-C)"
same 'C-S: calls of the thread' 40 "$(callees_of worker 1 C-S)"
same 'C-S: calls of a routine that was entered beside the thread' 3 "$(callees_of repeat 0 C-S)"
skein report calls run.skein --view callees --by-worker >text
expect_match '--by-worker: the workers in text' '^main +1 +S-C +1 ' text
skein report calls run.skein --view callees --worker 1 --csv >worker.csv
check '--worker 1: no other' [ "$(awk -F, 'NR > 1 && $4 != 1' worker.csv | wc -l)$(wc -l <worker.csv)" = 03 ]
same 'the same from SQL' 101 "$(sqlite3 run.skein "select calls from calls_callee join routine on caller = routine where name = 'main' and worker = 0 and callee_call = 'concurrent'")"
skein record calls --counts -o counts.skein -- ./cases >/dev/null 2>"$tmp/err" || not_ok 'cases is counted' "$(cat "$tmp/err")"
skein report calls counts.skein --view callees --csv >callees.csv
same '--counts: calls by worker, without a case' '242,,' "$(awk -F, '$1 == "main" && $4 == "all" {print $8 "," $7 "," $9}' callees.csv)"

# Annotated source.
cp "$tests/prog/calls/cases.c" . && touch -d 2001-01-01 cases.c
skein report calls run.skein --source cases.c --csv >source.csv
at() { csv_value source.csv "line=$(grep -n -m 1 "$1" cases.c | cut -d: -f 1)" "$2" | or_empty; }
same 'source: calls of a routine at its head' 140 "$(at 'static void serial' calls)"
same 'source: no calls are made there' '(empty)' "$(at 'static void serial' callee_calls)"
same 'source: calls that a line makes' 40 "$(at '	in_thread();' callee_calls)"
same 'source: no routine begins there' '(empty)' "$(at '	in_thread();' calls)"
same 'source: calls that two lines make' '140 2' "$(at '	serial();' callee_calls) $(at '	serial();' shared_by)"
same 'source: direct time' "$(skein report calls run.skein --csv >calls.csv && csv_value calls.csv routine=repeat,worker=all,entry=all direct_ns)" "$(at 'static void repeat' direct_ns)"
check 'source: as old as the program, it is not doubted' [ -z "$(skein report calls run.skein --source cases.c | grep 'was changed')" ]
touch -d '+1 hour' cases.c
check 'source: a newer one is' [ -n "$(skein report calls run.skein --source cases.c | tr '\n' ' ' | grep 'cases.c was changed')" ]
expect_status 2 'source: a file that nothing is known of' skein report calls run.skein --source other.c
