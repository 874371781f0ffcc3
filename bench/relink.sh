#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# relink.sh BUILD: what stands between a build and the first answer, beside a plain build. Prints a Markdown page.
#
# Each program is built in a copy of its own by its own makefile, with plain clang, with skein-cc, and by peers; wall time, at the
# same -j. Then each lens looks at it for the first time (an empty cache), once more, and once after a change of one file. The program
# itself does next to nothing. RELINK_ROUNDS=3; RELINK_PROGRAMS picks programs.
. "$(dirname "$0")/lib.sh"
. "$bench/packages.bash"
jobs=-j$(nproc)
rounds=${RELINK_ROUNDS:-3}
programs=${RELINK_PROGRAMS:-lua5.4 libzstd sqlite3 ninja-build redis z3}
export XDG_CACHE_HOME=$work/cache
ulimit -c 0

# Of each package: program_PACKAGE, what it is called; args_PACKAGE, so that it ends at once; touch_PACKAGE, a source file that is changed.
program_lua5.4() { echo src/lua; }
args_lua5.4() { echo -v; }
touch_lua5.4() { echo src/ltable.c; }
program_libzstd() { echo programs/zstd; }
args_libzstd() { echo --version; }
touch_libzstd() { echo lib/compress/zstd_fast.c; }
program_sqlite3() { echo sqlite3.shell; }
args_sqlite3() { echo -version; }
touch_sqlite3() { echo shell.c; }
program_ninja-build() { echo b/ninja; }
args_ninja-build() { echo --version; }
touch_ninja-build() { echo src/graph.cc; }
program_redis() { echo src/redis-server; }
args_redis() { echo --version; }
touch_redis() { echo src/t_hash.c; }
program_z3() { echo b/z3; }
args_z3() { echo -version; }
touch_z3() { echo src/ast/ast_util.cpp; }
# Programs whose build takes so long that plain clang's is enough of a peer, and one round.
large=' z3 '
is_large() { [[ $large == *" $1 "* ]]; }

