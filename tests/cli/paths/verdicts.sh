#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose hot path is known: the first sentence of the paths lens names it, and its routine (tests/lib/verdicts.tsv).
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=paths
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
verdicts
