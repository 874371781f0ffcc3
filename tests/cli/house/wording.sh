#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Sentences that users read say things in the usual words: phrases that have been replaced once do not come back.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests/.." || exit

pages=(doc/*.md examples/README.md CONTRIBUTING.md)
# Verdicts and the doubts beside them are sentences of their own.
folders=(src/{analyse,base,build,cli,options,pass,raw,relink,report,run,store})
mapfile -t sources < <(find "${folders[@]}" -name '*.c' -o -name '*.def' -o -path src/raw/format.h | grep -vE '/(verdict|doubt)\.c$' | sort)
mapfile -t scripts < <(grep -lE '^#!.*\b(ba)?sh$' tools/* examples/demo)

# A phrase, as a regular expression of Perl's, and what to write instead. What counts what (one row a site) is told by the words
# around the article, so only pairs that cannot mean anything else are listed.
thing='(row|figure|file|record|counter|column|table|sentence|finding|line|task|call|spawn|sample|snapshot|site|path|routine|function|module|command|process|program|core|worker|thread|second|millisecond)'
phrases="\
\\bin the mean\\b|on average
\\bnobody\\b|name what is missing
\\bsomebody\\b|name who, or leave it out
\\bwhoever\\b|the routine that, the thread that
\\bwho wants\\b|to do X, do Y
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
\\b(by|of) its own will\\b|itself
\\bwhat (it|they) (is|are) told\\b|name what is passed
\\b(is|are) none\\b|is not valid, is missing
\\b(went|goes) away\\b|closed the pipe, was removed
\\bstill runs\\b|is still running
\\bdied of\\b|was killed by
\\bof (yours|ours|mine)\\b|of your own
\\b(does|do) not (begin as|fit together)\\b|name what is wrong
\\bmake (space|some)\\b|free some space
\\bhand(s|ed)? (it|them)? ?(on|over)\\b|pass
\\b(says?|know|known|knows) nothing of\\b|is not known
\\bmeans? something\\b|applies to
\\bworth nothing\\b|of no use
\\bin another way\\b|differently
\\banew\\b|again
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

# quoted FILE: each quoted text of a shell script as one line FILE:LINE: TEXT
quoted() { grep -nvE '^[[:space:]]*#' "$1" | grep -oE "^[0-9]+:|\"([^\"\\\\]|\\\\.)*\"|'[^']*'" | awk -v file="$1" '/^[0-9]+:$/ { at = $0; next } { print file ":" at " " $0 }'; }

# said FILE…: what users read in these files
said() {
	local file
	for file; do
		case $file in
		*.md) page "$file" ;;
		*.c | *.h | *.def) strings "$file" ;;
		*) quoted "$file" ;;
		esac
	done
}

said "${pages[@]}" "${sources[@]}" "${scripts[@]}" >"$tmp/said"
check 'there is something to read' [ "$(wc -l <"$tmp/said")" -gt 4500 ]
check 'in each folder of sources' [ "$(sed -nE 's,^(src/[a-z]+)/.*,\1,p' "$tmp/said" | sort -u | wc -l)" -eq "${#folders[@]}" ]
check 'in scripts' grep -q '^examples/demo:.*log analyser' "$tmp/said"
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
- It is no path. One row a site, one a core, 3 ns a call. Its path is none, as the reader went away and does what it is told.
- Process 7 still runs; the other died of signal 9. It does not begin as one of yours: make space and hand it over anew,
  or it says nothing of lines, is worth nothing, means something in another way.

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

# ---- errors ----

# errors FILE…: each text of an error as one line FILE: TEXT. Strings that stand beside each other are one; a text has a space in it.
errors() {
	perl -0777 -ne '
		my $string = qr/"(?:[^"\\]|\\.)*"/;
		my $inside = qr/((?:[^"()]|$string|\((?-1)\))*)/;
		while (/\b(?:fail_set|fail_because|pass_fail|sql_fault|refuse)\($inside\)/g) {
			(my $call = $1) =~ s/"\s*"//g;
			print map { "$ARGV: $_\n" } grep { / / } map { substr $_, 1, -1 } $call =~ /$string/g;
		}' "$@"
}

names='Valgrind|OpenMP|Cilk|SQLite'
faults="\
^[^ ]+: (?!($names)\\b)[A-Z][a-z ]|a capital first letter
\\.\$|a full stop at the end
!(\$|[ ;:,])|an exclamation mark"

mapfile -t all < <(find "${folders[@]}" -name '*.c')
errors "${all[@]}" >"$tmp/errors"
check 'there are errors' [ "$(wc -l <"$tmp/errors")" -gt 250 ]
same 'one of them is found where it is made of two strings' 1 "$(grep -c 'cilk_spawn must begin a statement, .*; elsewhere its value' "$tmp/errors")"
while IFS= read -r line; do
	check "no error has ${line##*|}" diff /dev/null <(grep -P -- "${line%|*}" "$tmp/errors")
done <<<"$faults"

cat >"$tmp/wrong.c" <<'END'
fail_set(why, FAIL_USAGE, "A path such as %s", path);
fail_set(why, FAIL_USAGE, is_bad(a, ")") ? "it is "
	"bad." : "what a pity! %s", path);
fail_set(why, FAIL_USAGE, "Valgrind is missing (a != b); see `skein doctor`");
END
errors "$tmp/wrong.c" >"$tmp/wrong"
while IFS= read -r line; do
	same "${line##*|} can be found" 1 "$(grep -cP -- "${line%|*}" "$tmp/wrong")"
done <<<"$faults"
