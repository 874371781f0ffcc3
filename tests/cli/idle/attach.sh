#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# skein record idle --pid: a process that runs already, from outside. tests/prog/idle/attached.c says what it does.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit 1

gcc -O1 -g -D_GNU_SOURCE -o attached "$tests/prog/idle/attached.c" -lpthread || exit 1

# begin COMMAND…: runs it until `end`; its process is $pid
begin() {
	"$@" >said 2>&1 &
	pid=$!
	for _ in $(seq 200); do
		grep -q ready said && return
		sleep 0.05
	done
}
end() {
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null || true
} 2>/dev/null
mapped() { awk '{print $6}' "/proc/$1/maps" | sort -u; }
ticks() { awk '{print $14 + $15}' "/proc/$1/stat"; }
figure() { skein sql "$1" "$2" --csv | tail -n +2; }

begin ./attached
mapped "$pid" >before
ls "/proc/$pid/fd" | wc -l >>before
before=$(ticks "$pid")
expect_status 0 'a process that runs is looked at' skein record idle --pid "$pid" --for 2 -o a.skein
after=$(ticks "$pid")
mapped "$pid" >after
ls "/proc/$pid/fd" | wc -l >>after
equal 'nothing is loaded into it, and no file is opened' before after
check 'it goes on' kill -0 "$pid"
same 'nobody traces it' 0 "$(awk '/^TracerPid/ {print $2}' "/proc/$pid/status")"
same 'the command is its own' ./attached "$(figure a.skein 'SELECT command FROM run')"
same 'the program, too' "$tmp/attached" "$(figure a.skein 'SELECT program FROM v_runs')"

# CPU time: the kernel counts it in hundredths of a second, and the process ran on while skein began and ended.
ms=$(figure a.skein 'SELECT cpu_ns / 1000000 FROM run')
check "its CPU time is that of the kernel ($ms ms of $(((after - before) * 10)))" \
	[ "$ms" -gt 100 -a "$ms" -le $(((after - before) * 10 + 20)) ]
skein report idle a.skein --view threads --csv >threads.csv
expect_match 'threads have their names' ',worker' threads.csv
skein report idle a.skein --view folded --metric work >folded
expect_match 'stacks are whole' 'attached;.*work;(descend;){20}.*burn' folded
check 'nearly all work is there' awk '{n = $NF; all += n} /burn/ {some += n} END {exit !(some > 0.8 * all)}' folded
same 'no path is cut' 0 "$(figure a.skein 'SELECT sum(paths_cut) FROM idle_thread')"
skein sql a.skein "SELECT w.kind, sum(w.waits), sum(w.wait_ns) / 1000000 FROM idle_wait w GROUP BY 1" --csv >waits.csv
for kind in lock condition sleep join; do
	expect_match "it waits: $kind" "^$kind,[1-9]" waits.csv
done
skein report idle a.skein >report
expect_match 'the reader is told what is not known' 'looked at from outside' report
check 'idle cores have a reason' [ "$(figure a.skein "SELECT count(*) FROM idle_why")" -gt 0 ]
skein export folded idle a.skein >exported
check 'exports work' [ -s exported ]
same 'the view adds up to the same' "$(awk '{n += $NF} END {printf "%.0f", n}' exported)" "$(awk '{n += $NF} END {printf "%.0f", n}' folded)"
cp a.skein same.skein
expect_status 0 'a difference, too' skein diff idle a.skein same.skein

# In and out: each time it must go on.
same 'in and out of one process, 20 times' 20 "$(for _ in $(seq 20); do
	skein record idle --pid "$pid" --for 0.03 -q -o b.skein && kill -0 "$pid" && echo yes
done | grep -c yes)"

for signal in INT TERM; do
	skein record idle --pid "$pid" -o c.skein >/dev/null 2>err &
	skein=$!
	for _ in $(seq 100); do grep -q 'until Ctrl-C' err && break; sleep 0.05; done
	[ "$signal" = INT ] || sleep 0.1
	kill -"$signal" "$skein" 2>/dev/null
	[ "$signal" != INT ] || { sleep 0.3; kill -TERM "$skein" 2>/dev/null; } # a background job of a script ignores SIGINT
	wait "$skein"
	same "SIG$signal ends it well" 0 "$?"
	check 'and leaves a recording' skein report idle c.skein
done

(sleep 0.5 && kill -KILL "$pid") &
expect_status 0 'the end of the process ends it' skein record idle --pid "$pid" -o d.skein
wait "$pid" 2>/dev/null
check 'what was seen until then is there' skein report idle d.skein

expect_status 127 'a process that is gone' skein record idle --pid "$pid" -o e.skein
expect_sentence 'is refused with a sentence'
expect_match 'which names it' "there is no process $pid" err
begin ./attached
expect_status 2 'no program beside --pid' skein record idle --pid "$pid" -- ./attached
expect_sentence 'says so'
for option in '--repeat 3' '--event page-faults' '--serial' '--against ./attached' --outlive; do
	# shellcheck disable=SC2086 # two words
	expect_status 2 "$option cannot be used" skein record idle --pid "$pid" $option
	expect_sentence "$option: one sentence"
done
expect_status 2 'other lenses have no --pid' skein record calls --pid "$pid"

# An ordinary user may not look at root's processes, but may at his own.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
if is_root && "${nobody[@]}" "$build/bin/skein" version >/dev/null 2>&1; then
	chmod 777 .
	expect_status 126 'the process of another user' "${nobody[@]}" skein record idle --pid "$pid" -o f.skein
	expect_sentence 'is refused with one sentence'
	end
	begin "${nobody[@]}" ./attached
	if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
		expect_status 0 'an ordinary user looks at a process of his own' "${nobody[@]}" "$build/bin/skein" record idle --pid "$pid" --for 1 -o g.skein
		skein report idle g.skein --view folded --metric work >folded
		expect_match 'with whole stacks' 'attached;.*work;(descend;){20}.*burn' folded
	else
		expect_status 126 'an ordinary user is refused by the system' "${nobody[@]}" "$build/bin/skein" record idle --pid "$pid" --for 1 -o g.skein
		expect_sentence 'with one sentence'
	fi
else
	skip 'an ordinary user' 'not root, or skein is where nobody may read'
fi
end
