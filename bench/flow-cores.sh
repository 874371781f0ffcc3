#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flow-cores.sh BUILD: what `flow` predicts that a program takes on 1 and 2 cores, beside what it takes there. Prints a Markdown page.
#
# Each program is recorded once per round on all cores, and run natively on the first core and on the first two. The page has the median of
# the predictions and the shortest of the runs, since other programs can only make a run longer. Where we may, a run goes before other
# programs: in a session of its own, whose group the scheduler prefers as a whole, so that its threads are scheduled among themselves as
# ever. FLOW_MB (60): of the file to compress.
: "${ROUNDS:=7}"
. "$(dirname "$0")/lib.sh"
tests=$bench/../tests

say "programs and a file"
gcc -O2 -g -pthread "$tests/prog/flow/forms.c" -o forms
clang-19 -O2 -g -pthread -fopenmp "$tests/prog/flow/openmp.c" -o openmp
find /usr/lib/llvm-19/lib /usr/lib/x86_64-linux-gnu -name '*.so*' -type f -exec cat {} + | head -c "${FLOW_MB:-60}M" >input
# shellcheck disable=SC2016 # the inner shell expands it
first='{ echo -20 >/proc/self/autogroup; } 2>/dev/null; TIMEFORMAT=%3R; { time "$@" >/dev/null 2>&1; } 2>&1'
seconds() { setsid -w bash -c "$first" bash "$@"; } # COMMAND…

# measure NAME COMMAND…
measure() {
	local name=$1 round cores
	shift
	for ((round = 1; round <= rounds; round++)); do
		say "$name, round $round of $rounds"
		skein record flow -q -o "$name.skein" -- "$@" >/dev/null
		skein report flow "$name.skein" --view cores --csv | awk -F, -v name="$name" '$1 == 1 || $1 == 2 {print $2 / 1e9 >>(name "." $1 ".predicted")}'
		for cores in 1 2; do seconds taskset -c "$(seq -s, 0 $((cores - 1)))" "$@" >>"$name.$cores.measured"; done
	done
	for cores in 1 2; do
		[ -s "$name.$cores.predicted" ] || continue
		awk -v name="$*" -v cores=$cores -v p="$(sort -n "$name.$cores.predicted" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')" \
			-v m="$(sort -n "$name.$cores.measured" | head -n 1)" 'BEGIN {
				r = p / m
				sub(/^[^ ]*\//, "", name)
				printf "| `%s` | %d | %.3f s | %.3f s | %.3f | %s |\n", name, cores, p, m, r, (r >= 0.9 && r <= 1.1 ? "yes" : "**no**")
			}'
	done
}

cat <<END_OF_HEAD
# What \`flow\` predicts for 1 and 2 cores

Predicted from a recording on all cores (median of $rounds), and measured by \`taskset\` (the shortest of $rounds runs). Within 10 % is what it should be
for programs that are bound by CPU.

| program | cores | predicted | measured | ratio | within 10 % |
|---|---:|---:|---:|---:|---|
END_OF_HEAD
for part in lock convoy nested pipeline barrier readers queue semaphore tree broadcast; do measure "forms-$part" ./forms $part; done
for part in barrier loop critical tasks group fib; do measure "openmp-$part" ./openmp $part; done
measure pigz /usr/bin/pigz -p4 -k -c input
measure zstd /usr/bin/zstd -T4 -q -c input
