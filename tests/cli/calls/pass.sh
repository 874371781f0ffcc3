#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The pass on code that is easy to get wrong, at every level of optimisation, in C and C++.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"

# at_level FILE LEVEL: the subject's one run at that level, in both modes
at_level() {
	local name=${1%.*} compiler=skein-cc mode wrong flags
	case $1 in *.cpp) compiler=skein-c++ ;; esac
	rm -rf "${tmp:?}/$name"
	mkdir -p "$tmp/$name"
	read -ra flags < <(head_of "$tests/prog/$1" flags)
	(cd "$tmp/$name" && $compiler "${flags[@]}" $2 "$tests/prog/$1" -o "$(name_of "$1")") >"$tmp/build.log" 2>&1 || {
		not_ok "$name $2" "skein-cc failed: $(cat "$tmp/build.log")"
		return
	}
	for mode in times counts; do
		wrong=$(record_subject "$name" "$mode" 2>&1)
		if [ -z "$wrong" ]; then ok "$name $2, $mode"; else not_ok "$name $2, $mode" "$wrong"; fi
	done
}

for level in -O0 -O1 -O2 -O3 -Os '-O2 -fPIE' '-O2 -no-pie'; do
	at_level calls/traps.c "$level"
done
for level in -O0 -O1 -O3; do
	at_level calls/exceptions.cpp "$level"
done
for sanitizer in address thread undefined; do
	at_level calls/fib_threads.c "-fsanitize=$sanitizer"
done
