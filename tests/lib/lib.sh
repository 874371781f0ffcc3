# SPDX-License-Identifier: MIT
# lib.sh: what the command-line suites share. A suite begins with
#
#     #!/usr/bin/env bash
#     . "$(dirname "$0")/../../lib/lib.sh"
#
# and gets: $build (absolute), $tests (the tests folder), build/bin first in PATH, an empty folder $tmp that goes at its
# end, a re-link cache of the tests' own, and an exit status that is 0 only if every test passed.
#
#     expect_status 2 'an unknown lens is wrong use' skein record nonsense -- ./a.out
#     expect_match 'it names the lens' nonsense "$tmp/err"
#     [ "$(csv_value calls.csv routine=fib,worker=all,entry=all calls)" -eq 21891 ] && ok 'counts' || not_ok 'counts' 'why'
set -u
build=$(realpath "${1:?usage: $0 BUILD}")
# shellcheck disable=SC2034 # suites use it
tests=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
tmp=$(mktemp -d)
failures=0
PATH=$build/bin:$PATH
export PATH XDG_CACHE_HOME=$build/tests/cache LC_ALL=C.UTF-8
mkdir -p "$XDG_CACHE_HOME"

finish() {
	local status=$?
	cd /
	rm -rf "$tmp"
	[ "$status" -eq 0 ] && [ "$failures" -gt 0 ] && status=1
	exit "$status"
}
trap finish EXIT

ok() { echo "ok $1"; }
not_ok() {
	echo "not ok $1: $2"
	failures=$((failures + 1))
}

# skip NAME WHY: a test that cannot run here; tests/run prints and counts it
skip() { echo "ok $1 # SKIP $2"; }
is_root() { [ "$(id -u)" -eq 0 ]; }

# check NAME COMMAND…: ok if the command succeeds; else its output is the reason
check() {
	local name=$1 said
	shift
	if said=$("$@" 2>&1); then ok "$name"; else not_ok "$name" "${said:-$* failed}"; fi
}

same() { # NAME EXPECTED ACTUAL
	if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "expected '$2', got '$3'"; fi
}

# equal NAME FILE FILE: the same bytes, and some: two commands that both failed have said the same, too
equal() {
	local said
	cat "$2" >"$tmp/.one"
	cat "$3" >"$tmp/.other"
	if [ ! -s "$tmp/.one" ] && [ ! -s "$tmp/.other" ]; then not_ok "$1" 'both are empty'; return; fi
	if said=$(diff -a "$tmp/.one" "$tmp/.other"); then ok "$1"; else not_ok "$1" "$(head -n 5 <<<"$said")"; fi
}

# expect_status STATUS NAME COMMAND…: leaves what it printed in $tmp/out and $tmp/err
expect_status() {
	local expected=$1 name=$2 status
	shift 2
	"$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ "$status" -eq "$expected" ]; then ok "$name"; else
		not_ok "$name" "exit status $status, not $expected; it said: $(head -c 500 "$tmp/err")"
	fi
}

expect_match() { # NAME EXTENDED-REGEX FILE
	if grep -qE -- "$2" "$3"; then ok "$1"; else not_ok "$1" "no match for '$2' in: $(head -c 300 "$3")"; fi
}

# One clear sentence: one line, on standard error, that begins with the program's name. The line of a re-link may go before it.
expect_sentence() { # NAME
	if [ "$(grep -vc '^skein: linking for [a-z]*, once$' "$tmp/err")" -eq 1 ] && grep -q '^skein[a-z+-]*: ' "$tmp/err"; then ok "$1"; else
		not_ok "$1" "not one sentence: $(head -c 500 "$tmp/err")"
	fi
}

# csv_value FILE COLUMN=VALUE[,COLUMN=VALUE…] COLUMN: that column of every row in which all the others match, by the
# names in the header. Fields may be quoted; the filter's values may hold no comma.
csv_value() {
	awk -v filter="$2" -v column="$3" '
		function fields(line, f,    n, field, i, c, quoted) {
			n = 0; field = ""; quoted = 0
			for (i = 1; i <= length(line); i++) {
				c = substr(line, i, 1)
				if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") { field = field c; i++ }
				else if (c == "\"") quoted = !quoted
				else if (c == "," && !quoted) { f[++n] = field; field = "" }
				else if (c != "\r") field = field c
			}
			f[++n] = field
			return n
		}
		NR == 1 {
			n = fields($0, f)
			for (i = 1; i <= n; i++) at[f[i]] = i
			wanted = split(filter, w, ",")
			for (i = 1; i <= wanted; i++) { cut = index(w[i], "="); name[i] = substr(w[i], 1, cut - 1); value[i] = substr(w[i], cut + 1) }
			for (i = 1; i <= wanted; i++) if (!(name[i] in at)) { print "no column " name[i] > "/dev/stderr"; exit 1 }
			if (!(column in at)) { print "no column " column > "/dev/stderr"; exit 1 }
			next
		}
		{
			fields($0, f)
			for (i = 1; i <= wanted; i++) if (f[at[name[i]]] != value[i]) next
			print f[at[column]]
		}' "$1"
}

# An empty value, as csv_value prints one, can be told from a row that is not there.
or_empty() { sed 's/^$/(empty)/'; }

# Numbers become N and runs of spaces one, so that what is left is what a person reads the same every time.
scrub() { sed -E 's/[0-9]+([.,][0-9]+)*/N/g; s/[[:space:]]+/ /g; s/ +$//'; }

# golden NAME FILE: FILE, scrubbed, must equal standard input, scrubbed
golden() {
	local difference
	if difference=$(diff <(scrub) <(scrub <"$2")); then ok "$1"; else not_ok "$1" "$difference"; fi
}

# shows NAME COMMAND…: what it prints must be exactly what standard input holds
shows() {
	local name=$1 difference
	shift
	if difference=$(diff - <("$@" 2>&1)); then ok "$name"; else not_ok "$name" "$difference"; fi
}

# refused STATUS NAME PATTERN COMMAND…: fails with that status and one sentence that matches
refused() {
	expect_status "$1" "$2" "${@:4}"
	expect_sentence "$2: one sentence"
	expect_match "$2: says what matters" "$3" "$tmp/err"
}
