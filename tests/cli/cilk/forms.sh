#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Cilk on a stock compiler: the elision, every form of a spawn, what cannot be had, and the form that the plugin makes of it.
# And the loops of OpenMP, which the same event marks.
. "$(dirname "$0")/../../lib/lib.sh"
mkdir "$tmp/work" && cd "$tmp/work" || exit
plugin=$build/lib/skein/libskein-pass.so
cp "$tests"/prog/cilk/forms.c* "$tests/prog/cilk/openmp_loops.c" .

# bitcode OBJECT NAME: its bitcode half as NAME.bc and NAME.ll, which the verifier has read
bitcode() {
	llvm-objcopy-19 --dump-section ".llvm.lto=$2.bc" "$1" /dev/null && llvm-dis-19 "$2.bc" -o "$2.ll" && opt-19 -passes=verify -disable-output "$2.bc"
}
calls_in() { # FILE.ll FUNCTION NAME: how often it calls skein_cilk_NAME
	awk -v f="@$2(" -v name="@skein_cilk_$3(" '/^define/ {in_it = index($0, f)} in_it && /call/ && index($0, name) {n++} END {print n + 0}' "$1"
}
only_calls() { grep -E '^ +(%[^ ]+ = )?([a-z]+ )?(call|invoke) ' "$1" | grep -v '@llvm\.'; }
code() { objdump -dr "$1" | tail -n +4; }
elided() { # the keywords taken out by another hand than the header's
	sed -E '/cilk\/cilk.h/d; s/\b(_C|c)ilk_spawn\b//g; s/\b(_C|c)ilk_sync\b//g; s/\bcilk_for\b/for/g; s/\bcilk_scope\b//g; s/\bcilk_reducer\([^)]*\)//g'
}

