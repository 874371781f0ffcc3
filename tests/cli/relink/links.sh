#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From a binary that skein-cc linked to one with hooks: every kind of link, libraries of the same build, the cache, what goes wrong.
. "$(dirname "$0")/../../lib/lib.sh"
export XDG_CACHE_HOME=$tmp/cache
cache=$tmp/cache/skein
mkdir "$tmp/work" && cd "$tmp/work" || exit

# The command that asks for a re-link and shows what came of it; it lies where skein's own libraries are found from.
relink=$build/tests/try_relink
sanitize=$(nm -A "$build/lib/libskein-tool.a" 2>/dev/null | grep -q __asan_ && echo -fsanitize=address,undefined)
mkdir -p "$build/tests"
cc -std=c11 -I"$tests/../src" $sanitize "$tests/prog/relink/try.c" "$build/lib/libskein-tool.a" -ldw -lelf -o "$relink" || exit

relinked() { awk -v name="$1" '$1 == "object" && $2 ~ "/" name "$" {print $3}' "$tmp/out"; } # NAME: of the last re-link
table() { awk -v name="$1" '$1 == "object" && $2 ~ "/" name "$" {print $4}' "$tmp/out"; }
routines() { awk -F '\t' '$1 == "r" {print $3}' "$(table "$1")" | sort | tr '\n' ' '; }

# relinks_as MODE NAME PROGRAM [ARGUMENT…]: it can be re-linked, and then says and returns what it does natively. Counting links the program
# as a whole, times are put together from objects.
relinks_as() {
	local mode=$1 name="$2, $1" program=$3 native status
	shift 3
	native=$(./"$program" "$@" 2>&1)
	status=$?
	expect_status 0 "$name: re-links" "$relink" "./$program" calls "MODE=$mode"
	same "$name: as it should" '' "$(grep 'as a whole' "$tmp/err")"
	same "$name: behaves the same" "$native $status" "$("$(relinked "$(basename "$program")")" "$@" 2>&1) $?"
}
relinks() { relinks_as times "$@" && relinks_as counts "$@"; }
refused() { # STATUS NAME PATTERN PROGRAM [PLAN…]
	expect_status "$1" "$2" "$relink" "$4" calls "${@:5}"
	same "$2: one sentence" 1 "$(grep -vc '^progress ' "$tmp/err")"
	expect_match "$2: says what matters" "$3" "$tmp/err"
}

cat >main.c <<'END'
#include <stdio.h>
int other(int);
__attribute__((noinline)) static int helper(int x) { return x * 3 + 1; }
int main(int argc, char **argv) { (void)argv; printf("%d\n", helper(argc) + other(argc)); return 3; }
END
cat >other.c <<'END'
__attribute__((noinline)) static int helper(int x) { int s = 0; for (int i = 0; i < x + 9; i++) s += i * x; return s; }
__attribute__((noinline)) int other(int x) { return helper(x) ^ 7; }
END
skein-cc -O2 -g -c main.c -o main.o && skein-cc -O2 -g -fPIC -c other.c -o other.o

# Kinds of links.
for linker in bfd gold lld; do
	for kind in '' -no-pie -s '-rdynamic -Wl,--gc-sections' '-Wl,-z,now,-z,relro -Wl,--hash-style=both -Wl,--sort-common' \
		'-Wl,-Map=map -Xlinker --cref -Wl,--start-group -Wl,--end-group -pthread'; do
		rm -f map
		skein-cc -fuse-ld=$linker $kind main.o other.o -o prog >/dev/null 2>"$tmp/err" || { not_ok "$linker $kind" "$(cat "$tmp/err")"; continue; }
		rm -f map
		relinks "$linker $kind" prog
		check "$linker $kind: writes no file of the user's" [ ! -e map ]
	done
done
check 'static functions of equal names are both there' [ "$(routines prog)" = 'helper helper main other ' ]
for level in 0 1 2 3 s; do
	(mkdir -p "o$level" && cd "o$level" && skein-cc -O$level ../main.c ../other.c -o "prog$level") && cp "o$level/prog$level" .
	relinks "-O$level" "prog$level"
