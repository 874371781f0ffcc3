#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The input lens in programs that skein-cc built: what functions without hooks read and write.
. "$(dirname "$0")/../lib.sh"
. "$tests/input_subjects.sh"
cd "$tmp" || exit
input_tool dump && input_tool relink || exit
export ASAN_OPTIONS=detect_leaks=0

for level in -O1 -O2; do
	for name in calls.c pointers.c; do
		subject "input_$name" "$level" || { not_ok "$name" 'does not compile'; exit; }
		name=${name%.*}
		record "$name" "input_$name" '' '' || not_ok "$name $level" "it ended with $?: $(head -c 300 "$name/err")"
		holds "$name $level: sizes and calls" "$name"
		same "$name $level: as without us" "$("./input_$name")" "$(cat "$name/out")"
	done
done