# Compilers of peers, under names without options: CMake wants a file.
mkdir -p "$work/bin"
wrap() { printf '#!/bin/sh\nexec %s "$@"\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
wrap clang-instrumented 'clang-19 -finstrument-functions'
wrap clang++-instrumented 'clang++-19 -finstrument-functions'
wrap clang-lto 'clang-19 -flto=full -fuse-ld=lld'
wrap clang++-lto 'clang++-19 -flto=full -fuse-ld=lld'
wrap gcc-pg 'gcc -pg'
wrap g++-pg 'g++ -pg'

# Plain compilers tell what memory they took: one process more per compile.
cc -O2 "$bench/peak.c" -o "$work/bin/peak"
wrap clang-watched "$work/bin/peak $work/compiles.kb clang-19"
wrap clang++-watched "$work/bin/peak $work/compiles.kb clang++-19"
largest() { sort -n "$1" | tail -n 1; }

# timed FILE COMMAND…: appends the wall time in ns to FILE.ns, the CPU time of all that it started to FILE.cpu.ns
timed() {
	local file=$1 TIMEFORMAT='%R %U %S' status=0
	shift
	{ time "$@" >"$work/log" 2>&1; } 2>"$work/times" || status=$?
	awk -v name="$work/$file" '{printf "%.0f\n", $1 * 1e9 >> (name ".ns"); printf "%.0f\n", ($2 + $3) * 1e9 >> (name ".cpu.ns")}' "$work/times"
	[ $status -eq 0 ] || { say "$file failed: $(tail -n 3 "$work/log")" && exit 1; }
}

# built PACKAGE VARIANT CC CXX: in a fresh copy, timed
built() {
	rm -rf "$work/$1.$2"
	cp -r "$build/source/$1" "$work/$1.$2"
	(cd "$work/$1.$2" && prepare "$1" && timed "$1.build.$2" "build_$1" "$3" "$4")
}

# Configuring is not building.
prepare() { [ "$1" != sqlite3 ] || { ./configure -q CC=cc --disable-tcl --disable-readline && make sqlite3.c shell.c; } >/dev/null 2>&1; }
build_sqlite3() { "$1" -O2 -g -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION sqlite3.c shell.c -o sqlite3.shell -lm; }

# look PACKAGE LENS FILE
look() {
	(cd "$work/$1.skein" && rm -f look.skein && timed "$3" "$work/bin/peak" "$work/$3.kb" skein record "$2" -o look.skein -- "./$(program_"$1")" "$(args_"$1")")
}

# swells PACKAGE LENS: bytes of code and constants of the re-linked program, beside the native one's
swells() {
	local native
	native=$work/$1.skein/$(program_"$1")
	text() { size "$1" | awk 'NR == 2 {print $1}'; }
	ratio "$(text "$(find "$XDG_CACHE_HOME/skein" -path "*/$(basename "$native")-*/bin/$(basename "$native")" -type f)")" "$(text "$native")" >"$work/$1.swells.$2"
}

# changed PACKAGE: one file is, and the program is built again; what that takes is the build's
changed() {
	(cd "$work/$1.skein" && echo "int skein_bench_$RANDOM(int x) { return x + $RANDOM; }" >>"$(touch_"$1")" &&
		timed "$1.rebuild" "build_$1" skein-cc skein-c++)
}

peers() {
	built "$1" instrumented "$work/bin/clang-instrumented" "$work/bin/clang++-instrumented" || rm -f "$1.build.instrumented.ns"
	built "$1" lto "$work/bin/clang-lto" "$work/bin/clang++-lto" || rm -f "$1.build.lto.ns"
	built "$1" pg "$work/bin/gcc-pg" "$work/bin/g++-pg" || rm -f "$1.build.pg.ns"
}

for package in $programs; do
	"$bench/../tools/source" "$build/source" "$package"
	for ((round = 1; round <= $(is_large "$package" && echo 1 || echo "$rounds"); round++)); do
		say "$package, round $round"
		rm -f "$work/compiles.kb"
		built "$package" plain "$work/bin/clang-watched" "$work/bin/clang++-watched"
		largest "$work/compiles.kb" >"$work/$package.compile.kb"
		built "$package" skein skein-cc skein-c++
		is_large "$package" || peers "$package"
		for lens in calls span paths input; do
			rm -rf "$XDG_CACHE_HOME"
			look "$package" $lens "$package.first.$lens"
			swells "$package" $lens
			look "$package" $lens "$package.warm.$lens"
		done
		for lens in calls span paths; do look "$package" $lens "$package.again.$lens"; done
		changed "$package"
		for lens in calls span paths input; do look "$package" $lens "$package.changed.$lens"; done
	done
done

# seconds NAME VARIANT: "-" if that could not be built
seconds() { if [ -e "$1.$2.ns" ]; then awk -v ns="$(median "$1" "$2")" 'BEGIN {printf ns < 1e10 ? "%.1f" : "%.0f", ns / 1e9}'; else echo -; fi; }
# first PACKAGE LENS BAR: "12.0 s (0.45)", bold above the bar; `first P calls.cpu B` is of CPU time
first() {
	local part
	part=$(ratio "$(median "$1.first" "$2")" "$(median "$1.build" "plain${2#"${2%%.*}"}")")
	if [ "$(verdict "$part" "$3")" = yes ]; then echo "$(seconds "$1.first" "$2") s ($part)"; else echo "$(seconds "$1.first" "$2") s (**$part**)"; fi
}

cat <<'END'
# From a build to the first answer

Made by `make bench` (`bench/relink.sh`): each program is built by its own makefile, with as many jobs as there are cores, with plain
clang-19, with skein-cc, with `clang-19 -flto=full`, with `clang-19 -finstrument-functions` and with `gcc -pg`; medians of wall times.
By their own makefiles lua5.4, libzstd and ninja-build are built without `-g`, sqlite3 and redis with it; ninja-build is built with `-flto`.
uftrace records what is built in one of the last two ways.

| program, seconds | plain clang | skein-cc | -flto=full | -finstrument-functions | gcc -pg |
|---|---|---|---|---|---|
END
for p in $programs; do
	echo "| $p | $(seconds "$p.build" plain) | $(seconds "$p.build" skein) ($(ratio "$(median "$p.build" skein)" "$(median "$p.build" plain)")) | $(seconds "$p.build" lto) | $(seconds "$p.build" instrumented) | $(seconds "$p.build" pg) |"
done
cat <<'END'

The first look, with an empty cache, in parts of the plain build. The bars are 0.6, and 1.0 for `input`; a figure above its bar is bold.

| program | calls | span | paths | input |
|---|---|---|---|---|
END
for p in $programs; do
	echo "| $p | $(first "$p" calls 0.6) | $(first "$p" span 0.6) | $(first "$p" paths 0.6) | $(first "$p" input 1.0) |"
done
cat <<'END'

The same in CPU time of all cores, which other work on the machine disturbs less.

| program | calls | span | paths | input |
|---|---|---|---|---|
END
for p in $programs; do
	echo "| $p | $(first "$p" calls.cpu 0.6) | $(first "$p" span.cpu 0.6) | $(first "$p" paths.cpu 0.6) | $(first "$p" input.cpu 1.0) |"
done
cat <<'END'

Memory of the largest process, in MB: the largest compile of the plain build, with its frontend; the first looks. The bar is 2 times the compile's.

| program | compile | calls | span | paths | input |
|---|---|---|---|---|---|
END
# peak PACKAGE LENS: "120 (1.1)"
peak() { awk -v a="$(largest "$1.first.$2.kb")" -v b="$(cat "$1.compile.kb")" 'BEGIN {printf a <= 2 * b ? "%.0f (%.1f)" : "%.0f (**%.1f**)", a / 1024, a / b}'; }
for p in $programs; do
	echo "| $p | $(awk '{printf "%.0f", $1 / 1024}' "$p.compile.kb") | $(peak "$p" calls) | $(peak "$p" span) | $(peak "$p" paths) | $(peak "$p" input) |"
done
cat <<'END'

How large the code and constants of the re-linked program are, in multiples of the native one's. The bars are 2, and 4 for `input`.

| program | calls | span | paths | input |
|---|---|---|---|---|
END
swollen() { if [ "$(verdict "$(cat "$1.swells.$2")" "$3")" = yes ]; then cat "$1.swells.$2"; else echo "**$(cat "$1.swells.$2")**"; fi; }
for p in $programs; do
	echo "| $p | $(swollen "$p" calls 2) | $(swollen "$p" span 2) | $(swollen "$p" paths 2) | $(swollen "$p" input 4) |"
done
cat <<'END'

A further look at the same program; and, after a change of one file, the build and the look at what it made. Both include the program,
which prints its version.

| program | calls, once more | changed: build | changed: calls | changed: span | changed: paths | changed: input |
|---|---|---|---|---|---|---|
END
for p in $programs; do
	mv "$p.rebuild.ns" "$p.re.build.ns"
	echo "| $p | $(seconds "$p.warm" calls) s | $(seconds "$p.re" build) s | $(seconds "$p.changed" calls) s | $(seconds "$p.changed" span) s | $(seconds "$p.changed" paths) s | $(seconds "$p.changed" input) s |"
done
