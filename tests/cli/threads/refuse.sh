#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# System calls of the runtime that fail, some per lens: the program does not notice, and what is lost is stated.
. "$(dirname "$0")/../../lib/lib.sh"

for lens in calls span idle input paths; do
	expect_status 0 "$lens: a system call that fails costs at most events, and that is stated" "$tests/../tools/refuse" "$build" $lens 31
	expect_match "$lens: some calls failed" "^$lens: [0-9]+ places with a system call, [1-9][0-9]* runs in which one failed" "$tmp/out"
	grep -v "^$lens: " "$tmp/out"
done
expect_status 2 'no lens is wrong use' "$tests/../tools/refuse" "$build"
