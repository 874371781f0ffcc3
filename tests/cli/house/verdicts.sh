#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The table of programs with known bottlenecks is whole: a row for each program and each usual cause, a suite for each lens, and
# programs that say at their top what the table says. Whether the sentences hold is for tests/cli/LENS/verdicts.sh.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests" || exit
grep -v '^#' lib/verdicts.tsv >"$tmp/rows"
cut -f1 "$tmp/rows" | sort -u >"$tmp/named"
grep -rl 'True cause: ' prog/verdicts | sort >"$tmp/sources"
sed -E 's,.*/,,; s,\.(c|cpp)$,,' "$tmp/sources" | sort >"$tmp/programs"

same 'each row has nine columns, none of them empty' '' "$(awk -F'\t' '{for (i = 1; i <= 9; i++) if ($i == "") bad = 1} NF != 9 || bad {print; bad = 0}' "$tmp/rows")"
equal 'each program has a row, and each row a program' "$tmp/programs" "$tmp/named"
same 'one lens fits each program' '' "$(awk -F'\t' '{fits[$1] += $3 == "*"} END {for (p in fits) if (fits[p] != 1) print p}' "$tmp/rows")"
count=$(awk -F'\t' '$3 == "*"' "$tmp/rows" | wc -l)
check "there are $count programs, 30 or more" [ "$count" -ge 30 ]

# The causes that programs usually have: each is that of a program whose fitting lens is asked.
while read -r cause; do
	check "a program has: $cause" awk -F'\t' -v cause="$cause" '$3 == "*" && $5 == cause {found = 1} END {exit !found}' "$tmp/rows"
done <<'CAUSES'
one lock
semaphore hand-off
pipeline with unequal stages
fork-join with setup
idle server
loaded machine
sleeping main
spinning barrier
oversubscription
tiny tasks
one long task
untied tasks
I/O bound
growth n
growth n log n
growth n^2
growth that changes at a size
lock convoy
reader/writer
late thread
forked children
crash
hang that was stopped
deadlock
uneven work
false sharing
CAUSES

# routines PROGRAM: what the table blames
while read -r source; do
	program=$(basename "${source%.*}")
	top=$(head -n 8 "$source" | tr '\n' ' ')
	for routine in $(awk -F'\t' -v p="$program" '$1 == p && $3 == "*" && $6 != "-" {print $6}' "$tmp/rows" | tr -d ,); do
		case $top in
		*"$routine"*) ;;
		*) not_ok "$program says at its top what is true" "it does not name $routine" ;;
		esac
	done
done <"$tmp/sources"
ok 'programs name at their top what they are to be blamed for'
# blames: rows of the fitting lens whose expression of the first sentence has none of the routines
blames() { awk -F'\t' '$3 == "*" && $6 != "-" {n = split($6, r, ", "); for (i = 1; i <= n; i++) if (index($7, r[i]) || ($6 ~ /,/ && match($7, /\([a-z|_]+\)/))) next; print $1}' "$@"; }
same 'the first sentence names the routine' '' "$(blames "$tmp/rows")"
same 'a row without the routine is seen' wrong "$(printf 'wrong\tcalls\t*\t-\tcause\tguilty\t^Other\t-\t-\n' | blames)"
while read -r lens; do
	check "the rows of $lens are run" grep -qx verdicts "cli/$lens/verdicts.sh"
done < <(cut -f2 "$tmp/rows" | sort -u)
