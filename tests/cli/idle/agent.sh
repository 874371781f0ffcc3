#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An agent in the subject: the example interpreter shows its script in place of itself, and runs without Skein with nothing linked.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
example=$(realpath "$tests/../examples/agent")
script=$example/collatz.toy
answer='main(100000) = 77031'

# routines FILE: depth and context of those that took at least a hundredth of the work, in the order of the tree
routines() {
	sqlite3 -separator ' ' :memory: ".mode csv" ".import $1 t" ".mode list" ".separator ' '" \
		"select depth, context from t where kind = 'routine' and thread = 'all' and work_ns + 0 >= (select max(work_ns + 0) from t where thread = 'all') / 100"
}

# work FILE: of the whole program
work() { sqlite3 :memory: ".mode csv" ".import $1 t" "select max(work_ns + 0) from t where thread = 'all'"; }

# below LIST OUTER INNER: OUTER is the routine around INNER
below() {
	awk -v outer="$2" -v inner="$3" '
		{for (d in path) if (d + 0 >= $1 + 0) delete path[d]}
		$2 == inner {for (d = $1 - 1; d >= 0 && !(d in path); d--); found += path[d] == outer}
		{path[$1 + 0] = $2}
		END {exit !found}' <<<"$1"
}

# count LIST NAME…: rows that have one of the names
count() {
	local list=$1 name
	shift
	for name; do grep -cE "^[0-9]+ $name\$" <<<"$list"; done | paste -sd ' '
}

# lines_in ROUTINE: of the logical tree
lines_in() {
	sqlite3 :memory: ".mode csv" ".import logical.csv t" \
		"select distinct file || ':' || line from t where kind = 'line' and routine = '$1' and thread = 'all' and work_ns + 0 >= (select max(work_ns + 0) from t) / 100"
}

shows() { # TITLE
	local logical physical
	skein report idle run.skein --view top-down --csv >logical.csv
	skein report idle run.skein --view top-down --paths physical --csv >physical.csv
	logical=$(routines logical.csv)
	physical=$(routines physical.csv)
	same "$1: each routine of the script is there once" '1 1 1' "$(count "$logical" steps climb seal)"
	same "$1: frames of the interpreter are not" '0 0 0 0 0' "$(count "$logical" run op_call op_hash value calculate)"
	check "$1: the script's main calls steps" below "$logical" main steps
	check "$1: steps calls climb" below "$logical" steps climb
	check "$1: the script's main calls seal" below "$logical" main seal
	check "$1: main of the program runs the script" below "$logical" main main
	same "$1: what takes long is a line of the script" "$script:$(grep -n 'hash a' "$script" | cut -d: -f1)" "$(lines_in seal)"
	same "$1: no routine of the script is a stack frame" '0 0 0' "$(count "$physical" steps climb seal)"
	check "$1: the loop calls its helper, which calls the loop" below "$physical" op_call run
	check "$1: the loop calls what takes long" below "$physical" run op_hash
	same "$1: both have all of the work" "$(work logical.csv)" "$(work physical.csv)"
}

for compiler in 'cc -O2' 'cc -O0' 'clang-19 -O2 -no-pie'; do
	$compiler -g -I"$tests/../include" "$example/toy.c" -o toy || not_ok "$compiler" 'it does not build'
	same "$compiler: it runs without Skein" "$answer" "$(./toy "$script")"
	expect_status 0 "$compiler: it is recorded" skein record idle -o run.skein -- ./toy "$script"
	same "$compiler: with the same output" "$answer" "$(head -n 1 "$tmp/out")"
	shows "$compiler"
	rm run.skein
done
