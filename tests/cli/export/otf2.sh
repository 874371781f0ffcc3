#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export otf2: an archive that OTF2's own tools read, with the totals of the report.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export

if ! command -v otf2-print >/dev/null || ! ldd "$build/bin/skein" | grep -q libopen-trace-format2; then
	expect_status 125 'without libotf2 the export is refused' skein export otf2 flow all.skein -o none
	expect_sentence 'with one sentence'
	skip 'otf2-print reads the archive' 'there is no libotf2-trace-dev, or no otf2-tools'
	exit
fi

refused 2 'no folder' 'name it with -o FOLDER' skein export otf2 flow all.skein
expect_status 0 'an archive is written' skein export otf2 flow all.skein -o trace
otf2-print trace/traces.otf2 >events 2>said
same 'otf2-print reads the events' 0 "$?"
same 'without a warning' '' "$(cat said)"
otf2-print -G trace/traces.otf2 >definitions
same 'a location for each thread' 3 "$(grep -c '^LOCATION  ' definitions)"
expect_match 'threads have their names' '^LOCATION .*"prog, thread 1"' definitions
expect_match 'regions have their places' '^REGION .*"table_add".*File: "prog.c"' definitions

# within LEAVE and ENTER of each location: time in regions, innermost first, by name
python3 - events >"times" <<'END'
import re, sys
stacks, last, times, counts = {}, {}, {}, {}
for line in open(sys.argv[1]):
    found = re.match(r'(ENTER|LEAVE)\s+(\d+)\s+(\d+)\s+Region: "(.*)" <\d+>', line)
    if not found:
        continue
    what, thread, at, name = found[1], int(found[2]), int(found[3]), found[4]
    stack = stacks.setdefault(thread, [])
    assert at >= last.get(thread, 0), line
    last[thread] = at
    if what == 'ENTER':
        stack.append((name, at))
        counts[name] = counts.get(name, 0) + 1
    else:
        begun, since = stack.pop()
        assert begun == name, line
        times[name] = times.get(name, 0) + at - since
assert not any(stacks.values())
for name in times:
    print(times[name], counts[name], name, sep='\t')
END
same 'each region that is entered is left, and time goes forward' 0 "$?"
near() { check "$1 ($2, $3)" [ "$(($2 > $3 ? $2 - $3 : $3 - $2))" -le "$4" ]; } # NAME ONE OTHER BY
near 'waits are those of the report' "$(reported flow waits waited_ns)" "$(awk -F'\t' '$3 ~ /^wait: / {n += $1} END {print n + 0}' times)" "$(reported flow waits count)"
near 'those for one lock, too' "$(reported flow waits waited_ns object=table_lock)" "$(awk -F'\t' '$3 == "wait: table_lock (lock)" {print $1}' times)" "$(reported flow waits count object=table_lock)"
near 'so is work' "$(reported flow threads work_ns)" "$(awk -F'\t' '$3 == "work" {print $1}' times)" "$(wc -l <events)"

# OTF2's estimate of what events take at most
most=$(printf 'set Region %d\nget Enter\nget Leave\nget Timestamp\nexit\n' "$(grep -c '^REGION ' definitions)" | otf2-estimator |
	awk -v n="$(grep -cE '^(ENTER|LEAVE)' events)" '/Timestamp/ {t = $2} /Enter|Leave/ && $2 > e {e = $2} END {print n * (t + e)}')
size=$(cat trace/traces/*.evt | wc -c)
check "events take no more than otf2-estimator says ($size bytes, $most and a header for each thread)" [ "$size" -gt 0 -a "$size" -le $((most + 3 * 128)) ]

expect_status 0 'one thread alone' skein export otf2 flow --thread 1 all.skein -o one
same 'has one location' 1 "$(otf2-print -G one/traces.otf2 | grep -c '^LOCATION  ')"
refused 2 'a folder that is not empty' 'is not empty' skein export otf2 flow all.skein -o trace
refused 2 'another lens' 'cannot be exported as otf2' skein export otf2 calls all.skein -o other
skein record flow -q --no-events -o without.skein -- ./prog >/dev/null
refused 2 'events that are not there' 'because of --no-events' skein export otf2 without.skein -o other
check 'nothing is left of what was refused' [ ! -e other ]
