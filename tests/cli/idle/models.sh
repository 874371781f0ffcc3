#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How right work and idleness are: OpenMP and Cilk. Where threads take turns they are sampled more often.
# alone
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/idle/subjects.sh"
. "$tests/lib/idle/accurate.sh"

# alike TITLE OTHER: as much idleness was seen of what there was
alike() {
	local seen other
	seen=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$1.csv")
	other=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$2.csv")
	check "$1 and $2 agree" awk -v a="$seen" -v b="$other" 'BEGIN {if (a / b < 1.05 && b / a < 1.05) exit 0; print a " and " b " of the idleness"; exit 1}'
}

if idle_build idle/openmp.c clang-19; then
	accurate openmp idle/openmp regions
	around='taskset -c 0' accurate openmp-on-one-core idle/openmp regions
	around='env OMP_WAIT_POLICY=active' options='--rate 4000' accurate openmp-active idle/openmp locks
	around='env OMP_WAIT_POLICY=passive' options='--rate 4000' accurate openmp-passive idle/openmp locks
	alike openmp-active openmp-passive
fi
if idle_build idle/openmp.c gcc; then accurate openmp-of-gcc idle/openmp regions; fi
if idle_build idle/cilk.c skein-cc; then
	accurate cilk idle/cilk
	check 'cilk ran in parallel' awk '$1 == "strand_of_two" {exit !($4 < 60)}' "$tmp/cilk.medians"
	around='taskset -c 0' accurate cilk-on-one-core idle/cilk
fi
