#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Copies of a program: put together from objects, of which those that are the same in several copies are finished once; or, for a program built
# with -flto, from one link that divides itself. Each is what a link of its own makes. Where one link cannot do, several do.
. "$(dirname "$0")/../../lib/lib.sh"
mkdir "$tmp/work" && cd "$tmp/work" || exit
relink=$build/tests/relink_copies
sanitize=$(nm -A "$build/lib/libskein-tool.a" 2>/dev/null | grep -q __asan_ && echo -fsanitize=address,undefined)
cc -std=c11 -I"$tests/../src" $sanitize "$tests/prog/relink/try.c" "$build/lib/libskein-tool.a" -ldw -lelf -o "$relink" || exit

cat >main.c <<'END'
#include <stdio.h>
int other(int), data(int);
static int twice(int n) { int s = 0; for (int i = 0; i < n; i++) s += i % 3 ? i : i % 5 ? -i : data(i); return s; }
__attribute__((noinline)) static int helper(int x) { switch (x % 5) { case 0: return x; case 1: return x > 9 ? 2 : 3; case 4: return twice(x); default: return -x; } }
int main(void) { int s = 0; for (int i = 0; i < 200; i++) s += helper(i) ^ other(i); printf("%d\n", s); return 3; }
END
cat >other.c <<'END'
int data(int);
__attribute__((noinline)) static int helper(int x) { int s = 0; for (int i = 0; i < x + 9; i++) s += i & 1 ? data(x) : x > 50 && i > 3 ? 7 : i * x; return s; }
__attribute__((noinline)) int other(int x) { return x % 7 == 3 ? helper(x) ^ 7 : helper(x / 2); }
END
cat >data.c <<'END'
static const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
__attribute__((noinline)) int data(int x) { return table[x & 7] > 3 ? table[x & 3] : x < 0 ? 0 : table[7 - (x & 7)]; }
END
cat >thrown.cc <<'END'
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
template <class T> __attribute__((noinline)) T leave(T i, int &n) { if (i % 3 == 0) throw std::runtime_error(std::to_string(i)); return i % 2 ? i : n++; }
int main() {
	std::map<int, std::string> seen;
	int n = 0, caught = 0;
	for (int i = 0; i < 30; i++)
		try { seen[leave(i, n) % 4] += "x"; leave(static_cast<long>(i), n); } catch (const std::exception &e) { caught += std::stoi(e.what()); }
	std::printf("%d %d %zu\n", n, caught, seen[1].size());
}
END
skein-cc -O2 -g -c main.c && skein-cc -O2 -g -fPIC -c other.c data.c
mkdir lto && (cd lto && skein-cc -flto -O2 -g -c ../main.c && skein-cc -flto -O2 -g -fPIC -c ../other.c ../data.c) || exit
skein-c++ -O2 -g -c thrown.cc
ar rcs libboth.a other.o data.o && ar rcsT libthin.a other.o data.o
echo 'V1 { global: main; local: *; };' >version.map

at() { awk -v n="$1" '$1 == "object" && ++seen == n {print $3}' "$2"; } # NUMBER FILE: of the objects that a re-link printed
beside() { printf "%s\n" "${1%bin/*}"; } # PROGRAM: the folder of its entry
copies_in() { find "$XDG_CACHE_HOME/skein" -maxdepth 1 -name "$1-*" | wc -l; }

parts() { nm -Sn "$1" | cut -d' ' -f2-; } # sizes and kinds, in order: addresses may depend on the name of the output, which is part of a version's

by_link() { echo "re-linking $1 for paths, $2 copies"; } # PROGRAM COPIES: what is told
by_objects() { echo "$2 copies of $1 for paths have $3 objects together; [0-9]+ of them \([0-9]+ %\) are the same as another copy's"; }

