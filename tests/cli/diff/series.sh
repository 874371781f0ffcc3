#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several runs on each side, more than two recordings, and one figure over many. The times of the runs are written into recordings, so
# that the answers are known.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >prog.c <<'END_OF_PROGRAM'
#include <stdio.h>
static volatile unsigned sink;
__attribute__((noinline)) static void slow(void) { for (int i = 0; i < 1000; i++) sink++; }
__attribute__((noinline)) static void same(void) { for (int i = 0; i < 1000; i++) sink++; }
__attribute__((noinline)) static void tiny(void) { sink++; }
int main(void)
{
	slow();
	same();
	tiny();
	puts("done");
	return 0;
}
END_OF_PROGRAM
skein-cc -g -O1 prog.c -o prog || exit
skein record calls -q -o base.skein -- ./prog >out.txt 2>err.txt || not_ok 'recorded' "$(cat err.txt)"

# run FILE ROUTINE=NS…: a recording with these direct times
run() {
	local file=$1 one
	shift
	cp base.skein "$file"
	for one in "$@"; do
		sqlite3 "$file" "UPDATE calls_routine SET direct_ns = ${one#*=} WHERE routine = (SELECT routine FROM routine WHERE linkage = '${one%=*}')"
	done
}
# slow takes a twentieth more; same varies as much, but does not differ; tiny doubles, and is less than a hundredth of the whole
olds=(1000000 1010000 990000 1005000 995000) news=(1050000 1062000 1041000 1055000 1046000) noise=(1020000 980000 1001000 993000 1007000)
for i in 0 1 2 3 4; do
	run "old-$i.skein" "slow=${olds[i]}" "same=${noise[i]}" "tiny=$((5000 + i))" main=100
	run "new-$i.skein" "slow=${news[i]}" "same=${noise[(i + 2) % 5]}" "tiny=$((10000 + i))" main=100
done
old=$(echo old-?.skein | tr ' ' ,) new=$(echo new-?.skein | tr ' ' ,)
expect_status 0 'several runs on each side' skein diff calls "$old" "$new" --csv
cp out runs.csv
same 'a real difference has its level' '0.999 worse' "$(csv_value runs.csv routine=slow,figure=direct_ns sure) $(csv_value runs.csv routine=slow,figure=direct_ns verdict)"
same 'of means' '1000000.0000 1050800.0000 50800.0000' "$(for c in old new change; do csv_value runs.csv routine=slow,figure=direct_ns $c; done | paste -sd' ')"
same 'noise is no difference' '' "$(csv_value runs.csv routine=same,figure=direct_ns sure | grep -v no)"
same 'what is less than 1 % of the whole is not tested' no "$(csv_value runs.csv routine=tiny,figure=direct_ns sure)"
expect_status 1 'a difference that is sure fails' skein diff calls "$old" "$new" --fail-if-worse
expect_status 0 'one that is not does not' skein diff calls old-0.skein new-0.skein --fail-if-worse
skein diff calls "$old" "$new" >runs.txt
expect_match 'text has what is sure' '^worse +slow +direct_ns .*99\.9 %' runs.txt
same 'and leaves out what is not' '' "$(grep -E '^(worse|better) +(same|tiny)' runs.txt)"
expect_match 'it says how it judged' "Welch's test, with Holm's correction" <(tr '\n' ' ' <runs.txt | tr -s ' ')
skein diff calls old-0.skein,old-1.skein new-0.skein >one.txt
expect_match 'one run on one side tells nothing' 'Skein cannot know whether a difference in time is real' one.txt

# an exact figure that is not the same in all runs of a side is judged by them
cp new-4.skein odd.skein
sqlite3 odd.skein "UPDATE calls_routine SET calls = 7 WHERE routine = (SELECT routine FROM routine WHERE linkage = 'same')"
skein diff calls "$old" "new-0.skein,new-1.skein,odd.skein" >odd.txt
expect_match 'an exact figure that differs between runs is news' 'that should be the same in every run' odd.txt

# ---- more than two ----
skein diff calls old-0.skein new-0.skein new-1.skein --csv >three.csv
same 'each is compared with the first' 'new-0 new-1' "$(tail -n +2 three.csv | awk -F, '{print $NF}' | sort -u | paste -sd' ')"
same 'with its own figure' '1050000 1062000' "$(for s in new-0 new-1; do csv_value three.csv routine=slow,figure=direct_ns,new_recording=$s new; done | paste -sd' ')"
COLUMNS=120 skein diff calls old-0.skein new-0.skein new-1.skein >three.txt
expect_match 'text has a column for each' 'old +new-0 +new ' three.txt

