#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein-cc in the place of the compiler: what it makes is what clang makes, and what it hands over it hands over unchanged.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# code FILE: the instructions and relocations of an object or program, without the names that objdump finds for addresses
code() { objdump -dr --no-show-raw-insn "$1" | tail -n +4 | sed 's/<[^>]*+0x[0-9a-f]*>//'; }
has_section() { readelf -SW "$1" | grep -qF " $2 "; }
noted() { has_section "$1" .skein.link; }
fat() { has_section "$1" .llvm.lto; }

cat >main.c <<'END'
#include <stdio.h>
int other(int);
static int helper(int x) { return x * 3 + 1; }
int main(int argc, char **argv) { (void)argv; printf("%d\n", helper(argc) + other(argc)); return 0; }
END
cat >other.c <<'END'
static int helper(int x) { int s = 0; for (int i = 0; i < x + 9; i++) s += i * x; return s; }
__attribute__((noinline)) int other(int x) { return helper(x) ^ 7; }
END
cat >loops.c <<'END'
#include <string.h>
void saxpy(float *a, const float *b, float k, int n) { for (int i = 0; i < n; i++) a[i] += k * b[i]; }
int digits(const char *s) { int n = 0; for (; *s; s++) switch (*s) { case '0': n += 1; break; case '1': n += 3; break; case '7': n *= 5; break; default: n ^= *s; } return n; }
long mix(long *v, int n) { long t = 0; for (int i = 0; i < n; i++) for (int j = i; j < n; j += 3) t += v[j] * v[i] >> 3; return t; }
int pick(int i) { static const char *const names[] = {"a", "bc", "def"}; return (int)strlen(names[i % 3]); }
END
cat >thrown.cc <<'END'
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct guard { int &n; ~guard() { n++; } };
static int leave(int i, int &n) { guard g{n}; if (i % 3 == 0) throw std::runtime_error(std::to_string(i)); return i; }
int main() {
	int n = 0, caught = 0;
	std::vector<int> kept;
	for (int i = 0; i < 10; i++)
		try { kept.push_back(leave(i, n)); } catch (const std::exception &e) { caught += std::stoi(e.what()); }
	std::printf("%d %d %zu\n", n, caught, kept.size());
}
END

# The native half is plain clang's, instruction for instruction.
for flags in '' -O1 -O2 -O3 -Os '-O2 -g' '-O3 -march=native' '-O2 -fPIC -ffunction-sections' '-O1 -fsanitize=address' '-O1 -fsanitize=thread' \
	'-O2 -fsanitize=undefined' '-O1 -fstack-protector-all'; do
	for source in main.c loops.c thrown.cc; do
		case $source in *.cc) mine=skein-c++ plain=clang++-19 ;; *) mine=skein-cc plain=clang-19 ;; esac
		$plain $flags -c $source -o plain.o && $mine $flags -c $source -o mine.o
		equal "the code of $source $flags is clang's" <(code plain.o) <(code mine.o)
		check "$source $flags has bitcode, too" fat mine.o
	done
done

# One compile makes both. The plugin is part of it, and nothing of what it does is left in the object: to the byte.
bare() { objcopy -R .llvm.lto -R .skein.cc -R .skein.command -R .skein.returns -R .skein.opt -R .skein.cilk "$1" "$2"; }
printf '#include <cilk/cilk.h>\nint f(int), g(int);\nint h(int x) { int a = cilk_spawn f(x), b = g(x); cilk_sync; return a + b; }\n' >spawns.c
for flags in '' -O1 '-O2 -g' '-O3 -ggdb -ffunction-sections' '-Os -fPIC' '-O2 -g1' '-O2 -gdwarf-5'; do
	for source in main.c loops.c thrown.cc spawns.c; do
		case $source in *.cc) mine=skein-c++ plain=clang++-19 ;; *) mine=skein-cc plain=clang-19 ;; esac
		$plain $flags -I"$tests/../include" -fdebug-default-version=4 -c $source -o plain.o && $mine $flags -I"$tests/../include" -c $source -o mine.o
		bare plain.o plain.bare && bare mine.o mine.bare
		check "the object of $source $flags is clang's" cmp plain.bare mine.bare
		check "$source $flags has bitcode" fat mine.o
		case $source$flags in
		spawns* | *.c | *.cc | *-O1 | *-fPIC) check "$source $flags: it is not optimised yet" sh -c '! readelf -SW mine.o | grep -qF " .skein.opt "' ;;
		*) check "$source $flags: it is optimised, too" has_section mine.o .skein.opt ;;
		esac
	done
