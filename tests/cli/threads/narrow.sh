#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Stacks of threads and of signal handlers that have little room: a subject that has enough natively has enough in each lens.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
LD_BIND_NOW=1 && export LD_BIND_NOW # what the loader takes for the first call of a function is not the question
skein-cc -O1 -g -pthread "$tests/prog/threads/narrow.c" -o narrow || exit

natively() { ./narrow "$@" >native; }
for how in 'alternate 2048' 'alternate 4096' 'alternate 8192' 'alternate 65536' 'handled 1500' 'handled 4096' 'handled 12288' 'handled 65536' \
	'left 1500' 'left 4096' 'before 1500' thread default own; do
	expect_status 0 "$how: natively" natively $how
	for lens in idle calls 'calls --counts' span input paths; do
		rm -f narrow.skein
		expect_status 0 "$how: $lens" skein record $lens -o narrow.skein -- ./narrow $how
		equal "$how: $lens: the same output" native <(head -n "$(wc -l <native)" "$tmp/out")
	done
done

# A tick that is not taken is not lost in silence: what it stood for is charged to the next one, and the report says how much that is.
skein record idle -o handled.skein -- ./narrow handled 1500 >/dev/null 2>&1
skein report idle handled.skein | tr '\n' ' ' | tr -s ' ' >"$tmp/out"
expect_match 'time without a sample is told' '[0-9]+ % of the CPU time has no sample of its own \(in the kernel, with signals blocked, or on a stack without room for one\)' "$tmp/out"