# scaling: what is shared costs the same on two threads; what runs alone costs twice, since a core waits
cc -g -O1 -pthread "$tests/prog/diff/spins.c" -o spins || exit
skein record idle -q -o t1.skein -- ./spins 1 300 300 >out.txt 2>err.txt || not_ok 'idle is recorded' "$(cat err.txt)"
skein record idle -q -o t2.skein -- ./spins 2 300 600 >out.txt 2>err.txt || not_ok 'idle is recorded again' "$(cat err.txt)"
skein diff idle t1.skein t2.skein --csv >scaling.csv
check 'work in a context that doubled is near its double' [ "$(csv_value scaling.csv 'name=alone > spin,figure=work_ns' change_pct | cut -d. -f1)" -ge 50 ]
check 'and is a share of the whole' [ "$(csv_value scaling.csv 'name=alone > spin,figure=work_ns' of_all_pct | cut -d. -f1)" -ge 15 ]
same 'contexts have their depth' 'yes' "$(csv_value scaling.csv 'name=alone > spin,figure=work_ns' depth | grep -qE '^[1-9]' && echo yes)"
skein report idle t2.skein --view top-down --csv >report.csv
same 'figures of contexts are those of the report' "$(awk -F, '$2 == "alone" {print $6; exit}' report.csv)" "$(csv_value scaling.csv 'name=main > alone,figure=work_ns' new)"

# ---- trend ----
skein trend calls.slow.direct_ns old-?.skein new-?.skein --csv >trend.csv
same 'its columns' recording,recorded,lens,routine,figure,value,change,change_pct "$(head -n 1 trend.csv)"
same 'a row for each recording, in their order' "${olds[*]} ${news[*]}" "$(tail -n +2 trend.csv | cut -d, -f6 | paste -sd' ')"
same 'the change is from the one before' 10000 "$(csv_value trend.csv recording=old-1.skein change)"
skein report calls base.skein --view summary --csv >summary.csv
same 'a figure of the run is that of the summary' "$(csv_value summary.csv name=calls value)" "$(skein trend calls.calls base.skein --csv | tail -n 1 | cut -d, -f6)"
skein trend calls.slow.direct_ns old-?.skein t1.skein >trend.txt
expect_match 'the verdict has the first and the last' '^calls.slow.direct_ns: 1.00 ms in old-0.skein, 995 us in old-4.skein' trend.txt
expect_match 'a recording without the lens has no value' 't1.skein holds no run of the lens' trend.txt
skein trend calls.slow.calls old-0.skein old-1.skein --json >trend.json
same 'JSON has numbers' '1 1' "$(sqlite3 -separator ' ' :memory: "select json_extract(readfile('trend.json'), '\$.rows[0].value'), json_extract(readfile('trend.json'), '\$.rows[1].value')")"

# ---- runs that skein record --repeat made ----

skein record calls -q --repeat 5 -o repeated.skein -- ./prog >/dev/null 2>err.txt || not_ok 'repeated' "$(cat err.txt)"
cp repeated.skein slower.skein
for file in repeated slower; do
	turn=0
	for id in $(sqlite3 $file.skein 'SELECT run FROM run ORDER BY turn'); do
		[ $file = repeated ] && ns=${olds[turn]} || ns=${news[turn]}
		sqlite3 $file.skein "UPDATE calls_routine SET direct_ns = $ns WHERE run = $id AND routine = (SELECT routine FROM routine WHERE linkage = 'slow')"
		sqlite3 $file.skein "UPDATE calls_routine SET direct_ns = 100 WHERE run = $id AND routine = (SELECT routine FROM routine WHERE linkage = 'main')"
		sqlite3 $file.skein "UPDATE calls_routine SET direct_ns = ${noise[turn]} WHERE run = $id AND routine = (SELECT routine FROM routine WHERE linkage = 'same')"
		turn=$((turn + 1))
	done
done
expect_status 0 'repeated runs are runs of their side' skein diff calls repeated.skein slower.skein --csv
cp out repeated.csv
same 'repeated runs: a real difference has its level' '0.999 worse' "$(csv_value repeated.csv routine=slow,figure=direct_ns sure) $(csv_value repeated.csv routine=slow,figure=direct_ns verdict)"
same 'repeated runs: of means' '1000000.0000 1050800.0000 50800.0000' "$(for c in old new change; do csv_value repeated.csv routine=slow,figure=direct_ns $c; done | paste -sd' ')"
expect_status 0 'repeated runs and one more file' skein diff calls repeated.skein,base.skein slower.skein
