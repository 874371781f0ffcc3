#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# view.sh BUILD: how large the pages of `skein view` are, and how fast they are in Chromium, with 200,000 and 1,000,000 made-up call paths
# (view.sql) and with a recording of a million intervals; beside speedscope, which opens the same call paths. Prints a Markdown page.
#
# Needs node and chromium; playwright-core and speedscope come from npm, or from the folder NODE_MODULES. VIEW_HANDS (500000) is how often
# the flow subject passes on a lock: twice as many intervals.
: "${ROUNDS:=5}"
. "$(dirname "$0")/lib.sh"
hands=${VIEW_HANDS:-500000}
load=$(cut -d' ' -f1 /proc/loadavg)

if [ -n "${NODE_MODULES:-}" ]; then
	ln -s "$(realpath "$NODE_MODULES")" node_modules
else
	npm install --no-save --no-audit --no-fund playwright-core@1.65.0 speedscope@1.25.0 >npm.log 2>&1 || { say "npm: $(tail -n 1 npm.log)"; exit 1; }
fi

# ---- recordings and pages ----

skein-cc -O2 -g -fno-inline -pthread "$bench/../examples/calls/logs.c" -o logs
skein record idle -- ./logs 4 100000 >/dev/null 2>&1
for contexts in 200000 1000000; do
	cp logs.skein "$contexts.skein"
	sqlite3 -cmd ".param set :contexts $contexts" -cmd '.param set :routines 5000' "$contexts.skein" <"$bench/view.sql"
done
cc -O2 -g -pthread -fopenmp -D_GNU_SOURCE "$bench/flow.c" -o flow
skein record flow -- ./flow hand "$hands" 0 1 >/dev/null 2>&1
mv flow.skein intervals.skein
for name in 200000 1000000 intervals; do
	skein view "$name.skein" -o "$name.html" >/dev/null
done
skein export speedscope idle 200000.skein -o 200000.json >/dev/null

# ---- in the browser ----

# rounds NAME WHAT FILE WHERE ACTION…: `kind wall_ms cpu_ms` of all rounds into NAME.times
rounds() {
	local name=$1 round
	shift
	for ((round = 1; round <= rounds; round++)); do
		say "$name, round $round of $rounds"
		node "$bench/view.mjs" "$@" >>"$name.times" 2>>"$name.err" || { say "$name failed: $(tail -n 3 "$name.err")"; exit 1; }
	done
}
rounds 200000 page "$work/200000.html" '#/idle/top-down' zoom find
rounds 1000000 page "$work/1000000.html" '#/idle/top-down' zoom find
rounds intervals page "$work/intervals.html" '#/flow/timeline' pan find
peer=node_modules/speedscope/dist/release/index.html
if [ -e "$peer" ]; then ROUNDS=1 rounds=1 rounds speedscope speedscope "$work/200000.json" "$work/$peer"; fi

# of NAME KIND COLUMN HOW: of all figures of that kind the least, the median or the most, in milliseconds
of() {
	awk -v kind="$2" -v column="$3" '$1 == kind {print $column}' "$1.times" | sort -n |
		awk -v how="$4" '{v[NR] = $1} END {printf "%.0f", how == "least" ? v[1] : how == "most" ? v[NR] : v[int((NR + 1) / 2)]}'
}
mb() { stat -c %s "$1" | awk '{printf "%.1f MB", $1 / 1e6}'; }
times() { echo "$(of "$1" "$2" 2 least) ms / $(of "$1" "$2" 3 median) ms"; }
row() { echo "| $1 | $(mb "$2.html") | $(of "$2" paint 2 least) ms | $(times "$2" usable) | $(times "$2" zoom), at most $(of "$2" zoom 3 most) ms | $(times "$2" find), at most $(of "$2" find 3 most) ms |"; }

# ---- the page ----

cat <<END
# Bench: pages of skein view

\`bench/view.sh\`, $rounds rounds on a machine with $(nproc) cores and a load of $load, in $(chromium --version 2>/dev/null | cut -d' ' -f1,2 || echo Chromium).
Of each cell, the first figure is the least wall time of all rounds: other programs of the machine make it longer. The second one
is the median of the time that the page's main thread was on a core, which they hardly change.

- **usable**: from the start of the navigation until the first picture and its table are on the screen.
- **zoom** and **search**: from a key until the next frame is drawn, with the icicle (a time line: moves, too) and the table. Also
  the longest of all rounds, on a core.

| page | file | first paint | usable | zoom | search |
|---|---|---|---|---|---|
$(row '200,000 call paths' 200000)
$(row '1,000,000 call paths' 1000000)
$(row "$((2 * hands)) intervals" intervals)

Bars at 200,000 call paths: file below 12 MB: $(verdict "$(stat -c %s 200000.html)" 12000000); first paint below 1 s:
$(verdict "$(of 200000 paint 2 least)" 1000); usable below 2 s: $(verdict "$(of 200000 usable 2 least)" 2000); zoom below 50 ms:
$(verdict "$(of 200000 zoom 3 most)" 50); search below 50 ms: $(verdict "$(of 200000 find 3 most)" 50). At 1,000,000 call paths and
$((2 * hands)) intervals, usable below 4 s: $(verdict "$(of 1000000 usable 2 least)" 4000), $(verdict "$(of intervals usable 2 least)" 4000).

Of a million call paths, all are in the page. Callers of each routine (\`bottom-up\`) are ten times as many as call paths: the page has
the 200,000 largest rows, and says how many there are. Of intervals, it has the 100,000 longest; the sums over a thousandth of the
run each, which are drawn from afar, are of all.
END
if [ -e speedscope.times ]; then
	cat <<END

speedscope 1.25.0 opens the same 200,000 call paths ($(stat -c %s 200000.json | awk '{printf "%.1f MB", $1 / 1e6}') of JSON, without the other figures) in
$(of speedscope "$(awk '{print $1; exit}' speedscope.times)" 2 least) ms, $(of speedscope "$(awk '{print $1; exit}' speedscope.times)" 3 median) ms of its main thread on a core. The page of the Firefox Profiler cannot be had from npm.
END
fi
