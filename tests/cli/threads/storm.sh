#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten kills per lens at random instants, and two under Valgrind: every recording opens, and its counts are what the program had done.
. "$(dirname "$0")/../../lib/lib.sh"

for lens in calls counts span idle input paths copies valgrind; do
	kills=10
	[ $lens != valgrind ] || kills=2
	expect_status 0 "$lens: recordings of killed programs open, and their counts are in bounds" "$tests/../tools/storm" "$build" $lens $kills
	expect_match "$lens: the summary has every kill" "^$lens: $kills kills, [0-9]+ opened, [0-9]+ in bounds, [0-9]+ losses stated" "$tmp/out"
	grep -Ev "^$lens: " "$tmp/out"
done
expect_status 2 'an impossible number is wrong use' "$tests/../tools/storm" "$build" calls 0
