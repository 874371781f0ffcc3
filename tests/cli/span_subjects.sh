#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every subject of the calls lens under the span lens, and those of its own: the same behaviour, counts as the subject knows
# them, identities. (Not cases_openmp.c: its threads wait for each other, and here there is one.)
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"
. "$tests/span_subjects.sh"

for subject in ${SUBJECTS:-fib.c cases.c fib_threads.c fib_c11.c fib_openmp.c nested_openmp.c even_odd.c pool.c callback.c pointers.c statics.c regions.c \
	constructors.c waits.c unended.c longjmp.c exceptions.cpp forks.c ends.c cancel.c many_threads.c deep.c opens.c hostile.c signals.c traps.c span_threads.c span_throws.cpp span_leaves.c span_deep.c}; do
	span_subject "$subject"
done
