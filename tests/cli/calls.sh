#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The numbers of the calls lens: subjects that know how often each routine runs, under every threading model.
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"

for subject in fib.c cases.c cases_openmp.c fib_threads.c fib_c11.c fib_openmp.c nested_openmp.c even_odd.c pool.c callback.c pointers.c statics.c regions.c \
	constructors.c waits.c unended.c; do
	test_subject "$subject"
done
