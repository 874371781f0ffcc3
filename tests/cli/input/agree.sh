#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The two ways of recording the input lens, held together: the same program by its hooks and under Valgrind, each routine's calls and each of its sizes by all three metrics.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# points RECORDING: routine, metric, size and calls of each point, by routine and metric, the smallest size first
points() { skein report input "$1" --view points --routine '*' --csv | awk -F, '$1 == "all" {print $16, $2, $3, $4}' | sort -k1,1 -k2,2 -k3,3n; }

# compared SAID COMPILED VALGRIND: of each routine a line `ROUTINE` if all is as the subject says, or `ROUTINE: what is not`
compared() {
	awk '
		FILENAME == ARGV[1] && ($1 == "agree" || $1 == "within") { names[++count] = $2; most[$2] = $3 + 0; most_rms[$2] = NF > 3 ? $4 : most[$2]; next }
		FILENAME == ARGV[1] { next }
		{
			w = FILENAME == ARGV[2] ? "compiled" : "valgrind"
			key = w " " $1 " " $2
			rows[key]++
			size[key, rows[key]] = $3
			calls[key, rows[key]] = $4
		}
		# The sizes of all activations in order, the smallest ones of both side by side.
		function wrong_of(name, metric,    a, b, i, j, left_a, left_b, n, d, allowed) {
			a = "compiled " name " " metric
			b = "valgrind " name " " metric
			allowed = metric == "rms" ? most_rms[name] : most[name]
			if (!rows[a] || !rows[b]) return "not recorded by " (rows[a] ? "Valgrind" : "hooks")
			for (;;) {
				if (!left_a) left_a = calls[a, ++i]
				if (!left_b) left_b = calls[b, ++j]
				if (!left_a && !left_b) return ""
				if (!left_a || !left_b) return "fewer calls by " (left_a ? "Valgrind" : "hooks")
				d = size[b, j] - size[a, i]
				if (d < 0 || d > allowed) return metric " " size[a, i] " by hooks, " size[b, j] " under Valgrind"
				n = left_a < left_b ? left_a : left_b
				left_a -= n
				left_b -= n
			}
		}
		END {
			for (k = 1; k <= count; k++) {
				wrong = wrong_of(names[k], "rms")
				if (wrong == "") wrong = wrong_of(names[k], "rms+external")
				if (wrong == "") wrong = wrong_of(names[k], "trms")
				print names[k] (wrong == "" ? "" : ": " wrong)
			}
		}' "$@"
}

# held FILE LEVEL: tests/prog/FILE, built at that level
held() {
	local how="$1 $2" compiler=skein-cc routine wrong
	case $1 in *.cpp) compiler='skein-c++ -std=c++17' ;; esac
	$compiler "$2" -g -fno-optimize-sibling-calls "$tests/prog/$1" -o agree
	expect_status 0 "$how: recorded by hooks" skein record input -o compiled.skein -- ./agree
	cp out said
	expect_status 0 "$how: recorded under Valgrind" skein record input --valgrind -o valgrind.skein -- ./agree
	same "$how: it says the same" "$(cat said)" "$(cat out)"
	points compiled.skein >compiled
	points valgrind.skein >valgrind
	while IFS=: read -r routine wrong; do
		same "$how: $routine" '' "$wrong"
	done < <(compared said compiled valgrind)
	check "$how: most are the same" [ "$(grep -c '^agree' said)" -ge 8 ]
	rm compiled.skein valgrind.skein
}

for level in -O0 -O1 -O2; do
	for name in input/agree.c input/agree_library.c input/agree_kinds.c; do
		held $name $level
	done
done
held input/agree_calls.c -O1
held input/agree_calls.c -O2
# With more optimisation, what a reference leads to is passed in its place when the whole program is linked anew.
held input/agree_objects.cpp -O0
held input/agree_objects.cpp -O1
held input/agree_streams.cpp -O1

# Costs have no common unit, but grow alike.
skein-cc -O1 -g "$tests/prog/input/agree_costs.c" -o costs
for how in '' --valgrind; do
	expect_status 0 "growth${how:+ under Valgrind}: recorded" skein record input $how -o costs.skein -- ./costs
	skein report input costs.skein --csv >costs.csv
	while read -r _ routine model; do
		same "growth${how:+ under Valgrind}: $routine" "$model" "$(csv_value costs.csv routine=$routine,thread=all model)"
	done < <(grep '^model' out)
	check "growth${how:+ under Valgrind}: it says how much" grep -q '^model' out
	rm costs.skein
done
