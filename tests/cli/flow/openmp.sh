#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What OpenMP's threads wait for: barriers, critical sections and tasks, against what the subject measured itself.
#
# What clang built waits as libomp likes to, by spinning first; what gcc built runs on libomp, too, and there waits sleep at once. Libomp tries
# at its start on which cores it may run, and moves from one to the other: on a loaded machine the kernel lets it wait for a core then,
# which looks like a wait for something outside of the program. So that is turned off.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/truth.sh"

cd "$tmp" || exit
clang-19 -O2 -g -pthread -fopenmp "$tests/prog/flow/openmp.c" -o clang || exit
gcc -O2 -g -pthread -fopenmp "$tests/prog/flow/openmp.c" -o gcc || exit
export KMP_AFFINITY=disabled

# Libomp waits for its threads behind the end of the run. The subject has no names for its barriers, so objects are not compared with it.
# shellcheck disable=SC2034 # truth.sh reads it
truth_ends_late=1

# Libomp begins to wait for each section, also for one that nobody is in, so that nothing ends some of these waits; and it tells that a
# section was left when others may enter it already. A thread that loses its core in between has left it behind the next one's entry, as
# recorded, and the minimum lacks up to a section.
# shellcheck disable=SC2034 # truth.sh reads them
sections() {
	truth_less=0 truth_unexplained=0
	if [ "$1" = critical ]; then truth_less=0.1 truth_unexplained=18; fi
}

for compiler in clang gcc; do
	if [ $compiler = gcc ]; then export KMP_BLOCKTIME=0; fi
	for part in barrier loop regions critical tasks group fib; do
		sections $part
		truth_record $compiler-$part 0 ./$compiler $part
		truth_record $compiler-$part-loaded 4 ./$compiler $part
		for run in "$compiler-$part" "$compiler-$part-loaded"; do truth_holds "$run"; done
	done
	for part in barrier loop regions; do truth_same_minimum $compiler-$part $compiler-$part-loaded; done
done

for run in clang-barrier gcc-barrier clang-barrier-loaded gcc-barrier-loaded; do
	if truth_sees_switches "$run"; then check "$run: the critical path is in the right threads" truth_critical "$run"; else
		skip "$run: the critical path is in the right threads" 'the kernel does not show context switches'
	fi
	case $run in *-loaded) late='[0-9]+' ;; *) late=$(truth_thread $run 2) ;; esac # under load another one may be late, too
	expect_match "$run: the verdict names the thread that is late" "; thread $late arrived last most often, from meet \(openmp\.c:[0-9]+\)" $run.verdict
done
for run in clang-critical gcc-critical clang-critical-loaded gcc-critical-loaded; do
	same "$run: each time the section is entered counts" 18 "$(csv_value $run.objects kind=lock,routine=table_change acquisitions)"
	expect_match "$run: the verdict names the section" '^Threads waited .* for the lock at openmp\.c:[0-9]+' $run.verdict
done
