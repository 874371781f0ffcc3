# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# export.sh: what the suites of exports share: two recordings, and sums of what skein reports of them. Source it behind lib.sh.
#
#     record_for_export            all.skein: a program with recursion and waiting threads under calls, span, idle and flow
#                                  known.skein: the idle lens's run whose numbers are known
#     reported calls arcs calls    the sum of a column of a view of all.skein; FILTER as in "worker=all,entry=all" may follow

record_for_export() {
	cat >prog.c <<'END'
/* Routines with recursion, direct and mutual, and threads that wait for a lock. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static volatile unsigned long sink;
NOINLINE static unsigned long spin(unsigned long n)
{
	unsigned long sum = n;
	for (unsigned long i = 0; i < n; i++)
		sum = sum * 31 + i;
	sink += sum;
	return sum;
}
NOINLINE static unsigned long fib(unsigned long n)
{
	return n < 2 ? spin(30) & 1 : fib(n - 1) + fib(n - 2);
}
NOINLINE static unsigned long odd(unsigned long n);
NOINLINE static unsigned long even(unsigned long n)
{
	return spin(20000) + (n ? odd(n - 1) : 0);
}
NOINLINE static unsigned long odd(unsigned long n)
{
	return spin(10000) + (n ? even(n - 1) : 0);
}
NOINLINE static void table_add(void)
{
	pthread_mutex_lock(&table_lock);
	usleep(500);
	sink += spin(1000);
	pthread_mutex_unlock(&table_lock);
	usleep(200);
}
static void *body(void *unused)
{
	for (int i = 0; i < 10; i++)
		table_add();
	sink += even(40);
	return unused;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, body, NULL);
	sink += fib(18);
	for (int i = 0; i < 40; i++)
		sink += even(30);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
END
	skein-cc -g -O1 -pthread -fno-optimize-sibling-calls prog.c -o prog || exit
	local lens
	for lens in calls span idle flow; do
		skein record $lens -q -o all.skein -- ./prog >/dev/null || exit
	done
	"$build/tests/idle/test_analysis" --recording known.skein || exit
}

reported() { # LENS VIEW COLUMN [FILTER]
	skein report "$1" --view "$2" --csv all.skein >reported.csv
	csv_value reported.csv "${4:-}" "$3" | awk '{n += $1} END {printf "%.0f\n", n}'
}

total_of() { skein report "$1" --view summary --csv "${3:-all.skein}" >reported.csv; csv_value reported.csv "name=$2" value; } # LENS NAME [FILE]
