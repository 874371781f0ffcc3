#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How right work and idleness are: OpenMP and Cilk. Where threads take turns they are sampled more often.
# alone
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"
. "$tests/idle_subjects.sh"
. "$tests/idle_accurate.sh"

# alike TITLE OTHER: as much idleness was seen of what there was
alike() {
	local seen other
	seen=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$1.csv")
	other=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$2.csv")
	check "$1 and $2 agree" awk -v a="$seen" -v b="$other" 'BEGIN {if (a / b < 1.05 && b / a < 1.05) exit 0; print a " and " b " of the idleness"; exit 1}'
}

if idle_build idle_openmp.c clang-19; then
	accurate openmp idle_openmp regions
	around='taskset -c 0' accurate openmp-on-one-core idle_openmp regions
	around='env OMP_WAIT_POLICY=active' options='--rate 4000' accurate openmp-active idle_openmp locks
	around='env OMP_WAIT_POLICY=passive' options='--rate 4000' accurate openmp-passive idle_openmp locks
	alike openmp-active openmp-passive
fi
if idle_build idle_openmp.c gcc; then accurate openmp-of-gcc idle_openmp regions; fi
if idle_build idle_cilk.c skein-cc; then
	accurate cilk idle_cilk
	check 'cilk ran in parallel' awk '$1 == "strand_of_two" {exit !($4 < 60)}' "$tmp/cilk.medians"
	around='taskset -c 0' accurate cilk-on-one-core idle_cilk
fi
