#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How right work and idleness are: threads of POSIX and C11, their ways to wait, calls that nobody wraps. Where threads take turns they are sampled more often.
# alone
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"
. "$tests/idle_subjects.sh"
. "$tests/idle_accurate.sh"

if idle_build idle_pthread.c; then
	accurate pthread idle_pthread
	around='taskset -c 0' accurate pthread-on-one-core idle_pthread
fi
if idle_build idle_c11.c; then accurate c11 idle_c11; fi
if idle_build idle_locks.c; then
	options='--rate 4000' accurate locks idle_locks
	around='taskset -c 0' options='--rate 4000' accurate locks-on-one-core idle_locks
fi
if idle_build idle_sleeps.c; then accurate sleeps idle_sleeps; fi
