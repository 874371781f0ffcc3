#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A disk or a limit on files of so many pages, perf_event_open denied, little memory: the program does not notice, and what is lost is stated.
. "$(dirname "$0")/../../lib/lib.sh"

for lens in calls span idle input paths; do
	expect_status 0 "$lens: what a full disk or a limit costs is stated" "$tests/../tools/starve" "$build" all $lens 48
	for mode in size perf; do
		expect_match "$lens: $mode: there were runs, and the last ones had enough" "^$mode $lens: [0-9]+ runs, [1-9][0-9]* exact" "$tmp/out"
	done
	for mode in disk memory; do
		expect_match "$lens: $mode: runs, or a reason" "^$mode $lens: ([0-9]+ runs, [1-9][0-9]* exact|not tried)" "$tmp/out"
	done
	grep -E '^BAD' "$tmp/out"
done
expect_status 2 'no lens is wrong use' "$tests/../tools/starve" "$build" disk
