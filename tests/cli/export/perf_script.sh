#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export perf-script: its periods add up to what the report says, and speedscope and the Firefox Profiler read it.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
skein export perf-script known.skein -o known.perf.txt
shows 'a sample' head -n 6 known.perf.txt <<'END2'
prog 1000/1000 0.001000000: 1000000 work:
	               0 prepare (/home/me/prog)
	               0 main (/home/me/prog)
	               0 _start (/home/me/prog)
	               0 prog ([unknown])

END2
periods() { awk '/^[^\t].*: [0-9]+ [A-Za-z-]+:$/ {n += $(NF - 1)} END {printf "%.0f\n", n}'; }
samples() { grep -c '^[^	].*:$'; }
for metric in work idle overhead effort; do
	same "periods add up: $metric" "$(skein report idle --view folded --metric $metric known.skein | awk '{n += $NF} END {printf "%.0f\n", n}')" \
		"$(skein export perf-script known.skein --metric $metric | periods)"
done
same 'a sample for each that was taken' "$(total_of idle samples known.skein)" "$(skein export perf-script known.skein --metric samples | samples)"
same 'work: one for each period' 925 "$(samples <known.perf.txt)"
same 'periods add up: an event' 700000 "$(skein export perf-script known.skein --metric LLC-misses | periods)"
skein export perf-script idle all.skein -o run.perf.txt
same 'a run as it was' "$(total_of idle work_ns)" "$(periods <run.perf.txt)"
same 'one thread' 'worker-a 1000/1001' "$(skein export perf-script known.skein --thread 1 | grep -oE '^[a-z-]+ [0-9]+/[0-9]+' | sort -u)"
refused 2 'other lenses cannot be' 'the lens calls cannot be exported as perf-script; these lenses can: idle' skein export perf-script calls all.skein

# A name of the program cannot leave its line.
cp known.skein odd.skein
sqlite3 odd.skein "update routine set linkage = 'a' || char(10) || char(10) || 'prog 1/1 0.1: 5 work:' where name = 'prepare'; update object set path = '/a b (c)'; update thread set name = char(10) || 'x'"
skein export perf-script odd.skein -o odd.perf.txt
same 'hostile names stay names' '925000000 925' "$(periods <odd.perf.txt) $(samples <odd.perf.txt)"

# A path of a recursion without an end has as many frames as perf would give it.
cat >deep.c <<'END2'
#include <stdio.h>
static volatile unsigned long sink;
__attribute__((noinline)) static unsigned long down(unsigned n)
{
	for (unsigned i = 0; n == 0 && i < 30000000; i++)
		sink += i;
	return n ? down(n - 1) + sink : sink;
}
int main(void)
{
	printf("%d\n", down(3000) == 1);
	return 0;
}
END2
cc -O1 -g -fno-optimize-sibling-calls deep.c -o deep
expect_status 0 'a deep recursion is recorded' skein record idle -q -- ./deep
skein export perf-script deep.skein -o deep.perf.txt
same 'a deep recursion has 127 frames' 127 "$(awk '/^\t/ {n++; if (n > most) most = n} /^$/ {n = 0} END {print most}' deep.perf.txt)"
same 'and loses no time' "$(total_of idle work_ns deep.skein)" "$(periods <deep.perf.txt)"

# ---- real readers, from npm ----
npm_get() { timeout 120 npm install --fetch-retries=1 --fetch-retry-mintimeout=100 --prefix "$tmp/npm" --no-audit --no-fund --loglevel=error "$@" >"$tmp/npm.said" 2>&1; }
why_not=
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	why_not='there is no npm'
elif ! npm_get speedscope; then
	why_not='npm cannot install speedscope'
fi
if [ -n "$why_not" ]; then
	skip 'speedscope reads it' "$why_not"
else
	node "$tests/lib/speedscope.mjs" npm known.perf.txt >profiles 2>said || cat said
	same 'speedscope: a profile for each thread' 'prog pid: 1000 tid: 1000,worker-a pid: 1000 tid: 1001,worker-b pid: 1000 tid: 1002' \
		"$(grep -oE '^\{"name":"[^"]*"' profiles | cut -d'"' -f4 | paste -sd,)"
	expect_match 'speedscope: routines' '"prepare":0\.(4|399)' profiles
fi

# The Firefox Profiler's own reader; it needs a newer node, which npm has, too.
pq() { XDG_RUNTIME_DIR=$tmp HOME=$tmp timeout 60 npm/node_modules/node/bin/node npm/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js "$@"; }
if [ -z "$why_not" ] && ! { npm_get node@24 @firefox-devtools/profiler-cli && pq --version >/dev/null 2>&1; }; then
	why_not='npm cannot install the reader, or a node that runs it'
fi
if [ -n "$why_not" ]; then
	skip 'the Firefox Profiler reads it' "$why_not"
else
	pq load known.perf.txt >said 2>&1
	pq profile info >about 2>&1
	expect_match 'the Firefox Profiler: all threads' 'contains 3 threads across 1 process' about
	pq thread select "$(grep -oE 't-[0-9]+: prog' about | head -n 1 | cut -d: -f1)" >said 2>&1
	pq thread functions >functions 2>&1
	expect_match 'the Firefox Profiler: routines' 'prepare - self: 400 ' functions
	pq stop --all >said 2>&1
fi
