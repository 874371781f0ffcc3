#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Some paths alone (--only-paths): what is reported is what was asked for and nothing else, with the counts of the whole profile; so with lists of
# numbers and with what an earlier recording never executed, for functions with few paths, with many and with too many, with loops, recursion and threads.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/paths/complaints.sh"
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
#define D(k) if (n & (uint64_t)1 << (k)) tick(k);
#define D8(k) D(k) D(k + 1) D(k + 2) D(k + 3) D(k + 4) D(k + 5) D(k + 6) D(k + 7)
APART unsigned halls(unsigned n) /* 2^18 paths */
{
	D(0) D(1) D(2) D(3) D(4) D(5) D(6) D(7) D(8) D(9) D(10) D(11) D(12) D(13) D(14) D(15) D(16) D(17)
	return n;
}
APART unsigned towers(unsigned n) /* 2^24 paths: cut */
{
	D8(0) D8(8) D8(16)
	return n;
}
APART uint64_t skies(uint64_t n) /* 2^64 paths: no numbers */
{
	D8(0) D8(8) D8(16) D8(24) D8(32) D8(40) D8(48) D8(56)
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
		towers(next(8) << next(22));
		skies((uint64_t)next(8) << next(60));
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

# agrees NAME RECORDING WHOLE ASKED: RECORDING has those rows of WHOLE that are in ASKED, lines FUNCTION PATH, and no others
agrees() {
	awk 'NR == FNR {asked[$1 " " $2] = 1; next} $1 " " $2 in asked' "$4" "$3" | sort >wanted.rows
	equal "$1: what was asked for, with the counts of the whole profile" wanted.rows <(rows "$2")
}
# others RECORDING: how many paths were counted on the way
others() { sqlite3 "$1" 'select sum(others) from paths_function'; }

check 'a program is built' skein-cc -O2 -g -pthread -w maze.c -o maze
expect_status 0 'a short run' skein record paths -o train.skein -- ./maze 7
for threads in '' two; do
	expect_status 0 "all paths${threads:+, by two threads}" skein record paths -o whole.skein -- ./maze 3 $threads
	rows whole.skein >whole.rows
	rows train.skein >train.rows
	for count in 1 3 12; do
		for function in doors rooms depth halls towers skies; do
			grep "^$function " whole.rows | cut -d' ' -f1,2 | some $count
		done >asked
		options=()
		while read -r function list; do
			options+=(--only-paths "$function:$list")
		done < <(sort asked | awk '{list[$1] = list[$1] (list[$1] ? "," : "") $2} END {for (f in list) print f, list[f]}')
		expect_status 0 "$count of each function${threads:+, two threads}" skein record paths "${options[@]}" -o part.skein -- ./maze 3 $threads
		agrees "$count of each function${threads:+, two threads}" part.skein whole.rows asked
	done
	for function in doors rooms depth halls towers skies; do
		join -v 1 -j 1 <(awk -v f=$function '$1 == f {print $1 "." $2}' whole.rows | sort) <(awk '{print $1 "." $2}' train.rows | sort) | tr . ' '
	done >asked
	expect_status 0 "never executed${threads:+, two threads}" skein record paths --plan train.skein --only-paths doors:never-executed --only-paths rooms:never-executed \
		--only-paths depth:never-executed --only-paths halls:never-executed --only-paths towers:never-executed --only-paths skies:never-executed -o part.skein -- ./maze 3 $threads
	check "there is something new${threads:+, two threads}" [ -s asked ]
	same "never executed${threads:+, two threads}: it holds what every recording must" '' "$(paths_complaints part.skein)"
	agrees "never executed${threads:+, two threads}" part.skein whole.rows asked
done

# One path of doors has arcs of its own: nothing else is counted. Two opposite ones have all arcs: all others are counted on the way, and not reported.
first=$(awk '$1 == "doors" {print $2; exit}' whole.rows)
expect_status 0 'one path' skein record paths --only-paths "doors:$first" -o part.skein -- ./maze 3 two
same 'one path: and no other' "$(grep "^doors $first " whole.rows)" "$(rows part.skein)"
same 'one path: none on the way' 0 "$(others part.skein)"
expect_status 0 'two options' skein record paths --only-paths doors:0 --only-paths doors:15 -o part.skein -- ./maze 3 two
same 'two options: they add up' "$(grep -E '^doors (0|15) ' whole.rows)" "$(rows part.skein)"
same 'two options: it holds what every recording must' '' "$(paths_complaints part.skein)"
same 'two options: all others are on the way' "$(grep -cE '^doors ([1-9]|1[0-4]) ' whole.rows)" "$(others part.skein)"
expect_match 'two options: that is told' "$(others part.skein) other paths made of the same pieces were also counted" <(skein report paths part.skein | paste -sd' ')
expect_status 0 'all were executed' skein record paths --plan whole.skein --only-paths doors:never-executed -o part.skein -- ./maze 3 two
same 'all were executed: nothing is left' '' "$(rows part.skein)"
expect_match 'all were executed: that is told' 'had been executed before' "$tmp/err"

# ---- what reports say ----

# Of what was never executed, what now was, run after run: what one recording adds is known to the next.
expect_status 0 'the first run' skein record paths -o first.skein -- ./maze 7
rows first.skein | grep '^halls ' | cut -d' ' -f2 | sort >known
possible=$(csv_value <(skein report paths first.skein --view functions --csv) function=halls paths_possible)
before=first.skein
for seed in 11 12; do
	expect_status 0 "seed $seed: all paths" skein record paths -o whole.skein -- ./maze $seed
	rows whole.skein | grep '^halls ' >whole.rows
	expect_status 0 "seed $seed: never executed" skein record paths --plan $before --only-paths halls:never-executed -o next$seed.skein -- ./maze $seed
	same "seed $seed: what is new" "$(awk 'NR == FNR {known[$1] = 1; next} !($2 in known)' known whole.rows)" "$(rows next$seed.skein)"
	left=$((possible - $(wc -l <known))) new=$(rows next$seed.skein | wc -l)
	expect_match "seed $seed: the verdict" "^$new of $left paths that had never been executed were executed now" <(grep -v "^skein: linking" "$tmp/err" | paste -sd' ' | tr -d , | sed 's/^ *//')
	same "seed $seed: what is still missing: the first of it" 1000 "$(skein report paths next$seed.skein --view never --csv | grep -c "^path,")"
	same "seed $seed: so in functions" $left "$(csv_value <(skein report paths next$seed.skein --view functions --csv) function=halls paths_asked)"
	rows next$seed.skein | cut -d' ' -f2 | sort - known >known.too && mv known.too known
	before=next$seed.skein
done
never=$(skein report paths $before --view never --csv | awk -F, '$1 == "path" {print $5; exit}')
taken=$(rows first.skein | awk '$1 == "halls" {print $2; exit}')
skein record paths --only-paths "halls:$taken,$never" -o part.skein -- ./maze 7 2>/dev/null
same 'a list: what was taken' "$taken" "$(rows part.skein | cut -d' ' -f2)"
same 'a list: what was not taken' "$never" "$(skein report paths part.skein --view never --csv | awk -F, 'NR > 1 {print $5}' | sort)"
same 'a list: hits are not known' '(empty)' "$(csv_value <(skein report paths part.skein --view summary --csv) name=hits_sequential value | or_empty)"
same 'a list: nor are branches' 0 "$(skein report paths part.skein --view branches --csv | grep -c '^halls,')"
expect_status 2 'a list: no coverage' skein export lcov part.skein
expect_match 'a list: why not' 'only some paths were counted' "$tmp/err"
name=$(rows first.skein | awk '$1 == "skies" {print $2; exit}')
expect_status 0 'a path without a number, and one that was never taken' skein record paths --only-paths "skies:x0000000000000001,$name" -o part.skein -- ./maze 7
same 'a path without a number: the same count' "$(rows first.skein | grep " $name ")" "$(rows part.skein)"
same 'a path without a number: what was not taken' x0000000000000001 "$(csv_value <(skein report paths part.skein --view never --csv) function=skies path)"

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

# ---- libraries ----

cat >library.c <<'END2'
int sign(int n) { int volatile all = 0; if (n & 1) all += 2; else all -= 3; if (n & 2) all += 5; return all; }
END2
cat >user.c <<'END2'
int sign(int n);
int main(void) { int sum = 0; for (int i = 0; i < 40; i++) sum += sign(i); return sum == 1; }
END2
check 'a library is built' skein-cc -O1 -g -fPIC -shared library.c -o liblibrary.so
check 'a program with it' eval 'skein-cc -O1 -g user.c -o user -L. -llibrary -Wl,-rpath,\$ORIGIN'
expect_status 0 'it is recorded' skein record paths -o all.skein -- ./user
path=$(rows all.skein | awk '$1 == "sign" {print $2; exit}')
expect_status 0 'a path of the library' skein record paths --only-paths "sign:$path" -o part.skein -- ./user
same 'a path of the library: as often' "$(rows all.skein | grep "^sign $path ")" "$(rows part.skein)"
expect_status 125 'none of its paths' skein record paths --only-paths sign:99 -o no.skein -- ./user
expect_match 'none of its paths: who has the function knows' 'sign:99: it has [0-9]+ paths, with the numbers 0 to' "$tmp/err"
expect_status 125 'none of its functions' skein record paths --only-paths sing:0 -o no.skein -- ./user
expect_match 'none of its functions: nobody knows' 'sing:0: there is no such function' "$tmp/err"

# ---- what cannot be ----

# refused STATUS WHAT REASON OPTION…
refused() {
	expect_status "$1" "refused: $2" skein record paths "${@:4}" -o no.skein -- ./maze
	expect_sentence "refused in a sentence: $2"
	expect_match "refused with the reason: $2" "$3" "$tmp/err"
	check "nothing is recorded: $2" [ ! -e no.skein ]
}
refused 125 'no such function' 'there is no such function' --only-paths lift:1
refused 125 'no such path' 'it has 16 paths, with the numbers 0 to 15' --only-paths doors:16
refused 125 'a number beyond all' 'with the numbers 0 to 15' --only-paths doors:18446744073709551616
refused 125 'no such path of a function that is cut' 'numbers 0 to 16777215' --only-paths towers:16777216
refused 125 'a name where there are numbers' 'with the numbers 0 to 15' --only-paths doors:x0000000000000001
refused 125 'a number where there are names' 'instead of numbers' --only-paths skies:1
refused 2 'half a name' 'takes FUNCTION:LIST' --only-paths skies:x01
refused 2 'no number' 'takes FUNCTION:LIST' --only-paths doors:1,x
refused 2 'no list' 'takes FUNCTION:LIST' --only-paths doors
refused 2 'several copies' 'leave out --copies' --only-paths doors:1 --copies 2
refused 2 'never executed, without a plan' 'add --plan FILE' --only-paths doors:never-executed
refused 2 'a plan of another program' 'another build' --plan names.skein --only-paths doors:never-executed
skein record paths --only-paths doors:1 -o some.skein -- ./maze 2>/dev/null
refused 2 'a plan of some paths' 'has only some paths' --plan some.skein
refused 125 'a plan that does not know' 'not known which of its paths were executed' --plan some.skein --only-paths doors:never-executed
