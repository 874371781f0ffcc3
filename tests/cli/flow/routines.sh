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
	cd "$tmp" || exit
}

test_both() {
	local run
	build_subject "$1" || { not_ok "$1" "skein-cc failed: $(cat "$tmp/build.log")"; return; }
	while read -r run; do same_as_calls "$1" $run; done < <(head_of "$tests/prog/$1" run | grep . || echo)
}

for subject in ${SUBJECTS:-fib.c}; do
	test_both "calls/$subject"
done
