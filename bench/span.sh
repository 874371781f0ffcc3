#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# span.sh BUILD: what the span lens costs and how exact it is. Prints a Markdown page.
#
# A ratio is between the re-linked program under the full profile and the same source as serial elision with plain clang-19 -O3.
# Time is user CPU time of the subject's process from its start to its end, so start-up and writing the recording are in it; skein's
# re-link and analysis, before and after the run, are not. SITES (1000000) is the size of the generated program.
. "$(dirname "$0")/lib.sh"
source=$(realpath "$bench/../examples")
include=$(realpath "$bench/../include")
sites=${SITES:-1000000}
names="fib quicksort mm lu strassen heat mergesort fft nqueens cholesky bfs"
leaves="blocks cholesky_sparse" # functions of a few nanoseconds

# Arguments for 0.3 to 1 s; none: the example's own size. The paper's overheads are those of its Figure 11.
declare -A arguments=([fib]=41)
declare -A paper=([mm]=0.99 [lu]=1.04 [strassen]=1.06 [heat]=1.07 [mergesort]=1.08 [bfs]=1.10 [fft]=1.15 [quicksort]=1.20 [nqueens]=1.27 [cholesky]=4.54 [fib]=7.36)

cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
mkdir plain lens
for name in $names $leaves; do
	from=$source/cilk/$name.c
	[ -e "$from" ] || from=$bench/$name.c
	clang-19 -O3 -I"$include" "$from" -o "plain/$name" -lm
	skein-cc -O3 -g "$from" -o "lens/$name" -lm
done

# preloaded COMMAND…: the process $subject is measured; its output goes into $subject.out, its user time to standard output
preloaded() {
	rm -f cpu.txt
	env BENCH_NAME="$subject" BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@" >"$subject.out"
	sed 's/cpu_ns [0-9]* user_ns/cpu_ns/' cpu.txt
	sed -n 's/cpu_ns \([0-9]*\) .*/\1/p' cpu.txt >>"$name.$variant.all.ns" # those of interleave
}
same_output() { sed 's/[0-9.]* s$//' "$subject.out" | cmp -s - "$subject.expected" || { say "$subject: the output differs from the native one"; exit 1; }; }
run_native() { preloaded "plain/$subject" $size; sed 's/[0-9.]* s$//' "$subject.out" >"$subject.expected"; }
run_full() { preloaded skein record span -o "$subject.skein" -- "lens/$subject" $size; same_output; }
run_whole() { preloaded skein record span --no-sites -o "$subject-whole.skein" -- "lens/$subject" $size; same_output; }
for subject in $names $leaves; do
	size=${arguments[$subject]:-}
	if [ "$subject" = fib ]; then interleave "$subject" native full whole; else interleave "$subject" native full; fi
done
cost() { ratio "$(median "$1" "${2:-full}")" "$(median "$1" "native${3:-}")" %.3f; }
geometric() { awk '{sum += log($1)} END {printf "%.3f", exp(sum / NR)}'; }
mean=$(for name in $names; do cost "$name"; echo; done | geometric)
papers=$(printf '%s\n' "${paper[@]}" | geometric)
declare -A bars=([fib]=5.0 [nqueens]=1.25 [blocks]=1.2 [cholesky_sparse]=3)
cost_rows() { # NAME…
	local name bar calls
	for name; do
		bar=${bars[$name]:-1.6}
		calls=$(skein report span "$name.skein" --csv | awk -F, '$7 == "work" && $8 == "local" {n += $9} END {printf "%.0f", n}')
		echo "| $name${arguments[$name]:+ ${arguments[$name]}} | $(ratio "$(median "$name" native)" 1e9) s | $calls | $(cost "$name") | $bar | $(verdict "$(cost "$name")" $bar) | $(cost "$name" full.all .all) | ${paper[$name]:-} |"
	done
}

