#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export callgrind, as callgrind_annotate reads it: totals are those of the report, and a recursion does not count twice.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
for lens in calls span idle; do
	expect_status 0 "$lens is exported" skein export callgrind $lens all.skein -o $lens.out
done
skein export callgrind known.skein -o known.out
refused 2 'flow cannot be' 'the lens flow cannot be exported as callgrind; these lenses can: calls, span, idle' skein export callgrind flow all.skein
shows 'the head' sed '/^creator: skein /d; 12q' known.out <<'END2'
# callgrind format
version: 1
cmd: ./prog 2
desc: work: nanoseconds
desc: idle: nanoseconds
desc: overhead: nanoseconds
desc: effort: nanoseconds
desc: samples: count
desc: LLC_misses: count
positions: line
events: work idle overhead effort samples LLC_misses
END2

if ! command -v callgrind_annotate >/dev/null; then
	skip 'callgrind_annotate reads it' 'there is no callgrind_annotate'
	exit
fi
# annotate FILE OPTION…: without percentages
annotate() { callgrind_annotate --threshold=100 --auto=no --show-percs=no "${@:2}" "$1" 2>said; }
totals() { annotate "$1" | awk '/PROGRAM TOTALS/ {gsub(",", ""); NF -= 2; print}'; }
# rows FILE: the sum of what callgrind_annotate has of each routine
rows() { annotate "$1" | awk '/file:function/ {inside = 1} inside && /^ *[0-9.][0-9,.]* .*:/ {gsub(",", ""); for (i = 1; i <= NF && $i ~ /^[0-9.]+$/; i++) n[i] += $i; if (i - 1 > most) most = i - 1}
	END {for (i = 1; i <= most; i++) printf "%s%.0f", (i > 1 ? " " : ""), n[i]; print ""}'; }
# inclusive FILE ROUTINE: its first figure, with its callees
inclusive() { annotate "$1" --inclusive=yes | awk -v name=":$2" '$0 ~ name "( |$)" && !/TOTALS/ {gsub(",", ""); print $1; exit}'; }

same 'idle: totals' '925000000 1900000000 45000000 2870000000 970 700000' "$(totals known.out)"
same 'idle: routines have all of it' "$(totals known.out)" "$(rows known.out)"
same 'idle: nothing is odd to the reader' '' "$(cat said)"
same 'idle: a run as it was' "$(total_of idle work_ns) $(total_of idle idle_ns) $(total_of idle overhead_ns)" "$(totals idle.out | cut -d' ' -f1-3)"
same 'idle: routines of it' "$(totals idle.out)" "$(rows idle.out)"
same 'idle: main has all, with its callees' 925000000 "$(inclusive known.out main)"
same 'idle: a routine that calls itself has its part once' 200000000 "$(inclusive known.out free_matrix)"
same 'idle: and once as a recursion' 200000000 "$(inclusive known.out "free_matrix'2")"
work=$(total_of idle work_ns)
for routine in main even odd spin; do check "idle: $routine has no more than all" [ "$(inclusive idle.out $routine)" -le "$work" ]; done
annotate known.out --tree=both >tree
expect_match 'idle: callers' '^ *400,000,000 .*< +/src/prog.c:main \(1x\)' tree
expect_match 'idle: the line that ran' '^13 400000000 1200000000 0 1600000000 400 500000$' known.out
expect_match 'idle: the line that calls' '^43 400000000 1200000000 0 1600000000 400 500000$' known.out

direct=$(reported calls routines direct_ns worker=all,entry=all) wait=$(reported calls routines wait_ns worker=all,entry=all)
same 'calls: totals' "$((direct + wait)) $direct $wait" "$(totals calls.out)"
same 'calls: routines have all of it' "$(totals calls.out)" "$(rows calls.out)"
same 'calls: a routine with its callees has its elapsed time' "$(reported calls routines elapsed_ns routine=table_add,worker=all,entry=all)" "$(inclusive calls.out table_add)"
annotate calls.out --tree=both >tree
expect_match 'calls: callers, with the number of calls' '< +prog.c:fib \(4,181x\)' tree
expect_status 0 'counts are recorded' skein record calls --counts -q -o counts.skein -- ./prog
skein export callgrind counts.skein -o counts.out
same 'calls: counts only' "$(total_of calls calls counts.skein)" "$(totals counts.out)"

same 'span: totals' "$(total_of span work) $(total_of span span) $(reported span sites count profile=work,measure=local)" "$(totals span.out)"
same 'span: routines have all of it' "$(totals span.out)" "$(rows span.out)"
same 'span: a call, including its callees' "$(skein report span --csv all.skein >sites.csv; csv_value sites.csv caller=body,callee=table_add,profile=work,measure=top-call-site work)" "$(inclusive span.out table_add)"

# A name of the program cannot leave its line.
cp known.skein odd.skein
sqlite3 odd.skein "update routine set linkage = 'a' || char(10) || 'events: b', file = char(10) || 'fn=x' where name = 'prepare'"
skein export callgrind odd.skein -o odd.out
same 'hostile names stay names' '925000000 1900000000 45000000 2870000000 970 700000' "$(totals odd.out)"
same 'and are no lines' "$(grep -c '^fn=\|^events' known.out)" "$(grep -c '^fn=\|^events' odd.out)"
