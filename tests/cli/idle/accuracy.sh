#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How right work and idleness are: threads of POSIX and C11, their ways to wait, calls that nobody wraps. Where threads take turns they are sampled more often.
# alone
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
. "$tests/lib/idle/subjects.sh"
. "$tests/lib/idle/accurate.sh"

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
