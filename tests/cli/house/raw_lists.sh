#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lists of src/raw/format.h: what no compiler can derive from them says the same.
. "$(dirname "$0")/../../lib/lib.sh"

root=$(realpath "$tests/..")

# entries LIST FILE: the entries of an X list, one on each line
entries() { sed -n "/^#define $1(X)/,/[^\\\\]\$/p" "$2" | grep -oE 'X\([A-Z].*'; }

# waits FORMAT: the words of kinds of waits, as documents list them
waits() { entries RAW_WAIT_LIST "$1" | sed -nE 's/^X\([A-Z]+, "([a-z]+)".*/\1/p' | paste -sd, | sed 's/,/, /g'; }
words=$(waits "$root/src/raw/format.h")
expect_match 'there are kinds of waits' '^lock, .*collective$' <(echo "$words")
same 'schema.sql lists the kinds of waits' "$words" "$(sed -n 's/.*kind TEXT NOT NULL, *-- \(lock.*\)/\1/p' "$root/src/store/schema.sql")"
same 'doc/format.md lists the kinds of waits' "$words" "$(sed -n 's/^| `wait` |.*by kind: \(.*\) |$/\1/p' "$root/doc/format.md")"

# A list with one more kind is told from the documents.
sed 's/^\(\tX(COLLECTIVE, "collective".*\)$/\1 \\\n\tX(SPIN, "spin", SPINS, "mostly in loops")/' "$root/src/raw/format.h" >"$tmp/format.h"
same 'a kind more is seen' "$words, spin" "$(waits "$tmp/format.h")"

# ---- records and tables ----

# records FORMAT, tables FORMAT: rows of the page, as they follow from the lists
records() { entries RAW_RECORD_LIST "$1" | sed -nE 's/^X\(([A-Z_]+), [0-9]+, [a-z_0-9 ]+, "(.*)"\).*/| `RAW_\1` | \2 |/p'; }
tables() { entries RAW_TABLE_LIST "$1" | sed -nE 's/^X\(([A-Z_]+), [0-9]+, [a-z_0-9 ]+, [0-9]+, ([A-Z]+), [A-Z_0-9]+, "(.*)"\).*/| `RAW_\1` | \L\2\E | \3 |/p'; }
# of_page HEADING: the rows below it
of_page() { awk -v heading="$1" 'on && !/^\|/ {exit} on && !/^\|-/ {print} $0 == heading {on = 1}' "$root/doc/format.md"; }
for list in RECORD TABLE; do
	count=$(entries RAW_${list}_LIST "$root/src/raw/format.h" | wc -l)
	check "the list of kinds of ${list,,}s is found" [ "$count" -ge 9 ]
	same "every ${list,,} of the list can be read" "$count" "$(if [ $list = TABLE ]; then tables "$root/src/raw/format.h"; else records "$root/src/raw/format.h"; fi | wc -l)"
done
check 'doc/format.md has the records' diff <(records "$root/src/raw/format.h") <(of_page '| record | contains |')
check 'doc/format.md has the tables' diff <(tables "$root/src/raw/format.h") <(of_page '| table | lens | each row is |')

# A table's name begins with its lens, and no number is used twice.
kinds() { entries RAW_TABLE_LIST "$1" | sed -nE 's/^X\(([A-Z_]+), ([0-9]+), ([a-z_0-9 ]+), [0-9]+, ([A-Z]+),.*/\1 \2 \4 \3/p'; }
check 'tables are named after their lens' diff /dev/null <(kinds "$root/src/raw/format.h" | awk 'index($1, $3 "_") != 1')
check 'no kind of table is used twice' diff /dev/null <(kinds "$root/src/raw/format.h" | awk '{print $2}' | sort | uniq -d)

# addresses ROOT: members of rows that are pointers; they mean nothing outside of the process
addresses() {
	local row
	while read -r row; do
		awk -v row="struct $row {" '$0 == row {on = 1; found = 1} on && /^};/ {on = 0} on && /\*[a-z_(]/ && !/^\t*(\/\*| \*)/ {split($0, code, "/[*]"); if (code[1] ~ /\*/) print row, $0}
			END {if (!found) exit 1}' "$1"/src/raw/format.h "$1"/src/core/*/*.h || echo "struct $row is not found"
	done < <(kinds "$1/src/raw/format.h" | sed -n 's/.* struct //p' | sort -u)
}
check 'no row has an address in it' diff /dev/null <(addresses "$root")
mkdir -p "$tmp/root/src" && cp -r "$root/src/raw" "$root/src/core" "$tmp/root/src/"
sed -i 's/^struct span_kept {/&\n\tstruct span_entry *log; \/* nowhere *\//' "$tmp/root/src/core/span/span.h"
expect_match 'a row with an address is seen' 'span_entry \*log' <(addresses "$tmp/root")

# What the compiler holds: a row that grew, a row with a hole.
refused() { # NAME WHAT FILE EDIT: the edited copy does not compile, and the compiler says WHAT
	cp -r "$root/src/raw" "$root/src/core" "$tmp/root/src/"
	sed -i "$4" "$tmp/root/src/$3"
	echo '#include "raw/format.h"' | cc -std=c11 -x c -fsyntax-only -I"$tmp/root/src" -I"$root/src" -I"$root/include" - 2>"$tmp/said"
	expect_match "$1" "$2" "$tmp/said"
}
refused 'a row that grew is refused' 'RAW_PATHS_STOPS: the list and RAW_VERSION know another row' raw/format.h 's/^struct raw_paths_stop {/&\n\tuint64_t more;/'
refused 'a row with a hole is refused' 'error: padding' raw/format.h 's/^struct raw_paths_stop {/&\n\tuint32_t more;/'
refused 'a row of core with a hole is refused' 'error: padding' core/span/span.h 's/^struct span_entry {/&\n\tuint32_t more;/'
refused 'a kind of wait without its words is refused' 'macro "X" requires 4 arguments' raw/format.h 's/^\(\tX(COLLECTIVE, "collective".*\)$/\1 \\\n\tX(SPIN, "spin")/'
