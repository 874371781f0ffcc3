#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The numbers of the calls lens: subjects that know how often each routine runs, under every threading model.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"

for subject in fib cases cases_openmp fib_threads fib_c11 fib_openmp nested_openmp even_odd pool callback pointers statics regions \
	constructors waits unended some; do
	test_subject "calls/$subject.c"
done
