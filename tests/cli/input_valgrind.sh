#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Valgrind tool of the input lens: sizes and calls that subjects know of themselves, for ordinary binaries.
. "$(dirname "$0")/../lib.sh"
. "$tests/input_subjects.sh"
cd "$tmp" || exit

input_tool dump || exit
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
	bin/dump "$folder"/*.raw >"$folder/csv" || return
	return "$status"
}

# holds NAME FOLDER: the recording agrees with the subject
holds() { same "$1" '' "$(input_wrong "$2")"; }

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
check 'which it did' [ "$(input_how small renumberings)" -gt 3 ]
record deep -- ./input_many deep
holds 'a million activations' deep
record many -- ./input_many threads
holds 'ten thousand threads' many
same 'all counted' 10001 "$(input_how many threads)"