done
for flags in -flto '-flto=thin -fuse-ld=lld' '-flto -fuse-ld=gold'; do
	(skein-cc -O2 $flags -c main.c -o l1.o && skein-cc -O2 $flags -c other.c -o l2.o && skein-cc -O2 $flags l1.o l2.o -o lto) 2>/dev/null
	relinks "$flags" lto
	check "$flags: our bitcode is taken, not the user's" [ "$(routines lto)" = 'helper helper main other ' ]
	for kind in rcs rcsT; do
		rm -f liblto.a && llvm-ar-19 $kind liblto.a l2.o && skein-cc -O2 $flags l1.o -L. -llto -o lto
		relinks "$flags, archive $kind" lto
		check "$flags, archive $kind: ours, too" [ "$(routines lto)" = 'helper helper main other ' ]
	done
done

# Objects of all kinds in one program: built with -flto and compiled once; compiled a second time for what is profiled; built without -flto.
skein-cc -O2 -g -flto -c main.c -o l1.o && skein-cc -O2 -g1 -flto -c other.c -o l2.o && skein-cc -O2 -g -c other.c -o l3.o
check 'one compile is enough for -flto' sh -c 'readelf -SW l1.o | grep -q skein.raw && ! readelf -SW l1.o | grep -q skein.bc'
check 'unusual debug information needs two' sh -c 'readelf -SW l2.o | grep -q skein.bc'
for other in l2.o l3.o; do
	rm -f libmixed.a && llvm-ar-19 rcs libmixed.a $other
	for way in "$other" '-L. -lmixed'; do
		skein-cc -O2 -flto l1.o $way -o mixed_lto
		for lens in calls span paths input; do
			expect_status 0 "l1.o $way: $lens" "$relink" ./mixed_lto $lens
			same "l1.o $way: $lens: what it prints" "$(./mixed_lto)" "$("$(relinked mixed_lto)")"
			check "l1.o $way: $lens: all is profiled" [ "$(routines mixed_lto)" = 'helper helper main other ' ]
		done
	done
done
# An object is made ready for link-time optimisation once, for every lens, and after a change that object only.
ready() { find "$XDG_CACHE_HOME/skein" -maxdepth 1 -name 'piece-*' | wc -l; }
cp -r . ../ready && cd ../ready && export XDG_CACHE_HOME=$tmp/ready_cache
skein-cc -O2 -g -flto -c main.c -o l1.o && skein-cc -O2 -g -flto -c other.c -o l2.o && skein-cc -O2 -flto l1.o l2.o -o lto
for lens in calls span paths input; do "$relink" ./lto $lens >/dev/null 2>&1; done
same 'two objects, four lenses' 2 "$(ready)"
echo 'int more(int x) { return x + 1; }' >>other.c
skein-cc -O2 -g -flto -c other.c -o l2.o && skein-cc -O2 -flto l1.o l2.o -o lto && "$relink" ./lto calls >/dev/null 2>&1
same 'one changes' 3 "$(ready)"
cd ../work && export XDG_CACHE_HOME=$tmp/cache

# What is inlined before the link is listed as inlined, too.
cat >small.cpp <<'END'
#include <cstdio>
#include <vector>
struct owner {
	std::vector<int> items;
};
int main(int count, char **)
{
	owner o;
	for (int i = 0; i < count; i++)
		o.items.push_back(i);
	return printf("%zu\n", o.items.size()) != 2;
}
END
skein-c++ -O2 -g -flto small.cpp -o small
expect_status 0 'small functions with -flto' "$relink" ./small calls
check 'small functions with -flto: std::vector::size is listed as inlined' grep -q '^i	_ZNKSt6vectorIiSaIiEE4sizeEv' "$(table small)"

skein-cc -static main.o other.o -o static
relinks_as counts 'a static program' static
refused 126 'a static program cannot be timed' 'static.*--counts' ./static MODE=times
printf -- '"main.o" other.o -o responded' >link.rsp
skein-cc @link.rsp && rm link.rsp
relinks 'a response file that is gone' responded
mkdir -p 'odd, $names' && cp main.c 'odd, $names/m"a in.c'
skein-cc -O2 'odd, $names/m"a in.c' other.o -o 'odd, $names/pro g'
expect_status 0 'odd names: re-links' "$relink" 'odd, $names/pro g' calls
(cd / && expect_status 0 'from another folder' "$relink" "$tmp/work/prog" calls MODE=counts)

