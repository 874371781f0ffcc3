#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# work.sh BUILD: what a unit of work costs under each lens at 1, 10 and 100 times the work. Prints a Markdown page.
#
# Patterns of bench/worst.c; WORK_TURNS (60) is the least work. CPU time of the process.
. "$(dirname "$0")/lib.sh"
least=${WORK_TURNS:-60}
export XDG_CACHE_HOME=$work/cache OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0

clang-19 -O2 -g -fopenmp -D_GNU_SOURCE "$bench/worst.c" -o plain
skein-cc -O2 -g -fopenmp -D_GNU_SOURCE "$bench/worst.c" -o worst

# cpu COMMAND…: the CPU time in ns that the program says at its end
cpu() { "$@" 2>cpu.err | sed -n 's/.*cpu_ns \([0-9]*\).*/\1/p' | tail -n 1 | grep . || { say "$*: $(tail -n 1 cpu.err)" && exit 1; }; }

# us NS TURNS: microseconds per turn
us() { awk -v ns="$1" -v turns="$2" 'BEGIN {printf "%.1f", ns / turns / 1000}'; }

row() { # LENS PATTERN PROGRAM OPTION…
	local lens=$1 pattern=$2 program=$3 times turns cells='' costs=()
	shift 3
	skein record "$lens" "$@" -q -o work.skein -- "./$program" "$pattern" 1 >/dev/null 2>&1
	for times in 1 10 100; do
		turns=$((least * times))
		say "$lens $*, $pattern, $turns turns"
		costs+=("$(us "$(cpu skein record "$lens" "$@" -q -o work.skein -- "./$program" "$pattern" $turns)" $turns)")
		cells+=" $(us "$(cpu ./plain "$pattern" $turns)" $turns) | ${costs[-1]} |"
	done
	echo "| $lens${*:+ $*} | $pattern |$cells $(ratio "${costs[1]}" "${costs[0]}") | $(ratio "${costs[2]}" "${costs[1]}") |"
}

cat <<END
# What a unit of work costs

Made by \`make bench\` (\`bench/work.sh\`) from bench/worst.c on $(nproc) cores: microseconds of CPU time per turn, natively and recorded, at
$least turns, at 10 and at 100 times as many. The last two columns are what a turn costs at ten times the work, in multiples of what it cost before; 1 is
linear. A short run has a larger part of what happens once: the start of the runtime, pages that are touched for the first time, all calls that \`calls\`
times before it knows that they are many.

| lens | pattern | native, × 1 | recorded | native, × 10 | recorded | native, × 100 | recorded | × 10 | × 100 |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|
$(row calls recursion worst)
$(row calls recursion worst --exact)
$(row calls recursion worst --counts)
$(row span recursion worst)
$(row idle tiny-tasks plain)
$(row input stencil worst)
$(row input gather worst)
$(row paths interpreter worst)
END
