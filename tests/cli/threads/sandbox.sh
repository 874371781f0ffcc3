#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that give up system calls (seccomp): where other calls fail, all lenses leave the program as it is natively; where they kill, the lenses that
# make none while routines run.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
skein-cc -g -O1 -pthread "$tests/prog/odd/sandbox.c" -o sandbox || { not_ok 'sandbox' 'it does not compile'; exit; }
./sandbox errno >native
same 'natively' 8 $?

# as_natively LENS HOW: several times, since the profiler's own thread begins at the same time as the program
as_natively() {
	local turn status
	for turn in 1 2 3; do
		# shellcheck disable=SC2086 # a lens and its option
		timeout 60 skein record $1 -o run.skein -- ./sandbox "$2" >out 2>err
		status=$?
		same "$2, $1, $turn" "status 8, $(cat native)" "status $status, $(cat out)"
	done
}
for lens in calls 'calls --counts' span input paths idle; do as_natively "$lens" errno; done
for lens in 'calls --counts' span paths; do as_natively "$lens" kill; done
skein record calls -o run.skein -- ./sandbox errno >out 2>err
expect_match 'calls that could not be recorded are counted' 'deeper than the deepest level' err
