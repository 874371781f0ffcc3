#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export llvm-profdata: clang takes the profile for its own, and its counters are those that clang's instrumentation would have had.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
mkdir -p 'my source' build

cat >'my source/walk.h' <<'END'
static inline long step(long n, int k)
{
	if (k == 3)
		return n * 5;
	return n + k;
}
END
cat >'my source/walk.c' <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "walk.h"
#ifndef LIMIT
#error LIMIT
#endif
__attribute__((noinline)) long walk(long turns)
{
	long sum = 0;
	for (long i = 0;
	     i < turns;
	     i++) {
		if (i % 10 == 0)
			sum += step(i, 3);
		else if (i % 7 == 1)
			sum ^= i;
		else
			sum -= step(i, 2);
		switch (i % 5) {
		case 1:
			sum += 3;
			break;
		case 3:
			sum *= 3;
			break;
		}
	}
	return sum;
}
/* Clang would note what is called, and how much is copied. */
__attribute__((noinline)) long copied(long (*what)(long), char *to, const char *from, unsigned long bytes)
{
	__builtin_memcpy(to, from, bytes);
	return what((long)bytes);
}
__attribute__((noinline)) static void never(void)
{
	puts("never");
}
int main(int argc, char **argv)
{
	long sum = walk(argc > 1 ? atol(argv[1]) : LIMIT);
	char text[64];
	sum += copied(walk, text, argv[0], (unsigned long)argc);
	if (argc > 9)
		never();
	printf("%ld\n", sum);
	return 0;
}
END
cat >'my source/count.cpp' <<'END'
#include <stdexcept>
namespace {
struct counter {
	long n = 0;
	__attribute__((noinline)) void add(long k)
	{
		if (k > 900)
			throw std::runtime_error("too large");
		n += k;
	}
};
}
extern "C" __attribute__((noinline)) long count(long to)
{
	counter c;
	for (long i = 0; i < to; i++)
		try {
			c.add(i);
		} catch (const std::exception &) {
			c.n--;
		}
	return c.n;
}
int main()
{
	return count(1000) == 0;
}
END
flags=(-O2 -g '-DLIMIT=1000')

# ---- C ----

check 'the program is built' eval '(cd build && skein-cc "${flags[@]}" -MD -c "../my source/walk.c" -o walk.o && skein-cc walk.o -o ../walk)'
rm -f build/walk.d
expect_status 0 'and recorded' skein record paths -- ./walk 5000
expect_status 0 'its profile is exported' skein export llvm-profdata walk.skein -o walk.proftext
check 'nothing is left beside the source' [ "$(ls build)" = walk.o ]
check 'llvm-profdata takes it' llvm-profdata-19 merge walk.proftext -o walk.profdata
# Functions of one file are known by the name that the source was given as.
again() { (cd build && clang-19 "${flags[@]}" '../my source/walk.c' "$@"); }
expect_status 0 'clang builds with it' again -fprofile-use=../walk.profdata -Wprofile-instr-out-of-date -Wprofile-instr-unprofiled -Wprofile-instr-missing -Werror -o ../optimised
same 'the program does the same' "$(./walk 5000)" "$(./optimised 5000)"
again -fprofile-use=../walk.profdata -S -emit-llvm -o ../used.ll
expect_match 'functions have their counts' '"function_entry_count", i64 1}' used.ll
expect_match 'what never ran is known not to' '"function_entry_count", i64 0}' used.ll

# By clang's own instrumentation of the same run. Each line of walk.c is one block's, so they are the same.
again -fprofile-generate -o ../counted
LLVM_PROFILE_FILE=own.profraw ./counted 5000 >/dev/null
llvm-profdata-19 merge own.profraw -o own.profdata
for profile in own walk; do
	llvm-profdata-19 show --all-functions --counts --ic-targets --memop-sizes $profile.profdata | awk '/^  [^ ].*:$/ { name = $1 } /Hash|Block counts|Number of/ { print name, $0 }' | sort >$profile.counts
done
same 'hashes are those of clang' "$(grep Hash own.counts)" "$(grep Hash walk.counts)"
same 'counters are those of clang' "$(grep -v Hash own.counts)" "$(grep -v Hash walk.counts)"

# ---- by lines ----

expect_status 0 'line counts are exported' skein export llvm-sample walk.skein -o walk.sample
check 'llvm-profdata reads them' llvm-profdata-19 merge -sample walk.sample -o walk.afdo
expect_match 'calls are exact' '^main:[0-9]+:1$' walk.sample
line=$(grep -n 'printf("%ld' "my source/walk.c" | cut -d: -f1)
main=$(grep -n '^int main' "my source/walk.c" | cut -d: -f1)
expect_match 'so are lines, from that of the function on' "^ $((line - main)): 1\$" walk.sample
expect_status 0 'clang builds with them' again -fprofile-sample-use=../walk.afdo -o ../sampled
same 'that program does the same, too' "$(./walk 5000)" "$(./sampled 5000)"
again -fprofile-sample-use=../walk.afdo -S -emit-llvm -o ../sampled.ll
expect_match 'functions have counts of calls' '"function_entry_count", i64 [1-9]' sampled.ll
expect_match 'branches have weights' '"branch_weights", i32 [0-9]+, i32 [0-9]+' sampled.ll

# ---- C++ ----

check 'a program in C++ is built' skein-c++ -O1 -g 'my source/count.cpp' -o count
expect_status 0 'recorded' skein record paths -- ./count
expect_status 0 'and exported' skein export llvm-profdata count.skein -o count.proftext
check 'llvm-profdata takes that, too' llvm-profdata-19 merge count.proftext -o count.profdata
expect_status 0 'and clang' clang++-19 -O1 -g -fprofile-use=count.profdata -Wprofile-instr-out-of-date -Werror 'my source/count.cpp' -o count.optimised
expect_status 0 'it runs' ./count.optimised

# ---- what cannot be ----

refused() {
	expect_status "$1" "$2" "${@:4}"
	expect_sentence "$2: one sentence"
	expect_match "$2: says what matters" "$3" "$tmp/err"
	check "$2: leaves no file" [ ! -e bad.proftext ]
}
echo 'int more(void) { return 3; }' >more.c
check 'a program of two sources is built' eval 'echo "int more(void); int main(void) { return more() - 3; }" >both.c && skein-cc -O1 -g both.c more.c -o both && skein record paths -- ./both >/dev/null 2>&1'
rm more.c
expect_status 0 'one of them is gone' skein export llvm-profdata both.skein -o both.proftext
expect_match 'which is said' '^skein: warning: 1 of 2 sources are left out; the first: clang could not compile more.c again' "$tmp/err"
same 'the other is there' main "$(grep -E '^(main|more)$' both.proftext)"
mv 'my source' 'other source'
refused 125 'sources that are gone' 'could not compile .*walk.c again' skein export llvm-profdata walk.skein -o bad.proftext
mv 'other source' 'my source'
objcopy --remove-section .skein.command walk stripped && mv stripped walk
refused 2 'a program that does not say how it was compiled' 'do not strip it' skein export llvm-profdata walk.skein -o bad.proftext
cp /bin/true walk
refused 125 'another program' 'has changed since it was recorded' skein export llvm-profdata walk.skein -o bad.proftext
rm walk
refused 127 'a program that is gone' 'walk' skein export llvm-profdata walk.skein -o bad.proftext
