#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The span lens however a program is built, whatever its clock, however it ends, and however long it runs.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/span/subjects.sh"
cd "$tmp" || exit

cat >fib.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
__attribute__((noinline)) static long fib(int n)
{
	long a, b;
	if (n < 2)
		return n;
	a = cilk_spawn fib(n - 1);
	b = fib(n - 2);
	cilk_sync;
	return a + b;
}
int main(int argc, char **argv)
{
	struct rusage usage;
	long sum = 0;
	for (int i = 0; argc > 2 && i < atoi(argv[2]); i++)
		sum += fib(atoi(argv[1]));
	getrusage(RUSAGE_SELF, &usage);
	printf("%ld\n", sum);
	fprintf(stderr, "rss %ld\n", usage.ru_maxrss);
	return 0;
}
END

# holds NAME: the recording run.skein has what every recording must
holds() {
	local wrong
	wrong=$( (span_reports run.skein /dev/null '' || echo 'it cannot be read') 2>&1; span_complaints)
	if [ -z "$wrong" ]; then ok "$1"; else not_ok "$1" "$wrong"; fi
}
figure() { csv_value summary.csv "name=$1" value; }

while read -r flags; do
	check "$flags: it is built" skein-cc $flags -g fib.c -o fib
	expect_status 0 "$flags: it is recorded" skein record span -o run.skein -- ./fib 20 1
	same "$flags: its output" 6765 "$(head -n 1 "$tmp/out")"
	holds "$flags: identities"
	same "$flags: spawns" 10945 "$(figure spawns)"
	same "$flags: nothing is lost" 0 "$(figure lost_events)"
done <<'END'
-O0
-O1
-O3
-O2 -fPIE -pie
-O2 -no-pie
-O2 -s
-O2 -fsanitize=address
END

skein-cc -O2 -g -static fib.c -o fib
expect_status 126 'static: refused' skein record span -- ./fib 20 1
expect_sentence 'static: in one sentence'
expect_match 'static: that does not point at another lens' 'link it without -static' "$tmp/err"

# The same numbers in every run: columns that count.
skein-cc -O2 -g fib.c -o fib
for i in 1 2; do
	skein record span -o run.skein -- ./fib 20 1 >/dev/null 2>&1
	skein report span run.skein --csv | cut -d, -f 1-13 >"run$i.csv"
done
equal 'two runs have the same numbers' run1.csv run2.csv

