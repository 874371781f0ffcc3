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
for view in routines family arcs workers together concurrency summary; do
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
