#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples of the paths lens: it finds the hot way and the missing tests that each was written to have, exactly, where coverage of branches is whole, too.
. "$(dirname "$0")/../../lib/lib.sh"
examples=$(realpath "$tests/../examples/paths")
cp "$examples"/*.c "$tmp"
cd "$tmp" || exit

# after FILE TEXT N: the number of the line N behind the first that has TEXT
after() { awk -v text="$2" -v n="$3" 'index($0, text) {print NR + n; exit}' "$1"; }

# counts RECORDING FUNCTION: its paths, from the first on, as NUMBER:COUNT
counts() { skein report paths "$1" --routine "$2" --sort path --csv | awk -F, 'NR > 1 {print $4 ":" $6}' | sort -n | paste -sd ' '; }

# never RECORDING FUNCTION: lines whose branch did not go some way
never() { skein report paths "$1" --routine "$2" --view never --csv | awk -F, '$1 == "outcome" {print $4}' | sort -n | paste -sd ' '; }

for name in csv parcels; do
	check "$name is built" skein-cc -O2 -g -fno-inline -Wall -Wextra -Werror $name.c -o $name
done

# ---- csv: a machine with four states ----

rows=1000
expect_status 0 'csv is recorded' skein record paths -- ./csv $rows
expect_match 'csv is right' ' right$' out
skein report paths csv.skein --csv >csv.csv
skein report paths csv.skein | tr '\n' ' ' >csv.txt
hot=$(after csv.c 'case QUOTED:' 1)
same 'csv: the hottest way goes on inside of quotes, 35 times a row' "read_table back-back $((35 * rows + 2))" "$(awk -F, 'NR == 2 {print $1, $5, $6}' csv.csv)"
expect_match 'csv: the verdict names it, and where it goes' "The hottest is an iteration of a loop of read_table \\(csv.c:[0-9,-]*\\<$hot,$((hot + 3))\\>" csv.txt
same 'csv: then come plain characters, but the first of a field' "read_table $((7 * rows + 3))" "$(awk -F, 'NR == 3 {print $1, $6}' csv.csv)"
same 'csv: five outcomes are missing, and a text without any character' \
	"$({
		after csv.c 'for (; *at; at++)' 0
		after csv.c 'case PLAIN:' 1
		after csv.c 'if (state == PLAIN)' 0
		after csv.c 'default:' 1
		after csv.c 'default:' 1
		after csv.c 'if (state == QUOTED)' 0
	} | sort -n | paste -sd ' ')" "$(never csv.skein read_table)"

# Copies find the same, and the verdict says how far that can go: not below the path that was taken most often, which is nearly all of sorts, and a third of csv.
cp "$examples/../input/sorts.c" .
check 'sorts is built' skein-cc -O2 -g sorts.c -o sorts
expect_status 0 'sorts is recorded' skein record paths -- ./sorts
expect_status 0 'csv: two copies' skein record paths --copies 2 -o csv-2.skein -- ./csv $rows
expect_status 0 'sorts: two copies' skein record paths --copies 2 -o sorts-2.skein -- ./sorts
for name in csv sorts; do
	equal "$name: two copies find the same" <(skein report paths $name.skein --csv | cut -d, -f1-8) <(skein report paths $name-2.skein --csv | cut -d, -f1-8)
done
same 'csv: no copy can have fewer hits than that' $((35 * rows + 2)) "$(csv_value <(skein report paths csv-2.skein --view summary --csv) name=hits_floor value)"
same 'csv: more copies might help' 0 "$(skein report paths csv-2.skein | grep -c '^- More copies would hardly help')"
same 'sorts: more copies would not' 1 "$(skein report paths sorts-2.skein | grep -c '^- More copies would hardly help')"

# ---- parcels: branches are covered, paths are not ----

expect_status 0 'parcels: its tests are recorded' skein record paths -o tests.skein -- ./parcels
expect_match 'parcels: they pass' ' right$' out
same 'parcels: no branch has an outcome that they miss' '' "$(never tests.skein postage)"
same 'parcels: three of four paths are taken' '0:2 2:2 3:2' "$(counts tests.skein postage)"
skein report paths tests.skein --routine postage --view never --csv >never.csv
heavy=$(after parcels.c 'p->grams > 10000' 0)
same 'parcels: that of heavy parcels abroad is missing' "path 1 parcels.c:$heavy-$((heavy + 3))" "$(awk -F, 'NR > 1 {print $1, $5, $10}' never.csv)"
expect_status 0 'parcels: a day is recorded' skein record paths -o day.skein -- ./parcels 5000
same 'parcels: one in ten parcels takes it' '0:500 1:500 2:2000 3:2000' "$(counts day.skein postage)"
expect_status 0 'parcels: or it alone' skein record paths --plan tests.skein --only-paths postage:never-executed -o rest.skein -- ./parcels 5000
same 'parcels: as often' '1:500' "$(counts rest.skein postage)"