done

skein-cc --help >mine.out
expect_match '--help begins with the words of skein-cc' '^skein-cc: the compiler to build with' <(head -n 1 mine.out)
equal "and goes on with clang's" <(clang-19 --help) <(sed -n '/^OVERVIEW/,$p' mine.out)

# Passed straight through.
for flags in -E -S '-S -emit-llvm' -M -MM '-E -dM' -fsyntax-only; do
	clang-19 -O1 $flags main.c -o plain.out && skein-cc -O1 $flags main.c -o mine.out
	check "$flags gives what clang gives" [ "$(cat plain.out)" = "$(cat mine.out)" ]
done 2>/dev/null
for flags in --version -dumpmachine -dumpversion -print-file-name=libc.so -print-search-dirs -print-resource-dir; do
	same "$flags" "$(clang-19 $flags)" "$(skein-cc $flags)"
done
expect_status 1 'no input is an error' skein-cc
expect_status 1 'an absent source is an error' skein-cc -c absent.c
echo 'int f( {' >broken.c
expect_status 1 'a source with an error gives its status' skein-cc -c broken.c -o broken.o
check 'and no object' [ ! -e broken.o ]
same 'errors are said once' "$(clang-19 -c broken.c 2>&1)" "$(cat err)"
check '-### shows and does nothing' sh -c 'skein-cc -### -c main.c -o shown.o && [ ! -e shown.o ]'

# Ways to name sources and outputs.
mkdir -p several && (cd several && skein-cc -O2 -c ../main.c ../other.c)
check 'several sources with -c' sh -c 'cd several && skein-cc main.o other.o -o p && ./p'
check 'their objects have bitcode' fat several/other.o
cp main.c text.txt
check '-x names the language' sh -c 'skein-cc -O2 -x c text.txt -x none several/other.o -o x && ./x'
check 'a source on standard input' sh -c 'skein-cc -O2 -x c -c - -o stdin.o <main.c && skein-cc stdin.o several/other.o -o s && ./s'
check 'it has bitcode' fat stdin.o
skein-cc -E main.c -o pre.i
check 'preprocessed source' sh -c 'skein-cc -O2 -c pre.i -o pre.o && skein-cc pre.o several/other.o -o pre && ./pre'
mkdir -p 'a folder' && cp main.c 'a folder/ma"in, $x.c'
check 'odd names' sh -c 'skein-cc -O2 "a folder/ma\"in, \$x.c" several/other.o -o "a folder/pr og, \$y" && "./a folder/pr og, \$y"'
check 'odd names are noted' noted 'a folder/pr og, $y'
printf -- '-O2 "a folder/ma\\"in, $x.c"\n@inner.rsp' >outer.rsp
printf -- "several/other.o '-o' resp" >inner.rsp
check 'response files, nested and quoted' sh -c 'skein-cc @outer.rsp && ./resp'
check 'what follows -- is an input' sh -c 'skein-cc -O2 -o dashes -- main.c other.c && ./dashes'
for i in $(seq 9000); do echo "-DNAME_$i=a_rather_long_value_$i"; done >long.rsp
check 'a very long command line' sh -c 'skein-cc @long.rsp -O2 -c main.c -o long.o'
echo '.globl other
other: lea 5(%rdi),%eax
 ret' >asm.s
cp asm.s asm2.S
check 'assembly with -c' sh -c 'skein-cc -c asm.s -o asm.o && skein-cc -c asm2.S -o asm2.o'
check 'assembly and C in one command' sh -c 'skein-cc -O2 main.c asm.s -o asmed && ./asmed'

