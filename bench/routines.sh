#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# routines.sh BUILD: what an entry or a return of a routine costs with `skein record flow --routines`, beside uftrace. Prints a Markdown page.
#
# CPU time is that of the subject's process; uftrace's writer, a process that runs beside the subject and records for it, is added.
. "$(dirname "$0")/lib.sh"
flags="-O2 -g -gdwarf-4 -fno-optimize-sibling-calls -pthread"
n=33
small=20000000

for name in fib small; do
	skein-cc $flags "$bench/$name.c" -o $name
	clang-19 $flags -pg -no-pie "$bench/$name.c" -o $name.pg
done
declare -A arguments=([fib]="1 $n" [small]=$small)
# flow NAME, uftrace NAME: with the bytes that were recorded in NAME.flow.bytes, NAME.uftrace.bytes
flow() {
	skein record flow --routines --only '*' --keep-raw -q -o "$1.skein" -- "./$1" ${arguments[$1]}
	cat ".$1.skein".session-*/*.raw | wc -c >"$1.flow.bytes"
	rm -rf ".$1.skein".session-*
}
uftrace() {
	rm -rf uftrace.data
	all_cpu command uftrace record -d uftrace.data "./$1.pg" ${arguments[$1]}
	cat uftrace.data/*.dat | wc -c >"$1.uftrace.bytes"
	rm -rf uftrace.data
}
run_fib_native() { ./fib 1 $n; }
run_fib_flow() { flow fib; }
run_fib_uftrace() { uftrace fib; }
run_small_native() { ./small $small; }
run_small_flow() { flow small; }
run_small_uftrace() { uftrace small; }
interleave fib fib_native fib_flow fib_uftrace
interleave small small_native small_flow small_uftrace

calls() { "run_$1_native" | sed 's/calls \([0-9]*\).*/\1/'; }
# added NAME VARIANT: ns for each event
added() { awk -v with="$(median "$1" "$1_$2")" -v without="$(median "$1" "$1_native")" -v calls="$(calls "$1")" 'BEGIN {printf "%.1f", (with - without) / calls / 2}'; }
# bytes NAME VARIANT: for each event
bytes() { awk -v calls="$(calls "$1")" '{printf "%.1f", $1 / calls / 2}' "$1.$2.bytes"; }
row() {
	local ours theirs
	ours=$(added "$1" flow) theirs=$(added "$1" uftrace)
	echo "| $2 | $ours | $(verdict "$ours" 14) | $(bytes "$1" flow) | $(verdict "$(bytes "$1" flow)" 4) | $theirs | $(bytes "$1" uftrace) | $(ratio "$theirs" "$ours" %.1f) | $(verdict 6 "$(ratio "$theirs" "$ours" %.4f)") |"
}

cat <<END
# The cost of routine events

Made by \`make bench\` (\`bench/routines.sh\`) on $(nproc) cores: CPU time that an entry or a return adds, in ns, and the bytes that it takes; medians of
interleaved rounds ($rounds). Bars: 14 ns, 4 bytes, 6 times cheaper than uftrace. Reading the clock takes 10 ns of that.

| subject | flow, ns | bar | bytes | bar | uftrace, ns | bytes | ratio | bar |
|---|---:|---|---:|---|---:|---:|---:|---|
$(row fib 'a recursive fib, nothing but calls')
$(row small 'a loop that calls a small routine')
END