# together NAME PROGRAM HOW: four copies, and each by itself
together() {
	local name=$1 program=$2 native c one all
	native="$(./"$program") $?"
	export XDG_CACHE_HOME=$tmp/together
	rm -rf "$tmp/together" "$tmp/alone"
	expect_status 0 "$name: four copies" "$relink" -k 4 "./$program" paths SHARE=best
	cp "$tmp/out" all
	expect_match "$name: as it should be" "^progress $3\$" "$tmp/err"
	same "$name: one line" 1 "$(wc -l <"$tmp/err")"
	export XDG_CACHE_HOME=$tmp/alone
	for c in 0 1 2 3; do
		expect_status 0 "$name: copy $c alone" "$relink" "./$program" paths SHARE=best COPIES=4 COPY=$c
		one=$(at 1 "$tmp/out") all=$(at $((c + 1)) all)
		same "$name: copy $c has the same name in the cache" "${one#$tmp/alone}" "${all#$tmp/together}"
		for file in table shape foreign; do
			check "$name: copy $c has the same $file" cmp "$(beside "$one")$file" "$(beside "$all")$file"
		done
		equal "$name: copy $c is the same program" <(parts "$one") <(parts "$all")
		same "$name: copy $c behaves as the program does" "$native" "$("$all") $?"
	done
}
skein-cc main.o other.o data.o -o plain && together 'three objects' plain "$(by_objects plain 4 12)"
skein-cc main.o -L. -lboth -o archived && together 'an archive' archived "$(by_objects archived 4 12)"
skein-cc main.o -L. -lthin -Wl,--version-script=version.map -rdynamic -Wl,--gc-sections -o thin && together 'a thin archive, a version script' thin "$(by_objects thin 4 12)"
skein-cc -static main.o other.o data.o -o static && together 'a static program' static "$(by_objects static 4 12)"
skein-c++ thrown.o -o thrown && together 'C++' thrown "$(by_objects thrown 4 4)"
cc -O2 -c data.c -o foreign.o && skein-cc main.o other.o foreign.o -fuse-ld=lld -Wl,--threads=4 -o mixed && together 'a foreign object, a linker of four threads' mixed "$(by_objects mixed 4 8)"

skein-cc -flto lto/main.o lto/other.o lto/data.o -o whole && together 'three objects, -flto' whole "$(by_link whole 4)"
skein-cc -flto -static lto/main.o lto/other.o lto/data.o -o whole_static && together 'a static program, -flto' whole_static "$(by_link whole_static 4)"
skein-cc -flto lto/main.o lto/other.o foreign.o -fuse-ld=lld -Wl,--threads=4 -o whole_mixed &&
	together 'a foreign object, a linker of four threads, -flto' whole_mixed "$(by_link whole_mixed 4)"

# What is the same in several copies is finished once, and a function that changes moves few parts of others.
cat >cold.c <<'END'
int cold(int x) { return x + 1; }
END
for n in 1 2 3 4 5 6 7 8; do sed "s/cold/cold_$n/" cold.c >cold_$n.c; done
skein-cc -O2 -g -c cold_?.c && skein-cc main.o other.o data.o cold_?.o -o many
export XDG_CACHE_HOME=$tmp/many
objects_in() { find "$XDG_CACHE_HOME/skein" -maxdepth 1 -name 'piece-*' | wc -l; }
expect_status 0 'eight objects with one small function' "$relink" -k 4 ./many paths SHARE=best
expect_match 'two of four copies of each are the same as another' "have 44 objects together; 16 of them \\(36 %\\)" "$tmp/err"
same 'they are finished once: 11 are looked at, 28 are made' 39 "$(objects_in)"
sed -i 's/x + 1/x > 3 ? x * x : x - 1/' cold_4.c && skein-cc -O2 -g -c cold_4.c && skein-cc main.o other.o data.o cold_?.o -o many
expect_status 0 'one of them changes' "$relink" -k 4 ./many paths SHARE=best
check 'little else is made again' [ "$(objects_in)" -le 48 ]

# Libraries of the same build: each copy has its own, and finds it.
export XDG_CACHE_HOME=$tmp/library
skein-cc -shared data.o -o libdata.so && skein-cc -shared other.o -L. -ldata -Wl,-rpath,'$ORIGIN' -o libother.so
skein-cc main.o -L. -lother -ldata -Wl,-rpath,'$ORIGIN' -o user
expect_status 0 'libraries of its own' "$relink" -k 3 ./user paths SHARE=best
expect_match 'by objects' "^progress $(by_objects user 3 9)\$" "$tmp/err"
cp "$tmp/out" all
for c in 0 1 2; do
	prog=$(at $((3 * c + 1)) all)
	same "copy $c loads its own libraries" "$(for n in 2 3; do at $((3 * c + n)) all; done | sort)" "$(ldd "$prog" | awk '/libdata|libother/ {print $3}' | sort)"
	same "copy $c runs" "$(./user) 3" "$("$prog") $?"
done
export XDG_CACHE_HOME=$tmp/library2
for c in 0 1 2; do
	expect_status 0 "copy $c with its libraries, alone" "$relink" ./user paths SHARE=best COPIES=3 COPY=$c
	for n in 1 2 3; do
		equal "object $n of copy $c has the same shape" "$(beside "$(at $n "$tmp/out")")shape" "$(beside "$(at $((3 * c + n)) all)")shape"
		equal "object $n of copy $c is the same program" <(parts "$(at $n "$tmp/out")") <(parts "$(at $((3 * c + n)) all)")
	done
