#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs that csmith writes, at five levels of optimisation and under each instrumenting lens: checksums as natively. bench/random-programs has more.
. "$(dirname "$0")/../../lib/lib.sh"
JOBS=2 "$tests/../tools/random-programs" 1 10 >"$tmp/said" 2>"$tmp/err"
grep -E '^(not )?ok ' "$tmp/said"
failures=$(grep -c '^not ok ' "$tmp/said")
same 'none is left out' '10 programs, 250 recordings as natively; 0 left out, 0 with a difference' "$(tail -n 1 "$tmp/said")"
