#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The input lens in programs that skein-cc built: sizes and calls that subjects know of themselves.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/subjects.sh"
cd "$tmp" || exit
input_tool dump && input_tool relink || exit
export ASAN_OPTIONS=detect_leaks=0

for name in arrays.c joined.c threads.c library.c flow.c throws.cpp many.c lives.c; do
	subject "input/$name" || { not_ok "$name" 'does not compile'; exit; }
	name=${name%.*}
	case $name in many | lives) continue ;; esac
	record "$name" "input/$name" '' '' || not_ok "$name" "it ended with $?: $(head -c 300 "$name/err")"
	holds "$name: sizes and calls" "$name"
	same "$name: as without us" "$("./input/$name")" "$(cat "$name/out")"
done
record deep input/many '' '' deep
holds 'a million activations' deep
record many input/many '' '' threads
holds 'ten thousand threads' many
same 'all counted' 10001 "$(input_how many threads)"

for turn in 1 2 3; do
	record few input/threads '' 'epochs=4 ids=64'
	holds "words are renumbered while threads run, $turn" few
done
check 'which they were' [ "$(input_how few renumberings)" -gt 3 ]

record forked input/lives '' '' fork
holds 'a child has what it did itself' forked
same 'in a recording of its own' 2 "$(ls forked/*.raw | wc -l)"
record left input/lives '' '' exit
holds 'exit ends what is open, and records who waits' left

# sums FOLDER: the calls of sum
sums() { awk -F, '$1 == "point" && $4 == "\"sum\"" && $5 == "rms" && $6 == 30 {n += $7} END {print n + 0}' "$1/csv"; }
rm -rf killed
mkdir killed
linked=$(bin/relink killed ./input/lives --)
SKEIN_SESSION=$tmp/killed "$linked" endless >killed/out &
child=$!
for turn in $(seq 600); do
	bin/dump killed/*.raw >killed/csv 2>/dev/null && [ "$(sums killed)" -gt 0 ] && [ "$(awk -F, '$1 == "point" {print $3}' killed/csv | sort -u | wc -l)" -eq 2 ] && break
	sleep 0.1
done
kill -9 "$child"
wait "$child" 2>/dev/null
bin/dump killed/*.raw >killed/csv
check 'kill -9 leaves what two threads did before' [ "$(sums killed)" -gt 0 ]
same 'of both' 2 "$(awk -F, '$1 == "point" {print $3}' killed/csv | sort -u | wc -l)"

# However a program ends, what has ended in it is there: all of it, at once.
cat >stopped.c <<'END'
#include <signal.h>
#include <stdlib.h>
static volatile long sink;
static int cells[4096];
__attribute__((noinline)) long handle(int n) { long s = 0; for (int i = 0; i < n; i++) s += cells[i]; return s; }
int main(int argc, char **argv)
{
	for (int i = 0; i < 6400; i++) {
		for (int k = 0; k < 4096; k++)
			cells[k] = i;
		sink += handle(16 + i % 64 * 60);
	}
	return raise(argc > 1 ? atoi(argv[1]) : SIGTERM);
}
END
skein-cc -O2 -g stopped.c -o stopped
for number in 15 2 11 6 9; do
	{ skein record input -o stopped.skein -- ./stopped $number >/dev/null 2>&1; } 2>/dev/null
	skein report input stopped.skein --csv >stopped.csv
	same "signal $number: every activation that has ended is there" '6400 64' "$(csv_value stopped.csv routine=handle,thread=all calls) $(csv_value stopped.csv routine=handle,thread=all sizes_trms)"
	rm -f stopped.skein
done

# sizes FOLDER ROUTINE: its sizes by trms
sizes() { awk -F, -v name="\"$2\"" '$1 == "point" && $4 == name && $5 == "trms" {print $6}' "$1/csv" | sort -n | tr '\n' ' '; }
cost() { awk -F, -v name="\"$2\"" '$1 == "point" && $4 == name && $5 == "trms" {n += $10} END {print n}' "$1/csv"; }
record bytes input/arrays CELL=0 cell_log2=0
same 'cells of one byte' "$(seq -s ' ' 4 4 240) " "$(sizes bytes sum)"
record sixteen input/arrays CELL=4 cell_log2=4
same 'cells of sixteen' "$(seq -s ' ' 1 15) " "$(sizes sixteen increment)"
record locks input/library LOCKS=1 locks=1
same 'locks count if they are asked for' '3 12 102 ' "$(sizes locks locks)"
record plain input/arrays '' ''
record again input/arrays '' ''
record insns input/arrays COST=instructions ''
same 'costs are the same in every run' "$(cost plain sum)" "$(cost again sum)"
check 'instructions are more than blocks' [ "$(cost insns sum)" -gt "$((2 * $(cost plain sum)))" ]

for level in -O0 -O2 -O3; do
	for name in arrays.c joined.c threads.c library.c throws.cpp; do
		subject "input/$name" "$level" || { not_ok "$name $level" 'does not compile'; continue; }
		name=${name%.*}
		record "$name" "input/$name" '' '' || not_ok "$name $level" "it ended with $?: $(head -c 300 "$name/err")"
		holds "$name $level: sizes and calls" "$name"
	done
done

# The widest vectors that this machine has: none of these loops is left as it was.
widest=
grep -qw avx2 /proc/cpuinfo && widest=x86-64-v3
grep -qw avx512vl /proc/cpuinfo && widest=x86-64-v4
[ -n "$widest" ] || skip 'vectors of x86-64-v3' 'this machine has no avx2'
for machine in x86-64 $widest; do
	subject input/vectors.c -O3 -march=$machine
	record vectors input/vectors '' ''
	holds "vectors of $machine" vectors
done

subject input/threads.c -static
record static input/threads '' '' || not_ok 'static' "it ended with $?: $(head -c 300 static/err)"
holds 'a static program' static

# Hooks of accesses are in line in small loops without loops in them, and called elsewhere: the code must not swell.
mkdir -p far
cat >far.c <<'C'
struct fields { int a, b, c, d; struct fields *next; };
int numbers[1000];

__attribute__((noinline)) int sum(const int *from, int count)
{
	int s = 0;
	for (int i = 0; i < count; i++)
		s ^= from[i] + s;
	return s;
}

__attribute__((noinline)) int once(const struct fields *f)
{
	return f->a ^ f->next->b ^ f->next->next->c;
}

__attribute__((noinline)) int around(const struct fields *f, int count)
{
	int s = 0;
	for (int i = 0; i < count; i++) {
		s += f->a * s + f->next->d;
		for (int k = 0; k < s % 7; k++)
			s ^= numbers[k] + k;
	}
	return s;
}

int main(void)
{
	static struct fields one = {1, 2, 3, 4, &one};
	return (sum(numbers, 1000) ^ once(&one) ^ around(&one, 3)) == 77;
}
C
skein-cc -O2 -g -fno-vectorize -fno-unroll-loops far.c -o far.out
linked=$(bin/relink far ./far.out --)
called() { objdump -d --no-show-raw-insn --disassemble="$1" "$linked" | grep -cE 'call .*<skein_hook_(read|write|modify)[0-9]'; }
same 'in line in a small loop' 0 "$(called sum)"
check 'called where there is no loop' [ "$(called once)" -ge 3 ]
check 'called around a loop, in line within' [ "$(called around)" -ge 2 ]
