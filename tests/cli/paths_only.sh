#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Some paths alone (--only-paths): those that were asked for are all counted, and whatever is counted has the count that it has in the whole profile; so with lists of
# numbers and with what an earlier recording never executed, for functions with few paths and with many, with loops, recursion and threads.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit

cat >maze.c <<'END2'
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
static _Thread_local uint64_t state;
static _Thread_local volatile unsigned sum;
static unsigned next(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}
APART void tick(unsigned n) { sum += n; }
APART unsigned doors(unsigned n) /* 16 paths */
{
	if (n & 1)
		tick(1);
	if (n & 2)
		tick(2);
	if (n & 4)
		tick(3);
	if (n & 8)
		tick(4);
	return n;
}
APART unsigned rooms(unsigned turns) /* a loop with a switch, and two ways out */
{
	for (unsigned i = 0; i < turns; i++) {
		switch (next(7)) {
		case 0: tick(1); break;
		case 1: tick(2); /* fall through */
		case 2: tick(3); break;
		case 3: if (next(3)) tick(4); else tick(5); break;
		case 4: if (next(50) == 0) return i; break;
		default: continue;
		}
		if (next(2))
			tick(6);
	}
	return turns;
}
APART unsigned depth(unsigned n)
{
	if (n < 2)
		return n;
	return next(2) ? depth(n - 1) + 1 : depth(n - 1) + depth(n - 2);
}
#define D(k) if (n & 1u << k) tick(k);
APART unsigned halls(unsigned n) /* 2^18 paths */
{
	D(0) D(1) D(2) D(3) D(4) D(5) D(6) D(7) D(8) D(9) D(10) D(11) D(12) D(13) D(14) D(15) D(16) D(17)
	return n;
}
static void *walk(void *seed)
{
	state = (uintptr_t)seed;
	for (unsigned i = 0; i < 400; i++) {
		doors(next(1 + next(16)));
		rooms(next(20));
		halls(next(1u << 18) & (next(3) ? 0x3ff : 0x3ffff));
		depth(next(6));
	}
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t other;
	uintptr_t seed = argc > 1 ? (uintptr_t)atol(argv[1]) : 1;
	if (argc > 2 && pthread_create(&other, NULL, walk, (void *)(seed + 1)) == 0)
		pthread_join(other, NULL);
	walk((void *)seed);
	return 0;
}
END2

# rows RECORDING: FUNCTION PATH COUNT of each path that was counted
rows() { skein report paths "$1" --csv | awk -F, 'NR > 1 {print $1, $4, $6}' | sort; }

# some NUMBER: of the lines of standard input, the same every time
some() { shuf -n "$1" --random-source=<(yes "$1"); }

# agrees NAME RECORDING WHOLE ASKED: rows of RECORDING are rows of WHOLE; ASKED, lines FUNCTION PATH, are among them
agrees() {
	rows "$2" >part.rows
	same "$1: counts are those of the whole profile" '' "$(comm -23 part.rows "$3" | head -3)"
	same "$1: all that was asked for is counted" '' "$(comm -23 <(sort "$4") <(cut -d' ' -f1,2 part.rows) | head -3)"
}

