#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples at the top of headers compile against their header. tests/lib/examples.tsv has what they need beside it, and the few that are not C.
. "$(dirname "$0")/../../lib/lib.sh"
root=$(realpath "$tests/..")
cd "$root/src" || exit
table=$tests/lib/examples.tsv

# row HEADER COLUMN: of the table; - is nothing
row() { awk -F '\t' -v header="$1" -v column="$2" '!/^#/ && $1 == header && $column != "-" {print $column}' "$table"; }

# source_of HEADER EXAMPLES: a C file with the examples as functions
source_of() {
	local include own declaration name
	own=$(row "$1" 3)
	echo "#include \"$1\""
	for include in $(row "$1" 2) base/fail.h stdbool.h stdint.h stdio.h stdlib.h string.h; do echo "#include \"$include\""; done
	echo 'extern struct fail why;'
	row "$1" 3
	row '*' 3 | while read -r declaration; do # unless the header has its own of that name
		name=$(sed -E 's/.*[ *]([a-z_]+);$/\1/' <<<"$declaration")
		grep -qw "$name" <<<"$own" || echo "$declaration"
	done
	cat "$2"
}

# compiles HEADER EXAMPLES: what the compiler says
compiles() {
	source_of "$1" "$2" >"$tmp/example.c"
	cc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Werror -I. -I../include -idirafter /usr/lib/llvm-19/include -idirafter /usr/include/valgrind \
		-DVGA_amd64=1 -DVGO_linux=1 -DVGP_amd64_linux=1 -DVGPV_amd64_linux_vanilla=1 -DINPUT_CELLS_LOG2=12 -DINPUT_FRONT_LOG2=10 "$tmp/example.c" 2>&1
}

for header in $(find . -name '*.h' | sed 's,^\./,,' | sort); do
	awk -f "$tests/lib/examples.awk" "$header" >"$tmp/examples"
	[ -s "$tmp/examples" ] || continue
	echo "$header" >>"$tmp/with_example"
	reason=$(row "$header" 4)
	if [ -n "$reason" ]; then
		check "$header is not C: $reason" eval '! compiles "$header" "$tmp/examples" >/dev/null'
	else
		check "$header: its example compiles" compiles "$header" "$tmp/examples"
	fi
done
check 'most modules have an example' [ "$(wc -l <"$tmp/with_example")" -gt 90 ]
same 'the table has no row of a header without one' '' "$(grep -v '^[#*]' "$table" | cut -f 1 | grep -vxFf "$tmp/with_example")"

# What does not fit the header is seen: a call of something else, and one with an argument too few.
awk -f "$tests/lib/examples.awk" relink/family.h >"$tmp/good"
for change in 's/family_find(/family_seek(/' 's/, &why) < 0/) < 0/'; do
	sed "$change" "$tmp/good" >"$tmp/stale"
	check "a stale example is seen: $change" eval '! cmp -s "$tmp/good" "$tmp/stale" && ! compiles relink/family.h "$tmp/stale" >/dev/null'
done
