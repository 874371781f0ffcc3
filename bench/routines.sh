#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# routines.sh BUILD: what an entry or a return of a routine costs with `skein record flow --routines`, beside uftrace and LTTng. Prints
# a Markdown page.
#
# CPU time is that of the subject's process; uftrace's writer, a process that runs beside the subject and records for it, is added.
. "$(dirname "$0")/lib.sh"
flags="-O2 -g -gdwarf-4 -fno-optimize-sibling-calls -pthread"
n=33
load=$(cut -d' ' -f1 /proc/loadavg)
small=20000000

for name in fib small; do
	skein-cc $flags "$bench/$name.c" -o $name
	clang-19 $flags -pg -no-pie "$bench/$name.c" -o $name.pg
	clang-19 $flags -finstrument-functions "$bench/$name.c" -o $name.cyg
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
ordered() {
	skein record flow --routines --only '*' --order --keep-raw -q -o "$1.ordered.skein" -- "./$1" ${arguments[$1]}
	cat ".$1.ordered.skein".session-*/*.raw | wc -c >"$1.ordered.bytes"
	rm -rf ".$1.ordered.skein".session-*
}
# In memory, over the oldest events, so that it neither waits for a disk nor loses anything.
lttng_run() { LD_PRELOAD=liblttng-ust-cyg-profile-fast.so.1 "./$1.cyg" ${arguments[$1]}; }
run_fib_native() { ./fib 1 $n; }
run_fib_flow() { flow fib; }
run_fib_ordered() { ordered fib; }
run_fib_uftrace() { uftrace fib; }
run_fib_lttng() { lttng_run fib; }
run_small_native() { ./small $small; }
run_small_flow() { flow small; }
run_small_ordered() { ordered small; }
run_small_uftrace() { uftrace small; }
run_small_lttng() { lttng_run small; }
lttng=
if start_lttng 'lttng_ust_cyg_profile_fast:*'; then lttng=yes; else say "LTTng cannot be had here"; fi
interleave fib fib_native fib_flow fib_ordered fib_uftrace ${lttng:+fib_lttng}
interleave small small_native small_flow small_ordered small_uftrace ${lttng:+small_lttng}
end_lttng

calls() { "run_$1_native" | sed 's/calls \([0-9]*\).*/\1/'; }
# added NAME VARIANT: ns for each event
added() { awk -v with="$(median "$1" "$1_$2")" -v without="$(median "$1" "$1_native")" -v calls="$(calls "$1")" 'BEGIN {printf "%.1f", (with - without) / calls / 2}'; }
# bytes NAME VARIANT: for each event
bytes() { awk -v calls="$(calls "$1")" '{printf "%.1f", $1 / calls / 2}' "$1.$2.bytes"; }
row() {
	local ours cheapest uftrace lttng_ns=
	ours=$(added "$1" flow) uftrace=$(added "$1" uftrace) cheapest=$uftrace
	if [ -n "$lttng" ]; then
		lttng_ns=$(added "$1" lttng)
		cheapest=$(awk -v a="$uftrace" -v b="$lttng_ns" 'BEGIN {print a < b ? a : b}')
	fi
	echo "| $2 | $ours | $(verdict "$ours" 14) | $(bytes "$1" flow) | $(verdict "$(bytes "$1" flow)" 4) | $(added "$1" ordered) | $(bytes "$1" ordered) | $uftrace | $(bytes "$1" uftrace) | $lttng_ns | $(ratio "$cheapest" "$ours" %.1f) | $(verdict 6 "$(ratio "$cheapest" "$ours" %.4f)") |"
}

cat <<END
# The cost of routine events

Made by \`make bench\` (\`bench/routines.sh\`) on $(nproc) cores: CPU time that an entry or a return adds, in ns, and the bytes that it takes; medians of
interleaved rounds ($rounds). Bars: 14 ns, 4 bytes, 6 times cheaper than the cheaper of uftrace and LTTng (lttng-ust-cyg-profile-fast, which records into memory). Reading the clock takes 10 ns of that; \`--order\` does without. The average load of the machine was $load at the beginning.

| subject | flow, ns | bar | bytes | bar | with --order, ns | bytes | uftrace, ns | bytes | LTTng, ns | ratio | bar |
|---|---:|---|---:|---|---:|---:|---:|---:|---:|---:|---|
$(row fib 'a recursive fib, nothing but calls')
$(row small 'a loop that calls a small routine')
END