check 'a program is built' skein-cc -O2 -g -pthread -w maze.c -o maze
expect_status 0 'a short run' skein record paths -o train.skein -- ./maze 7
for threads in '' two; do
	expect_status 0 "all paths${threads:+, by two threads}" skein record paths -o whole.skein -- ./maze 3 $threads
	rows whole.skein >whole.rows
	rows train.skein >train.rows
	for count in 1 3 12; do
		for function in doors rooms depth halls; do
			grep "^$function " whole.rows | cut -d' ' -f1,2 | some $count
		done >asked
		options=()
		while read -r function list; do
			options+=(--only-paths "$function:$list")
		done < <(sort asked | awk '{list[$1] = list[$1] (list[$1] ? "," : "") $2} END {for (f in list) print f, list[f]}')
		expect_status 0 "$count of each function${threads:+, two threads}" skein record paths "${options[@]}" -o part.skein -- ./maze 3 $threads
		agrees "$count of each function${threads:+, two threads}" part.skein whole.rows asked
	done
	for function in doors rooms depth halls; do
		join -v 1 -j 1 <(awk -v f=$function '$1 == f {print $1 "." $2}' whole.rows | sort) <(awk '{print $1 "." $2}' train.rows | sort) | tr . ' '
	done >asked
	expect_status 0 "never executed${threads:+, two threads}" skein record paths --plan train.skein --only-paths doors:never-executed --only-paths rooms:never-executed \
		--only-paths depth:never-executed --only-paths halls:never-executed -o part.skein -- ./maze 3 $threads
	check "there is something new${threads:+, two threads}" [ -s asked ]
	agrees "never executed${threads:+, two threads}" part.skein whole.rows asked
done

# One path of doors means its arcs and no others: nothing else is counted. Two of them, in two options, mean those of both.
first=$(awk '$1 == "doors" {print $2; exit}' whole.rows)
expect_status 0 'one path' skein record paths --only-paths "doors:$first" -o part.skein -- ./maze 3 two
same 'one path: and no other' "$(grep "^doors $first " whole.rows)" "$(rows part.skein)"
expect_status 0 'two options' skein record paths --only-paths doors:0 --only-paths doors:15 -o part.skein -- ./maze 3 two
same 'two options: they add up' "$(grep '^doors ' whole.rows)" "$(rows part.skein)"
expect_status 0 'all were executed' skein record paths --plan whole.skein --only-paths doors:never-executed -o part.skein -- ./maze 3 two
same 'all were executed: nothing is left' '' "$(rows part.skein)"

# ---- names ----

cat >names.cpp <<'END2'
#include <cstdio>
namespace text { __attribute__((noinline)) int parse(int n) { if (n % 3) putchar('a'); if (n % 2) putchar('b'); return n; } }
int main() { int sum = 0; for (int i = 0; i < 60; i++) sum += text::parse(i); return sum != 1770; }
END2
check 'a program in C++ is built' skein-c++ -O2 -g names.cpp -o names
expect_status 0 'it is recorded' skein record paths -- ./names
for name in 'text::parse(int)' text::parse _ZN4text5parseEi; do
	expect_status 0 "$name is known" skein record paths --only-paths "$name:0" -o part.skein -- ./names
	same "$name has that path" "$(csv_value <(skein report paths names.skein --csv) 'function=text::parse(int),path=0' count)" "$(csv_value <(skein report paths part.skein --csv) path=0 count)"
done

# ---- what cannot be ----

# refused STATUS WHAT REASON OPTION…
refused() {
	expect_status "$1" "refused: $2" skein record paths "${@:4}" -o no.skein -- ./maze
	expect_sentence "refused in a sentence: $2"
	expect_match "refused with the reason: $2" "$3" "$tmp/err"
	check "nothing is recorded: $2" [ ! -e no.skein ]
}
refused 125 'no such function' 'there is no such function' --only-paths lift:1
refused 125 'no such path' 'no path of such a number' --only-paths doors:16
refused 125 'a number beyond all' 'no path of such a number' --only-paths doors:18446744073709551616
refused 2 'no number' 'takes FUNCTION:LIST' --only-paths doors:1,x
refused 2 'no list' 'takes FUNCTION:LIST' --only-paths doors
refused 2 'several copies' 'leave --copies out' --only-paths doors:1 --copies 2
refused 2 'never executed, without a plan' 'name a recording with --plan' --only-paths doors:never-executed
refused 2 'a plan of another program' 'another build' --plan names.skein --only-paths doors:never-executed
skein record paths --only-paths doors:1 -o some.skein -- ./maze 2>/dev/null
refused 125 'a plan that does not know' 'not known what was executed' --plan some.skein --only-paths doors:never-executed
