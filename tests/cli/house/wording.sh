#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sentences that users read say things in the usual words: phrases that have been replaced once do not come back.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests/.." || exit

pages=(doc/*.md examples/README.md CONTRIBUTING.md)
sources=(src/options/*.def src/cli/commands.c src/cli/help.c src/report/*/*.c)

# A phrase, as a regular expression of Perl's, and what to write instead. What counts what (one row a site) is told by the words
# around the article, so only pairs that cannot mean anything else are listed.
thing='(row|figure|file|record|counter|column|table|sentence|finding|line|task|call|spawn|sample|snapshot|site|path|routine|function|module|command|process|program|core|worker|thread|second|millisecond)'
phrases="\
\\bin the mean\\b|on average
\\bnobody\\b|name what is missing
\\bsomebody\\b|name who, or leave it out
\\bwhoever\\b|the routine that, the thread that
\\bwho wants\\b|to do X, do Y
\\bby its own will\\b|itself
\\b(come|comes|came|coming) to\\b|reach, be
\\bways? (through|around|into)\\b|path
\\bways? (does|do) control\\b|execution paths
\\bwent the hot way\\b|took the hot side
\\bso for\\b|the same for, or repeat the noun
\\b(its|their) (kin|like)\\b|and similar functions
\\bdid not do the same\\b|did not behave identically
\\bwhat (it|they|a row) calls?\\b(?! back)|callees
\\b(with|without) all that (it|they) calls?\\b|including, excluding callees
\\bonce around\\b|one iteration
\\b(?<!here )(is|are|was|were) no (?!longer|more|less|fewer|faster|later)|is not a
\\b(one|a|an) $thing an? $thing\\b|per
\\b(one|two|three|four|[0-9]+) an? $thing\\b|per
\\b(ns|us|ms|bytes|words|samples|times|calls|ticks|kB|MB|stack) a (second|millisecond|call|sample|spawn|row|task|thread|core)\\b|per"

# page FILE: each paragraph, item and row of it as one line FILE:LINE: TEXT, without code
page() {
	awk -v file="$1" '
		function put() { if (text != "") print file ":" at ": " text; text = "" }
		/^ *```/ { put(); in_code = !in_code; next }
		in_code { next }
		/^ *$/ || /^[#|]/ || /^ *([-*]|[0-9]+\.) / { put() }
		!/^ *$/ { if (text == "") at = NR; text = text " " $0 }
		END { put() }' "$1" | sed -E 's/`[^`]*`/CODE/g'
}

# strings FILE: each string of a C source as one line FILE:LINE: TEXT
strings() { grep -noE '"([^"\\]|\\.)*"' "$1" | sed "s|^|$1:|"; }

# said FILE…: what users read in these files
said() {
	local file
	for file; do
		case $file in
		*.md) page "$file" ;;
		*) strings "$file" ;;
		esac
	done
}

said "${pages[@]}" "${sources[@]}" >"$tmp/said"
check 'there is something to read' [ "$(wc -l <"$tmp/said")" -gt 2000 ]
while IFS= read -r line; do
	phrase=${line%|*} instead=${line##*|}
	check "no sentence has $phrase: say $instead" diff /dev/null <(grep -iP -- "$phrase" "$tmp/said")
done <<<"$phrases"

# Each phrase is found where it stands, also over the end of a line, and not in code.
cat >"$tmp/wrong.md" <<'END'
Costs 3 % in the
mean; nobody knows why, somebody claims it, for whoever called. Who wants it does it by its own will.

- It comes to 3: a way through f. Which ways does control take? It went the hot way, and so for overhead.
- printf and its kin did not do the same without what it calls, with all that it calls, once around the loop.
- It is no path. One row a site, one a core, 3 ns a call.

```
nobody comes to code
```
END
said "$tmp/wrong.md" >"$tmp/wrong"
while IFS= read -r line; do
	check "${line%|*} can be found" grep -qiP -- "${line%|*}" "$tmp/wrong"
done <<<"$phrases"
same 'code is not read' 0 "$(grep -c 'comes to code' "$tmp/wrong")"
cat >"$tmp/right.md" <<'END'
There is no path. It is no longer slow and is no more than 3 % of it; 3 ns per call, one row per site, what it calls back.
END
said "$tmp/right.md" >"$tmp/right"
while IFS= read -r line; do
	check "${line%|*} is not found where it is right" eval '! grep -iP -- "${line%|*}" "$tmp/right"'
done <<<"$phrases"
