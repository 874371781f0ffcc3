#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Valgrind tool of the input lens: sizes and calls that subjects know of themselves, for ordinary binaries.
. "$(dirname "$0")/../lib.sh"
cd "$tmp" || exit

sanitize=$(nm -A "$build/lib/libskein-tool.a" 2>/dev/null | grep -q __asan_ && echo -fsanitize=address,undefined)
cc -std=c11 -D_GNU_SOURCE -I"$tests/../src" -I"$tests/../include" $sanitize "$tests/prog/input_dump.c" "$build/lib/libskein-tool.a" -o dump \
	-lsqlite3 -ldw -lelf -llzma -lcapstone -lz -lm -lstdc++ || exit
export ASAN_OPTIONS=detect_leaks=0

# subject FILE: compile it, as any user would, to NAME
subject() {
	local name=${1%.*} compiler=gcc
	case $1 in *.cpp) compiler=g++ ;; esac
	$compiler -O1 -g -fno-stack-protector $(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$tests/prog/$1") "$tests/prog/$1" -o "$name"
}

# record FOLDER [--skein-OPTION…] -- PROGRAM…: what it printed is in FOLDER/out, its sizes in FOLDER/csv
record() {
	local folder=$1 options=() status
	shift
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	rm -rf "$folder"
	mkdir "$folder"
	SKEIN_SESSION=$folder VALGRIND_LIB=$build/lib/skein/valgrind valgrind -q --tool=skein --fair-sched=yes --trace-children=yes "${options[@]}" "$@" >"$folder/out" 2>"$folder/err"
	status=$?
	./dump "$folder"/*.raw >"$folder/csv" || return
	return "$status"
}

# wrong FOLDER: what the subject says of itself and the recording does not
wrong() {
	awk -F, '
		NR == FNR && $1 == "point" {
			gsub(/"/, "", $4)
			if ($5 == "rms") calls[$4] += $7
			if ($5 == "trms") { thread[$4] += $13; external[$4] += $14 }
			at[$4 " " $5 " " $6] += $7
			next
		}
		NR == FNR { next }
		{ split($0, w, " ") }
		w[1] == "expect" {
			n = w[3] == "all" ? split("rms,rms+external,trms", m, ",") : split(w[3], m, ",")
			for (i = 1; i <= n; i++)
				if (at[w[2] " " m[i] " " w[4]] != w[5]) print $0 ": " at[w[2] " " m[i] " " w[4]] + 0 " by " m[i]
		}
		w[1] == "calls" && calls[w[2]] != w[3] { print $0 ": " calls[w[2]] + 0 }
		w[1] == "induced" && (thread[w[2]] != w[3] || external[w[2]] != w[4]) { print $0 ": " thread[w[2]] + 0 " " external[w[2]] + 0 }
		w[1] ~ /^(expect|calls|induced)$/ { said++ }
		END { if (!said) print "the subject says nothing" }' "$1/csv" "$1/out" | head -n 20
}

how() { awk -F, -v name="$2" '$1 == "how" && $3 == name {print $4}' "$1/csv"; }

# holds NAME FOLDER: the recording agrees with the subject
holds() { same "$1" '' "$(wrong "$2")"; }

for file in input_arrays.c input_threads.c input_kernel.c input_flow.c input_throws.cpp input_many.c; do
	subject "$file" || { not_ok "$file" 'does not compile'; exit; }
done
for name in arrays threads kernel flow throws; do
	record "$name" -- "./input_$name" || not_ok "$name" "it ended with $?: $(head -c 300 "$name/err")"
	holds "$name: sizes and calls" "$name"
	same "$name: as without us" "$("./input_$name")" "$(cat "$name/out")"
done

record small --skein-counter=3000 -- ./input_threads
holds 'the counter may come to its end at any time' small
check 'which it did' [ "$(how small renumberings)" -gt 3 ]
record deep -- ./input_many deep
holds 'a million activations' deep
record many -- ./input_many threads
holds 'ten thousand threads' many
same 'all counted' 10001 "$(how many threads)"