# The native half.
for source in "$tests"/../examples/cilk/*.c forms.c forms.cpp; do
	name=$(basename "$source")
	cc=cc plain=clang-19
	[ "${name##*.}" = c ] || cc=c++ plain=clang++-19
	mkdir -p elided && elided <"$source" >"elided/$name"
	for level in 3 2 0; do
		$plain -O$level -w -c "elided/$name" -o plain.o && skein-$cc -O$level -w -c "$source" -o ours.o &&
			equal "$name -O$level: the native half is the elision" <(code plain.o) <(code ours.o)
	done
	bitcode ours.o all
	[ "${source%/*}" = "$source" ] || check "$name: every keyword is there" sh -c "
		[ \$(grep -o 'cilk_spawn ' '$source' | wc -l) = \$(grep -c 'call void @skein_cilk_spawn(' all.ll) ] &&
		[ \$(grep -o 'cilk_for (' '$source' | wc -l) = \$(grep -c '!\"skein.loop\"' all.ll) ]"
	check "$name: no keyword is left over" [ "$(grep -c '^define' all.ll)" -gt 0 -a "$(grep -c '__skein_mark' all.ll)" = 0 ]
done
check 'plain clang gets the elision from the header' clang-19 -I"$tests/../include" -Werror -c forms.c -o header.o
mkdir -p other/cilk && echo '#error not ours' >other/cilk/cilk.h
check 'our header comes before any other' skein-cc -Iother -c forms.c -o header.o
check '-E and -M find it, too' sh -c 'skein-cc -E forms.c | grep -q "int x =  *fib" && skein-cc -M forms.c | grep -q cilk/cilk.h'

# Every form, at every level.
forms() { # SOURCE COMPILER FLAGS…
	local source=$1 compiler=$2 name
	shift 2
	name="$source $*"
	$compiler "$@" "$source" -o forms 2>"$tmp/err" || { not_ok "$name" "$(cat "$tmp/err")"; return; }
	same "$name: compiles without a word" '' "$(cat "$tmp/err")"
	./forms >native
	skein record calls -o "$RANDOM.skein" -- ./forms >recorded 2>"$tmp/err"
	same "$name: is the same recorded" "$(cat native)" "$(cat recorded)"
	[ "$compiler" = skein-cc ] && set -- clang-19 "$@" || set -- clang++-19 "$@"
	"$@" -w -I"$tests/../include" "$source" -o plain && same "$name: is the elision" "$(./plain)" "$(cat native)"
}
for flags in -O0 '-O0 -g' -O1 -O2 '-O3 -g' -Os '-O2 -fsanitize=undefined' '-O2 -std=c99 -pedantic'; do forms forms.c skein-cc $flags; done
for flags in -O0 '-O0 -g' -O1 -O2 '-O3 -g' '-O0 -fno-exceptions' '-O2 -fno-exceptions -fno-rtti' '-O2 -std=c++20'; do forms forms.cpp skein-c++ $flags; done
same 'the subject has this output' '610 7 -1 5' "$(skein-cc -O1 forms.c -o forms && ./forms | sed -n 4p)"
skein-cc -O1 -x c - -o piped <forms.c && same 'from standard input' "$(./forms)" "$(./piped)"

# What cannot be had.
refused() { # NAME LANGUAGE SENTENCE COLUMN BODY
	printf '#include <cilk/cilk.h>\nint f(int), g(int, int);\nint h(int n) { %s return n; }\n' "$5" >"bad.$2"
	rm -f bad.o
	expect_status 1 "$1" skein-cc -c "bad.$2" -o bad.o
	expect_match "$1: says so, and where" "^bad\.$2:3:$4: error: .*$3" "$tmp/err"
	same "$1: in one line, without an object" '1 no' "$(wc -l <"$tmp/err") $([ -e bad.o ] && echo yes || echo no)"
}
whole='must begin a statement, or be the whole right-hand side'
refused 'in a sum' c "$whole" 24 'n = 1 + cilk_spawn f(n);'
refused 'before a sum' c 'must be a single call' 20 'n = cilk_spawn f(n) + 1;'
refused 'as an argument' c "$whole" 22 'n = g(cilk_spawn f(n), 2);'
refused 'as an argument of a spawn' c "$whole" 33 'n = cilk_spawn g(cilk_spawn f(n), 2);'
refused 'in a return' c "$whole" 23 'return cilk_spawn f(n);'
refused 'in a condition' c "$whole" 25 'if ((n = cilk_spawn f(n))) n++;'
refused 'in an alternative' c "$whole" 24 'n = n ? cilk_spawn f(n) : 3;'
refused 'in two assignments' c "$whole" 31 'int m; n = m = cilk_spawn f(n);'
refused 'in a list' c "$whole" 28 'int a[] = { cilk_spawn f(n) };'
refused 'behind a cast' c "$whole" 25 'n = (int)cilk_spawn f(n);'
refused 'no call' c 'must be a single call' 20 'n = cilk_spawn n;'
refused 'a block that returns' c 'cannot be left by return' 16 'cilk_spawn { if (n) return 1; f(n); }'
refused 'a block that returns, C++' cc 'cannot be left by return' 16 'cilk_spawn { if (n) return 1; f(n); }'
refused 'a block that breaks' c 'cannot be left by' 30 'while (n--) { cilk_spawn { if (n) break; f(n); } }'
refused 'a block that is left by goto' cc 'cannot be left by' 16 'cilk_spawn { if (n) goto out; f(n); } out:'
refused 'a block that is entered by goto' c 'enter it except at its start' 34 'if (n) goto in; cilk_spawn { f(n); in: f(n); }'
refused 'a loop over a range' cc 'needs a start, a condition and a step' 26 'int a[3]; cilk_for (int &x : a) x = n;'

# The form that lenses find.
cat >form.c <<'END'
#include <cilk/cilk.h>
int f(int);
static int g(int x) { return x + 1; }
int one(int n) { int x = 0; x = cilk_spawn f(n);
	cilk_sync; return x; }
int again(int n) { int x = cilk_spawn f(n); int early = x; cilk_sync; return 3 * early + x; }
int none(int n) { cilk_sync; return f(n); }
void loop(int n, int *a) {
	cilk_for (int i = 0; i < n; i++) a[i] += i; }
void body(int n, int *a) { cilk_for (int i = 0; i < n; i++) { a[i] = cilk_spawn f(i); if (a[i]) continue; f(i); } }
int scoped(int n) { int x = 0; cilk_scope { x = cilk_spawn f(n); f(x); } return x; }
int both(int n) { int x, y; cilk_scope { x = cilk_spawn f(n); } y = cilk_spawn f(n); f(y); return x; }
int inner(int n) { int x, y; cilk_scope { x = cilk_spawn f(n); cilk_sync; f(x); } y = cilk_spawn g(n); cilk_sync; return x + y; }
void block(int n, int *a) { cilk_spawn { for (int i = 0; i < n; i++) a[i] = f(i); } f(n); }
END
for level in 0 2; do
	skein-cc -O$level -c form.c -o form.o && bitcode form.o "form$level" || exit
	while read -r function scopes spawns syncs; do
		same "-O$level $function: scopes, spawns, ends of spawns, syncs" "$scopes $spawns $spawns $syncs" \
			"$(for what in scope spawn spawned sync; do calls_in "form$level.ll" "$function" $what; done | xargs)"
	done <<-'END'
		one 1 1 2
		again 1 1 2
		none 0 0 0
		loop 0 0 0
		body 1 1 1
		scoped 1 1 1
		both 2 2 2
		inner 2 2 4
		block 1 1 1
	END
	check "-O$level: a spawn is a thunk between its two markers" awk '
		/call void @skein_cilk_spawn\(/ {getline; if (!/@[a-z]+\.(skein_spawn|extracted)/) bad = 1; getline; if (!/@skein_cilk_spawned\(/) bad = 1; n++}
		END {exit bad || n != 9}' <(only_calls "form$level.ll")
	check "-O$level: a thunk is internal, noinline and says what it is" awk '
		/^define/ && /skein_spawn|extracted/ {n++; if (!/^define internal/) bad = 1; match($0, /#[0-9]+/); used[substr($0, RSTART, RLENGTH)]}
		/^attributes/ && ($2 in used) {if (!/noinline/ || !/"skein-spawn"="(call|block)"/) bad = 1}
		END {exit bad || n != 9}' "form$level.ll"
	check "-O$level: markers are convergent and never throw" [ "$(grep -A9999 '^declare.*@skein_cilk_' "form$level.ll" | grep -c 'convergent.*nounwind')" -ge 1 ]
	expect_match "-O$level: the loop is marked with its place" '!"skein.loop", i32 9, i32 2, !"cilk_for"' "form$level.ll"
	line=$(awk '/^define.*@one\(/ {p = 1} p && /@one.skein_spawn/ {match($0, /!dbg ![0-9]+/); print substr($0, RSTART + 5, RLENGTH - 5); exit}' "form$level.ll")
	expect_match "-O$level: a spawn has the place of its call" "^$line = .*DILocation\(line: 4, column: 44" "form$level.ll"
done
check 'a result is read behind the sync, though it was read before' awk '
	/^define.*@again\(/ {p = 1} p && /@skein_cilk_sync/ {synced = 1} p && synced && / load i32/ {found = 1} /^}/ {p = 0} END {exit !found}' form2.ll
check 'a result is stored by the thunk' awk '/^define.*@one.skein_spawn/ {p = 1} p && /call i32 @f/ {called = 1} p && called && /store i32/ {stored = 1} /^}/ {p = 0} END {exit !stored}' form2.ll
check 'a loop that spawns nothing is vectorised, and stays marked' [ "$(opt-19 -passes='lto<O3>' -S form2.bc | grep -A99 '@loop(' | grep -c '<4 x i32>')" -gt 0 ]

check 'a loop with a branch in its step is marked, too' [ "$(skein-cc -O0 -c forms.c -o forms.o && bitcode forms.o forms && grep -c '!"skein.loop"' forms.ll)" = 3 ]
cat >serial.cpp <<'END'
#include <cilk/cilk.h>
struct thing { int v; thing(int); ~thing(); thing &operator=(const thing &); };
thing make(int); int take(const thing &); int plain(int);
int given(int n) { int x = cilk_spawn take(thing(n)); cilk_sync; return x; }
int assigned(int n) { thing t(1); t = cilk_spawn make(n); cilk_sync; return t.v; }
int converted(int n) { thing t = cilk_spawn plain(n); cilk_sync; return t.v; }
void blocked(int n, int *a) { cilk_spawn { a[n] = plain(n); } cilk_sync; }
int made(int n) { thing t = cilk_spawn make(n); cilk_sync; return t.v; }
END
skein-c++ -O0 -c serial.cpp -o serial.o && bitcode serial.o serial
kind_of() { sed -n "s/^define internal void @_Z[0-9]*$1[a-zA-Z]*\.skein_spawn.*\(#[0-9]*\) .*/\1/p" serial.ll | while read -r group; do sed -nE "s/^attributes $group = .*\"skein-spawn\"=\"([a-z]+)\".*/\1/p" serial.ll; done; }
same 'C++ whose caller must wait is told apart' 'serial serial serial call block' "$(kind_of given) $(kind_of assigned) $(kind_of converted) $(kind_of made) $(kind_of blocked)"