done

# What is in the cache stays; what is broken there is made again.
export XDG_CACHE_HOME=$tmp/again
"$relink" -k 3 ./plain paths SHARE=best >first 2>/dev/null
expect_status 0 'all are in the cache' "$relink" -k 3 ./plain paths SHARE=best
same 'nothing is linked' '' "$(cat "$tmp/err")"
: >"$(at 2 first)"
expect_status 0 'a program without content' "$relink" -k 3 ./plain paths SHARE=best
same 'is made again' "$(cat first)" "$(cat "$tmp/out")"
same 'and does what it should' "$(./plain) 3" "$("$(at 2 first)") $?"
sed -i '$d' "$(beside "$(at 1 first)")table" && truncate -s -100 "$(at 3 first)" && rm "$(beside "$(at 2 first)")shape"
expect_status 0 'a table without its end, a short program, no shape' "$relink" -k 3 ./plain paths SHARE=best
expect_match 'all three are made again' "^progress $(by_objects plain 3 9)\$" "$tmp/err"
for c in 1 2 3; do same "copy $c is whole" "$(./plain) 3" "$("$(at $c first)") $?"; done

touch -d '2 hours ago' "$tmp/again/skein"/*
SKEIN_CACHE_BYTES=1 "$relink" -k 3 ./mixed paths SHARE=best >/dev/null 2>&1
same 'a full cache forgets copies that were not used for an hour, and keeps the rest' '0 3' "$(copies_in plain) $(copies_in mixed)"

# Libraries, by one link for each.
export XDG_CACHE_HOME=$tmp/library3
(cd lto && skein-cc -flto -shared data.o -o libdata.so && skein-cc -flto -shared other.o -L. -ldata -Wl,-rpath,'$ORIGIN' -o libother.so &&
	skein-cc -flto main.o -L. -lother -ldata -Wl,-rpath,'$ORIGIN' -o user)
expect_status 0 'libraries of its own, -flto' "$relink" -k 3 lto/user paths SHARE=best
for name in libdata.so libother.so user; do expect_match "$name: one link" "^progress $(by_link $name 3)\$" "$tmp/err"; done
same 'three links' 3 "$(wc -l <"$tmp/err")"
for c in 0 1 2; do
	prog=$(at $((3 * c + 1)) "$tmp/out")
	same "copy $c loads its own libraries, -flto" "$(for n in 2 3; do at $((3 * c + n)) "$tmp/out"; done | sort)" "$(ldd "$prog" | awk '/libdata|libother/ {print $3}' | sort)"
	same "copy $c runs, -flto" "$(./user) 3" "$("$prog") $?"
done

# One link cannot do: the other way is taken.
export XDG_CACHE_HOME=$tmp/enough
"$relink" -k 3 ./whole paths SHARE=best >first 2>/dev/null
export XDG_CACHE_HOME=$tmp/few
expect_status 0 'a descriptor that is not allowed' bash -c "ulimit -n 150; exec '$relink' -k 3 ./whole paths SHARE=best"
expect_match 'it says why' 'one after another: cannot start clang-19' "$tmp/err"
same 'and makes the same' "$(sed "s|$tmp/enough|$tmp/few|g" first)" "$(cat "$tmp/out")"
same 'nothing half-done is left' '' "$(find "$tmp/few/skein" -name 'stage-*')"

# Nothing can do: one sentence.
export XDG_CACHE_HOME=$tmp/none
expect_status 125 'a plan that the plugin refuses' "$relink" -k 3 ./plain paths SHARE=best WEIGHTS=/absent
expect_match 'what the plugin said is told' '^relink: re-linking .*/plain failed: .*/absent' "$tmp/err"
export XDG_CACHE_HOME=$tmp/full
expect_status 125 'no room' bash -c "trap '' XFSZ; ulimit -f 8; exec '$relink' -k 3 ./plain paths SHARE=best"
same 'one sentence' 1 "$(grep -vc '^progress ' "$tmp/err")"
expect_match 'says what failed' '^relink: re-linking .*/plain failed: ' "$tmp/err"
same 'nothing half-done is left there either' '' "$(find "$tmp/full/skein" -name 'stage-*')"
touch -d '1 hour ago' main.o && echo >>main.o
expect_status 125 'an object that changed' "$relink" -k 3 ./plain paths SHARE=best
expect_match 'is named' 'main.o has changed' "$tmp/err"
