#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# calls.sh BUILD: what the calls lens costs and how exact it is, beside its peers. Prints a Markdown page.
#
# CPU time is that of the subject's process, the profiler's threads in it included. skein's re-link and analysis, before and
# after the run, are left out; uftrace's writer, a process that runs beside the subject and records for it, is not.
. "$(dirname "$0")/lib.sh"
. "$bench/packages.bash"
jobs=-j$(nproc)
flags="-O2 -g -gdwarf-4 -fno-optimize-sibling-calls -pthread"
n=33

# A recursive fib: nothing but calls. gprof and uftrace share a binary that the same compiler made with -pg.
skein-cc $flags "$bench/fib.c" -o fib
clang-19 $flags -pg -no-pie "$bench/fib.c" -o fib.pg
run_native() { ./fib 1 $n; }
run_counts() { skein record calls --counts -o counts.skein -- ./fib 1 $n; }
run_times() { skein record calls -o times.skein -- ./fib 1 $n; }
run_exact() { skein record calls --exact -o exact.skein -- ./fib 1 $n; }
run_gprof() { ./fib.pg 1 $n; }
run_uftrace() { rm -rf uftrace.data; all_cpu uftrace record -d uftrace.data ./fib.pg 1 $n; rm -rf uftrace.data; }
run_callgrind() { valgrind -q --tool=callgrind --callgrind-out-file=callgrind.out ./fib 1 $n; }
interleave fib native counts times exact gprof uftrace callgrind
calls=$(./fib 1 $n | sed 's/calls \([0-9]*\).*/\1/')
added() { awk -v with="$(median fib "$1")" -v without="$(median fib native)" -v calls="$calls" 'BEGIN {printf "%.1f", (with - without) / calls}'; }

# Exactness: what fib is known to be called, and what each tool has.
skein_calls() {
	skein record calls -o threads.skein -- ./fib "$1" 27 >/dev/null 2>&1
	skein report calls threads.skein --csv | awk -F, '$1 == "fib" && $4 == "all" && $5 == "all" {print $6}'
}
gprof_calls() {
	./fib.pg "$1" 27 >/dev/null
	gprof -b -q ./fib.pg gmon.out | awk '/^\[.*fib \[/ {split($5, n, "+"); print n[1] + n[2]}'
}
exact_rows() {
	local threads known ours theirs
	for threads in 2 4 16; do
		say "exactness with $threads threads"
		known=$(./fib "$threads" 27 | sed 's/calls \([0-9]*\).*/\1/')
		ours=$(skein_calls "$threads")
		theirs=$(gprof_calls "$threads")
		echo "| $threads | $known | $ours ($((known - ours)) lost) | $theirs ($(awk -v k="$known" -v t="$theirs" 'BEGIN {printf "%.1f %% lost", 100 * (k - t) / k}')) |"
	done
}

# zstd, built from Debian's source with two compilers: its own work, two threads, output compared byte by byte.
cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
"$bench/../tools/source" "$build/source" libzstd
build_zstd() { # NAME COMPILER [FLAGS]
	cp -r "$build/source/libzstd" "src-$1"
	make -s -C "src-$1/programs" zstd CC="$2" MOREFLAGS="-g -gdwarf-4 ${3:-}" HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 >"zstd-$1.log" 2>&1
	mkdir -p "$1"
	cp "src-$1/programs/zstd" "$1/zstd"
}
say "building zstd"
build_zstd plain skein-cc
build_zstd pg clang-19 "-pg -no-pie"
tar -C /usr/lib/llvm-19/include --dereference --sort=name --mtime=@0 --owner=0 --group=0 -cf input .
cat input input input input >big
# preloaded COMMAND…: standard output into out.zst, CPU time of $program on standard output
program=zstd
preloaded() {
	rm -f cpu.txt
	env BENCH_NAME=$program BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@" >out.zst
	cat cpu.txt
}
same_output() { cmp -s out.zst reference.zst || { say "$1: the output differs from the native one"; exit 1; }; }
run_zstd_native() { preloaded plain/zstd $compress; cp out.zst reference.zst; }
run_zstd_counts() { preloaded skein record calls --counts -o zc.skein -- plain/zstd $compress; same_output counts; }
run_zstd_times() { preloaded skein record calls -o zt.skein -- plain/zstd $compress; same_output times; }
run_zstd_exact() { preloaded skein record calls --exact -o ze.skein -- plain/zstd $compress; same_output exact; }
run_zstd_gprof() { preloaded pg/zstd $compress; same_output gprof; }
run_zstd_uftrace() { rm -rf uftrace.data; all_cpu uftrace record -d uftrace.data pg/zstd $compress; rm -rf uftrace.data; }
declare -A zstd_calls
for level in 3 9; do
	compress="-T2 -$level -q -f -c big"
	interleave "zstd$level" zstd_native zstd_counts zstd_times zstd_exact zstd_gprof zstd_uftrace
	zstd_calls[$level]=$(skein report calls zt.skein --view summary --csv | sed -n 's/^calls,//p')
