#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export speedscope: by the schema of speedscope's own format, and as speedscope reads it; and other formats that speedscope reads.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
for lens in calls idle flow; do
	expect_status 0 "$lens is exported" skein export speedscope $lens all.skein -o $lens.json
	same "$lens: it is JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('$lens.json'))")"
done
skein export speedscope known.skein -o known.json
skein export speedscope flow --thread 1 all.skein -o thread.json
expect_status 0 'recorded without the events' skein record flow --no-events -q -o without.skein -- ./prog
refused 2 'the time line needs the events' 'because of --no-events' skein export speedscope without.skein
cp known.skein odd.skein
sqlite3 odd.skein "update routine set linkage = '\"}],' || char(10) || char(27), file = x'ff' || '\"' where name = 'prepare'"
skein export speedscope odd.skein -o odd.json
same 'hostile names stay names' 1 "$(sqlite3 :memory: "select json_valid(readfile('odd.json'))")"

# ---- the real reader, and its schema, from npm ----
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	skip 'speedscope reads it' 'there is no npm'
	exit
elif ! timeout 120 npm install --fetch-retries=1 --fetch-retry-mintimeout=100 --prefix "$tmp/npm" --no-audit --no-fund --loglevel=error speedscope ajv >npm.said 2>&1; then
	skip 'speedscope reads it' 'npm cannot install speedscope and ajv'
	exit
fi
cat >schema.cjs <<'END2'
const Ajv = require('ajv').default, fs = require('fs')
const fits = new Ajv({ strict: false }).compile(JSON.parse(fs.readFileSync('npm/node_modules/speedscope/dist/release/file-format-schema.json')))
console.log(fits(JSON.parse(fs.readFileSync(process.argv[2]))) ? 'fits' : JSON.stringify(fits.errors[0]))
END2
schema() { NODE_PATH=npm/node_modules node schema.cjs "$1"; }
for file in calls idle flow known thread odd; do same "$file.json fits the schema" fits "$(schema $file.json)"; done
sed 's/"weights"/"weight"/' known.json >bad.json
check 'what does not fit is seen' [ "$(schema bad.json)" != fits ]

read_by_speedscope() { node "$tests/lib/speedscope.mjs" npm "$1" 2>said || cat said; }
# total PROFILE: its weight; own PROFILE FRAME: the frame's own weight
total() { sqlite3 :memory: "select json_extract(value, '\$.us') from json_each('[' || replace(trim(readfile('profiles'), char(10)), char(10), ',') || ']') where json_extract(value, '\$.name') = '$1'"; }
own() { sqlite3 :memory: "select printf('%.0f', sum(o.value)) from json_each('[' || replace(trim(readfile('profiles'), char(10)), char(10), ',') || ']') p, json_each(p.value, '\$.own') o where json_extract(p.value, '\$.name') like '$1' and o.key like '$2'"; }

read_by_speedscope known.json >profiles
same 'idle: work' "$(total_of idle work_ns known.skein)" "$(total work)"
same 'idle: idleness' "$(total_of idle idle_ns known.skein)" "$(total idle)"
same 'idle: overhead' "$(total_of idle overhead_ns known.skein)" "$(total overhead)"
same 'idle: samples' "$(total_of idle samples known.skein)" "$(total samples)"
same 'idle: a routine' 600000000 "$(own idle free)"
same 'idle: the chosen figure comes first' '"name":"idle"' "$(skein export speedscope known.skein --metric idle | grep -o '"name":"[a-z]*"' | sed -n 2p)"
read_by_speedscope idle.json >profiles
same 'idle: a run as it was' "$(total_of idle work_ns) $(total_of idle idle_ns)" "$(total work) $(total idle)"
read_by_speedscope calls.json >profiles
same 'calls: direct time' "$(reported calls routines direct_ns worker=all,entry=all)" "$(total direct)"
same 'calls: waiting' "$(reported calls routines wait_ns worker=all,entry=all)" "$(total wait)"
same 'calls: calls' "$(total_of calls calls)" "$(total calls)"
same 'calls: of a routine' "$(reported calls routines calls routine=fib,worker=all,entry=all)" "$(own calls fib)"
same 'calls: no path is longer than an arc' '1 1 2 2' "$(grep -oE '"deepest":[0-9]+' profiles | cut -d: -f2 | paste -sd' ')"

read_by_speedscope flow.json >profiles
same 'flow: a profile for each thread' 3 "$(wc -l <profiles)"
same 'flow: all that begins ends' 3 "$(grep -c '"left":0' profiles)"
near() { check "$1" [ "$(($2 > $3 ? $2 - $3 : $3 - $2))" -le "$4" ]; } # NAME ONE OTHER BY
near 'flow: waits are those of the report' "$(reported flow waits waited_ns)" "$(own '%' 'wait: %')" "$(reported flow waits count)"
near 'flow: those for one lock' "$(reported flow waits waited_ns object=table_lock)" "$(own '%' 'wait: table_lock (lock)')" "$(reported flow waits count object=table_lock)"
read_by_speedscope thread.json >profiles
same 'flow: one thread' 'prog, thread 1' "$(grep -oE '"name":"[^"]*"' profiles | cut -d'"' -f4)"

# ---- what else it reads ----
skein export folded known.skein >known.collapsedstack.txt
read_by_speedscope known.collapsedstack.txt >profiles
same 'folded: work' 925000000 "$(total known.collapsedstack.txt)"
same 'folded: a routine' 400000000 "$(own '%' prepare)"
skein export callgrind known.skein -o callgrind.out.1
read_by_speedscope callgrind.out.1 >profiles
same 'callgrind: work' 925000000 "$(total 'callgrind.out.1 -- work')"
same 'callgrind: idleness of a routine' 600000000 "$(own '% idle' free)"
