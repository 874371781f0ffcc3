#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# By how much work could be longer, and what the run would take if a routine were faster: closed forms.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/truth.sh"

cd "$tmp" || exit
enough=$((1000000)) # ns that threads and processes take to begin and end

# near NAME WANTED IS SWITCHES: a context switch is told some microseconds late
near() { awk -v name="$1" -v wanted="$2" -v is="$3" -v switches="$4" -v enough="$enough" 'BEGIN {
	d = is > wanted ? is - wanted : wanted - is; most = wanted * 0.02 > enough ? wanted * 0.02 : enough
	if (is == "" || d > most + 2000 * switches) { print name " is " is ", not " wanted; exit 1 }
}'; }

# ---- slack: a barrier at which the last of three threads is late each time ----

cc -O2 -g -pthread "$tests/prog/flow/forms.c" -o forms || exit
for loops in 0 4; do
	name=barrier-$loops
	truth_record $name $loops ./forms barrier
	skein report flow $name.skein --view slack --top 0 --csv >$name.slack
	# slack_of THREAD COLUMN: of its work from one meeting to the next
	slack_of() { awk -F, -v thread="$(truth_thread $name "$1")" -v column="$2" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
		$at["thread"] == thread && $at["from_routine"] == "meet" && $at["to_routine"] == "meet" && $at["work_ns"] > 1e7 {print $at[column]}' $name.slack; }
	if truth_sees_switches $name; then
		switches=$(truth_figure $name switches)
		check "$name: the thread that is late has no slack" near least_ns 0 "$(slack_of 3 least_ns)" 0
		check "$name: all of its work is critical" near critical_ns "$(slack_of 3 work_ns)" "$(slack_of 3 critical_ns)" 0
		check "$name: the second could work for 16 ms more each time" near average_ns 16000000 "$(slack_of 2 average_ns)" "$switches"
		check "$name: the first for 20 ms" near average_ns 20000000 "$(slack_of 1 average_ns)" "$switches"
		check "$name: its thread, too" near slack_ns 20000000 "$(csv_value $name.threads "thread=$(truth_thread $name 1)" slack_ns)" "$switches"
	else
		skip "$name: slack" 'the kernel does not show context switches'
	fi
done
same '--thread shows the work of one thread' 1 "$(skein report flow barrier-0.skein --view slack --top 0 --csv --thread 1 | tail -n +2 | cut -d, -f1 | sort -u)"

# ---- faster routines ----

skein-cc -O2 -g -pthread "$tests/prog/flow/faster.c" -o faster || exit
expect_status 0 'faster: it is recorded' skein record flow --routines -q -o faster.skein -- ./faster
figure() { skein report flow faster.skein --view summary --csv "$@" | csv_value /dev/stdin "name=$name" value; }
name=switches switches=$(figure)
# if_faster WHAT MS: what the run would take with so much faster a routine
if_faster() {
	name="what_if ${1/\*oth/both} ns"
	check "faster: $1 would make it $2 ms" near "$1" "${2}000000" "$(figure --what-if "$1")" "$switches"
}
# The machine of the test may have one core only; the program has two threads.
name=cores
if [ "$(figure)" -lt 2 ]; then
	skip 'faster: routines' 'there is one core'
elif [ -z "$switches" ]; then
	skip 'faster: routines' 'the kernel does not show context switches'
else
	if_faster slow=1 250
	if_faster slow=0.8 210
	if_faster slow=0.5 200 # the other thread sets the pace
	if_faster slow=0 200
	if_faster quick=0 250
	if_faster serial=0 200
	if_faster serial=0.5 225
	if_faster both=0.5 150 # and the threads that it creates
	if_faster work=0.1 25
	if_faster '*oth=0.5' 150
	if_faster main=0 0
	skein report flow faster.skein --what-if serial=0.5 --what-if both=0 --json | jq -r '.verdict[]' >said
	expect_match 'faster: the verdict says so first' '^If serial and its callees took 50 % of their time, the run could take 22[0-9] ms instead of 2[0-9]+ ms\.' said
	expect_match 'faster: and of a routine that takes nothing' '^If both and its callees took no time, the run could take [0-9.]+ ms instead of 2[0-9]+ ms\.' said
fi
# refused NAME SENTENCE COMMAND…
refused() {
	local name=$1 sentence=$2
	shift 2
	expect_status 2 "$name is refused" "$@"
	same "$name: why" "skein: $sentence" "$(cat "$tmp/err")"
}
refused 'faster: a factor above 1' '--what-if slow=2: a routine can only be made faster, by a factor from 0 to 1, such as 0.5' \
	skein report flow faster.skein --what-if slow=2
# shellcheck disable=SC2016 # a command in a sentence
refused 'faster: a routine that is not there' 'this recording has no calls of a routine nothing: `skein report flow --view calls --top 0` lists routines' \
	skein report flow faster.skein --what-if nothing=0.5
refused 'faster: routines that were not recorded' '--what-if meet=0.5 asks about a routine, and this recording has none: record with --routines' \
	skein report flow barrier-0.skein --what-if meet=0.5
