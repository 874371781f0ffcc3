#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Paths of a program whose objects are finished one by one are those of the same program put together before it is instrumented (which
# a plan asks for): also where control leaves functions of one object in another.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >main.c <<'EOF'
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
jmp_buf back;
int calm(int x), jumps(int x), asks(int x, int (*how)(int)), deep(int x), through(int x);
void ends(int x);
static int own(int x) { return x % 5 ? calm(x) : calm(x + 1) * 2; }
int main(int argc, char **argv)
{
	volatile int sum = 0;
	(void)argv;
	for (volatile int i = 0; i < 100; i++) {
		if (setjmp(back) == 0) {
			sum += i % 7 ? jumps(i) : own(i);
			sum += through(i);
		}
		sum += asks(i, i % 2 ? calm : deep);
	}
	printf("%d\n", sum);
	if (argc > 1)
		ends(sum);
	return 0;
}
EOF
cat >one.c <<'EOF'
#include <setjmp.h>
extern jmp_buf back;
int calm(int x) { if (x % 3) return x * 5; if (x % 7) return x; return 2; }
int jumps(int x) { if (x % 11 == 3) longjmp(back, 1); return x & 1 ? calm(x) : calm(x + 4); }
int asks(int x, int (*how)(int)) { int s = 0; for (int i = 0; i < x % 4; i++) s += how(i + x); return s; }
EOF
cat >two.c <<'EOF'
#include <stdlib.h>
int calm(int x), jumps(int x);
static int inner(int x) { return x > 3 ? calm(x) + inner(x - 3) : 1; }
int deep(int x) { return inner(x % 40); }
int through(int x) { int s = 0; for (int i = 0; i < 3; i++) s += x % 13 ? deep(i) : jumps(x + i); return s; }
void ends(int x) { if (x & 1) exit(3); exit(4); }
EOF
cat >cxx.cpp <<'EOF'
#include <cstdio>
#include <stdexcept>
#include <vector>
#include "shared.h"
int main()
{
	int sum = 0;
	for (int i = 0; i < 60; i++) {
		try {
			sum += other(i) + shared(i);
		} catch (const std::runtime_error &) {
			sum += 1000;
		}
	}
	std::printf("%d\n", sum);
}
EOF
cat >other.cpp <<'EOF'
#include <stdexcept>
#include <vector>
#include "shared.h"
int other(int x)
{
	std::vector<int> v;
	for (int i = 0; i < x % 5; i++)
		v.push_back(shared(i + x));
	if (v.size() == 3)
		throw std::runtime_error("three");
	return static_cast<int>(v.size());
}
EOF
cat >shared.h <<'EOF'
int other(int x);
__attribute__((noinline)) inline int shared(int x) { if (x % 6 == 5) throw 7 > x ? std::runtime_error("seven") : std::runtime_error("more"); return x & 1 ? x : -x; }
EOF

# agrees NAME COMMAND…: recorded with and without a plan
agrees() {
	local name=$1
	shift
	rm -f one.skein two.skein
	timeout 60 skein record -v paths -o one.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	[[ $name == *,* ]] || check "$name: each object by itself" grep -q 'object 1 of [2-9]' "$tmp/err"
	same "$name: and nothing as a whole" '' "$(grep 'as a whole' "$tmp/err")"
	timeout 60 skein record -v paths --plan one.skein -o two.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	for run in one two; do
		skein report paths $run.skein --top 0 --csv | cut -d, -f1-7 | sort >$run.csv
		skein report paths $run.skein --view functions --top 0 --csv | cut -d, -f1-5 | sort >$run.functions
	done
	check "$name: there are paths" [ "$(wc -l <one.csv)" -gt 5 ]
	equal "$name: the same paths, as often" one.csv two.csv
	equal "$name: the same functions" one.functions two.functions
}

for flags in '-O2 -g' '-O0 -g' '-O1' '-O2 -g -fPIC'; do
	rm -f ./*.o
	for source in main one two; do skein-cc $flags -c $source.c; done
	rm -f libtwo.a && llvm-ar-19 rc libtwo.a two.o
	skein-cc main.o one.o libtwo.a -o prog
	agrees "C $flags" ./prog
	agrees "C $flags, ends by exit" ./prog end
	skein-c++ $flags cxx.cpp other.cpp -o cxx
	agrees "C++ $flags" ./cxx
done
skein-cc -O2 -g -fPIC -shared one.c two.c -o libboth.so
skein-cc -O2 -g main.c -L. -lboth -Wl,-rpath,"$tmp" -Wl,-E -o with_library
agrees 'a library' ./with_library

# A change in one object that decides whether a function comes back is seen by those that call it.
skein-cc -O2 -g -c main.c && skein-cc -O2 -g -c one.c && skein-cc -O2 -g -c two.c && skein-cc main.o one.o two.o -o prog
skein record paths -o first.skein -- ./prog >"$tmp/out" 2>"$tmp/err"
sed -i 's/int calm(int x) {/int calm(int x) { if (x == 9999) longjmp(back, 1);/' one.c
skein-cc -O2 -g -c one.c && skein-cc main.o one.o two.o -o prog
agrees 'calm jumps now' ./prog
