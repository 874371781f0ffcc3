#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# "All cprof profiling values can be reproduced from a sufficiently detailed trace" (cprof, section 5): the calls and arcs of routines that
# the flow lens finds in its events are those that the calls lens counts while the program runs.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"

# recorded LENS OPTION… -- COMMAND…: one.skein
recorded() {
	local options=()
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	rm -f one.skein
	(exec timeout -k 5 60 skein record "${options[@]}" -q -o one.skein -- "$@") >"$tmp/said.out" 2>"$tmp/said.err" </dev/null
	status=$?
}

# arcs LENS: caller,callee,calls of one.skein, whatever the state of the call
arcs() {
	local lens=$1
	skein report "$lens" one.skein --view arcs --top 0 --json 2>&1 |
		jq -r '.rows[] | [.caller, .callee, .calls] | @tsv' |
		awk -F '\t' '{n[$1 "\t" $2] += $3} END {for (arc in n) if (n[arc]) print arc "\t" n[arc]}' | sort
}

# figure NAME: of one.skein
figure() { skein report flow one.skein --view summary --csv | csv_value /dev/stdin "name=$1" value; }

# to_the_tick TEST: what one.skein has recorded, seen by the runtime of the calls lens and by the flow lens
to_the_tick() {
	check "$1: one run, two lenses: every count and every time is the same" "$build/tests/flow/test_both" --recording one.skein
}

# same_as_calls FILE ARGUMENT…: under both lenses, the same
same_as_calls() {
	local name=${1%.*} native
	cd "$tmp/$name" || return
	shift
	"./${name##*/}" "$@" >native.out 2>native.err </dev/null
	native=$?
	recorded calls --exact -- "./${name##*/}" "$@"
	arcs calls >calls.arcs
	recorded flow --routines --only '*' -- "./${name##*/}" "$@"
	arcs flow >flow.arcs
	same "$name${*:+ $*}: it ends as it does alone" "$native" "$status"
	equal "$name${*:+ $*}: calls and arcs are those of the calls lens" calls.arcs flow.arcs
	same "$name${*:+ $*}: nothing is lost" 0 "$(figure lost_events)"
	to_the_tick "$name${*:+ $*}"
	cd "$tmp" || exit
}

test_both() {
	local run
	build_subject "$1" || { not_ok "$1" "skein-cc failed: $(cat "$tmp/build.log")"; return; }
	while read -r run; do same_as_calls "$1" $run; done < <(head_of "$tests/prog/$1" run | grep . || echo)
}

# Subjects that call the same in each run: all threading models, and all ways to leave a routine but by its return.
for subject in fib.c exceptions.cpp longjmp.c cancel.c deep.c ends.c forks.c fib_threads.c fib_c11.c many_threads.c cases.c \
	cases_openmp.c fib_openmp.c nested_openmp.c even_odd.c callback.c pointers.c constructors.c waits.c unended.c opens.c traps.c; do
	test_both "calls/$subject"
done

# ---- signals ----

build_subject calls/signals.c || exit
same_as_calls calls/signals.c segv
cd "$tmp/calls/signals" || exit
recorded flow --routines --only '*' -- ./signals storm
same 'storm: it ends as it does alone' 0 "$status"
same 'storm: what handlers interrupt is whole' 10000000 "$(skein report flow one.skein --view calls --csv | csv_value /dev/stdin routine=step calls)"
cd "$tmp" || exit

# ---- which routines ----

cat >tiny.c <<'END'
#include <stdio.h>
#define ROUTINE __attribute__((noinline))
volatile int sink;
ROUTINE static void leaf(int i) { sink += i; }
ROUTINE static void looped(int n) { while (n--) sink += n; }
ROUTINE static void calls(int n) { for (int i = 0; i < n; i++) leaf(i); }
int main(int argc, char **argv) { (void)argv; calls(10 * argc); looped(10 * argc); leaf(1); return 0; }
END
skein-cc -O2 -g tiny.c -o tiny || exit
# names: routines of one.skein, in order
names() { skein report flow one.skein --view calls --json | jq -r '.rows[].routine' | sort | xargs; }
recorded flow --routines -- ./tiny
same 'a routine that takes less than its hooks is left out' 'calls looped main' "$(names)"
skein report flow one.skein >said
expect_match 'which is said' '^- 1 small routine .* was not recorded' said
recorded flow --routines --only '*' -- ./tiny
same '--only takes it' 'calls leaf looped main' "$(names)"
recorded flow --routines --skip 'loop*' --skip main -- ./tiny
same '--skip leaves out more' calls "$(names)"
recorded flow -- ./tiny
same 'without --routines there is none' '' "$(names)"
skein report flow one.skein --view calls >said
expect_match 'which the view says' 'skein record flow --routines' said
check '--only alone is refused' [ "$(skein record flow --only leaf -- ./tiny 2>&1; echo $?)" = 'skein: --only and --skip choose among routines: give --routines, too
2' ]
cc -O2 tiny.c -o plain
check 'a program that skein-cc did not build is refused' [ "$(skein record flow --routines -- ./plain >said 2>&1; echo $?)" -ge 125 ]
