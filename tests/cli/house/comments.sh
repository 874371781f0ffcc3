#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Comments in src name what they are about: none begins with a pronoun, or goes on from the comment of another line.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tests/.." || exit

# comments FILE…: each comment as one line FILE:LINE: TEXT; strings are not read
comments() {
	perl -0777 -ne '
		while (m{/\*(.*?)\*/|//([^\n]*)|"(?:[^"\\\n]|\\.)*"|\x27(?:[^\x27\\\n]|\\.)*\x27}gs) {
			my $text = defined $1 ? $1 : $2;
			next unless defined $text;
			my $line = 1 + (substr($_, 0, $-[0]) =~ tr/\n//);
			$text =~ s/\n\s*\*/ /g;
			$text =~ s/\s+/ /g;
			$text =~ s/^ //;
			print "$ARGV:$line: $text\n";
		}' "$@"
}

# A comment that begins so needs another one to be understood. "NULL: it …", "file.c: it …" count as beginnings too.
pronouns='(it|its|they|them|their|theirs|these|those|that|such|so|who|whom|whose|whoever|his|and|but|else)\b'
begins="^[^ ]*:[0-9]+: ([\\w.]+: )?(…|$pronouns)"
# People and things that have no name.
vague='\b(somebody|nobody|whoever)\b'

mapfile -t sources < <(find src -name '*.[ch]' -o -name '*.cpp' -o -name '*.def')
comments "${sources[@]}" >"$tmp/comments"
check 'there is something to read' [ "$(wc -l <"$tmp/comments")" -gt 4000 ]
check 'no comment begins with a pronoun: name the thing' diff /dev/null <(grep -iP -- "$begins" "$tmp/comments")
check 'no comment is about somebody or nobody: name who, or say what is not known' diff /dev/null <(grep -iP -- "$vague" "$tmp/comments")

# Each of these is found; strings and comments with a noun are not.
cat >"$tmp/wrong.c" <<'END'
int code;   /* its exit code … */
int signal; /* … or the signal that it died of */
/* Whose turn it is. */
int turn; // NULL: it has none
/* A counter that
 * nobody reads. */
END
comments "$tmp/wrong.c" >"$tmp/wrong"
same 'comments that begin with a pronoun are found' 4 "$(grep -ciP -- "$begins" "$tmp/wrong")"
same 'a vague person is found, also in the second line' 1 "$(grep -ciP -- "$vague" "$tmp/wrong")"
cat >"$tmp/right.c" <<'END'
/* The exit code, if the program ended by itself; it is 0 after a signal. */
const char *text = "/* it is not a comment: nobody reads it */";
char quote = '"'; /* NULL: the file has none */
END
comments "$tmp/right.c" >"$tmp/right"
same 'strings are not read' 2 "$(wc -l <"$tmp/right")"
check 'comments with a noun are not found' eval '! grep -iP -- "$begins|$vague" "$tmp/right"'