# What debug information a re-linked program has.
expect_status 0 'a program with -g' "$relink" ./prog calls MODE=counts
llvm-dwarfdump-19 --debug-info "$(relinked prog)" >"$tmp/dwarf"
check 'variables and types are not there' [ "$(grep -cE 'DW_TAG_(variable|formal_parameter|base_type)' "$tmp/dwarf")" -eq 0 ]
main=$(nm "$(relinked prog)" | awk '$3 == "main" {print $1}')
expect_match 'functions and lines are there' '^main .*main.c:4' <(llvm-symbolizer-19 -e "$(relinked prog)" "0x$main" | paste -sd ' ')

# Archives.
for ar in ar llvm-ar-19; do
	rm -f lib*.a
	$ar rcs libordinary.a other.o && $ar rcsT libthin.a other.o
	for kind in ordinary thin; do
		skein-cc main.o -L. -l$kind -o "with_$kind"
		relinks "$ar, $kind archive" "with_$kind"
		check "$ar, $kind archive: its members are profiled" [ "$(routines "with_$kind")" = 'helper helper main other ' ]
	done
done
skein-cc main.o -Wl,--whole-archive libordinary.a -Wl,--no-whole-archive -o with_whole
relinks 'a whole archive' with_whole

# What has no bitcode is foreign, and is linked all the same.
printf '.globl other\nother: lea 5(%%rdi),%%eax\n ret\n.section .note.GNU-stack\n' >asm.s
skein-cc -O2 main.c asm.s -o with_asm
relinks 'assembly' with_asm
expect_match 'assembly is foreign' '^foreign .*asm.s-.*no bitcode' "$tmp/out"
cc -O2 -c other.c -o gcc.o && skein-cc main.o gcc.o -o with_gcc
relinks "gcc's object" with_gcc
expect_match "gcc's object is foreign" '^foreign .*/gcc.o: no bitcode' "$tmp/out"
ar rcs libmixed.a gcc.o main.o && skein-cc libmixed.a -o with_mixed
relinks 'an archive of both' with_mixed
expect_match 'the foreign member is named' '^foreign .*/libmixed.a\(gcc.o\): no bitcode' "$tmp/out"
for joiner in 'ld -r' 'ld.lld-19 -r' 'skein-cc -r'; do
	skein-cc -O2 -g -c other.c -o other2.o -Dother=unused -Dhelper=unused2
	$joiner other.o other2.o -o joined.o && skein-cc main.o joined.o -o with_joined
	relinks "objects joined by $joiner" with_joined
	expect_match "$joiner: they are foreign" '^foreign .*/joined.o: ' "$tmp/out"
	rm -f libjoined.a && llvm-ar-19 rcs libjoined.a joined.o && skein-cc main.o -L. -ljoined -o with_joined
	relinks "objects joined by $joiner, in an archive" with_joined
done
skein-cc gcc.o -shared -o nothing.so && cc -c main.c -o gccmain.o && skein-cc gccmain.o gcc.o -o all_foreign
refused 126 'a program without any bitcode' 'nothing to profile' ./all_foreign

# Version scripts, sonames, run paths, C++, OpenMP, sanitizers.
echo 'V1 { global: other; missing; local: *; };' >version.map
skein-cc -shared other.o -Wl,-soname,libv.so.1 -Wl,--version-script=version.map -o libv.so.1.0 && ln -sf libv.so.1.0 libv.so.1 && ln -sf libv.so.1 libv.so
skein-cc main.o libv.so -Wl,-rpath,'$ORIGIN' -o versioned
relinks 'a library with a version script' versioned
same 'the library is re-linked, too' 'helper other ' "$(routines libv.so.1.0)"
expect_match 'and is the one that is loaded' "$(relinked libv.so.1.0 | xargs dirname)" <(ldd "$(relinked versioned)")
LD_LIBRARY_PATH=. expect_status 0 'LD_LIBRARY_PATH set' "$relink" ./versioned calls MODE=counts
expect_match 'LD_LIBRARY_PATH does not bring the native one back' "$(relinked libv.so.1.0 | xargs dirname)" <(LD_LIBRARY_PATH=. ldd "$(relinked versioned)")
mkdir -p moved && cp versioned libv.so.1 moved/
relinks 'a program that was moved with its library' moved/versioned
same 'uses the library beside it' "$tmp/work/moved/libv.so.1" "$(awk '$2 ~ /libv/ {print $2}' "$tmp/out")"

