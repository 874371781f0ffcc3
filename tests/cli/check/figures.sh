#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every figure that can be checked is the one that reports have, for each lens; and those that were not recorded are unknown.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
examples=$(realpath "$tests/../examples")

# agree RECORDING LENS THING…
agree() {
	local lines
	lines=$(COLUMNS=10000 python3 "$tests/lib/checked.py" "$tests/lib/checked.tsv" "$@")
	echo "$lines"
	failures=$((failures + $(grep -c '^not ok' <<<"$lines")))
	check "$1: all figures of $2 were looked at" grep -q "^ok $2: [1-9][0-9]* figures" <<<"$lines"
}

skein-cc -O2 -g -fno-inline -pthread "$examples/flow/journal.c" -o journal || exit
skein-cc -O2 -g "$examples/cilk/quicksort.c" -o quicksort || exit
skein-cc -O2 -g "$examples/cilk/cholesky_sparse.c" -o cholesky -lm || exit
skein-cc -O2 -g -fno-inline "$examples/input/tokens.c" -o tokens || exit
skein-cc -O2 -g -fno-inline "$examples/paths/parcels.c" -o parcels || exit
expect_status 0 'calls' skein record calls -- ./journal
expect_status 0 'flow' skein record flow --routines -- ./journal
expect_status 0 'span' skein record span -- ./quicksort 100000
expect_status 0 'idle' skein record idle -- ./cholesky 1024
expect_status 0 'input' skein record input -- ./tokens
expect_status 0 'paths' skein record paths -- ./parcels
agree journal.skein calls routine=journal_add 'site=worker->journal_add' object=journal
agree journal.skein flow routine=journal_add object=journal
agree quicksort.skein span routine=partition 'site=pqsort->partition'
agree cholesky.skein idle routine=subtract
agree tokens.skein input routine=tokenize_slow
agree parcels.skein paths routine=postage

# What was not recorded is unknown.
expect_status 0 'counts' skein record calls --counts -o counts.skein -- ./journal
expect_status 0 'counts are exact' skein check 'calls: journal_put calls == 20,000' counts.skein
expect_match 'and so it says' '^holds    calls: journal_put calls == 20,000: 20,000 \(exact\)$' "$tmp/out"
expect_status 3 'no time was measured' skein check 'calls: journal_put direct <= 5 s' counts.skein
expect_match 'it says what to do' '^unknown  calls: journal_put direct <= 5 s cannot be checked: record without --counts, and a run' "$tmp/out"
agree counts.skein calls routine=journal_add 'site=worker->journal_add' object=journal
expect_status 3 'a lock that nobody waited for' skein check 'calls: wait(nothing) <= 5 s' journal.skein
expect_match 'it says so' 'cannot be checked: no thread waited for an object of that name$' "$tmp/out"
expect_status 0 'flow without routines' skein record flow -o waits.skein -- ./journal
expect_status 3 'no routine was recorded' skein check 'flow: journal_add calls == 20000' waits.skein
expect_match 'it says what to do' 'cannot be checked: record with --routines$' "$tmp/out"
expect_status 0 'a routine that did not wait' skein check 'flow: main wait >= 0' 'flow: journal_add waits > 0' waits.skein

expect_status 0 'flow without times' skein record flow --order -o order.skein -- ./journal
expect_status 3 'no time was recorded' skein check 'flow: wait(journal) <= 5 %' 'flow: taken(journal) == 20000' order.skein
expect_match 'it says what to do' 'cannot be checked: record without --order$' "$tmp/out"
expect_match 'counts are there' '^holds    flow: taken\(journal\) == 20000: 20,000 \(exact\)$' "$tmp/out"

# A clock that is not counted instructions measures.
expect_status 0 'in nanoseconds' skein record span --clock ns -o ns.skein -- ./quicksort 100000
expect_status 0 'work is measured' skein check 'span: work > 0' ns.skein
expect_match 'and so it says' '\(measured once\)$' "$tmp/out"
expect_status 0 'work is counted' skein check 'span: work > 0' quicksort.skein
expect_match 'and so it says' '\(exact\)$' "$tmp/out"

# Of repeated runs, the median is compared.
expect_status 0 'repeated' skein record calls -q --repeat 3 -o repeated.skein -- ./quicksort 1000
expect_status 0 'a time of repeated runs' skein check 'calls: wall > 0' 'calls: wall >= 0 % of journal.skein' 'calls: wall >= 0 % of repeated.skein' repeated.skein
expect_match 'it says of how many' '^holds    calls: wall > 0: .* \(median of 3 runs\)$' "$tmp/out"
expect_match 'and of the other side' 'journal.skein: .* \(median of 3 runs, there measured once\)$' "$tmp/out"
expect_match 'whatever that is' 'repeated.skein: .* \(median of 3 runs, there of 3\)$' "$tmp/out"

# Few samples tell nothing; a routine without samples is not known.
skein record idle --rate 20 -o few.skein -- ./cholesky 512 >/dev/null 2>&1
expect_status 3 'few samples' skein check 'idle: overhead% <= 50' few.skein
expect_match 'it says so' 'too few samples to tell' "$tmp/out"
expect_status 3 'no sample' skein check 'idle: nobody work% <= 50' cholesky.skein
expect_match 'it says so' 'no sample fell into a routine of that name' "$tmp/out"
idleness=$(csv_value <(skein report idle cholesky.skein --view summary --csv) name=idle_pct_effort value)
for op in '<=' '>='; do
	expect_status 3 "a bound within the error: $op" skein check "idle: idleness $op $idleness %" cholesky.skein
	expect_match 'it says how far off the figure may be' 'cannot be told from the bound \(95 %: [0-9.]+ % to [0-9.]+ %\)$' "$tmp/out"
done
expect_status 0 'a bound far from it' skein check 'idle: idleness <= 99 %' cholesky.skein