done
zstd_ratio() { ratio "$(median "zstd$1" "zstd_$2")" "$(median "zstd$1" zstd_native)" %.3f; }

# An interpreter: the awk of its authors, from Debian's source. It reads fields; then it computes.
"$bench/../tools/source" "$build/source" original-awk
cp -r "$build/source/original-awk" awk
(cd awk && build_original-awk skein-cc) >awk.log 2>&1
cat >fields.awk <<'SCRIPT'
{ words += NF; for (i = 1; i <= NF; i++) count[$i]++ }
END { for (w in count) { kinds++; if (count[w] > most) most = count[w] } print words, kinds, most }
SCRIPT
cat >loops.awk <<'SCRIPT'
function mix(a, b) { return (a * 31 + b) % 65521 }
BEGIN {
	for (i = 0; i < 500000; i++) { s = mix(s, i); w[s % 1000] += length("x" s); if (substr(s "", 1, 1) == "7") k++; if (match(s "", /4[0-9]2/)) m++ }
	for (j in w) t += w[j]
	print s, k, m, t
}
SCRIPT
tar -xOf input --wildcards '*.h' | tr -cd '\n -~' >text
run_awk_native() { preloaded awk/a.out -f "$script" text; }
run_awk_counts() { preloaded skein record calls --counts -o ac.skein -- awk/a.out -f "$script" text; }
run_awk_times() { preloaded skein record calls -o at.skein -- awk/a.out -f "$script" text; }
run_awk_exact() { preloaded skein record calls --exact -o ae.skein -- awk/a.out -f "$script" text; }
awk_row() { # SCRIPT TEXT BAR
	local script=$1.awk ratio program=a.out
	interleave "$1" awk_native awk_counts awk_times awk_exact
	ratio=$(ratio "$(median "$1" awk_times)" "$(median "$1" awk_native)" %.3f)
	echo "| $2: $(skein report calls at.skein --view summary --csv | sed -n 's/^calls,//p') calls in $(ratio "$(median "$1" awk_native)" 1e9) s |" \
		"$(ratio "$(median "$1" awk_counts)" "$(median "$1" awk_native)" %.3f) | $ratio | $3 | $(verdict "$ratio" "$3") |" \
		"$(ratio "$(median "$1" awk_exact)" "$(median "$1" awk_native)" %.3f) |"
}
awk_fields=$(awk_row fields 'count words' 1.2)
awk_loops=$(awk_row loops 'compute' 1.2)

# Ten million calls over 300 routines, each calling another that a generator chose.
say "ten million calls over 300 routines"
awk 'BEGIN {
	print "#define R(n, a, b) __attribute__((noinline)) static unsigned r##n(unsigned d) { return d == 0 ? n : d & 1 ? r##a(d - 1) + 1 : r##b(d - 1) ^ n; }"
	for (i = 0; i < 300; i++) printf "static unsigned r%d(unsigned);\n", i
	for (i = 0; i < 300; i++) printf "R(%d, %d, %d)\n", i, (i * 7 + 1) % 300, (i * 13 + 5) % 300
	print "#include <stdio.h>\nint main(void) { unsigned sum = 0; for (int i = 0; i < 50000; i++) { switch (i % 300) {"
	for (i = 0; i < 300; i++) printf "case %d: sum += r%d(199); break;\n", i, i
	print "} } printf(\"%u\\n\", sum); return 0; }"
}' >routines.c
skein-cc -O1 -g -fno-optimize-sibling-calls routines.c -o routines
skein record calls -o routines.skein -- ./routines >/dev/null 2>&1
recorded=$(skein report calls routines.skein --view summary --csv | sed -n 's/^calls,//p')
bytes=$(stat -c %s routines.skein)