# At the start of a re-link: lens and what is there when its first event is over.
at_link() { SKEIN_PASS_LENS=$1 opt-19 -load-pass-plugin="$plugin" -passes='lto<O2>' -print-module-scope -print-after=cross-dso-cfi "$2" -o /dev/null 2>&1; }
at_link calls form2.bc >calls.ll
check 'other lenses see the serial program' [ "$(grep -c '^define' calls.ll) $(grep -c '@skein_cilk\|@.*skein_spawn\|@.*extracted' calls.ll)" = '10 0' ]
at_link span form2.bc >span.ll
check 'the span lens sees the spawned call between its markers' awk '
	/call void @skein_cilk_spawn\(/ {getline; if (/call.*@(f|g|block.extracted)\(/) n++} /skein_spawn\(/ {bad = 1} END {exit bad || n != 9}' <(only_calls span.ll)
group=$(only_calls span.ll | sed -nE 's/.*@g\(.*(#[0-9]+).*/\1/p')
expect_match 'which is not inlined' "^attributes $group = .*noinline" span.ll

# OpenMP.
wanted=$(awk -F '[*] | [*]' '/\/\* omp [a-z]+ \*\// {print NR, $2}' openmp_loops.c | sort)
for flags in -O0 -O2 '-O3 -g -mavx2'; do
	skein-cc -fopenmp $flags -c openmp_loops.c -o loops.o && bitcode loops.o loops
	SKEIN_PASS_LENS=span SKEIN_PASS_PIECE=loops clang-19 $flags -fpass-plugin="$build/lib/skein/libskein-pass.so" -w -x ir loops.bc -c -emit-llvm -o ready.bc
	llvm-dis-19 ready.bc -o loops.ll
	marked() { sed -nE 's/^![0-9]+ = !\{!"skein.loop", i32 ([0-9]+), i32 [0-9]+, !"(.*)"\}/\1 \2/p' "$1" | sort -u; }
	same "OpenMP $flags: these loops are marked, and no other" "$wanted" "$(marked loops.ll)"
	opt-19 -passes='lto<O3>' -S ready.bc -o linked.ll
	same "OpenMP $flags: and still are when the link is optimised" "$wanted" "$(marked linked.ll)"
	skein-cc -fopenmp $flags openmp_loops.c -o loops
	same "OpenMP $flags: is the same recorded" "$(./loops)" "$(skein record calls -o "$RANDOM.skein" -- ./loops 2>"$tmp/err")"
done
printf 'int f(int x) { int s = 0; for (int i = 0; i < x; i++) s += i * i; return s; }\n' >plain.c
skein-cc -O1 -c plain.c -o plain.o && bitcode plain.o plain
clang-19 -O1 -gdwarf-4 -Xclang -disable-llvm-passes -emit-llvm -S plain.c -o without.ll
# Without numbers of debug information, and without what clang itself says of variables a little later.
body() { sed -n '/^define/,/^}/p' "$1" | sed '/#dbg_/d; s/, !DIAssignID.*//; s/![0-9]*//g'; }
equal 'a source with neither is left alone' <(body plain.ll) <(body without.ll)
check 'there is something to compare' grep -q 'alloca i32' <(body plain.ll)
