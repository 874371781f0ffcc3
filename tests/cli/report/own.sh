#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What Skein itself took is shown, and is part of no figure: routines of a few instructions, whose hooks take longer than they.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
skein-cc -O2 -g -pthread "$tests/prog/span/tiny.c" -o tiny || not_ok 'tiny' 'does not compile'
cc -O2 -g -pthread "$tests/prog/span/tiny.c" -o plain

# value FILE NAME: of a summary
value() { csv_value "$1" "name=$2" value; }
# said NAME PATTERN FILE: in the report, whatever its lines
said() { expect_match "$1" "$2" <(skein report "$4" "$3" | tr '\n' ' ' | sed 's/  */ /g'); }

# span: instructions of the routine itself, whose number does not depend on hooks; a call of the general kind, as with another clock, has
# ten times as many of them.
for count in 1000 5000; do
	rm -f tiny.skein
	expect_status 0 "span of $count calls" skein record span -- ./tiny $count
	skein report span tiny.skein --csv >sites.csv
	skein report span tiny.skein --view summary --csv >summary.$count
	same "span: $count calls, twice" $((2 * count)) "$(csv_value sites.csv callee=tiny,profile=work,measure=local count)"
	work=$(csv_value sites.csv callee=tiny,profile=work,measure=local work)
	check "span: the routine has $work instructions in $count calls, at most 4 each" [ "$work" -le $((8 * count)) ]
done
more=$(($(value summary.5000 work) - $(value summary.1000 work)))
check "span: 8,000 calls more are $more instructions more, one each at least" [ "$more" -gt 8000 ]
check "span: 8,000 calls more are $more instructions more, 12 each at most" [ "$more" -le 96000 ]
said 'span: what Skein took is said' 'Skein itself took about [0-9.<]+ % of the run.s CPU time for 1[0-9],[0-9]+ calls \([0-9]+ ns per call, an estimate\) and [0-9.<]+ % for its start and end\. Work and span do not contain it\.' tiny.skein span
check 'span: its start and end took time' [ "$(value summary.5000 profiler_cpu_ns)" -gt 0 ]
check 'span: no more than the whole' [ "$(value summary.5000 profiler_cpu_ns)" -lt "$(value summary.5000 cpu_ns)" ]
check 'span: hooks take time' [ "$(value summary.5000 hook_ns)" -gt 0 ]
for clock in ns tsc; do
	rm -f tiny.skein
	expect_status 0 "span by $clock" skein record span --clock $clock -- ./tiny 1000
	said "span by $clock: tiny routines seem longer" 'Skein itself took about .* Work and span do not contain it, but routines that take less time than that seem longer than they are\.' tiny.skein span
done

# input: blocks of the program, by hooks and under Valgrind.
for how in tiny plain; do
	rm -f $how.skein
	expect_status 0 "input, $how" skein record input -- ./$how 1000
	skein report input $how.skein --csv >$how.csv
	same "input, $how: the routine has one block" 2000 "$(csv_value $how.csv routine=tiny,thread=all self_cost)"
	cost=$(csv_value $how.csv routine=many,thread=all self_cost)
	check "input, $how: its caller has $cost blocks in 2,000 turns, one each at least" [ "$cost" -ge 2000 ]
	check "input, $how: its caller has $cost blocks in 2,000 turns, 2 each at most" [ "$cost" -le 4020 ]
done
said 'input: what Skein took is said' 'What Skein itself took is not measured: the run was too short\. Costs do not contain it\.' tiny.skein input
said 'input: also of Valgrind' 'The program ran in Valgrind: most of its [0-9.]+ m?s of CPU time are Skein.s\. Costs do not contain them\.' plain.skein input
skein report input tiny.skein --view summary --csv >summary.input
check 'input: its start and end took time' [ "$(value summary.input profiler_cpu_ns)" -gt 0 ]

# Where the time goes is seen from outside: hardly in hooks for a routine that only computes, mostly there for one that reads and
# writes; the same of counters of paths, which are in line, and of a static program, which has the runtime in itself.
skein-cc -O2 -g "$tests/prog/input/time.c" -o moving || not_ok 'moving' 'does not compile'
skein-cc -O2 -g -static "$tests/prog/input/time.c" -o fixed || not_ok 'fixed' 'does not compile'
# shares PROGRAM LENS WHAT: how many of a hundred samples are in hooks
shares() {
	rm -f "$1.skein"
	expect_status 0 "$2 of $1, $3" skein record "$2" -- "./$1" "$3"
	skein report "$2" "$1.skein" --view summary --csv >summary.share
	share=$((100 * $(value summary.share hook_samples) / $(value summary.share samples)))
}
for how in moving fixed; do
	shares $how input compute
	check "input, $how: $share of 100 samples are in hooks, where none is needed" [ $share -lt 3 ]
	shares $how input move
	check "input, $how: $share of 100 samples are in hooks, where there is little else" [ $share -gt 30 ]
	said "input, $how: that is said" "Skein's own code ran in about [0-9.]+ % of the CPU time outside the kernel \\([0-9,]+ of [0-9,]+ samples\\)\\. Costs do not contain it\\." $how.skein input
done
shares moving paths compute
check "paths: $share of 100 samples are in hooks, where none is needed" [ $share -lt 3 ]
shares moving paths branch
check "paths: $share of 100 samples are in hooks, where there is little else" [ $share -gt 3 ]
said 'paths: that is said' "Skein's own code ran in about [0-9.]+ % of the CPU time outside the kernel .* Counts do not contain it\\." moving.skein paths
