#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Cilk programs that run in parallel: the same output on any number of workers, what a sync waits for, OpenMP inside and outside, exceptions, the marks that the
# idle lens reads, and the ways to ask for it.
. "$(dirname "$0")/../../lib/lib.sh"
mkdir "$tmp/work" && cd "$tmp/work" || exit
prog=$tests/prog/cilk
unset OMP_NUM_THREADS CILK_NWORKERS

# on WORKERS PROGRAM…: its standard output, its status if that is not 0, and never for long
on() { CILK_NWORKERS=$1 timeout 60 "${@:2}" 2>"$tmp/said" || echo "status $?"; }

# agrees NAME COMPILER SOURCE LEVEL FLAGS… -- ARGUMENTS…: compiled once, linked twice; serially it is the measure
agrees() {
	local name=$1 compiler=$2 source=$3 level=$4 flags=() want workers
	shift 4
	while [ "$1" != -- ]; do flags+=("$1"); shift; done
	shift
	$compiler -O"$level" -Wall -c "$source" -o agrees.o "${flags[@]}" && $compiler agrees.o -o serial "${flags[@]}" && $compiler agrees.o -o parallel -fcilk=parallel "${flags[@]}" ||
		{ not_ok "$name -O$level" 'does not build'; return; }
	want=$(on 1 ./serial "$@")
	for workers in 1 2 4; do
		same "$name -O$level on $workers workers" "$want" "$(on $workers ./parallel "$@")"
	done
}

# Small inputs: what is asked is whether they are right.
while read -r name arguments; do
	for level in 0 2; do agrees "$name" skein-cc "$tests/../examples/cilk/$name.c" $level -lm -- $arguments; done
done <<'END'
bfs 20
bfs_fixed 20
cholesky 64 8
cholesky_sparse 4
fft 10
fib 20
heat 64 20
lu 64 8
mergesort 20000
mm 64 8 1
nqueens 7
quicksort 20000
strassen 64 16
END
for level in 0 2; do
	agrees 'every form of C' skein-cc "$prog/parallel.c" $level --
	agrees 'every form of a loop' skein-cc "$prog/loops.c" $level --
	agrees 'C++ and its exceptions' skein-c++ "$prog/parallel.cpp" $level -std=c++17 --
	agrees 'OpenMP inside and outside' skein-cc "$prog/openmp.c" $level -fopenmp --
	agrees 'recursion 20,000 deep' skein-cc "$prog/deep.c" $level -- 20000
	same "-O$level: a program may end in a spawned call" 'status 7' "$(on 2 ./parallel 300 exit)"
done

# Loops by chance: the serial program is the oracle, and each iteration must happen once.
random_loops() {
	printf '#include <cilk/cilk.h>\n#include <stdio.h>\n#include <string.h>\nstatic int hits[200001];\n#define AT(i) __atomic_add_fetch(&hits[(i) + 100000], 1, __ATOMIC_RELAXED)\n'
	printf 'static void show(int n) { long s = 0; for (int i = 0; i <= 200000; i++) s = (s * 31 + hits[i]) %% 1000003; printf("%%d %%ld\\n", n, s); memset(hits, 0, sizeof hits); }\nint main(void) {\n'
	awk -v seed="$1" 'function pick(list,    n, parts) { n = split(list, parts, "|"); return parts[1 + int(rand() * n)] }
		BEGIN { srand(seed)
			for (n = 0; n < 60; n++) {
				type = pick("int|long|short|unsigned|unsigned short|long long|size_t"); is_unsigned = type ~ /unsigned|size_t/
				low = is_unsigned ? int(rand() * 300) : int(rand() * 600) - 300; high = low + int(rand() * rand() * 3000) - 20; stride = 1 + int(rand() * rand() * 40)
				if (is_unsigned && high < 0) high = 0
				up = rand() < 0.5; from = up ? low : high; to = up ? high : low
				if (is_unsigned && !up && to < 50) to += 50
				compare = up ? pick("<|<=") : pick(">|>="); exchanged = up ? (compare == "<" ? ">" : ">=") : (compare == ">" ? "<" : "<=")
				condition = rand() < 0.5 ? "i " compare " b" : "b " exchanged " i"
				if (stride == 1 && (up ? to >= from : to <= from) && rand() < 0.3) condition = "i != b"
				step = stride == 1 ? pick(up ? "i++|++i|i += 1" : "i--|--i|i -= 1") : (up ? "i += s" : "i -= s")
				printf "\t{ %s b = %d; int s = %d; (void)s; cilk_for (%s i = %d; %s; %s) AT((long)i); show(%d); }\n", type, to, stride, type, from, condition, step, n
			} }'
	echo '	return 0;'
	echo '}'
}
for seed in 1 2 3; do
	{ echo '#include <stddef.h>'; random_loops $seed; } >"chance$seed.c"
	agrees "loops by chance, $seed" skein-cc "chance$seed.c" $((seed - 1)) --
	cp "chance$seed.c" "chance$seed.cpp" && agrees "loops by chance, $seed, C++" skein-c++ "chance$seed.cpp" $((seed - 1)) --
