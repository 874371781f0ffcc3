#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that is put together from objects, each finished by itself: what is finished again after a change, and what the report has of
# functions that several objects have.
. "$(dirname "$0")/../../lib/lib.sh"
export XDG_CACHE_HOME=$tmp/cache
cd "$tmp" || exit

# look NAME PROGRAM [ARGUMENT…]: records it; what skein does goes to $tmp/did, calls to calls.csv
look() {
	rm -f run.skein
	expect_status 0 "$1: is recorded" skein record -v calls -o run.skein -- "${@:2}"
	grep -o 'object [0-9]* of [0-9]*' "$tmp/err" >"$tmp/did"
	same "$1: from its objects" '' "$(grep 'as a whole' "$tmp/err")"
	skein report calls run.skein --csv >calls.csv
}
calls_of() { csv_value calls.csv "routine=$1,worker=all,entry=all" calls; }
finished() { grep -c . "$tmp/did"; }

for name in one two three; do
	cat >$name.c <<END
int shared_$name;
__attribute__((noinline)) static int helper(int x) { return x * 3 + shared_$name; }
int work_$name(int x) { return helper(x) + helper(x + 1); }
END
done
cat >main.c <<'END'
int work_one(int), work_two(int), work_three(int);
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 10; i++)
		sum += work_one(i) + work_two(i) + work_three(i);
	return sum == 0;
}
END
build_it() {
	for name in one two three main; do
		[ $name.o -nt $name.c ] || skein-cc -O2 -g -ffunction-sections -c $name.c || return
	done
	rm -f libtwo.a && skein-llvm-ar rcs libtwo.a two.o three.o && skein-cc -g -Wl,--gc-sections main.o one.o libtwo.a -o prog
}

# Only what changed is finished again, also if numbers of routines change.
build_it
look 'the first look' ./prog
same 'each object is finished' 4 "$(finished)"
same 'calls between objects are counted' 10 "$(calls_of work_three)"
same 'and those inside, of functions with one name' 60 "$(awk -F, '$1 == "helper" && $4 == "all" && $5 == "all" {sum += $6} END {print sum}' calls.csv)"
look 'a further look' ./prog
same 'nothing is finished' 0 "$(finished)"
sed -i 's/x \* 3/x * 4/; $a int more_one(int x) { return shared_one + x; }' one.c && touch -d '+2 seconds' one.c
build_it
look 'after a change of one file' ./prog
same 'one object is finished' 1 "$(finished)"
same 'routines behind it keep their names' '10 10 10' "$(calls_of work_one) $(calls_of work_two) $(calls_of work_three)"
same 'a function that the linker dropped is no routine' '' "$(calls_of more_one)"
echo >>two.c && touch -d '+4 seconds' two.c
build_it
look 'a member of an archive' ./prog
check 'at most that one is finished' [ "$(finished)" -le 1 ]
same 'a call of another object has its place' main.c:6 "$(skein report calls run.skein --view arcs --routine work_two --csv | grep -o 'main.c[,:][0-9]*' | head -n 1 | tr , :)"

# A function of several objects is one routine.
cat >shape.h <<'END'
#include <cstdio>
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
struct shape {
	virtual ~shape() {}
	virtual int area() const { return 1; }
};
END
for name in a b c; do
	printf '#include "shape.h"\nstruct %s : shape { int area() const override { return twice(2); } };\nint use_%s() { %s s; const shape &t = s; return t.area() + twice(1); }\n' $name $name $name >shape_$name.cpp
done
printf '#include "shape.h"\nint use_a(), use_b(), use_c();\nint main() { try { std::printf("%%d\\n", use_a() + use_b() + use_c()); throw twice(4); } catch (int x) { return x != 8; } }\n' >shape.cpp
skein-c++ -O1 -g shape.cpp shape_a.cpp shape_b.cpp shape_c.cpp -o shape
look 'C++' ./shape
same 'a template of four objects is one routine' 1 "$(awk -F, '$1 ~ /twice/ && $4 == "all" && $5 == "all"' calls.csv | wc -l)"
same 'with the calls of all' 7 "$(awk -F, '$1 ~ /twice/ && $4 == "all" && $5 == "all" {print $6}' calls.csv)"