# Linear in the work: a call must not cost more where there are more of them. Start-up is the least that fib(1) takes.
run_of() { preloaded skein record span -o linear.skein -- lens/fib "$1"; }
run_1() { run_of 1; }
run_30() { run_of 30; }
run_33() { run_of 33; }
run_36() { run_of 36; }
subject=fib
interleave linear 1 30 33 36
fib_calls() { awk -v n="$1" 'BEGIN {a = 1; b = 1; for (i = 1; i < n; i++) {c = a + b; a = b; b = c} printf "%d", 2 * b - 1}'; }
per_call() { awk -v ns="$(median linear "$1")" -v start="$(median linear 1)" -v calls="$(fib_calls "$1")" 'BEGIN {printf "%.3f", (ns - start) / calls}'; }
spread() { printf '%s\n' "$@" | sort -n | awk '{v[NR] = $1} END {printf "%.1f", 100 * (v[NR] / v[1] - 1)}'; }
linear=$(spread "$(per_call 30)" "$(per_call 33)" "$(per_call 36)")

# Memory: 123 times the calls. The raw recording is what is mapped; ten levels more of recursion are a few entries.
declare -A peak raw
for n in 25 35; do
	say "memory of fib($n)"
	rm -rf .memory.skein.session-* cpu.txt
	env BENCH_NAME=fib BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" skein record span --keep-raw -o memory.skein -- lens/fib $n >/dev/null 2>&1
	peak[$n]=$(sed -n 's/.*peak_kb //p' cpu.txt)
	raw[$n]=$(cat .memory.skein.session-*/*.raw | wc -c)
done

# Deep: recursion a million deep, in a thread with a stack for it.
say "recursion a million deep"
skein-cc -O2 -g -pthread -fno-optimize-sibling-calls "$bench/../tests/prog/calls/deep.c" -I"$bench/../tests/prog" -o deep
timed() { local TIMEFORMAT='%R'; { time "$@" >timed.out 2>&1; } 2>&1; }
deep_time=$(timed skein record span -o deep.skein -- ./deep)
deep_calls=$(skein report span deep.skein --csv | awk -F, '$5 == "down" && $7 == "work" && $8 == "local" {n += $9} END {print n}')

# Wide: routines with a hundred calls each, a thousand of them to a source.
say "a program with $sites call sites"
mkdir wide
awk -v sites="$sites" 'BEGIN {
	each = 100; routines = 1000
	for (s = 0; s * each * routines < sites; s++) {
		file = sprintf("wide/s%d.c", s)
		print "extern volatile unsigned sum;\nstatic __attribute__((noinline)) void leaf(unsigned i) { sum += i; }" >file
		last = sites / each - s * routines < routines ? sites / each - s * routines : routines
		for (r = 0; r < last; r++) {
			printf "static __attribute__((noinline)) void r%d(unsigned i)\n{\n", r >file
			for (k = 0; k < each; k++) printf "\tleaf(i + %d);\n", k >file
			print "}" >file
		}
		printf "void s%d(void)\n{\n", s >file
		for (r = 0; r < last; r++) printf "\tr%d(%d);\n", r, r >file
		print "}" >file
		close(file)
		calls = calls sprintf("\tvoid s%d(void);\n\ts%d();\n", s, s)
	}
	printf "volatile unsigned sum;\nint main(void)\n{\n%s\treturn 0;\n}\n", calls >"wide/main.c"
}'
wide_build=$(timed skein-cc -O1 -g wide/*.c -o wide/wide)
wide_first=$(timed skein record span -o wide.skein -- wide/wide)
wide_again=$(timed skein record span -o wide.skein -- wide/wide)
wide_leaves=$(skein report span wide.skein --csv | awk -F, '$5 == "leaf" && $7 == "work" && $8 == "local" {n += $9; rows++} END {print rows + 0 " sites, " n + 0 " calls"}')

# Accuracy: theory for mm, the same from OpenMP, the bottleneck of quicksort, and two runs alike.
say "accuracy"
mm_of() { # FOLDER FLAG…: parallelism of the multiplication, top-call-site
	local from=$1
	shift
	skein-cc -O3 -g "$@" "$source/$from/mm.c" -o "mm-$from" -lm
	skein record span -o "mm-$from.skein" -- "./mm-$from" 512 32 1 >/dev/null 2>&1
	skein report span "mm-$from.skein" --csv | awk -F, '$5 == "mm" && $4 ~ /^main/ && $7 == "work" && $8 == "top-call-site" {print $12}'
}
mm_cilk=$(mm_of cilk)
mm_openmp=$(mm_of openmp -fopenmp)
away() { awk -v a="$1" -v b="$2" 'BEGIN {d = a / b - 1; printf "%.3f", 100 * (d < 0 ? -d : d)}'; }
first=$(skein report span quicksort.skein --csv | awk -F, '$7 == "span" && $8 == "local" {print $13, $4, $5}' | sort -rn | head -n 1)
twice() {
	skein record span -o "twice$1.skein" -- lens/quicksort 1000000 >/dev/null 2>&1
	skein report span "twice$1.skein" --csv | cut -d, -f 1-13 >"twice$1.csv"
}
twice 1
twice 2
same=$(cmp -s twice1.csv twice2.csv && echo yes || echo '**no**')

cat <<END
# What the span lens costs

Measured by \`make bench\` on $(nproc) cores: medians of $rounds interleaved rounds, user CPU time of the subject's
process. The same source is compiled as serial elision by plain clang-19 -O3, and by skein-cc -O3 and
recorded: full profile, \`insn\` clock.

## Cost of a run

| example | native | calls | native = 1 | bar | met | with system time | Cilkprof's |
|---|---|---|---|---|---|---|---|
$(cost_rows $names)
| geometric mean | | | $mean | 1.22 | $(verdict "$mean" 1.22) | $(for name in $names; do cost "$name" full.all .all; echo; done | geometric) | $papers |
| fib, \`--no-sites\` | | | $(cost fib whole) | 2.6 | $(verdict "$(cost fib whole)" 2.6) | $(cost fib whole.all .all) | |
$(cost_rows $leaves)

No other tool that profiles the span of call sites can be installed today. The last column is from the
paper's Figure 11, on other machines, for similar programs: cilksort for mergesort, pbfs for bfs; the
paper's cholesky is sparse, as cholesky_sparse here; its lu has small blocks, as bench/blocks.c.

## Growth

| fib | calls | ns per call, without start-up |
|---|---|---|
$(for n in 30 33 36; do echo "| $n | $(fib_calls $n) | $(per_call $n) |"; done)

The largest is $linear % above the smallest (bar: 10; met: $(verdict "$linear" 10)). Start and end together
take $(ratio "$(median linear 1)" 1e6 %.1f) ms.

| fib | calls | peak memory, kB | raw recording, bytes |
|---|---|---|---|
$(for n in 25 35; do echo "| $n | $(fib_calls $n) | ${peak[$n]} | ${raw[$n]} |"; done)

## Size of programs

- Recursion a million deep: $deep_calls calls recorded, $deep_time s with the re-link and the report.
- $sites call sites in generated code: $wide_leaves. Built in $wide_build s; recorded the first time, with the re-link, in
  $wide_first s, again in $wide_again s; a recording of $(stat -c %s wide.skein) bytes.

## Accuracy

| | figure | bar | met |
|---|---|---|---|
| mm 512, base 32: parallelism of the call from main, in theory 256 | $mm_cilk | distance at most 1 %: $(away "$mm_cilk" 256) | $(verdict "$(away "$mm_cilk" 256)" 1) |
| the same with OpenMP's tasks | $mm_openmp | distance from Cilk at most 2 %: $(away "$mm_openmp" "$mm_cilk") | $(verdict "$(away "$mm_openmp" "$mm_cilk")" 2) |
| quicksort: site with the largest local span on the critical path | ${first#* }, ${first%% *} % | partition | $(case $first in *partition) echo yes ;; *) echo '**no**' ;; esac) |
| two runs of quicksort have identical numbers | $same | | $same |
END
