#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a verdict begins with, in every lens: that the program crashed, or was stopped, and that it lacked cores.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >ends.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static volatile unsigned long sink;
static long cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000L + t.tv_nsec;
}
__attribute__((noinline)) void step(void) { for (int i = 0; i < 100000; i++) sink += i; }
__attribute__((noinline)) void work(long ms) { for (long from = cpu_ns(); cpu_ns() - from < ms * 1000000;) step(); }
static void *thread(void *unused) { work(300); return unused; }
int main(int argc, char **argv)
{
	int number = atoi(argv[1]), threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t ids[16];
	for (int i = 0; i < threads; i++)
		pthread_create(&ids[i], 0, thread, 0);
	work(50);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], 0);
	if (number)
		raise(number);
	return 0;
}
C
skein-cc -O2 -g -pthread ends.c -o ends

# record LENS ARGUMENT…: into run.skein; the shell says nothing about signals
record() { { skein record "$1" -o run.skein -- ./ends "${@:2}" >/dev/null 2>&1; } 2>/dev/null; }

# first FILE LENS: the first sentence of the verdict; sentences FILE LENS: all of it, a line each
sentences() { skein report "$2" "$1" --json >run.json && sqlite3 :memory: "select value from json_each(json_extract(cast(readfile('run.json') as text), '\$.verdict'))"; }
first() { sentences "$@" | head -n 1; }

declare -A how=([11]='crashed after .* \(SIGSEGV\)' [6]='crashed after .* \(SIGABRT\)' [9]='was killed after .* \(SIGKILL\)' [15]='was stopped after .* \(SIGTERM\)')
for lens in calls span idle input paths; do
	for number in 11 6 9 15; do
		record $lens $number
		same "$lens: the status is that of signal $number" $((128 + number)) $?
		first run.skein $lens >said
		expect_match "$lens: signal $number comes first" "^The program ${how[$number]}: the figures end there\\.\$" said
		check "$lens: signal $number, the time is known" grep -Eqv 'after 0 ' said
	done
	record $lens 0
	first run.skein $lens >said
	same "$lens: nothing is said of a program that ended by itself" '' "$(grep -E 'crashed|was killed|was stopped' said)"
done
record calls 11
skein report calls run.skein --view arcs >said
check 'another view has how the program ended, and the first finding' [ "$(grep -cE '^(- )?[A-Z].*' said)" -ge 2 ]
expect_match 'and begins with how it ended' '^The program crashed' said

# Sixteen threads on one core: each has none for 15 of 16 parts of its time, however busy the machine is.
record_on_one_core() { taskset -c 0 skein record "$1" -o run.skein -- ./ends 0 15 >/dev/null 2>&1; }
for lens in calls idle; do
	record_on_one_core $lens
	first run.skein $lens >said
	expect_match "$lens: threads without a core come first" '^The program had no core for (9[0-9]|8[5-9])(\.[0-9]+)? % of the time in which it could have run: (other programs took the cores, and )?it has more threads than cores\. ' said
done
record_on_one_core span
sentences run.skein span >said
expect_match 'span: threads without a core come last, since instructions do not depend on them' '^The program had no core for .* Work and span do not include that time\.$' <(tail -n 1 said)
taskset -c 0 skein record span --clock ns -o run.skein -- ./ends 0 15 >/dev/null 2>&1
sentences run.skein span >said
expect_match 'span by a clock that runs on meanwhile: they come first' '^The program had no core for .* Work and span include that time, so the parallelism is a guess: use --clock insn\.$' <(head -n 1 said)
for lens in input paths; do
	record_on_one_core $lens
	sentences run.skein $lens >said
	same "$lens: counts do not depend on cores" '' "$(grep 'had no core' said)"
done
share=$(sqlite3 run.skein 'select 100 * wanted_ns / (wanted_ns + ran_ns) from run order by run desc limit 1')
check "what the kernel counted is in the recording ($share %)" [ "$share" -ge 85 ]
