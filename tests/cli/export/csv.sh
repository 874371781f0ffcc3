#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export csv: a folder with all views of a lens, the same as the reports, and as python reads CSV.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
skein record paths -q -o all.skein -- ./prog >/dev/null || exit
skein record input -q -o all.skein -- ./prog >/dev/null || exit

# views LENS: those that need no option
views() { skein report "$1" --view nonsense all.skein 2>&1 | sed 's/.*its views are //; s/, /\n/g' | grep -vxE 'source|dot'; }
for lens in calls span idle flow paths input; do
	expect_status 0 "$lens is exported" skein export csv $lens all.skein -o $lens.csv
	same "$lens: nothing on standard output" '' "$(cat out)"
	left_out=$(sed -n 's/^skein: left out the view \([a-z-]*\): .*/\1/p' err)
	for view in $(views $lens); do
		if grep -qxF "$view" <<<"$left_out"; then
			expect_status 2 "$lens: $view cannot be shown" skein report $lens --view "$view" --csv all.skein
			check "$lens: there is no file of $view" [ ! -e "$lens.csv/$view.csv" ]
		else
			check "$lens: $view is the same as its report" cmp "$lens.csv/$view.csv" <(skein report $lens --view "$view" --csv all.skein)
		fi
	done
	same "$lens: nothing else is there" '' "$(find $lens.csv -type f -printf "%f\n" | sed "s,\.csv$,," | grep -vxFf <(views $lens))"
done
skein export csv idle known.skein --thread 1 -o one
check 'options of the lens hold' cmp one/top-down.csv <(skein report idle known.skein --thread 1 --view top-down --csv)

# ---- python ----
if command -v python3 >/dev/null; then
	cat >sums.py <<'END2'
import csv, pathlib, sys
for file in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    rows = list(csv.reader(file.open(newline='')))
    if len({len(row) for row in rows}) != 1:
        print('ragged:', file)
work = sum(int(row['work_ns']) for row in csv.DictReader((pathlib.Path(sys.argv[1]) / 'threads.csv').open(newline='')))
print('work', work)
END2
	skein export csv known.skein -o known
	same 'python reads all files, and adds up the same' 'work 925000000' "$(python3 sums.py known)"
	cp known.skein odd.skein
	sqlite3 odd.skein "update routine set linkage = '\",' || char(10) || '=1+1' where name = 'prepare'"
	skein export csv odd.skein -o odd
	same 'hostile names stay in their fields' 'work 925000000' "$(python3 sums.py odd)"
else
	skip 'python reads all files' 'there is no python3'
fi

# ---- what is wrong ----
refused 2 'no folder' 'csv writes a folder of files: name it with -o FOLDER' skein export csv known.skein
refused 2 'a folder with files' 'the folder one is not empty: name a new one' skein export csv known.skein -o one
check 'keeps them' cmp one/top-down.csv <(skein report idle known.skein --thread 1 --view top-down --csv)
refused 2 'several lenses' 'holds several lenses that can be exported as csv' skein export csv all.skein -o several
check 'leaves no folder' [ ! -e several ]
refused 125 'a folder that cannot be' 'cannot create the folder /dev/null/x' skein export csv known.skein -o /dev/null/x
refused 127 'a lens that was not recorded' 'skein record flow' skein export csv flow known.skein -o none
check 'leaves no folder, too' [ ! -e none ]
mkdir empty
expect_status 0 'an empty folder will do' skein export csv known.skein -o empty
