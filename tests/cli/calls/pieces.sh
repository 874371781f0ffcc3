#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Calls that are only counted, in a program whose objects are finished one by one: as many as in the same program put together before it is
# instrumented (which --only asks for), from the same callers. Where a call may reach another function than an object's own, it is not counted
# where it is made.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
cp "$tests"/prog/pieces/* .

# Places of calls are known but for calls between objects of a library, which another object may take over.
columns=1-

# agrees NAME COMMAND…
agrees() {
	local name=$1 run
	shift
	rm -f one.skein two.skein
	timeout 60 skein record -v calls --counts -o one.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	[[ $name == *,* ]] || check "$name: each object by itself" grep -q 'object 1 of [2-9]' "$tmp/err"
	same "$name: and nothing as a whole" '' "$(grep 'as a whole' "$tmp/err")"
	timeout 60 skein record -v calls --counts --only '*' -o two.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	for run in one two; do
		skein report calls $run.skein --top 0 --csv | sort >$run.csv
		skein report calls $run.skein --view arcs --top 0 --csv | cut -d, -f"$columns" | sort >$run.pairs
	done
	check "$name: there are routines" [ "$(wc -l <one.csv)" -gt 5 ]
	equal "$name: the same routines, as often" one.csv two.csv
	equal "$name: the same callers" one.pairs two.pairs
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
skein-cc -O2 -g -static main.c one.c two.c -o static
agrees 'a static program' ./static

# Names that stand for more than one function, or for none that is profiled.
cat >odd.c <<'END'
#include <stdio.h>
int twice(int x);
int doubled(int x);
int weak(int x);
int bare(int x);
int hidden(int x);
int called_back(int x);
__attribute__((noinline)) int called_back(int x) { return x + 5; }
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += twice(i) + doubled(i) + (i % 2 ? weak(i) : 0) + (i % 4 ? bare(i) : 0);
	printf("%d\n", sum);
	return 0;
}
END
cat >names.c <<'END'
int called_back(int x);
int twice(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("twice")));
#ifdef WEAK
__attribute__((weak)) int weak(int x) { return x + 1; }
#endif
#ifdef BARE
__attribute__((naked)) int bare(int x) { __asm__("jmp called_back"); }
#else
int bare(int x) { return called_back(x); }
#endif
END
echo 'int called_back(int); int weak(int x) { return called_back(x) + called_back(x + 1); }' >strong.c

# counts NAME 'ROUTINE CALLS'…: of the program
counts() {
	local name=$1 pair
	shift
	rm -f odd.skein
	timeout 60 skein record calls --counts -o odd.skein -- ./prog >"$tmp/out" 2>"$tmp/err"
	skein report calls odd.skein --top 0 --csv >odd.csv
	for pair; do
		same "$name: $pair" "${pair#* }" "$(awk -F, -v routine="${pair% *}" '$1 == routine && $4 == "all" && $5 == "all" {n += $6} END {print n + 0}' odd.csv)"
	done
}
skein-cc -O1 -g -c odd.c && skein-cc -O1 -g -DWEAK -c names.c && clang-19 -O1 -c strong.c
skein-cc odd.o names.o -o prog && counts 'an alias' 'twice 200' 'weak 50' 'bare 75' 'called_back 75'
skein-cc odd.o names.o strong.o -o prog && counts 'a foreign object replaces a weak function' 'twice 200' 'weak 0' 'bare 75' 'called_back 175'
skein-cc -O1 -g -c strong.c && skein-cc odd.o names.o strong.o -o prog && counts 'another piece replaces a weak function' 'weak 50' 'called_back 175'
skein-cc odd.o names.o -Wl,--wrap=weak -Wl,--defsym=__wrap_weak=called_back -o prog && counts 'the linker replaces a function' 'weak 0' 'called_back 125'
skein-cc -O1 -g -DWEAK -DBARE -c names.c && skein-cc odd.o names.o -o prog && counts 'a naked function' 'twice 200' 'weak 50' 'called_back 75'
rm -f libnames.a && skein-cc -O1 -g -DWEAK -c names.c && llvm-ar-19 rc libnames.a names.o
clang-19 -O1 -g -fPIC -shared -DWEAK names.c -o libfirst.so
skein-cc odd.o -L. -lfirst libnames.a -Wl,-E -Wl,-rpath,"$tmp" -o prog && counts 'a library before an archive' 'twice 0' 'weak 0' 'called_back 75'

columns=1,2,5-
skein-cc -O2 -g -fPIC -shared one.c two.c -o libboth.so
skein-cc -O2 -g main.c -L. -lboth -Wl,-rpath,"$tmp" -Wl,-E -o with_library
agrees 'a library' ./with_library
