#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Paths of a program whose objects are finished one by one are those of the same program put together before it is instrumented (which
# a plan asks for): also where control leaves functions of one object in another.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
cp "$tests"/prog/pieces/* .


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
