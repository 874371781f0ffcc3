# SPDX-License-Identifier: MIT
# lib.sh: what the benches share. A bench has a function run_VARIANT for each variant, which leaves its CPU time in a line with
# `cpu_ns N` on standard output.
#
#     interleave fib native counts gprof      ROUNDS rounds, in each every variant once, so that all meet the same weather
#     median fib counts                       in nanoseconds
set -eu
build=$(realpath "${1:?usage: $0 BUILD}")
# shellcheck disable=SC2034 # for those that include this
bench=$(realpath "$(dirname "${BASH_SOURCE[0]}")")
work=$build/bench/work
rounds=${ROUNDS:-9}
PATH=$build/bin:$PATH
rm -rf "$work"
mkdir -p "$work"
cd "$work"

say() { echo "bench: $*" >&2; }

# interleave NAME VARIANT…
interleave() {
	local name=$1 round variant cpu
	shift
	for ((round = 1; round <= rounds; round++)); do
		say "$name, round $round of $rounds"
		for variant; do
			cpu=$("run_$variant" 2>"$variant.err" | sed -n 's/.*cpu_ns \([0-9]*\).*/\1/p' | tail -n 1)
			[ -n "$cpu" ] || { say "$name: $variant failed: $(tail -n 3 "$variant.err")"; exit 1; }
			echo "$cpu" >>"$name.$variant.ns"
		done
	done
}

median() { sort -n "$1.$2.ns" | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# all_cpu COMMAND…: the CPU time of it and of all that it starts
all_cpu() {
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>&1; } 2>&1 | awk '{printf "cpu_ns %.0f\n", ($1 + $2) * 1e9}'
}

# ratio A B [FORMAT]
ratio() { awk -v a="$1" -v b="$2" -v f="${3:-%.2f}" 'BEGIN {printf f, a / b}'; }

# verdict VALUE BAR: whether value <= bar
verdict() { awk -v a="$1" -v b="$2" 'BEGIN {print (a <= b ? "yes" : "**no**")}'; }
