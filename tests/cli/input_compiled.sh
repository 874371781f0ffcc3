#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The input lens in programs that skein-cc built: sizes and calls that subjects know of themselves.
. "$(dirname "$0")/../lib.sh"
. "$tests/input_subjects.sh"
cd "$tmp" || exit
input_tool dump && input_tool relink || exit
export ASAN_OPTIONS=detect_leaks=0

# subject FILE [OPTION…]: to NAME
subject() {
	local file=$1 compiler=skein-cc
	case $1 in *.cpp) compiler=skein-c++ ;; esac
	shift
	$compiler -O1 -g -fno-optimize-sibling-calls -Wno-unknown-attributes $(sed -n 's,^/\* flags: \(.*\) \*/$,\1,p' "$tests/prog/$file") "$@" "$tests/prog/$file" -o "${file%.*}"
}

# record FOLDER PROGRAM PLAN SETTINGS [ARGUMENT…]: what it printed is in FOLDER/out, its sizes in FOLDER/csv
record() {
	local folder=$1 program=$2 plan=$3 settings=$4 status linked
	shift 4
	rm -rf "$folder"
	mkdir "$folder"
	linked=$(bin/relink "$folder" "./$program" $plan -- $settings) || return
	SKEIN_SESSION=$tmp/$folder "$linked" "$@" >"$folder/out" 2>"$folder/err"
	status=$?
	bin/dump "$folder"/*.raw >"$folder/csv" || return
	return "$status"
}

# holds NAME FOLDER: the recording agrees with the subject
holds() { same "$1" '' "$(input_wrong "$2")"; }

for name in arrays.c threads.c flow.c throws.cpp many.c; do
	subject "input_$name" || { not_ok "$name" 'does not compile'; exit; }
	name=${name%.*}
	[ "$name" = many ] && continue
	record "$name" "input_$name" '' '' || not_ok "$name" "it ended with $?: $(head -c 300 "$name/err")"
	holds "$name: sizes and calls" "$name"
	same "$name: as without us" "$("./input_$name")" "$(cat "$name/out")"
done
record deep input_many '' '' deep
holds 'a million activations' deep
record many input_many '' '' threads
holds 'ten thousand threads' many
same 'all counted' 10001 "$(input_how many threads)"