# Files for make.
mkdir -p deps && cd deps || exit
skein-cc -O2 -MMD -c ../main.c -o m.o && clang-19 -O2 -MMD -c ../main.c -o q.o && skein-cc -O2 -MD -MF named.d -MT there -c ../main.c -o n.o
equal '-MMD names the file after the object' <(sed s/^q/m/ q.d) m.d
expect_match '-MF and -MT are obeyed' '^there:' named.d
skein-cc -O2 -MMD ../main.c ../several/other.o -o whole && mv whole.d mine.d && clang-19 -O2 -MMD ../main.c ../other.c -o whole
same '-MMD in a command that links' "$(clang-19 -MM -MT whole ../main.c)" "$(cat mine.d)"
skein-cc -O2 -Wp,-MMD,wp.d -c ../main.c -o w.o
check '-Wp,-MMD writes one file' [ -s wp.d ]
skein-cc --coverage -c ../main.c -o cov.o
same 'nothing else is left behind' 'cov.gcno cov.o m.d m.o mine.d n.o named.d q.d q.o w.o whole whole.d wp.d' "$(ls | tr '\n' ' ' | sed 's/ $//')"
cd ..

# Compile and link in one command.
mkdir -p once && cd once || exit
check 'compile and link at once' sh -c 'skein-cc -O2 ../main.c ../other.c && ./a.out && skein-cc -O2 -DX ../main.c ../other.c -o second && ./second'
same 'its objects are kept, apart for each program' 4 "$(ls .skein/objects | wc -l)"
check 'they have bitcode' fat .skein/objects/"$(ls .skein/objects | head -n 1)"
check 'the program has a note' noted a.out
check 'options for the linker do not disturb the compile' sh -c '[ -z "$(skein-cc -O2 -Wall -Werror ../main.c ../other.c -L. -lm -Wl,-z,now -rdynamic -o linked 2>&1)" ]'
skein-cc -O2 ../main.c ../other.c -o same1 && clang-19 -O2 ../main.c ../other.c -o same2
equal 'the whole program is what clang makes' <(code same1) <(code same2)
cd ..

# Kinds of links, and linkers.
skein-cc -O2 -fPIC -c other.c -o pic.o && skein-cc -O2 -c main.c -o main.o && skein-cc -O2 -c other.c -o other.o
for linker in bfd gold lld; do
	for kind in '' -no-pie -static -static-pie -s -Wl,--gc-sections; do
		[ "$linker$kind" != gold-static-pie ] || continue # gold cannot
		skein-cc -fuse-ld=$linker $kind main.o pic.o -o kind 2>said && same "$linker $kind: runs" "$(./several/p)" "$(./kind)" || not_ok "$linker $kind" "$(cat said)"
		check "$linker $kind: note and build-id" sh -c 'readelf -SW kind | grep -q " .skein.link " && readelf -nW kind | grep -q "Build ID: [0-9a-f]\{40\}$"'
	done
	skein-cc -fuse-ld=$linker -shared pic.o -Wl,-soname,libo.so.1 -o libo.so && skein-cc -fuse-ld=$linker main.o -L. -lo -o shared
	ln -sf libo.so libo.so.1
	same "$linker -shared: runs" "$(./several/p)" "$(LD_LIBRARY_PATH=. ./shared)"
	check "$linker -shared: both have notes" sh -c 'readelf -SW shared | grep -q .skein.link && readelf -SW libo.so | grep -q .skein.link'
done
check 'no bitcode reaches the program' sh -c '! readelf -SW kind | grep -q llvm.lto'
skein-cc -Wl,--build-id=0x123456789abcdef0123456789abcdef012345678 main.o other.o -o mine
expect_match "the user's own build-id stays" 'Build ID: 123456789abcdef0123456789abcdef012345678$' <(readelf -nW mine)
expect_status 0 '-o /dev/null' skein-cc main.o other.o -o /dev/null
expect_status 1 'a failed link gives its status' skein-cc main.o -o unlinked

