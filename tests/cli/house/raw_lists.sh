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
expect_match 'there are kinds of waits' '^lock, .*task$' <(echo "$words")
same 'schema.sql lists the kinds of waits' "$words" "$(sed -n 's/.*kind TEXT NOT NULL, *-- \(lock.*\)/\1/p' "$root/src/store/schema.sql")"
same 'doc/format.md lists the kinds of waits' "$words" "$(sed -n 's/^| `wait` |.*by kind: \(.*\) |$/\1/p' "$root/doc/format.md")"

# A list with one more kind is told from the documents.
sed 's/^\(\tX(TASK, "task".*\)$/\1 \\\n\tX(SPIN, "spin", SPINS, "mostly in loops")/' "$root/src/raw/format.h" >"$tmp/format.h"
same 'a kind more is seen' "$words, spin" "$(waits "$tmp/format.h")"
