#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How right work and idleness are: threads of POSIX and C11, their ways to wait, calls that nobody wraps. Where threads take turns they are sampled more often.
# alone
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/idle/subjects.sh"
. "$tests/lib/idle/accurate.sh"

# The judge itself: 27 runs that are 3 % off, more or less, are found; 63 that are right on average, but 3 % off each, are not.
awk 'BEGIN {for (i = 0; i < 27; i++) print "biased,1e8," 1e8 * (1.03 + 0.004 * (i % 5 - 2)) ",0,0"}' >"$tmp/biased.csv"
awk 'BEGIN {for (i = 0; i < 63; i++) print "noisy,1e8," 1e8 * (i % 2 ? 1.03 : 0.97) ",0,0"}' >"$tmp/noisy.csv"
for how in biased noisy; do medians "$tmp/$how.csv" >"$tmp/$how.medians"; done
same 'a sampler that is 3 % off is found' 'work of biased is 3 % off, beyond the bound in 27 of 27 runs; ' "$(beyond_chance "$tmp/biased.medians" | sed 's/3\.0 %/3 %/')"
same 'noise is not' '' "$(beyond_chance "$tmp/noisy.medians")"

if idle_build idle/pthread.c; then
	accurate pthread idle/pthread
	around='taskset -c 0' accurate pthread-on-one-core idle/pthread
fi
if idle_build idle/c11.c; then accurate c11 idle/c11; fi
if idle_build idle/locks.c; then
	options='--rate 4000' accurate locks idle/locks
	around='taskset -c 0' options='--rate 4000' accurate locks-on-one-core idle/locks
fi
if idle_build idle/sleeps.c; then accurate sleeps idle/sleeps; fi
