#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What routines are called: short in text, in full in CSV, and bodies of constructs by the function that they are in.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >tasks.cc <<'END'
#include <cstdio>
__attribute__((noinline)) long work(int n) { volatile long s = 0; for (int i = 0; i < n; i++) s = s + i; return s; }
__attribute__((noinline)) double work(double x) { return x * work((int)x); }
__attribute__((noinline)) static long alone(int a, int b) { return work(a) + work(b); }
__attribute__((noinline)) long fib(int n) {
	if (n < 2) return n;
	long a, b;
#pragma omp task shared(a)
	a = fib(n - 1);
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
int main() {
	long r = 0;
#pragma omp parallel
#pragma omp single
	r = fib(12);
#pragma omp parallel for reduction(+ : r)
	for (int i = 0; i < 100; i++)
		r += work(100);
	std::printf("%ld %f %ld\n", r, work(3.0), alone(2, 3));
}
END
skein-c++ -O1 -g -fopenmp tasks.cc -o tasks || not_ok 'the subject is built' 'see skein-c++'
for lens in calls span input paths; do
	skein record $lens -- ./tasks >"$tmp/out" 2>"$tmp/err" || not_ok "$lens is recorded" "$(cat "$tmp/err")"
	COLUMNS=200 skein report $lens --top 0 >"$tmp/shown"
	skein report $lens --csv >"$tmp/rows"
	for name in 'alone' 'work\(int\)' 'work\(double\)' 'fib' 'fib \(task\)' 'main \(parallel, line 16\)' 'main \(parallel, line 19\)'; do
		expect_match "$lens, text: $name" "(^|  |> )$name(  | ->|$)" "$tmp/shown"
	done
	check "$lens, text: no name of the compiler's" eval '! grep -E "omp_(outlined|task_entry)" "$tmp/shown"'
	for name in '"?alone\(int, int\)"?' 'fib\(int\)' '\.omp_task_entry\.' 'main\.omp_outlined'; do
		expect_match "$lens, CSV: $name" "(^|,)${name}[.0-9]*," "$tmp/rows"
	done
	for name in 'fib' 'fib(int)' _Z3fibi 'fib (task)' '.omp_task_entry.*' 'main (parallel*' 'main.omp_outlined*' '*omp_outlined*'; do
		expect_status 0 "$lens: --routine '$name'" skein report $lens --routine "$name"
	done
done
equal 'both forms of a pattern find the same' <(skein report calls --csv --routine 'main (parallel*') <(skein report calls --csv --routine 'main.omp_outlined*')

# Samples are where they are: only names that must not be there can be known.
skein record idle -- ./tasks >"$tmp/out" 2>"$tmp/err" || not_ok 'idle is recorded' "$(cat "$tmp/err")"
COLUMNS=200 skein report idle --top 0 --threshold 0 >"$tmp/shown"
check "idle, text: no name of the compiler's" eval '! grep -E "omp_(outlined|task_entry)|\(int\)  " "$tmp/shown"'
