#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ranks.sh BUILD: what recording costs the work of MPI ranks. Prints a Markdown page.
#
# Kernels of tests/prog/ranks read the CPU clock around their own work: ranks that wait in MPI burn CPU time, so the CPU time of the whole
# job says nothing. ROUNDS of each variant, in turns.
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$work/cache OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
prog=$bench/../tests/prog/ranks

truth() { awk '/^truth/ {s += $5} END {printf "cpu_ns %.0f\n", s}'; }
for kernel in cg:600 late:60; do
	name=${kernel%:*} steps=${kernel#*:}
	OMPI_CC=skein-cc mpicc.openmpi -g -O2 -o "$name" "$prog/$name.c" -lm
	eval "run_native_$name() { mpirun.openmpi -n 2 ./$name $steps | truth; }"
	eval "run_idle_$name() { mpirun.openmpi -n 2 skein record idle --rate 200 -q -- ./$name $steps | truth; }"
	eval "run_flow_$name() { mpirun.openmpi -n 2 skein record flow --no-events -q -- ./$name $steps | truth; }"
	interleave "$name" "native_$name" "idle_$name" "flow_$name"
done

cat <<END
# Cost of recording ranks

Made by \`make bench\` (\`bench/ranks.sh\`): CPU time of the work of two ranks under Open MPI, as the kernels of \`tests/prog/ranks\` measure it
themselves, divided by that of a native run; medians of $rounds rounds. The bar for \`idle\` at 200 samples per second is 1.02.

| kernel | idle, 200 Hz | within the bar | flow |
|---|---:|---|---:|
$(for name in cg late; do
	idle=$(ratio "$(median $name idle_$name)" "$(median $name native_$name)" %.3f)
	echo "| $name | $idle | $(verdict "$idle" 1.02) | $(ratio "$(median $name flow_$name)" "$(median $name native_$name)" %.3f) |"
done)
END
