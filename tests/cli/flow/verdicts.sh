#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the flow lens names what was waited for, or where the critical path is (tests/lib/verdicts.tsv).
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=flow
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
verdicts
