#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong use of skein diff and skein trend, and recordings that cannot be compared: one sentence each, and no crash.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

echo 'int main(void) { return 0; }' >prog.c
skein-cc -g prog.c -o prog || exit
skein record calls -q -o a.skein -- ./prog
skein record calls -q -o b.skein -- ./prog
skein record span -q -o span.skein -- ./prog
skein record span -q --clock ns -o ns.skein -- ./prog
echo 'no recording' >text.skein
head -c 20000 a.skein >cut.skein
: >empty.skein
ln -s a.skein link.skein

refused 2 'no recordings' 'needs two recordings' skein diff
refused 2 'one recording' 'needs two recordings' skein diff a.skein
refused 2 'a lens and one recording' 'needs two recordings' skein diff calls a.skein
refused 2 'an unknown lens' 'did you mean calls' skein diff call a.skein b.skein
refused 2 'the same file twice' 'are the same file' skein diff a.skein a.skein
refused 2 'by another name' 'are the same file' skein diff a.skein link.skein
refused 2 'twice on one side' 'are the same file' skein diff a.skein,a.skein b.skein
refused 2 'nothing but commas' 'names of recordings' skein diff , a.skein
refused 127 'a recording that is not there' 'nowhere.skein' skein diff a.skein nowhere.skein
refused 125 'not a recording' 'text.skein' skein diff a.skein text.skein
refused 125 'an empty file' 'empty.skein' skein diff a.skein empty.skein
refused 125 'a truncated recording' 'cut.skein' skein diff a.skein cut.skein
refused 127 'another lens' 'span.skein holds no run of the lens calls' skein diff calls a.skein span.skein
refused 127 'no lens in common' 'no lens in common' skein diff a.skein span.skein
refused 2 'another clock' 'their clock is insn and ns' skein diff span span.skein ns.skein
refused 2 'an unknown view' 'no view bad' skein diff a.skein b.skein --view bad
refused 2 'two forms' 'exclude each other' skein diff a.skein b.skein --csv --json
refused 2 'a threshold that is no number' 'threshold' skein diff a.skein b.skein --threshold much
refused 2 'too many recordings' 'at most 64' skein diff r{1..65}.skein
expect_status 0 'nothing changed' skein diff calls a.skein b.skein --view gone
expect_match 'it says so' '^Nothing got worse' "$tmp/out"
expect_status 0 'nothing changed, as CSV' skein diff calls a.skein b.skein --view gone --csv
same 'is a head only' 1 "$(wc -l <"$tmp/out")"

refused 2 'trend of nothing' 'needs a figure' skein trend
refused 2 'trend without recordings' 'needs a figure' skein trend calls.calls
refused 2 'not a figure' 'is not a figure' skein trend calls a.skein
refused 2 'nor is this' 'is not a figure' skein trend calls. a.skein
refused 2 'nor this' 'is not a figure' skein trend calls..calls a.skein
refused 2 'an unknown lens' 'no lens cals' skein trend cals.calls a.skein
refused 2 'an unknown figure' 'has no figure nix; figures: threads' skein trend calls.nix a.skein
refused 2 'an unknown figure of a routine' 'has no figure nix; figures: routine' skein trend calls.main.nix a.skein
refused 127 'a routine that is nowhere' 'does not have the routine' skein trend calls.nix.calls a.skein
refused 127 'a lens that was not recorded' 'holds no run of the lens' skein trend span.work a.skein
refused 125 'trend of what is no recording' 'text.skein' skein trend calls.calls text.skein
