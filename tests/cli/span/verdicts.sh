#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Small programs whose limit is known (tests/prog/verdicts): the first sentence of the span lens gives the true cause.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# build NAME [FLAG…]
build() { skein-cc -O2 -g -pthread "${@:2}" "$tests/prog/verdicts/$1.c" -o "$1" || not_ok "$1" "it does not compile"; }

# records STATUS NAME [ARGUMENT…]: what skein says, in one line, into $tmp/said; figures into summary.csv. $options go to skein.
options=
records() {
	local status
	rm -f run.skein
	skein record span $options -o run.skein -- "./$2" "${@:3}" >"$tmp/out" 2>&1
	status=$?
	same "${*:2}: exit status" "$1" "$status"
	tr '\n' ' ' <"$tmp/out" | sed 's/  */ /g' >"$tmp/said"
	skein report span run.skein --view summary --csv >summary.csv
}
figure() { csv_value summary.csv "name=$1" value; }

# between NAME FIGURE LEAST MOST
between() { check "$1: $2 is $(figure "$2"), from $3 to $4" awk -v f="$(figure "$2")" -v least="$3" -v most="$4" 'BEGIN {exit !(f >= least && f <= most)}'; }

# Threads that have not ended: their paths count up to the stop.
build server
records 143 server signal 400
between 'a server that is stopped' parallelism 1 2.1
expect_match 'a server that is stopped: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
records 0 server exit 400
between 'a server that exits' parallelism 1 2.1
expect_match 'a server that exits: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
skein report span run.skein --csv >sites.csv
same 'a server that exits: what main did before is on the path' 1 "$(csv_value sites.csv callee=set_up,profile=span,measure=local count)"

build exit
records 0 exit
between 'an exit beside an equal thread' parallelism 1.3 3
same 'an exit beside an equal thread: it is known that the thread runs' 1 "$(figure running)"
