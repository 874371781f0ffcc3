#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that tests/prog/campaign/generate.c writes, with threads, jumps, exceptions and forks: every level of optimisation under every
# instrumenting lens, in C and in C++. Checksums and statuses as natively, and every call counted. bench/random-programs has more.
. "$(dirname "$0")/../../lib/lib.sh"
JOBS=2 "$tests/../tools/random-programs" --own --one 1 25 >"$tmp/said" 2>"$tmp/err"
grep -E '^(not )?ok ' "$tmp/said"
failures=$(grep -c '^not ok ' "$tmp/said")
same 'none is left out' '25 programs, 25 recordings as natively; 0 left out, 0 with a difference' "$(tail -n 1 "$tmp/said")"