done

agrees 'every form of C, and the user asks for LTO' skein-cc "$prog/parallel.c" 2 -flto -fuse-ld=lld --

# That they run beside each other at all, and that a sync waits for its own.
meets() { # NAME PROGRAM
	local what workers
	for what in spawn loop sync; do
		for workers in 2 4; do same "$1: $what, on $workers workers" "$what: met" "$(on $workers "$2" $what)"; done
	done
}
for level in 0 2; do
	skein-cc -O$level "$prog/meets.c" -o meets -fcilk=parallel
	meets "-O$level" ./meets
done
same 'a program knows its workers' 'api: met on 3 workers, two of them: 2' "$(on 3 ./meets api)"
same 'OMP_NUM_THREADS counts where CILK_NWORKERS is not set' 'api: met on 3 workers, two of them: 2' "$(OMP_NUM_THREADS=3 timeout 60 ./meets api)"

# Races show by chance only: many short runs.
skein-cc -O2 "$prog/parallel.c" -o many_c -fcilk=parallel && skein-c++ -std=c++17 -O2 "$prog/parallel.cpp" -o many_cxx -fcilk=parallel && skein-cc -O2 "$prog/loops.c" -o many_loops -fcilk=parallel
for program in many_c many_cxx many_loops; do
	want=$(on 1 ./$program) different=0
	for ((run = 0; run < 70; run++)); do [ "$(on $((2 + run % 3)) ./$program)" = "$want" ] || different=$((different + 1)); done
	same "$program: 70 runs agree" 0 $different
done

# The ways to a parallel program: objects, archives, shared libraries.
sed 's/int main(/int meets_main(/' "$prog/meets.c" >part.c
printf 'int meets_main(int, char **);\nint main(int argc, char **argv) { return meets_main(argc, argv); }\n' >main.c
skein-cc -O2 -fPIC -c part.c main.c && ar rcs libpart.a part.o && skein-cc main.o -L. -lpart -o from_archive -fcilk=parallel && meets 'from an archive' ./from_archive
rm -f libpart.a && ar rcsT libpart.a part.o && skein-cc main.o -L. -lpart -o from_thin -fcilk=parallel && same 'from a thin archive' 'spawn: met' "$(on 2 ./from_thin spawn)"
rm libpart.a && skein-cc -shared part.o -o libpart.so -fcilk=parallel && skein-cc main.o -L. -lpart -Wl,-rpath,'$ORIGIN' -o with_library && meets 'in a shared library' ./with_library
skein-cc main.o part.o -o first_serial -fcilk=parallel -fcilk=serial
same 'the last word counts' '' "$(ldd first_serial | grep libomp)"
same 'no Cilk, no second link' '' "$(skein-cc main.o -shared -o libmain.so -fcilk=parallel && ldd libmain.so | grep libomp)"
expect_status 2 'another word is wrong use' skein-cc main.o part.o -o none -fcilk=faster
expect_sentence 'which one sentence says'
skein-cc -O2 main.o part.o -o meets_serial
for lens in calls span; do
	check "$lens: a program that runs in parallel can be recorded as any other" sh -c "skein-cc -O1 '$tests/../examples/cilk/fib.c' -o fib_$lens -fcilk=parallel && skein record $lens -o $lens.skein -- ./fib_$lens 15 | grep -q right"