cat >leaf.c <<'END'
int leaf(int x) { return x + 40; }
END
cat >middle.c <<'END'
int leaf(int);
int middle(int x) { return leaf(x) * 2; }
END
echo 'int middle(int); int main(int c, char **v) { (void)v; return middle(c); }' >top.c
mkdir -p libs && skein-cc -O2 -fPIC -shared leaf.c -o libs/libleaf.so && skein-cc -O2 -fPIC -shared middle.c -Llibs -lleaf -o libs/libmiddle.so
skein-cc -O2 top.c -Llibs -lmiddle -Wl,-rpath-link,libs -o chain
export LD_LIBRARY_PATH=libs
relinks 'a library that needs a library' chain
same 'all three are re-linked' 3 "$(grep -c ^object "$tmp/out")"
unset LD_LIBRARY_PATH

cat >opens.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
	void *h = dlopen("plugins/plug.so", RTLD_NOW);
	int (*f)(int) = h ? (int (*)(int))dlsym(h, "plug") : NULL;
	printf("%d\n", f ? f(20) : -1);
}
END
echo 'int plug(int x) { return x + 1; }' >plug.c
mkdir -p plugins && skein-cc -O2 -fPIC -shared plug.c -o plugins/plug.so && skein-cc -O2 opens.c -o opens
relinks 'a program that opens a plugin' opens
expect_match 'the plugin is re-linked, too' '^object .*/plugins/plug.so .*/plug.so ' "$tmp/out"
echo '/* */' >>plug.c && skein-cc -O2 -fPIC -shared plug.c -o plugins/plug.so && rm .skein/objects/plug.c*
relinks 'a plugin that cannot be re-linked' opens
expect_match 'is foreign, with the reason' '^foreign .*/plugins/plug.so: .*cannot be read' "$tmp/out"
rm -r plugins

cat >thrown.cc <<'END'
#include <cstdio>
#include <stdexcept>
#include <string>
struct guard { int &n; ~guard() { n++; } };
__attribute__((noinline)) static int leave(int i, int &n) { guard g{n}; if (i % 3 == 0) throw std::runtime_error(std::to_string(i)); return i; }
int main() {
	int n = 0, caught = 0;
	for (int i = 0; i < 10; i++)
		try { leave(i, n); } catch (const std::exception &e) { caught += std::stoi(e.what()); }
	std::printf("%d %d\n", n, caught);
}
END
skein-c++ -O2 thrown.cc -o thrown
relinks 'C++ with exceptions' thrown
echo 'int main(void) { int s = 0;
#pragma omp parallel for reduction(+:s)
for (int i = 0; i < 100; i++) s += i; return s % 100; }' >omp.c
skein-cc -O2 -fopenmp omp.c -o omp
relinks 'OpenMP' omp
for sanitizer in undefined address; do
	skein-cc -O1 -fsanitize=$sanitizer main.c other.c -o sanitized
	relinks "-fsanitize=$sanitizer" sanitized
done

# A CMake project with a shared library, without and with link-time optimisation.
mkdir -p project && cp main.c other.c project && cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.20)
project(p C)
add_library(o SHARED other.c)
set_target_properties(o PROPERTIES VERSION 1.2.3 SOVERSION 1)
add_library(s STATIC leaf.c)
add_executable(main main.c)
target_link_libraries(main o s)
END
cp leaf.c project
for ipo in OFF ON; do
	check "CMake, IPO $ipo: builds" sh -c "cmake -S project -B cmake$ipo -DCMAKE_C_COMPILER=skein-cc -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=$ipo -DCMAKE_POLICY_DEFAULT_CMP0069=NEW && cmake --build cmake$ipo"
	relinks "CMake, IPO $ipo" cmake$ipo/main
	same "CMake, IPO $ipo: the library, too" 'helper other ' "$(routines libo.so.1.2.3)"
done
expect_match 'CMake finds the archiver beside skein-cc' 'skein-llvm-ar$' <(grep CMAKE_C_COMPILER_AR: cmakeON/CMakeCache.txt)

# libtool: the program lies in .libs, a script in its place.
mkdir -p lt/.libs && cp prog lt/.libs/prog && printf '#! /bin/sh\nexec .libs/prog\n' >lt/prog && chmod +x lt/prog
refused 126 "libtool's script" 'lt/.libs/prog' lt/prog

