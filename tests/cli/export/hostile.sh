#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Exports of recordings with figures that cannot be: none is ended by a signal, and none goes on without an end.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/export.sh"
cd "$tmp" || exit
record_for_export

ends() {
	timeout 20 "$@" 2>&1 | head -c 1000000 >/dev/null # which ends a longer one by SIGPIPE
	local status=${PIPESTATUS[0]}
	case $status in 0 | 2 | 125 | 127 | 141) ;; *) echo "$* ended with $status" ;; esac
}
formats() { case $1 in calls) echo pprof callgrind speedscope ;; span) echo pprof callgrind ;; idle) echo folded pprof callgrind speedscope perf-script ;; flow) echo folded pprof speedscope ;; esac; }
for lens in calls span idle flow; do
	sqlite3 all.skein "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and m.name like '${lens}_%'
		and c.type in ('INTEGER', 'REAL') and c.pk = 0" | tr '|' ' ' >columns
	check "$lens: there are figures" [ "$(wc -l <columns)" -ge 10 ]
	while read -r table column; do
		cp all.skein bad.skein
		sqlite3 bad.skein "update or ignore $table set $column = 4611686018427387903" 2>/dev/null
		for format in $(formats $lens); do ends skein export "$format" $lens bad.skein; done
	done <columns >said
	same "$lens: no export is ended by a signal" '' "$(head -n 5 said)"
done

# All of them at once, and threads and routines that are not there.
cp all.skein bad.skein
sqlite3 bad.skein 'update or ignore idle_cost set serial_ns = 4611686018427387903, under_ns = 4611686018427387903, full_ns = 4611686018427387903,
	over_ns = 4611686018427387903, idle_ns = 4611686018427387903, samples = 4611686018427387903; update idle_total set period_ns = 1'
for format in $(formats idle); do ends skein export "$format" idle bad.skein; done >said
same 'idle: all figures as large as can be' '' "$(cat said)"
sqlite3 bad.skein "update flow_wait set callers = replace(hex(zeroblob(2000)), '0', ' < ('), waited_ns = 4611686018427387903"
for format in $(formats flow); do ends skein export "$format" flow bad.skein; done >said
same 'flow: callers that are no callers' '' "$(cat said)"
