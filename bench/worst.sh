#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# worst.sh BUILD: every pattern of bench/worst.c under every lens, so that the worst one is found here. Prints a Markdown page.
#
# WORST_PATTERNS, WORST_TURNS (300), WORST_ROUNDS (3).
. "$(dirname "$0")/lib.sh"
rounds=${WORST_ROUNDS:-3}
turns=${WORST_TURNS:-300}
lenses="calls counts span idle input paths"
export XDG_CACHE_HOME=$work/cache OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 OMP_STACKSIZE=256M
ulimit -s 262144

clang-19 -O2 -g -fopenmp -D_GNU_SOURCE "$bench/worst.c" -o plain
skein-cc -O2 -g -fopenmp -D_GNU_SOURCE "$bench/worst.c" -o worst
patterns=${WORST_PATTERNS:-$(./plain)}

run_native() { ./plain "$pattern" "$turns"; }
run_perf() { perf record -q -e cpu-clock -F 1000 -g -o perf.data ./plain "$pattern" "$turns"; }
run_idle() { skein record idle -q -o idle.skein -- ./plain "$pattern" "$turns"; }
run_counts() { skein record calls --counts -q -o counts.skein -- ./worst "$pattern" "$turns"; }
for lens in calls span input paths; do
	eval "run_$lens() { skein record $lens -q -o $lens.skein -- ./worst \"\$pattern\" \"\$turns\"; }"
done
for pattern in $patterns; do interleave "$pattern" native perf $lenses; done

# What a lens may cost: bars of single patterns, then of the lens.
bar() { # PATTERN LENS
	case "$1 $2" in
	'copy-near input' | 'copy-far input' | 'stencil input' | 'team-sum input') echo 4 ;;
	'gather input' | 'scatter input') echo 12 ;;
	'team-stencil input' | 'team-dots input') echo 8 ;;
	'team-gather input') echo 30 ;;
	'recursion span') echo 5 ;;
	'nested-tasks span') echo 3 ;;
	'tiny-tasks span') echo 4 ;;
	*' input') echo 8 ;;
	*' span' | *' calls') echo 1.2 ;;
	*' counts') echo 1.1 ;;
	*' paths') echo 1.5 ;;
	*' idle') echo 1.1 ;;
	esac
}
cost() { ratio "$(median "$1" "$2")" "$(median "$1" native)"; }
cell() { # PATTERN LENS: bold above its bar
	local cost
	cost=$(cost "$1" "$2")
	if [ "$(verdict "$cost" "$(bar "$1" "$2")")" = yes ]; then echo "$cost"; else echo "**$cost** ($(bar "$1" "$2"))"; fi
}
rows() {
	local pattern lens
	for pattern in $patterns; do
		printf '| %s | %s |' "$pattern" "$(ratio "$(median "$pattern" native)" 1e9 %.2f)"
		for lens in $lenses; do printf ' %s |' "$(cell "$pattern" $lens)"; done
		printf ' %s |\n' "$(cost "$pattern" perf)"
	done
}
worst() { # LENS
	local pattern
	for pattern in $patterns; do echo "$(cost "$pattern" "$1") $pattern"; done | sort -rn | head -n 1 | sed 's/\(.*\) \(.*\)/\2, \1/'
}

cat <<END
# The worst patterns of each lens

Made by \`make bench\` (\`bench/worst.sh\`) from bench/worst.c on $(nproc) cores: CPU time of the process, native = 1, medians of interleaved rounds ($rounds).
A figure above its bar is bold, and the bar stands behind it. \`counts\` is \`calls --counts\`. \`span\` runs OpenMP with one thread, so it may take less than
natively. perf is \`perf record -g\` at 1000 Hz, as \`idle\`.

| pattern | native, s | calls | counts | span | idle | input | paths | perf |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
$(rows)

The worst pattern of each lens: $(for lens in $lenses; do printf '%s: %s; ' "$lens" "$(worst $lens)"; done | sed 's/; $//').
END
