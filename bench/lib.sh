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

# start_lttng, end_lttng: an LTTng to compare with. A daemon of our own. That of root is the one of the machine: where it runs already, nothing is compared.
# LTTng keeps what it records in memory and writes over the oldest of it, so that it neither waits for a disk nor loses anything.
daemon=
start_lttng() { # EVENTS
	export LTTNG_HOME=$work/lttng
	mkdir "$LTTNG_HOME"
	! lttng --no-sessiond list >/dev/null 2>&1 || { say "there is an LTTng already: it is left alone"; return 1; }
	lttng-sessiond >lttng.log 2>&1 &
	daemon=$!
	trap 'end_lttng' EXIT
	for _ in $(seq 50); do lttng --no-sessiond list >/dev/null 2>&1 || { sleep 0.1; continue; }; break; done
	{ lttng --no-sessiond create flow --snapshot --output="$work/lttng/trace" && lttng enable-channel -u --subbuf-size=1M --num-subbuf=4 all &&
		lttng enable-event -u -c all "$1" && lttng start; } >>lttng.log 2>&1
}
end_lttng() {
	[ -n "$daemon" ] || return 0
	kill "$daemon"
	wait "$daemon" || true
	daemon=
}