row() { echo "| $1 | $2 | $3 | $4 |"; }
cat <<END
# What the calls lens costs

Measured by \`make bench\` on $(nproc) cores: medians of $rounds interleaved rounds, CPU time of the subject's
process. Ratios are more useful for other machines than nanoseconds.

## Cost per call

fib($n), $calls calls. Native: $(ratio "$(median fib native)" "$calls") ns per call.

| | added ns per call | bar | met |
|---|---|---|---|
$(row 'skein, counts and arcs' "$(added counts)" '2' "$(verdict "$(added counts)" 2)")
$(row 'skein, times of some calls (default)' "$(added times)" '' '')
$(row 'skein, times of all calls (--exact)' "$(added exact)" '24' "$(verdict "$(added exact)" 24)")
$(row 'gprof (-pg)' "$(added gprof)" '' '')
$(row 'uftrace record' "$(added uftrace)" "6 × skein --exact: $(ratio "$(added uftrace)" "$(added exact)" %.1f)" "$(verdict 6 "$(ratio "$(added uftrace)" "$(added exact)" %.4f)")")
$(row 'callgrind' "$(added callgrind)" "7 × skein --exact: $(ratio "$(added callgrind)" "$(added exact)" %.1f) (its counts: $(ratio "$(added callgrind)" "$(added counts)" %.0f))" "$(verdict 7 "$(ratio "$(added callgrind)" "$(added exact)" %.4f)")")

Callgrind counts instructions and measures no times: compare it with skein's first row.

## Exactness

Each thread runs fib(27).

| threads | calls made | skein | gprof |
|---|---|---|---|
$(exact_rows)

## A real program

zstd -T2 on $(($(stat -c %s big) / 1000000)) MB; the output is identical, byte for byte. Level 3 is zstd's default: ${zstd_calls[3]} calls
in $(ratio "$(median zstd3 zstd_native)" 1e9) s of CPU time. Level 9 calls a small routine for every match that it looks for: ${zstd_calls[9]}
calls in $(ratio "$(median zstd9 zstd_native)" 1e9) s.

| CPU time, native = 1 | level 3 | bar | met | level 9 | bar | met |
|---|---|---|---|---|---|---|
| skein, counts and arcs | $(zstd_ratio 3 counts) | 1.03 | $(verdict "$(zstd_ratio 3 counts)" 1.03) | $(zstd_ratio 9 counts) | | |
| skein, times of some calls (default) | $(zstd_ratio 3 times) | 1.05 | $(verdict "$(zstd_ratio 3 times)" 1.05) | $(zstd_ratio 9 times) | 1.05 | $(verdict "$(zstd_ratio 9 times)" 1.05) |
| skein, times of all calls (--exact) | $(zstd_ratio 3 exact) | 1.10 | $(verdict "$(zstd_ratio 3 exact)" 1.10) | $(zstd_ratio 9 exact) | | |
| gprof (-pg) | $(zstd_ratio 3 gprof) | | | $(zstd_ratio 9 gprof) | | |
| uftrace record | $(zstd_ratio 3 uftrace) | | | $(zstd_ratio 9 uftrace) | | |

An interpreter, original-awk, whose routines take some nanoseconds.

| awk script, CPU time, native = 1 | counts | some calls (default) | bar | met | all calls (--exact) |
|---|---|---|---|---|---|
$awk_fields
$awk_loops

## Size

$recorded calls over 300 routines: a recording of $bytes bytes (bar: 1,000,000; met: $(verdict "$bytes" 1000000)).
END