done

# What cannot run in parallel runs serially, and says so at the link.
sed 's/^static int (\*pointer)/int cilk_reducer(0, twice) total;\n&/' "$prog/parallel.c" >reducer.c
same 'a reducer: no word at the compile' '' "$(skein-cc -O1 -c reducer.c -o reducer.o 2>&1)"
skein-cc reducer.o -o reducer -fcilk=parallel 2>"$tmp/err"
expect_sentence 'a reducer: one at the link'
expect_match 'with the place' 'runs serially: reducer.c:21:5: .*cilk_reducer' "$tmp/err"
same 'and it is right' "$(on 1 ./many_c)" "$(on 4 ./reducer)"
cat >list.cpp <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <list>
int main() { std::list<int> l(100, 1); int s = 0; cilk_for (auto i = l.begin(); i != l.end(); ++i) *i = 2; for (int i : l) s += i; std::printf("%d\n", s); }
END
skein-c++ -O1 list.cpp -o list -fcilk=parallel 2>"$tmp/err"
expect_match 'iterators that cannot be subtracted: the same' 'warning: a Cilk source runs serially: list.cpp:4' "$tmp/err"
same 'and it is right, too' 200 "$(on 4 ./list)"

# What the plugin makes is sound, whatever the flags; and the link asks for no more than it needs.
sound() { # COMPILER SOURCE FLAGS…
	"$@" -w -c -o sound.o && llvm-objcopy-19 --dump-section .skein.cilk=sound.bc sound.o /dev/null && opt-19 -passes=verify -disable-output sound.bc
}
for flags in '-O0 -g' '-O1 -fno-exceptions' '-O3 -g' -Os '-O2 -fsanitize=undefined' '-O1 -fsanitize=address'; do
	check "C $flags is sound" sound skein-cc "$prog/parallel.c" $flags
	check "loops $flags are sound" sound skein-cc "$prog/loops.c" $flags
	case $flags in *exceptions*) check "C++ $flags is sound" sound skein-c++ "chance1.cpp" $flags ;; *) check "C++ $flags is sound" sound skein-c++ "$prog/parallel.cpp" -std=c++17 $flags ;; esac
done
skein-cc -O1 -fsanitize=address "$prog/parallel.c" -o sanitised -fcilk=parallel && skein-c++ -O1 -std=c++17 -fsanitize=address "$prog/parallel.cpp" -o sanitised_cxx -fcilk=parallel
for workers in 1 2 4; do
	same "the address sanitizer finds nothing in C on $workers workers" "$(on 1 ./many_c)" "$(on $workers ./sanitised)"
	same "nor in C++ on $workers" "$(on 1 ./many_cxx)" "$(on $workers ./sanitised_cxx)"
done