# A shared library of the same build, with hidden and with weak functions; constructors run before main.
cat >lib.c <<'END'
static volatile int ready;
__attribute__((constructor)) static void prepare(void) { ready = 1; }
__attribute__((visibility("hidden"), noinline)) int hidden(int x) { return x + ready; }
__attribute__((weak)) int chosen(void) { return 1; }
int visible(int x) { return hidden(x) + chosen(); }
END
printf 'int visible(int);\nint chosen(void) { return 2; }\nint main(void) { return visible(1) != 4; }\n' >uses.c
skein-cc -O2 -g -fPIC -shared lib.c -o libshared.so && skein-cc -O2 -g uses.c -L. -lshared -Wl,-rpath,"$PWD" -o uses
look 'a library' ./uses
same 'hidden, weak and constructing functions' '1 1 1' "$(calls_of hidden) $(csv_value calls.csv routine=chosen,line=2,worker=all,entry=all calls) $(calls_of prepare)"

# Every function of the native program is a routine, or is said to be inlined or removed.
for program in ./prog ./shape; do
	for lens in calls paths span; do
		rm -f run.skein
		skein record $lens -o run.skein -- $program >/dev/null 2>&1
		table=$(find "$XDG_CACHE_HOME/skein" -path "*/$(basename $program)-*/table" -printf "%T@ %p\n" | sort -n | tail -n 1 | cut -d" " -f2)
		awk -F '\t' '$1 == "r" {print $3} $1 == "i" || $1 == "x" {print $2}' "$table" | sort -u >known
		readelf -sW $program | awk '$4 == "FUNC" && $7 ~ /^[0-9]+$/ && $3 != "0" {print $8}' | grep -vE '^(_start|_init|_fini|_dl_relocate_static_pie|deregister_tm_clones|register_tm_clones|__do_global_dtors_aux|frame_dummy|__clang_call_terminate)$' | sort -u >native
		same "$program, $lens: nothing is missing" '' "$(comm -13 known native | paste -sd ' ')"
	done
done

# A lens that must see the whole program puts them together. Most take what the compiler optimised; one that decides what is inlined has
# each object optimised again, once.
for lens in paths span 'calls --counts' 'calls --counts --skip none'; do
	skein cache clean >/dev/null
	for what in first further changed; do
		if [ $what = changed ]; then
			echo >>one.c && touch -d '+6 seconds' one.c
			sed -i "s/x \\* [0-9]*/x * 1$RANDOM/" one.c
			build_it
		fi
		rm -f run.skein
		expect_status 0 "$lens, $what: is recorded" skein record -v $lens -o run.skein -- ./prog
		grep 'object [0-9]* of [0-9]*' "$tmp/err" | grep -v 'step 2 of 2' >"$tmp/did"
		same "$lens, $what: from its objects" '' "$(grep 'as a whole' "$tmp/err")"
		case $lens,$what in
		*skip*) same "$lens, $what: all objects are ready" 0 "$(finished)" ;;
		*,first) same "$lens: each object is made ready" 4 "$(finished)" ;;
		*,further) same "$lens, further: nothing is made" 0 "$(finished)" ;;
		*,changed) same "$lens, changed: one object is made ready" 1 "$(finished)" ;;
		esac
	done
done

# Without -g objects are optimised when the first lens looks at them, and no more by others.
skein cache clean >/dev/null
for source in main one; do skein-cc -O2 -c $source.c -o bare_$source.o; done
skein-cc bare_main.o bare_one.o libtwo.a -o bare
kept() { find "$XDG_CACHE_HOME/skein" -path '*/optimised-*/optimised' -newer "$tmp/mark" | wc -l; }
for lens in calls paths input; do
	rm -f run.skein
	touch "$tmp/mark"
	sleep 0.1
	expect_status 0 "without -g: $lens" skein record -v $lens -o run.skein -- ./bare
	same "without -g: $lens, from its objects" '' "$(grep 'as a whole' "$tmp/err")"
	if [ $lens = calls ]; then same "without -g: $lens keeps what it optimised" 2 "$(kept)"; else same "without -g: $lens takes it" 0 "$(kept)"; fi
done

