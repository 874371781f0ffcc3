#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Code at which a compiler crashed: coroutines, and a function at which the plugin itself fails, which is left out and named.
. "$(dirname "$0")/../../lib/lib.sh"
export XDG_CACHE_HOME=$tmp/cache
mkdir "$tmp/work" && cd "$tmp/work" || exit
ulimit -c 0
lenses=('calls' 'calls --counts' 'span' 'paths' 'paths --copies 3' 'input')

# records NAME PROGRAM LENS…: recorded as it runs natively; leaves what was said in $tmp/err
records() {
	local name=$1 program=$2
	shift 2
	rm -f one.skein
	expect_status 0 "$name" skein record "$@" -o one.skein -- "./$program"
	same "$name: prints what it prints natively" "$("./$program")" "$(grep -xm1 "$("./$program")" "$tmp/out")"
}

# A coroutine is in parts before hooks are put in, whatever is linked how.
for flags in -O0 '-O0 -g' '-O0 -flto' '-O1 -g' -O2 '-O3 -g' '-O0 -DINDIRECT' '-O2 -g -DINDIRECT'; do
	skein-c++ -std=c++20 $flags "$tests/prog/relink/coroutines.cc" -o coroutines
	for lens in "${lenses[@]}"; do
		records "coroutines $flags: $lens" coroutines $lens
		same "coroutines $flags: $lens leaves no function out" '' "$(grep -o 'crashed.*' "$tmp/out" "$tmp/err")"
	done
done
skein-c++ -std=c++20 -O0 "$tests/prog/relink/coroutines.cc" -o coroutines
records 'coroutines: counted' coroutines calls
skein report calls one.skein --csv >calls.csv
same 'coroutines: a call for each node of the tree' 1973 "$(csv_value calls.csv 'routine=fib(int),worker=all,entry=all' calls)"
same 'coroutines: each is resumed once more than it waits' 3945 "$(csv_value calls.csv 'routine=fib(int) [clone .resume],worker=all,entry=all' calls)"

# The plugin as it is, but that it crashes at the function that CRASH_AT names, as soon as that is to be edited.
cat >fault.c <<'END'
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
struct editor;
void __real_edit_function(struct editor *e, LLVMValueRef function);
void __wrap_edit_function(struct editor *e, LLVMValueRef function);
void __wrap_edit_function(struct editor *e, LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length), *at = getenv("CRASH_AT");
	__real_edit_function(e, function);
	if (at && (strcmp(at, name) == 0 || strcmp(at, "every") == 0))
		abort();
}
END
mkdir -p faulty/bin faulty/lib && cp "$build/bin/skein" faulty/bin/ && cp -r "$build/lib/skein" faulty/lib/
clang-19 -I/usr/lib/llvm-19/include -fPIC -c fault.c && rm faulty/lib/skein/libskein-pass.so || exit
# shellcheck disable=SC2046 # no name has a space
clang++-19 -shared -Wl,--unresolved-symbols=ignore-all -Wl,--wrap=edit_function fault.o $(find "$build/obj/pass" "$build/obj/core/core/paths" "$build/obj/core/core/graph.o" -name "*.o") -o faulty/lib/skein/libskein-pass.so || exit
PATH=$tmp/work/faulty/bin:$PATH

cat >main.c <<'END'
#include <stdio.h>
int other(int);
__attribute__((noinline)) static int bad(int x) { int s = 0; for (int i = 0; i < x; i++) s += other(i); return s; }
int main(void) { printf("%d\n", bad(10)); return 0; }
END
echo '__attribute__((noinline)) int other(int x) { return x * 2; }' >other.c
for flags in -O2 '-O0 -g' '-O2 -flto'; do
	skein-cc $flags main.c other.c -o prog
	for lens in "${lenses[@]}"; do
		CRASH_AT=bad records "a crash at one function, $flags: $lens" prog $lens
		expect_match "a crash at one function, $flags: $lens names it" 'bad: the compiler crashed at this function, so it is not profiled' \
			<(cat "$tmp/out" "$tmp/err" | tr '\n' ' ' | tr -s ' ')
	done
done
CRASH_AT=bad records 'a crash at one function: counted' prog calls
skein report calls one.skein --csv >calls.csv
same 'a crash at one function: others are profiled' 10 "$(csv_value calls.csv routine=other,worker=all,entry=all calls)"
same 'a crash at one function: that one is not' '' "$(csv_value calls.csv routine=bad,worker=all,entry=all calls)"

# What cannot be mended so says where it happened.
for lens in "${lenses[@]}"; do
	rm -rf "$XDG_CACHE_HOME"
	CRASH_AT=every refused 125 "a crash at every function: $lens" 'prog failed: .*, at the function (main|bad|other) \(' skein record $lens -- ./prog
done
