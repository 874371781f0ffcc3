#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose growth is known: the first sentence of the input lens names it, and its routine (tests/lib/verdicts.tsv).
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=input
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
verdicts

# What sentences say is in the tables.
. "$tests/lib/figures.sh"
for recording in *.skein; do figures "${recording%.skein}" input "$recording" routines; done
skein record input --valgrind -o other.skein -- ./linear >/dev/null 2>&1
figures 'linear under Valgrind' input other.skein routines

# It would be seen if a sentence had another figure than the table.
skein report input quadratic.skein --csv >figures.csv
echo 'count_pairs (quadratic.c:14) grows like n^2 (exponent 2.34, 1.99 to 2.02, 95 %): 12.3 % of the cost now.' | figures_of >figures.list
same 'wrong figures are seen' '2.34 12.3' "$(figures_missing figures.list figures.csv /dev/null | cut -d' ' -f1 | tr -d : | paste -sd ' ')"
