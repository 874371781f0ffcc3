#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein export pprof, as `go tool pprof` reads it: its totals are those of the report, and no stack is made up.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export
for lens in calls span idle flow; do
	expect_status 0 "$lens is exported" skein export pprof $lens all.skein -o $lens.pb.gz
	check "$lens: it is gzip" gzip -t $lens.pb.gz
done
skein export pprof known.skein -o known.pb.gz
skein export pprof known.skein --thread 1 -o thread.pb.gz
equal 'to standard output, too' known.pb.gz <(skein export pprof known.skein)
if command -v script >/dev/null; then
	script -qec 'skein export pprof known.skein; echo status $?' /dev/null </dev/null >said
	expect_match 'a terminal gets no binary data' 'pprof is binary data, not for a terminal: write it to a file with -o FILE' said
	expect_match 'and the status of wrong usage' '^status 2' said
else
	skip 'a terminal gets no binary data' 'there is no script'
fi
expect_status 0 'counts are recorded' skein record calls --counts -q -o counts.skein -- ./prog
skein export pprof counts.skein -o counts.pb.gz
cp known.skein odd.skein
sqlite3 odd.skein "update routine set linkage = 'a' || char(10) || char(27) || 'b', file = x'ff' where name = 'prepare'"
skein export pprof odd.skein -o odd.pb.gz
gzip -d <odd.pb.gz >odd.pb
same 'hostile names are escaped' '1 0' "$(grep -acF 'a\x0a\x1bb' odd.pb) $(grep -acP '\x1bb' odd.pb)"

if ! command -v go >/dev/null; then
	skip 'go tool pprof reads it' 'there is no go'
	exit
fi
pprof() { HOME=$tmp go tool pprof "$@" 2>said; }
# column FILE TYPE: the sum of all samples, as pprof has read them
column() {
	pprof -raw "$1" | awk -v type="$2" '
		/^Samples:/ { getline; for (i = 1; i <= NF; i++) { split($i, name, "/"); if (name[1] == type) at = i }; inside = 1; next }
		/^Locations/ { inside = 0 }
		inside && /^ +-?[0-9].*:/ { split($0, value, ":"); split(value[1], v, " "); n += v[at] }
		END { printf "%.0f\n", n }'
}
# row FILE ROUTINE OPTION…: flat and cum of a routine
row() { pprof -top -nodefraction=0 "${@:3}" "$1" | awk -v name="$2" '$6 == name {print $1, $4}'; }

same 'idle: work' "$(total_of idle work_ns known.skein)" "$(column known.pb.gz work)"
same 'idle: idleness' "$(total_of idle idle_ns known.skein)" "$(column known.pb.gz idle)"
same 'idle: overhead' "$(total_of idle overhead_ns known.skein)" "$(column known.pb.gz overhead)"
same 'idle: effort' 2870000000 "$(column known.pb.gz effort)"
same 'idle: samples' "$(total_of idle samples known.skein)" "$(column known.pb.gz samples)"
same 'idle: an event' 700000 "$(column known.pb.gz LLC-misses)"
same 'idle: one thread' 95000000 "$(column thread.pb.gz work)"
for type in work idle overhead samples; do
	same "idle: $type of a run as it was" "$(total_of idle "$(sed 's/samples/&/; t; s/$/_ns/' <<<$type)")" "$(column idle.pb.gz $type)"
done
same 'idle: a routine, flat and with its callees' '400ms 400ms' "$(row known.pb.gz prepare)"
same 'idle: idleness of one' '0.60s 0.60s' "$(row known.pb.gz free -sample_index=idle)"
same 'idle: main has all of it' '0 925ms' "$(row known.pb.gz main)"
pprof -peek '^prepare$' known.pb.gz >peek
expect_match 'idle: -peek shows the caller' '^ +400ms +100% +\| +main$' peek
pprof -tags known.pb.gz >tags
expect_match 'idle: threads are labels' ': worker-a, thread 1$' tags
pprof -list '^prepare$' -source_path /nowhere known.pb.gz >listed
expect_match 'idle: lines are there' 'prepare in .*prog.c' listed
pprof -raw known.pb.gz >raw
expect_match 'idle: the line that ran' ' prepare .*prog.c:13' raw

same 'calls: direct time' "$(reported calls routines direct_ns worker=all,entry=all)" "$(column calls.pb.gz direct)"
same 'calls: waiting' "$(reported calls routines wait_ns worker=all,entry=all)" "$(column calls.pb.gz wait)"
same 'calls: calls' "$(total_of calls calls)" "$(column calls.pb.gz calls)"
same 'calls: elapsed time of arcs' "$(reported calls arcs elapsed_ns)" "$(column calls.pb.gz elapsed)"
pprof -peek '^fib$' -sample_index=calls calls.pb.gz >peek
expect_match 'calls: -peek shows who called, and how often' '^ +1 +[0-9.]+% +\| +main$' peek
expect_match 'calls: and whom it called' ' 4181 +[0-9.]+% +\| +spin$' peek
pprof -raw calls.pb.gz >raw
same 'calls: no stack is longer than an arc' '' "$(awk '/^Samples:/ {inside = 1} /^Locations/ {inside = 0} inside && /:/ {split($0, half, ":"); if (split(half[2], ids, " ") > 2) print}' raw)"
pprof -comments calls.pb.gz >remarks
expect_match 'calls: the file says so' 'records arcs, not call paths' remarks
same 'calls: counts only' "$(total_of calls calls counts.skein)" "$(column counts.pb.gz calls)"
same 'calls: counts only have no times' 'calls/count[dflt]' "$(pprof -raw counts.pb.gz | sed -n '/^Samples:/{n;p}')"

same 'span: work' "$(total_of span work)" "$(column span.pb.gz work)"
same 'span: span' "$(total_of span span)" "$(column span.pb.gz span)"
same 'span: calls' "$(reported span sites count profile=work,measure=local)" "$(column span.pb.gz calls)"
pprof -peek '^spin$' -sample_index=span span.pb.gz >peek
expect_match 'span: -peek shows the site that holds the span' '^ +64003840instructions +[0-9.]+% +\| +even$' peek

same 'flow: waiting' "$(reported flow waits waited_ns)" "$(column flow.pb.gz waited)"
same 'flow: number of waits' "$(reported flow waits count)" "$(column flow.pb.gz waits)"
pprof -tags flow.pb.gz >tags
expect_match 'flow: what was waited for is a label' ': table_lock$' tags
pprof -traces flow.pb.gz >traces
expect_match 'flow: waits have their callers' '^ +body$' traces
same 'hostile names: it reads' 2870000000 "$(column odd.pb.gz effort)"
