#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Many recordings together: merge, report on a folder, what is missing, CSV.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# A program whose routines are called as often as its rank says: figures over ranks have closed forms.
cat >prog.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) int even(int n) { return n + 1; }
__attribute__((noinline)) int odd(int n) { return n * 3; }
int main(void)
{
	int me = atoi(getenv("PMI_RANK")), sum = 0;
	for (int i = 0; i < 100; i++)
		sum += even(i);
	for (int i = 0; i < 10 * (me == 5 ? 50 : me + 1); i++)
		sum += odd(i);
	return sum == 1;
}
END
skein-cc -g -O1 -fno-inline prog.c -o prog || exit
ranks=8
for n in $(seq 0 $((ranks - 1))); do PMI_RANK=$n PMI_SIZE=$ranks skein record calls --counts -q -- ./prog || exit; done

# value VIEW FILTER COLUMN: of the report on the folder
value() { csv_value <(skein report calls "${from:-prog.skein.d}" --view "$1" --csv) "$2" "$3"; }
odd() { value routines routine=odd,figure=calls "$1"; }
same 'sum' 800 "$(odd sum)" # 10 * (1+2+3+4+5+50+7+8)
same 'min' 10 "$(odd min)"
same 'mean' 100 "$(odd mean)"
same 'median' 45 "$(odd median)"
same 'max' 500 "$(odd max)"
same 'which rank has most' 5 "$(odd max_rank)"
same 'which rank has least' 0 "$(odd min_rank)"
same 'imbalance is max by mean' 5.0000 "$(odd imbalance)"
same 'even work is even' 1.0000 "$(value routines routine=even,figure=calls imbalance)"
same 'a row per rank' 8 "$(skein report prog.skein.d --view ranks --csv | tail -n +2 | wc -l)"
same 'a row per node' "$(uname -n),8" "$(skein report prog.skein.d --view nodes --csv | tail -n +2 | cut -d, -f1,2)"
expect_match 'the first sentence' '^8 ranks of prog on 1 node; the longest took' <(skein report prog.skein.d)
expect_match 'JSON has the same' '"lens": "calls"' <(skein report prog.skein.d --view figures --json)
refused 2 'an unknown view' 'no view rank of many ranks; did you mean ranks\?' skein report prog.skein.d --view rank
refused 127 'a lens that was not recorded' 'no recording of these ranks has the lens idle' skein report idle prog.skein.d
refused 2 'a column that is not there' 'nonsense' skein report prog.skein.d --sort nonsense
same '--top' 3 "$(skein report prog.skein.d --view ranks --csv --top 3 | tail -n +2 | wc -l)"

# ---- merged ----
expect_status 0 'merge' skein merge prog.skein.d
expect_match 'says what it did' '^Merged 8 recordings into prog.all.skein; see `skein report prog.all.skein`\.$' "$tmp/out"
expect_status 0 'merge -o' skein merge prog.skein.d -o all.skein
for view in routines ranks figures mpi nodes groups; do
	equal "a merged file and its folder say the same: $view" <(skein report prog.skein.d --view $view --csv) <(skein report all.skein --view $view --csv)
done
same 'SQL has it' '500|5' "$(skein sql all.skein "SELECT value, rank FROM v_part_values WHERE routine = 'odd' AND figure = 'calls' ORDER BY value DESC LIMIT 1" --csv | tail -n 1 | tr , '|')"
same 'v_parts' '0,8|7,8' "$(skein sql all.skein 'SELECT rank, ranks FROM v_parts ORDER BY rank' --csv | sed -n '2p;$p' | paste -sd'|')"
same 'v_ranks' '3,8,PMI' "$(skein sql prog.skein.d/rank-000003.skein 'SELECT rank, ranks, launcher FROM v_ranks' --csv | tail -n 1)"
refused 2 'a file' 'is not a folder: merge takes a folder of recordings' skein merge all.skein
refused 2 'a page of many ranks' 'compares many ranks, which a page cannot show' skein view all.skein
check 'and no page is there' [ ! -e all.html ]
refused 127 'no folder' 'cannot open the folder nowhere' skein merge nowhere
mkdir empty && refused 127 'an empty folder' 'no recording in the folder empty' skein merge empty
echo text >text && refused 125 'what is no recording stays' 'will not overwrite text' skein merge prog.skein.d -o text
same 'as it was' text "$(cat text)"