for file in "$XDG_CACHE_HOME"/skein/optimised-*/optimised; do truncate -s "${damage:-0}" "$file" && damage=2000; done # nothing; a beginning
find "$XDG_CACHE_HOME/skein" -name 'piece-*' -exec rm -rf {} + && rm -rf "$XDG_CACHE_HOME"/skein/bare-*
for time in first second; do
	rm -f run.skein
	expect_status 0 "without -g, what is kept is damaged, $time time" skein record -v calls -o run.skein -- ./bare
	rm -rf "$XDG_CACHE_HOME"/skein/bare-*
done
same 'without -g: damage is mended' '' "$(grep 'as a whole' "$tmp/err")"

# What decides how an object is optimised is part of its name in the cache.
cat >small.c <<'EOF'
#include <stdlib.h>
static int small(int x, int y)
{
	int a = x * 7 + 3, b = y * 5 + x, c = a / (b | 1), d = b % (a | 3);
	return a * b + c * d + (x ^ y) % 13 + (a & 77) * (b | 9) - (c << 2) + (d >> 1);
}
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 100; i++)
		sum += small(i, sum);
	return sum == 77;
}
EOF
skein-cc -O2 -g small.c -o small
for option in '' --inlined; do
	rm -f run.skein
	expect_status 0 "small function $option: is recorded" skein record span $option -o run.skein -- ./small
	skein report span run.skein --view sites --csv >sites.csv
	same "small function $option: its site" "${option:+100}" "$(csv_value sites.csv callee=small count | head -n 1)"
done

# How an object came into the link does not matter.
skein-cc -O2 -g main.o one.o -L. -l:libtwo.a -o by_name
look 'an archive by its file name' ./by_name
same 'an archive by its file name: its routines are there' 10 "$(calls_of work_two)"
skein-cc -O2 -g -mllvm -inline-threshold=100 -c -x c - -o piped.o <one.c && skein-cc -g main.o piped.o libtwo.a -o piped
look 'a source from a pipe' ./piped
same 'a source from a pipe: its routines are there' 10 "$(calls_of work_one)"
skein-cc -O2 -g -mllvm -inline-threshold=100 -c one.c -o tuned.o && skein-cc -g main.o tuned.o libtwo.a -o tuned
look 'an option with a value' ./tuned

# whole NAME PATTERN PROGRAM: what cannot be put together is linked as a whole, and says why
whole() {
	rm -f run.skein
	expect_status 0 "$1: is recorded" skein record -v calls -o run.skein -- "$3"
	expect_match "$1: as a whole" "linking .* as a whole: .*$2" "$tmp/err"
	skein report calls run.skein --csv >calls.csv
}
printf 'INPUT(one.o libtwo.a)\n' >rest.ld && skein-cc -g main.o rest.ld -o scripted
whole 'objects that a script names' 'script of the linker' ./scripted
same 'objects that a script names: routines are there' 1 "$(calls_of main)"
cat >chosen.c <<'END'
int quick(int x), slow(int x), supports(void);
static int (*resolve(void))(int) { return supports() ? quick : slow; }
int pick(int) __attribute__((ifunc("resolve")));
int main(void) { return pick(1) != 2; }
END
printf 'int quick(int x) { return x + 1; }\nint slow(int x) { return x + 1; }\n__attribute__((noinline)) int supports(void) { return 1; }\n' >choices.c
skein-cc -O2 -g chosen.c choices.c -o chosen
whole 'an indirect function' 'resolvers' ./chosen
same 'an indirect function: routines are there' 1 "$(calls_of main)"

# The cache can be looked at and emptied.
expect_status 0 'skein cache' skein cache
expect_match 'it says how large the cache is' "^$XDG_CACHE_HOME/skein holds [0-9.]+ [KM]iB in [0-9]+ entries, at most 2\\.0 GiB\\.\$" "$tmp/out"
expect_status 0 'skein cache clean' skein cache clean
expect_match 'it says what it removed' "^$XDG_CACHE_HOME/skein was emptied of [0-9.]+ [KM]iB in [0-9]+ entries\\.\$" "$tmp/out"
same 'nothing is left' '' "$(ls "$XDG_CACHE_HOME/skein")"
expect_status 2 'another word' skein cache empty
look 'after that' ./prog
same 'all objects are finished again' 4 "$(finished)"
