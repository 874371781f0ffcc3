#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A recording of another version of the schema is answered with what to do, and no change of the schema goes without a version.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

src=$(realpath "$tests/../src/store")
now=$(sed -nE 's/^#define SCHEMA_VERSION ([0-9]+)$/\1/p' "$src/schema.h")

# digest FILE: of its statements, without comments and spaces
digest() { sed 's/--.*//' "$1" | tr -d ' \t\n' | sha256sum | cut -d' ' -f1; }
# listed FILE VERSION LIST: the list ends with this version, and has the digest of this schema for it
listed() {
	[ "$(tail -n 1 "$3")" = "$2	$(digest "$1")" ] || {
		echo "$1 is not version $2 of $3: raise SCHEMA_VERSION and add the line: VERSION	$(digest "$1")"
		return 1
	}
}

check 'the schema is the last one of the list' listed "$src/schema.sql" "$now" "$tests/lib/schema.tsv"
check 'versions rise by one' awk 'NF != 2 || (NR > 1 && $1 != last + 1) {print; bad = 1} {last = $1} END {exit bad || NR == 0}' "$tests/lib/schema.tsv"
sed 's/cpu_ns INTEGER NOT NULL/cpu_ns INTEGER/' "$src/schema.sql" >changed.sql
check 'a change without a version is seen' eval '! listed changed.sql "$now" "$tests/lib/schema.tsv"'
sed 's/ -- .*//; s/^\t/    /' "$src/schema.sql" >comments.sql
check 'other comments and spaces are no change' listed comments.sql "$now" "$tests/lib/schema.tsv"

mkdir session
"$build/tests/calls/test_analysis" --session session
skein recover session -o new.skein --keep-raw >/dev/null 2>&1 || not_ok 'the session is recovered' 'see skein recover'

# Older: fewer tables, another number in its head.
for version in $(seq 1 $((now - 1))); do
	cp new.skein old.skein
	sqlite3 old.skein "DROP TABLE calls_level; ALTER TABLE run DROP COLUMN own_cpu_ns; PRAGMA user_version = $version"
	refused 125 "a recording of version $version" "^skein: old.skein was made by an older skein .*version $version, .*version $now\\): record again with .skein record LENS -- PROGRAM" \
		skein report old.skein
done
for command in 'report calls' 'report --csv' 'export lcov' "check 'f: O(n)'"; do
	refused 125 "skein $command" 'older skein' eval "skein $command old.skein"
done
cp new.skein next.skein
sqlite3 next.skein "PRAGMA user_version = $((now + 1))"
refused 125 'a recording of the next version' "made by a newer skein .*version $((now + 1)), .*version $now\\): update skein" skein report next.skein

# Recording again is enough: the old file is kept aside.
cp old.skein before.skein
expect_status 0 'a new recording in the place of the old one' skein recover session -o old.skein
expect_status 0 'can be shown' skein report old.skein
equal 'the old one is kept' before.skein old.skein.old-1
