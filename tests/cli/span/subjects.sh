#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every subject of the calls lens under the span lens, and those of its own: the same behaviour, counts as the subject knows
# them, identities. (Not cases_openmp.c: its threads wait for each other, and here there is one.)
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/span/subjects.sh"

for subject in calls/{fib,cases,fib_threads,fib_c11,fib_openmp,nested_openmp,even_odd,pool,callback,pointers,statics,regions,constructors,waits,unended}.c \
	calls/longjmp.c calls/exceptions.cpp calls/{forks,ends,cancel,many_threads,deep,opens,hostile,signals,traps}.c span/threads.c span/throws.cpp span/{leaves,deep,copies}.c; do
	span_subject "$subject"
done