# LTO that the user asks for: the program is the one that clang makes of it.
for flags in -flto '-flto -g' '-flto=thin -g -fuse-ld=lld' -flto=full '-flto=thin -fuse-ld=lld' '-flto -fuse-ld=lld' '-flto=thin' '-flto -fuse-ld=gold' '-flto -fno-fat-lto-objects'; do
	for compiler in clang-19 skein-cc; do
		$compiler -O2 $flags -c main.c -o l1.o && $compiler -O2 $flags -c other.c -o l2.o && $compiler -O2 $flags l1.o l2.o -o lto.$compiler
	done
	same "$flags: runs" "$(./several/p)" "$(./lto.skein-cc)"
	equal "$flags: the code is clang's" <(code lto.clang-19) <(code lto.skein-cc)
	check "$flags: has a note" noted lto.skein-cc
done 2>/dev/null

# Archives.
for ar in ar llvm-ar-19 skein-llvm-ar; do
	rm -f lib*.a
	$ar rcs libordinary.a pic.o && $ar rcsT libthin.a pic.o
	for kind in ordinary thin; do
		skein-cc main.o -L. -l$kind -o archived
		same "$ar, $kind archive" "$(./several/p)" "$(./archived)"
		expect_match "$ar, $kind archive is in the note" "/lib$kind.a" <(readelf -p .skein.link archived)
	done
done
check 'skein-llvm-ranlib' skein-llvm-ranlib libordinary.a
check 'ld -r' sh -c 'skein-cc -r main.o other.o -o both.o && skein-cc both.o -o joined && ./joined'
check 'its output has no bitcode' sh -c '! readelf -SW both.o | grep -q llvm.lto'

# C++, sanitizers.
check 'C++ with exceptions' sh -c 'skein-c++ -O2 thrown.cc -o thrown && [ "$(./thrown)" = "10 18 6" ]'
echo 'int main(int c, char **v) { (void)v; int a[4] = {0}; return a[c + 3]; }' >outside.c
skein-cc -O1 -g -fsanitize=address outside.c -o outside
./outside 2>said
expect_match 'the address sanitizer works' 'stack-buffer-overflow' said

# What the source brings along stays: debug information in code of LLVM's own, and what was compiled beforehand.
clang-19 -O1 -g -fdebug-default-version=4 -Xclang -disable-llvm-passes -emit-llvm -S loops.c -o loops.ll
clang-19 -O2 -c loops.ll -o plain.o && skein-cc -O2 -c loops.ll -o mine.o
bare plain.o plain.bare && bare mine.o mine.bare
check 'the object of loops.ll is clang'"'"'s' cmp plain.bare mine.bare
check 'and has debug information' has_section mine.o .debug_info
echo 'static inline int before(int x) { return x * 7; }' >before.h
skein-cc -O2 -x c-header before.h -o before.pch && echo 'int after(int x) { return before(x) + 1; }' >after.c
clang-19 -O2 -include-pch before.pch -c after.c -o plain.o && skein-cc -O2 -include-pch before.pch -c after.c -o mine.o
bare plain.o plain.bare && bare mine.o mine.bare
check 'with a precompiled header the object is clang'"'"'s' cmp plain.bare mine.bare

# A plugin that crashes in the compile is not the source's fault: native code is made all the same, and said to have no bitcode.
mkdir -p crash/bin crash/lib && cp "$(command -v skein-cc)" crash/bin/ && cp -r "$build/lib/skein" crash/lib/
cat >crash.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void llvmGetPassPluginInfo(void)
{
	char name[4096];
	snprintf(name, sizeof name, "%s.at-work", getenv("SKEIN_PASS_BEFORE"));
	fclose(fopen(name, "w"));
	abort();
}
END
rm crash/lib/skein/libskein-pass.so && clang-19 -shared -fPIC crash.c -o crash/lib/skein/libskein-pass.so
(ulimit -c 0 && TMPDIR=$tmp expect_status 0 'a plugin that crashes: the compile goes on' crash/bin/skein-cc -O2 -c main.c -o crashed.o)
expect_match 'and says what is missing' 'there is no bitcode of main\.c, so its functions cannot be profiled' "$tmp/err"
clang-19 -O2 -c main.c -o plain.o
check 'and the object is clang'"'"'s' cmp plain.o crashed.o