# A run a hundred times as long needs no more memory, neither in the subject nor in the recording.
rss=() raw=()
for times in 1 100; do
	skein record span -o run.skein --keep-raw -- ./fib 20 $times >/dev/null 2>"err$times"
	rss[times]=$(sed -n 's/^rss //p' "err$times") raw[times]=$(cat .run.skein.session-*/*.raw | wc -c)
	rm -rf .run.skein.session-*
done
check 'the recording is as large after a run a hundred times as long' [ "${raw[1]}" -eq "${raw[100]}" ]
check 'the subject is as large (within 10 %)' [ $((rss[100] * 10)) -le $((rss[1] * 11)) ]

# Other clocks. Work is the time in which the program was not interrupted: at least most of its CPU time, at most the run.
cat >busy.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
__attribute__((noinline)) static void work(long n)
{
	unsigned x = 1;
	for (long i = 0; i < n; i++)
		x = x * 1664525u + 1013904223u + (x >> 3);
	sink = x;
}
int main(void)
{
	for (int i = 0; i < 20; i++) {
		cilk_spawn work(3000000);
		work(3000000);
		cilk_sync;
	}
	return 0;
}
END
skein-cc -O2 -g busy.c -o busy
for clock in ns task-clock tsc; do
	skein record span --clock $clock -o run.skein -- ./busy >/dev/null 2>"$tmp/err"
	if [ $clock = task-clock ] && grep -q 'cannot count\|no permission to count' "$tmp/err"; then
		skip task-clock "$(cat "$tmp/err")"
		continue
	fi
	holds "$clock: identities"
	same "$clock: the clock is named" $clock "$(figure clock)"
	[ $clock = tsc ] || check "$clock: work is at least 70 % of the CPU time and no more than the run" \
		awk -v work="$(figure work)" -v cpu="$(figure cpu_ns)" -v wall="$(figure wall_ns)" 'BEGIN {exit !(work > 0.7 * cpu && work < 1.05 * wall)}'
	check "$clock: the parallelism is between 1 and 2" awk -v p="$(figure parallelism)" 'BEGIN {exit !(p >= 1 && p < 2.1)}'
done
if ! skein record span --clock cache-misses -o run.skein -- ./busy >/dev/null 2>"$tmp/err"; then
	expect_sentence 'no counters: one sentence'
	expect_match 'no counters: it says which clocks there are' 'insn, tsc or ns|perf_event_paranoid' "$tmp/err"
else
	skip 'no counters' 'this machine has them'
fi

# Killed: what has ended is there, and the report says so.
cat >endless.c <<'END'
#include <cilk/cilk.h>
#include <signal.h>
#include <unistd.h>
__attribute__((noinline)) static void work(int n)
{
	for (volatile int i = 0; i < n; i++)
		;
}
int main(void)
{
	for (int i = 0; i < 1000; i++) {
		cilk_spawn work(1000);
		work(1000);
		cilk_sync;
	}
	kill(getpid(), SIGKILL);
	return 0;
}
END
skein-cc -O2 -g endless.c -o endless
expect_status 137 'kill -9: the status is the signal' skein record span -o run.skein -- ./endless
skein report span run.skein >"$tmp/out"
expect_match 'kill -9: the report says so' 'was killed' "$tmp/out"
holds 'kill -9: identities'
check 'kill -9: what had ended is there' awk -v p="$(figure parallelism)" 'BEGIN {exit !(p > 1.9 && p < 2.1)}'
same 'kill -9: all spawns' 1000 "$(figure spawns)"

# Locks, conditions and atomics make an order that is not seen: they are counted, and the report says so; where there are none it does not.
cat >waits.c <<'END'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int sum, waits;
static void *run(void *unused)
{
	for (int i = 0; waits && i < 100; i++) {
		pthread_mutex_lock(&lock);
#ifdef ATOMIC
		__atomic_fetch_add(&sum, 1, __ATOMIC_SEQ_CST);
#else
		sum++;
#endif
		pthread_mutex_unlock(&lock);
	}
	if (waits)
		pthread_barrier_wait(&barrier);
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t thread[3];
	(void)argv;
	waits = argc > 1;
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread[i], NULL, run, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	return sum != (waits ? 300 : 0);
}
END
# waits FLAGS ARGUMENTS: what the report of such a run says of the order
waits() {
	skein-cc -O2 -g $1 waits.c -o waits -lpthread
	expect_status 0 "waits $1 $2: recorded" skein record span -o run.skein -- ./waits $2
	skein report span run.skein | tr '\n' ' ' | tr -s ' ' >"$tmp/out"
	span_reports run.skein /dev/null ''
}
order='The span follows thread creation and join only'
waits '' on
expect_match 'locks: the report says which order it is about' "through locks or conditions\. $order" "$tmp/out"
same 'locks: each is counted' '300 3' "$(figure locks) $(figure conditions)"
waits -DATOMIC on
expect_match 'atomics: the report says which order it is about' "through locks, conditions or atomics\. $order" "$tmp/out"
waits '' ''
check 'no locks: it says nothing of them' eval '! grep -q "$order" "$tmp/out"'
same 'no locks: none is counted' '0 0' "$(figure locks) $(figure conditions)"

# A program of ten thousand sites, some in functions that are too large for hooks in line.
cd "$tmp" || exit
{
	echo 'static volatile int sum; __attribute__((noinline)) static int leaf(int x) { sum += x; return x + 1; }'
	for f in $(seq 20); do
		echo "__attribute__((noinline)) static int f$f(int x) {"
		for _ in $(seq $((f == 1 ? 5000 : 200))); do echo 'x = leaf(x);'; done
		echo 'return x; }'
	done
	echo 'int main(void) { int x = 0;'
	for f in $(seq 20); do echo "x = f$f(x);"; done
	echo 'return x != 8800; }'
} >sites.c
skein-cc -O1 -g sites.c -o sites
expect_status 0 'many sites: recorded' skein record span -o run.skein -- ./sites
holds 'many sites: identities'
same 'many sites: each was called once' 8800 "$(csv_value sites.csv callee=leaf,profile=work,measure=local count | awk '{s += $1} END {print s}')"
