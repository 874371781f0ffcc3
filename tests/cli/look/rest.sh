#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the first finding of the overview names it (tests/lib/looks.tsv, group rest).
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/looks.sh"
cd "$tmp" || exit
looks rest