# ---- outliers, groups, what is missing ----
copy() { # FROM RANK SQL: a part more, changed
	cp "prog.skein.d/$1" "many.d/rank-$(printf %06d "$2").skein"
	sqlite3 "many.d/rank-$(printf %06d "$2").skein" "update rank set rank = $2, ranks = 40; $3"
}
mkdir many.d
for n in $(seq 0 39); do
	case $n in
	3 | 9) ;; # left nothing
	17) copy rank-000000.skein $n "update calls_routine set direct_ns = 2300000000 where routine = (select routine from routine where name = 'odd'); update rank set node = 'n9'" ;;
	18 | 19) copy rank-000000.skein $n "update calls_routine set direct_ns = 1000000000 where routine = (select routine from routine where name = 'odd'); update rank set node = 'n9'" ;;
	*) copy rank-000000.skein $n "update calls_routine set direct_ns = 1000000000 where routine = (select routine from routine where name = 'odd'); update rank set node = 'n' || $((n % 35)) where $n % 35 <> 9" ;;
	esac
done
skein report many.d >said 2>&1
cat said >said.wide
COLUMNS=1000 skein report many.d >said.wide
expect_match 'an outlier is named' 'Rank 17 has 2\.3 times the median of odd: 2\.30 s, the median is 1\.00 s; its node n9 has 2 ranks more than others\.' said.wide
expect_match 'groups are told' 'Ranks behave in 2 different ways: .*; 17 \(--view groups\)' said.wide
expect_match 'missing ranks are named' '2 of 40 ranks left no recording: 3, 9\.' said.wide
same 'a group of one' '1,17' "$(skein report many.d --view groups --csv | sed -n 3p | cut -d, -f2,3)"
head -c 20000 many.d/rank-000000.skein >many.d/rank-000003.skein
echo junk >many.d/rank-000009.skein
expect_match 'a part that is damaged is left out' 'rank-000003.skein is left out: .*damaged' <(COLUMNS=1000 skein report many.d)
expect_match 'and one that is something else' 'rank-000009.skein is left out: .*not a recording' <(COLUMNS=1000 skein report many.d)
mkdir -p many.d/.rank-000009.skein.session-Ab12Cd
expect_match 'a session that was interrupted is named' 'rank-000009.skein.session-Ab12Cd is a session that was interrupted' <(COLUMNS=1000 skein report many.d)

# An earlier job with more ranks has left parts.
cp -r prog.skein.d older.d
for n in 0 1 2 3; do sqlite3 older.d/rank-00000$n.skein "update rank set ranks = 4, job = 'new'; update run set started_real_ns = started_real_ns + 1000000000000"; done
expect_match 'only the newest job counts' '^4 ranks of prog' <(skein report older.d)
expect_match 'and the rest is told' '4 parts of an earlier job are left out' <(skein report older.d)

# ---- for other engines ----
expect_status 0 '--csv' skein merge prog.skein.d --csv csv
same 'files' 'figures.csv parts.csv routines.csv values.csv' "$(cd csv && echo *)"
same 'values' 800 "$(awk -F, 'FNR == 1 {file++} file == 1 && $3 == "calls" && $4 == "routine" {f = $1} file == 2 && $2 == "odd" {r = $1} file == 3 && $1 == f && $2 == r {s += $4} END {print s}' csv/figures.csv csv/routines.csv csv/values.csv)"
expect_status 0 'of a merged file, too' skein merge all.skein --csv csv2
equal 'with the same values' csv/values.csv csv2/values.csv
refused 2 'both' 'give one of them' skein merge prog.skein.d --csv csv -o x