# The cache.
rm -rf "$cache"
expect_status 0 'the first call links' "$relink" ./prog calls MODE=counts
expect_match 'and says so' 're-linking prog for calls' "$tmp/err"
expect_status 0 'the second does not' "$relink" ./prog calls MODE=counts
same 'and says nothing' '' "$(cat "$tmp/err")"
expect_status 0 'another plan is another program' "$relink" ./prog calls MODE=times
same 'both are kept' 2 "$(ls -d "$cache"/prog-* | wc -l)"
same 'for their owner only' 700 "$(stat -c %a "$cache")"
same 'every file of them' '' "$(find "$cache" -type f -perm /077)"
rm -rf "$cache"
for i in 1 2 3 4 5 6; do "$relink" ./prog calls MODE=counts >"$tmp/out$i" 2>"$tmp/err$i" & done
wait
same 'six calls at once give one program' 1 "$(cat "$tmp"/out[1-6] | sort -u | wc -l)"
same 'of which one is kept' 1 "$(ls -d "$cache"/prog-* | wc -l)"
same 'and leave nothing half-done' '' "$(find "$cache" -mindepth 1 -maxdepth 1 -not -name '.*' -not -name 'prog-*' -not -name 'piece-*')"
touch -d '2 hours ago' "$cache"/prog-* && SKEIN_CACHE_BYTES=1 "$relink" ./responded calls >/dev/null 2>&1
check 'a full cache forgets what was not used for an hour' [ -z "$(find "$cache" -maxdepth 1 -name 'prog-*')" ]
check 'and keeps the rest' [ -n "$(find "$cache" -maxdepth 1 -name 'responded-*')" ]
echo >"$tmp/file" && XDG_CACHE_HOME=$tmp/file refused 125 'a cache folder that cannot be' 'XDG_CACHE_HOME' ./prog

# What goes wrong.
touch other.o
expect_status 0 'an object that was only touched is fine' "$relink" ./prog calls MODE=counts
cp other.o kept.o && sed 's/\^ 7/^ 8/' other.c >changed.c && skein-cc -O2 -g -fPIC -c changed.c -o other.o
refused 125 'an object that changed' '/other.o has changed since .*/prog was linked.*make' ./prog MODE=counts
rm other.o
refused 125 'an object that is gone' '/other.o, which is part of .*/prog, cannot be read.*make' ./prog MODE=counts
refused 125 'a member of a thin archive that is gone' '/other.o.*cannot be read' ./with_thin MODE=counts
mv kept.o other.o
ar rcs libordinary.a gcc.o && refused 125 'an archive that changed' '/libordinary.a has changed' ./with_ordinary MODE=counts
cp prog stripped && strip stripped && relinks 'a program stripped by strip' stripped
llvm-strip-19 stripped && refused 126 'a program whose note was stripped' 'stripped.*skein-cc' ./stripped
cc main.c other.c -o plain && refused 126 'a program of another compiler' 'make CC=skein-cc' ./plain
refused 126 'a shared library' 'shared library' ./libv.so
chmod -x main.o && refused 126 'a file that may not be run' 'chmod' ./main.o
chmod +x main.o && refused 126 'an object' 'object file' ./main.o
refused 127 'a program that is not there' 'absent' ./absent
refused 126 'a folder' 'folder' ./lt
printf '#!/usr/bin/perl\n' >script && chmod +x script && refused 126 'a script' '/usr/bin/perl' ./script
echo text >text && chmod +x text && refused 126 'a text' 'not a program' ./text
(cd lt && refused 127 'a name that is not in PATH' 'no program prog0' prog0)
refused 127 'a name that is in this folder' './versioned' versioned
printf 'SECTIONS { ASSERT(1 == 1, "") }\nINSERT AFTER .text;' >script.ld
skein-cc main.o other.o -Wl,-T,script.ld -o scripted && echo 'nonsense {{{' >script.ld
refused 125 'a linker script that changed' '/script.ld has changed' ./scripted MODE=counts
printf 'NOCROSSREFS(.not_here .nor_here)\nINSERT AFTER .text;' >script.ld # GNU ld knows this, lld 19 does not
skein-cc -fuse-ld=bfd main.o other.o -Wl,-T,script.ld -o scripted
refused 125 'a link that fails' 'failed: script.ld:.*the linker.s output is in .*/failed-scripted.log' ./scripted MODE=counts
check 'the log is there' [ -s "$cache/failed-scripted.log" ]
check 'nothing half-done is left in the cache' [ -z "$(find "$cache" -maxdepth 1 -name 'stage-*')" ]
