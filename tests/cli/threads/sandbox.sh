#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that give up system calls (seccomp), so that other calls fail, or kill the program: all lenses leave it as it is natively, and say what
# could not be recorded.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
skein-cc -g -O1 -pthread "$tests/prog/odd/sandbox.c" -o sandbox || { not_ok 'sandbox' 'it does not compile'; exit; }


# as_natively LENS HOW: several times, since the profiler's own thread begins at the same time as the program
as_natively() {
	local turn status
	for turn in 1 2 3; do
		rm -f run.skein
		# shellcheck disable=SC2086 # a lens and its option, a way and its option
		timeout 60 skein record $1 -o run.skein -- ./sandbox $2 >out 2>err
		status=$?
		same "$2, $1, $turn" "status 8, $(cat native)" "status $status, $(cat out)"
	done
}
for how in errno kill silent strict library 'errno threads' 'kill threads' 'silent threads'; do
	# shellcheck disable=SC2086 # a way and its option
	./sandbox $how >native
	same "$how, natively" 8 $?
	for lens in calls 'calls --counts' span input paths idle; do
		as_natively "$lens" "$how"
		case $lens in
		calls) expect_match "$how: calls that could not be recorded are counted" 'deeper than the deepest level' err ;;
		*counts) same "$how: every call is counted" "$(sed -n 's/^expect step //p' native)" \
			"$(skein report calls run.skein --csv | awk -F, '$1 == "step" && $4 == "all" && $5 == "all" {print $6}')" ;;
		input | idle) expect_match "$how, $lens: what Skein did without is said" 'System calls that Skein did not make' err ;;
		esac
	done
done