# What the idle lens reads: lines that nobody wrote are marked, functions that nobody wrote lie in one section.
cp "$tests/../examples/cilk/fib.c" . && skein-cc -O2 fib.c -o fib -fcilk=parallel
spawn_line=$(grep -n 'cilk_spawn fib' fib.c | cut -d: -f1) sync_line=$(grep -n 'cilk_sync;' fib.c | cut -d: -f1)
place_of() { # PATTERN: where calls of that in fib itself stand
	llvm-objdump-19 -d --no-show-raw-insn --disassemble-symbols=fib fib | awk -v p="$1" '$0 ~ "call.*" p {sub(":", "", $1); print "0x" $1}' |
		while read -r at; do llvm-symbolizer-19 --obj=fib "$at" | sed -n '2s/.*\///p' | cut -d: -f1-3 | sed 's/:\([0-9]*\):[0-9]*$/:\1/'; done | sort -u | xargs
}
same 'a task is made in the line of its spawn, and marked' "parallel-overhead:task:$spawn_line" "$(place_of __kmpc_omp_task)"
expect_match 'a sync likewise' "parallel-overhead:sync:$sync_line" <(place_of skein_cilk_wait)
same 'the calls themselves are not' "fib.c:$spawn_line fib.c:$((spawn_line + 1))" "$(place_of '<fib>')"
same 'the function has its name, and is no part of the section' '.text' "$(readelf -sW fib | awk '$4 == "FUNC" && $8 == "fib" {print $7}' | xargs -I{} sh -c "readelf -SW fib | sed -nE 's/^ *\[ *{}\] ([^ ]*) .*/\1/p'")"
cat >told.c <<'END'
#include <stdio.h>
void skein_cilk_code(const void *start, const void *end) { printf("%zx\n", (size_t)((const char *)end - (const char *)start)); fflush(stdout); }
END
clang-19 -shared -fPIC told.c -o told.so
same 'a sampler is told where the section is' "$(readelf -SW fib | awk '$2 == "skein_cilk" {print $6} $3 == "skein_cilk" {print $7}' | sed 's/^0*//')" "$(LD_PRELOAD=./told.so ./fib 5 | head -1)"
same 'all that has no source lies there' '' "$(readelf -sW fib | awk -v n="$(readelf -SW fib | sed -nE 's/^ *\[ *([0-9]+)\] skein_cilk .*/\1/p')" '$4 == "FUNC" && $8 ~ /skein_(cilk|enter|spawn|body)/ && $7 != "UND" && $7 != n {print $8}')"

# Asked for by a lens, for a program that was linked to run serially.
cat >ask.c <<'END'
#include <stdio.h>
#include "relink/spawns.h"
#include "relink/relink.h"
#include "relink/subject.h"
int main(int argc, char **argv)
{
	static const char *const states[] = {"no", "serial", "parallel"}, *const plan[] = {"CILK=parallel", NULL};
	struct subject subject;
	struct relink_request ask = {.subject = &subject, .lens = "idle", .plan = plan};
	struct relink_result got;
	struct fail why;
	if (subject_open(&subject, argv[1], &why) < 0)
		return puts(why.text), 1;
	if (argc > 2)
		return puts(states[parallel_state(&subject)]), subject_close(&subject), 0;
	if (relink_program(&ask, &got, &why) < 0)
		return puts(why.text), 1;
	puts(got.objects[0].relinked);
	relink_result_free(&got);
	subject_close(&subject);
	return 0;
}
END
mkdir -p bin lib && ln -sfn "$build/lib/skein" lib/skein && clang-19 -w -I"$tests/../src" ask.c "$build/lib/libskein-tool.a" -lsqlite3 -ldw -lelf -lz -lm -lstdc++ -o bin/ask ${SANITIZE:+-fsanitize=$SANITIZE}
skein-cc -O1 main.c -x c - -o no_cilk <<<"int meets_main(int argc, char **argv) { return argc && !argv; }"
same 'who asks is told what a program is' 'no serial parallel no' "$(for p in ./no_cilk ./meets_serial ./meets /bin/true; do bin/ask $p state; done | xargs)"
skein-cc -shared part.o -o libpart.so
same 'a library of the build counts' serial "$(bin/ask ./with_library state)"
meets 'a library linked again' "$(bin/ask ./with_library)"
relinked=$(bin/ask ./meets_serial)
check 'it is linked again' test -x "$relinked"
meets 'linked again' "$relinked"
same 'without a runtime of ours' '' "$(ldd "$relinked" | grep skein)"
same 'and from the cache' "$relinked" "$(bin/ask ./meets_serial)"
