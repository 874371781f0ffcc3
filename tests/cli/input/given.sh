#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Routines that are given a function (tests/prog/verdicts/growth/given.c): no cost function is claimed where the cost depends on which. By hooks and under Valgrind.
. "$(dirname "$0")/../../lib/lib.sh"
. "$(dirname "$0")/../../lib/figures.sh"
subjects=$tests/prog/verdicts/growth
cd "$tmp" || exit

# record NAME: both builds of it, into built.skein and plain.skein; their routines as CSV, and the verdict in one line each
record() {
	local how
	skein-cc -O2 -g -pthread -Wall -Wextra -Werror "$subjects/$1.c" -o built || not_ok "$1" 'does not compile'
	cc -O2 -g -pthread -Wall -Wextra -Werror "$subjects/$1.c" -o plain || not_ok "$1" 'does not compile'
	rm -f built.skein plain.skein
	for how in built plain; do
		expect_status 0 "$1, $how: recorded" skein record input -- ./$how
		skein report input $how.skein --csv >$how.csv
		skein report input $how.skein | sed '/^$/q' | tr '\n' ' ' | sed 's/  */ /g' >$how.said
	done
}

# grows ROUTINE MODEL; why ROUTINE REASON: in both
grows() {
	for how in built plain; do
		same "$how: $1 grows like $2" "$2" "$(csv_value $how.csv "routine=$1,thread=all" model)"
	done
}
why() {
	for how in built plain; do
		same "$how: of $1 nothing is claimed" " $2" "$(csv_value $how.csv "routine=$1,thread=all" model) $(csv_value $how.csv "routine=$1,thread=all" why)"
	done
}
# claims STATUS CLAIM: skein check says so of both
claims() {
	for how in built plain; do
		expect_status "$1" "$how: check $2 is $1" skein check "$2" $how.skein
	done
}
# says PATTERN: both verdicts
says() {
	for how in built plain; do
		expect_match "$how: the verdict says $1" "$1" $how.said
	done
}

# Functions behind a pointer: several curves where the cost depends on which, one where it does not.
record given
for routine in apply once by_library; do
	why $routine 'calls different functions through a pointer'
	claims 3 "$routine: O(n)"
	claims 3 "$routine: O(n^3)"
done
grows pairs n^2
grows only n^2
grows each n
grows stages n
claims 0 'each: O(n)'
claims 1 'only: O(n log n)'
says '^pairs \(given.c:[0-9]+\) grows like n\^2'
says 'by_library \(given.c:[0-9]+\) has [0-9.]+ % of the cost, but no cost function of its own: it calls different functions through a pointer, and its cost depends on which\. Its growth is n\^2( log n)? with by_rank, n log n with by_value\.'
for how in built plain; do
	check "$how: no verdict claims growth for what depends on a function" eval '! grep -qE "(apply|once|by_library) \([^)]*\) grows" $how.said'
	figures "$how" input $how.skein routines
	skein report input $how.skein --csv --by-thread >threads.csv
	same "$how: a thread that gives it one function has one curve" 'n n^2' "$(awk -F, '$1 == "once" && $4 != "all" {print $14}' threads.csv | sort -u | paste -sd ' ')"
done
