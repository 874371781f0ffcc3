#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Work and span of a program whose objects are finished one by one are those of the same program put together before it is instrumented:
# what is proved about routines is the same, and callers and callees in different objects agree on it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
export XDG_CACHE_HOME=$tmp/cache
cp "$tests"/prog/pieces/* .

# figures RECORDING: all but real times. By objects a call of an alias has the alias's name, and one of a function that two objects define
# may reach either; put together, the first is an indirect call, the second one of foreign code.
figures() {
	skein report span "$1" --top 0 --json |
		sed -nE '/"profile"/{s/"(real_ns|targets)": [^,]*,?//g; s/"callee": "other_name"/"callee": "(indirect)"/; /"callee": "strong"/s/"foreign": 1/"foreign": 0/; s/,$//; p}' | sort
}

# agrees NAME COMMAND…: by objects, and as a whole, which --skip asks for
agrees() {
	local name=$1
	shift
	rm -f one.skein two.skein
	"$@" >native 2>&1
	timeout 60 skein record -v span -o one.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	same "$name: its output" "$(cat native)" "$(head -n "$(wc -l <native)" "$tmp/out")"
	check "$name: in two steps" grep -q 'object 1 of [1-9]*, step 2 of 2' "$tmp/err"
	same "$name: and nothing as a whole" '' "$(grep 'as a whole' "$tmp/err")"
	timeout 60 skein record -v span --skip no_such_function -o two.skein -- "$@" >"$tmp/out" 2>"$tmp/err"
	same "$name: put together first" '' "$(grep 'step 2 of 2' "$tmp/err")"
	figures one.skein >one.csv
	figures two.skein >two.csv
	check "$name: there are sites" [ "$(wc -l <one.csv)" -gt 20 ]
	equal "$name: the same figures" one.csv two.csv
}

for flags in '-O2 -g' '-O0 -g' '-O1' '-O2 -g -fPIC'; do
	rm -f ./*.o
	for source in main one two; do skein-cc $flags -c $source.c; done
	rm -f libtwo.a && llvm-ar-19 rc libtwo.a two.o
	skein-cc main.o one.o libtwo.a -o prog
	agrees "jumps $flags" ./prog
	skein-c++ $flags cxx.cpp other.cpp -o cxx
	agrees "C++ $flags" ./cxx
	skein-cc $flags -c graph.c && skein-cc $flags -DSECOND -c graph.c -o calls.o && skein-cc graph.o calls.o -o graph
	agrees "graphs $flags" ./graph
	skein-cc graph.o calls.o -Wl,-E -o graph
	agrees "graphs $flags, exported" ./graph 20
done

# Code that is no piece: an object of another compiler calls what objects of this build have, and has a function that calls reach.
printf 'int leaf(int); int even(int); int native(int x) { return leaf(x) + even(x %% 5); }\nint strong(int x) { return x * 3; }\n' >native.c
printf 'int native(int), leaf(int);\nint calls_native(int x) { return native(x) + leaf(x); }\n' >calls_native.c
sed 's/strong(n));/strong(n) + calls_native(n));/; s/^int leaf/int calls_native(int);\n&/' graph.c >uses_native.c
sed -i 's/^__attribute__((pure)) int strong/__attribute__((weak)) int strong/' graph.c
clang-19 -O1 -c native.c && skein-cc -O1 -g -c calls_native.c && skein-cc -O1 -g -c uses_native.c && skein-cc -O1 -g -DSECOND -c graph.c -o calls.o
skein-cc uses_native.o calls_native.o native.o calls.o -o mixed
agrees 'an object of another compiler' ./mixed
cp "$tests/prog/pieces/graph.c" .

# Assembly that names a function calls it.
cat >asm.c <<'END'
int leaf(int);
int by_asm(int x) { return leaf(x) + 1; }
__asm__(".text\n.globl through_asm\nthrough_asm: jmp by_asm\n");
END
sed 's/strong(n));/strong(n) + through_asm(n));/; s/^int leaf/int through_asm(int);\n&/' graph.c >uses_asm.c
skein-cc -O1 -g -fPIC uses_asm.c -c && skein-cc -O1 -g -c asm.c && skein-cc -O1 -g -DSECOND -c graph.c -o calls.o && skein-cc -no-pie uses_asm.o asm.o calls.o -o assembly
agrees 'assembly' ./assembly

# A library of the same build, whose weak function gives way to the program's.
skein-cc -O2 -g -fPIC -shared -DSECOND graph.c -o libgraph.so
skein-cc -O2 -g graph.c -L. -lgraph -Wl,-rpath,"$tmp" -o with_library
agrees 'a library' ./with_library
skein-cc -O2 -g -fPIC -shared one.c two.c -o libboth.so
skein-cc -O2 -g main.c -L. -lboth -Wl,-rpath,"$tmp" -Wl,-E -o with_jumps
agrees 'a library that jumps' ./with_jumps

# Tasks and loops of OpenMP whose functions are in two objects.
cat >tasks.c <<'END'
#include <stdio.h>
int leaf(int), tree(int), loop(int);
int main(void)
{
	int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
	sum = tree(9) + loop(40);
	printf("%d\n", sum + leaf(3));
}
END
cat >tree.c <<'END'
int leaf(int x) { int s = x; for (int i = 0; i < 20; i++) s = s * 31 + i; return s & 7; }
int tree(int n)
{
	int a, b;
	if (n < 2)
		return leaf(n);
#pragma omp task shared(a)
	a = tree(n - 1);
#pragma omp task shared(b)
	b = tree(n - 2);
#pragma omp taskwait
	return a + b;
}
int loop(int n)
{
	int sum = 0;
#pragma omp taskloop reduction(+ : sum)
	for (int i = 0; i < n; i++)
		sum += leaf(i);
	return sum;
}
END
skein-cc -O2 -g -fopenmp -c tasks.c && skein-cc -O2 -g -fopenmp -c tree.c && skein-cc -fopenmp tasks.o tree.o -o tasks
agrees 'OpenMP' ./tasks

# An archive's member that the linker does not take, as a library before it has the function: what calls reach is not the member's.
printf 'int leaf(int x) { return x * 2; }\n' >shadow.c
clang-19 -O1 -fPIC -shared shadow.c -o libshadow.so
printf 'int leaf(int x) { return x * 3; }\n' >member.c && skein-cc -O1 -g -c member.c && rm -f libmember.a && llvm-ar-19 rc libmember.a member.o
printf '#include <stdio.h>\nint leaf(int);\nint main(void) { int s = 0; for (int i = 0; i < 9; i++) s += leaf(i); printf("%%d\\n", s); }\n' >shadowed.c
skein-cc -O1 -g shadowed.c -L. -lshadow libmember.a -Wl,-rpath,"$tmp" -o shadowed
expect_status 0 'a member that is not taken' skein record -v span -o run.skein -- ./shadowed
expect_match 'a member that is not taken: it is noticed' 'as a whole: calls of leaf do not reach' "$tmp/err"
same 'a member that is not taken: a call of foreign code' 1 "$(csv_value <(skein report span run.skein --csv) callee=leaf,profile=work,measure=local foreign)"

# Names that the linker is told to take for others: calls of them may reach anything.
skein-cc -O1 -g -c graph.c && skein-cc -O1 -g -DSECOND -c graph.c -o calls.o
printf 'int __real_table(int, int); int __wrap_table(int which, int x) { return __real_table(which, x) + 1; }\n' >wrap.c && skein-cc -O1 -g -c wrap.c
skein-cc graph.o calls.o wrap.o -Wl,--wrap=table -o wrapped
expect_status 0 '--wrap' skein record -v span -o run.skein -- ./wrapped
check '--wrap: by objects' grep -q 'object 3 of 3, step 2 of 2' "$tmp/err"
same '--wrap: its output' "$(./wrapped)" "$(head -n 1 "$tmp/out")"

# Only what changed is finished again; what is proved anew about a function, its callers are told.
skein-cc graph.o calls.o -o graph
expect_status 0 'before a change' skein record -v span -o run.skein -- ./graph
sed -i 's/int x \* 2 + fib(2)/x * 3 + fib(2)/; s/^static int second(int x) { return x \* 2/static int second(int x) { return x * 3/' graph.c
skein-cc -O1 -g -DSECOND -c graph.c -o calls.o && skein-cc graph.o calls.o -o graph
expect_status 0 'a change of code' skein record -v span -o run.skein -- ./graph
same 'a change of code: one object is finished' 1 "$(grep -c 'step 2 of 2' "$tmp/err")"
sed -i 's/^int fib(int n) {/int fib(int n) { if (n > 9999) exit(1);/' graph.c
skein-cc -O1 -g -DSECOND -c graph.c -o calls.o && skein-cc graph.o calls.o -o graph
expect_status 0 'a function that may not come back' skein record -v span -o run.skein -- ./graph
same 'a function that may not come back: callers are finished, too' 2 "$(grep -c 'step 2 of 2' "$tmp/err")"
rm -r "$XDG_CACHE_HOME"
agrees 'a function that may not come back' ./graph
