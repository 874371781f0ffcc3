#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# alone
# What the README shows is what Skein prints: its transcripts are run, and their sentences must come again, numbers apart.
. "$(dirname "$0")/../../lib/lib.sh"
readme=$tests/../README.md
examples=$tests/../examples
cd "$tmp" || exit

check 'the README has at most 150 lines' [ "$(wc -l <"$readme")" -le 150 ]

# transcripts: the blocks that begin with a command, one line per command or line of output: NUMBER<TAB>LINE
transcripts() { awk '/^```console/ {shown = 1; n++; next} /^```/ {shown = 0} shown {print n "\t" $0}' "$1"; }

# mask: numbers, times and amounts become N, all white space one blank, so that neither figures nor the width of a line count
mask() { tr '\n' ' ' | sed -E 's/[0-9]+([.,][0-9]+)*( (ns|us|ms|s|k|M|G)\b)?/N/g; s/[[:space:]]+/ /g'; }

# pieces FILE: what is between lines of … alone, masked, one per line; a table's lines are pieces of their own
pieces() {
	awk '
		/^…$/ {if (text != "") print text; text = ""; next}
		/  [a-z%]+  |  [0-9]/ {if (text != "") print text; text = ""; print; next}
		{text = text " " $0}
		END {if (text != "") print text}' "$1" | while IFS= read -r piece; do mask <<<"$piece" | sed 's/^ //; s/ $//'; echo; done
}

cp "$examples"/calls/logs.c "$examples"/cilk/quicksort.c "$examples"/cilk/cholesky_sparse.c "$examples"/input/tokens.c "$examples"/flow/journal.c "$examples"/paths/csv.c .
skein-cc -O2 -g -fno-inline -pthread logs.c -o logs
skein-cc -O2 -g quicksort.c -o quicksort
skein-cc -O2 -g cholesky_sparse.c -o cholesky_sparse -lm
cc -O2 -g -pthread journal.c -o journal
skein-cc -O2 -g -fno-inline tokens.c -o tokens
skein-cc -O2 -g -fno-inline csv.c -o csv

# Each command with the lines that the README shows below it.
transcripts "$readme" | awk -F'\t' '{line = substr($0, index($0, "\t") + 1)} line ~ /^\$ / {n++; print substr(line, 3) >("command." n); next} {print line >("shown." n)}'
commands=$(ls command.* 2>/dev/null | wc -l)
check 'the README shows a transcript of each lens' [ "$commands" -ge 6 ]
for ((n = 1; n <= commands; n++)); do
	command=$(cat "command.$n")
	eval "$command" >out 2>&1
	mask <out >masked
	check "$command: at most 8 lines are shown" [ "$(wc -l <"shown.$n")" -le 8 ]
	while IFS= read -r piece; do
		# Without cores a program behaves differently, and its verdict says so first.
		if grep -q '^The program had no core' out && ! grep -qF -- "$piece" masked; then
			skip "$command: $piece" 'the machine is too busy'
			continue
		fi
		check "$command: $piece" grep -qF -- "$piece" masked
	done < <(pieces "shown.$n")
done

# A sentence that Skein does not say is found.
echo 'Nothing is ever wrong with 3 workers.' >lie
expect_status 1 'a sentence that does not exist is found' grep -qF -- "$(pieces lie)" masked
