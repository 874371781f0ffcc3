#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# flow.sh BUILD: what the flow lens costs: for each event, for whole programs, and for what comes after large runs; beside uftrace, LTTng and
# perf. Prints a Markdown page.
#
# Of a subject of bench/flow.c, wall and CPU time are those of its events, start and end left out. FLOW_PERCENT (100) is how many of them there
# are, FLOW_EVENTS (100000000) and FLOW_HANDS (10000000) the size of the large runs, FLOW_MB (100) that of the file to compress.
: "${ROUNDS:=5}"
. "$(dirname "$0")/lib.sh"
percent=${FLOW_PERCENT:-100}
large_events=${FLOW_EVENTS:-100000000}
large_hands=${FLOW_HANDS:-10000000}
load=$(cut -d' ' -f1 /proc/loadavg)
file_mb=${FLOW_MB:-100}

cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
clang-19 -O2 -g -fopenmp -D_GNU_SOURCE "$bench/flow.c" -o flow
clang-19 -O2 -g -fopenmp -pg -D_GNU_SOURCE "$bench/flow.c" -o flow-pg
tar -C /usr/lib/llvm-19/lib --sort=name --mtime=@0 --owner=0 --group=0 -cf - . | head -c "${file_mb}000000" >input

# ---- what there is to compare with ----

has() { # PEER
	case $1 in
	uftrace) uftrace record -d try.uftrace ./flow-pg own 10 >/dev/null 2>&1 ;;
	lttng) start_lttng 'lttng_ust_pthread:*' ;;
	sched) perf sched record -o try.perf true >/dev/null 2>&1 ;;
	calls) perf trace -s -o try.txt true >/dev/null 2>&1 ;;
	esac
}
there=
for peer in uftrace lttng sched calls; do
	if has $peer; then there+=" $peer"; else say "$peer cannot be had here"; fi
done

# ---- single events ----

# Parts of bench/flow.c. How many events; what the second core and OpenMP are told; the clock that counts, since two threads on two cores wait
# most of the time, and on one core the other programs of the machine take a part of the wall time; the bar; what it is called; who has something to
# record there.
declare -A part count where clock bar title peers
subject() { # KEY PART COUNT WHERE CLOCK BAR PEERS TITLE
	part[$1]=$2 count[$1]=$(($3 * percent / 100)) where[$1]=$4 clock[$1]=$5 bar[$1]=$6 peers[$1]=$7 title[$1]=$8
	keys+=" $1"
}
keys=
subject own own 5000000 '' CPU '30 ns' 'uftrace lttng' 'a lock of its own, taken and released'
subject had had 5000000 '' CPU '30 ns' 'uftrace lttng' 'a lock that another thread had before'
subject hand-two hand 50000 '0 1' wall 1.05 'uftrace lttng sched calls' 'a lock passed on, two cores'
subject hand-one hand 100000 0 CPU 1.05 'uftrace lttng sched calls' 'a lock passed on, one core'
subject fight-two fight 500000 '0 1' wall '' 'uftrace lttng' 'a lock that two threads want half of the time, two cores'
subject fight-one fight 500000 0 CPU '' 'uftrace lttng' 'the same, one core'
subject condition condition 60000 0 CPU 1.5 'uftrace lttng sched calls' 'ping-pong, condition, one core'
subject semaphore semaphore 100000 0 CPU 1.5 'uftrace sched calls' 'ping-pong, semaphore, one core'
subject pipe pipe 100000 0 CPU 1.5 'uftrace sched calls' 'ping-pong, pipe, one core'
subject spins barriers 500000 '' CPU '' '' 'OpenMP: an empty barrier, threads spin'
subject sleeps barriers 50000 '' CPU '' '' 'OpenMP: an empty barrier, threads sleep'
subject tasks tasks 500000 '' CPU '' '' 'OpenMP: a task that does nothing'
subject threads threads 10000 '' wall '' '' 'a thread that does nothing, created and joined'

# with COMMAND…: the CPU time of the part $name under it; its wall time goes beside that of interleave
with() {
	local arguments
	read -r -a arguments <<<"${part[$name]} ${count[$name]} ${where[$name]}"
	"$@" "${arguments[@]}" >with.out
	sed -n 's/.*wall_ns \([0-9]*\).*/\1/p' with.out >>"$name.wall.$variant.ns"
	sed -n 's/ wall_ns.*//p' with.out
}
run_native() { with ./flow; }
run_skein() { with skein record flow -q -o flow.skein -- ./flow; }
run_uftrace() { with uftrace record -d flow.uftrace ./flow-pg; rm -rf flow.uftrace; }
run_lttng() { with env LD_PRELOAD=liblttng-ust-pthread-wrapper.so.1 ./flow; }
run_sched() { with perf sched record -o sched.perf ./flow; rm -f sched.perf; }
run_calls() { with perf trace -s -o calls.txt ./flow; }
export OMP_NUM_THREADS=2
for key in $keys; do
	variants="native skein"
	for peer in ${peers[$key]}; do case "$there " in *" $peer "*) variants+=" $peer" ;; esac; done
	case $key in sleeps) export OMP_WAIT_POLICY=passive ;; *) unset OMP_WAIT_POLICY ;; esac
	interleave "$key" $variants
done
end_lttng

each() { ratio "$(median "$1" "$2")" "${count[${1%.wall}]}" %.1f; } # KEY VARIANT
cost() { ratio "$(median "$1" "$2")" "$(median "$1" native)" "${3:-%.2f}"; } # KEY VARIANT
counted() { [ "${clock[$1]}" = wall ] && echo "$1.wall" || echo "$1"; } # KEY: what its bar is about
added() { # KEY VARIANT: for each event
	awk -v a="$(median "$(counted "$1")" "$2")" -v b="$(median "$(counted "$1")" native)" -v n="${count[$1]}" 'BEGIN {printf "%.1f", (a - b) / n}'
}
met() { # KEY
	case ${bar[$1]} in
	'') ;;
	*ns) verdict "$(added "$1" skein)" "${bar[$1]% ns}" ;;
	*) verdict "$(cost "$(counted "$1")" skein %.4f)" "${bar[$1]}" ;;
	esac
}
event_rows() {
	local key
	for key in $keys; do
		echo "| ${title[$key]} | $(each "$key.wall" native) | $(each "$key.wall" skein) | $(cost "$key.wall" skein) | $(each "$key" native) | $(each "$key" skein) | $(cost "$key" skein) | $(added "$key" skein) | ${bar[$key]:+${bar[$key]}, ${clock[$key]}} | $(met "$key") |"
	done
}
peer_rows() {
	local key peer ours
	for key in $keys; do
		[ -n "${peers[$key]}" ] || continue
		ours=$(added "$key" skein)
		printf '| %s | %s | %s |' "${title[$key]}" "${clock[$key]}" "$ours"
		for peer in uftrace lttng sched calls; do
			if [ -e "$key.$peer.ns" ]; then printf ' %s |' "$(added "$key" $peer)"; else printf ' |'; fi
		done
		case $key in
		own | had) cheaper "$key" ;;
		*) echo ' | |' ;;
		esac
	done
}
cheaper() { # KEY: how many times cheaper than the cheaper one of those two
	local peer least='' now
	for peer in uftrace lttng; do
		[ -e "$1.$peer.ns" ] || continue
		now=$(ratio "$(added "$1" $peer)" "$(added "$1" skein)" %.1f)
		least=$(printf '%s\n' $least "$now" | sort -n | head -n 1)
	done
	[ -n "$least" ] && echo " $least | $(verdict 6 "$least") |" || echo ' | |'
}

# ---- programs as Debian built them ----

# preloaded COMMAND…: the CPU time of the process $name; its wall time goes beside that of interleave
preloaded() {
	rm -f cpu.txt
	env BENCH_NAME="$name" BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@" >/dev/null
	sed -n 's/.*wall_ns \([0-9]*\).*/\1/p' cpu.txt >>"$name.wall.$variant.ns"
	sed 's/ user_ns.*//' cpu.txt
}
declare -A command=([zstd]='zstd -q -T2 -6 -c input' [pigz]='pigz -p 2 -c input')
run_plain() { preloaded ${command[$name]}; }
run_flow() { preloaded skein record flow -q -o "$name.skein" -- ${command[$name]}; }
for program in zstd pigz; do
	interleave $program plain flow
done
program_rows() {
	local program wall cpu
	for program in zstd pigz; do
		wall=$(ratio "$(median $program.wall flow)" "$(median $program.wall plain)" %.3f)
		cpu=$(ratio "$(median $program flow)" "$(median $program plain)" %.3f)
		echo "| \`${command[$program]}\` | $(ratio "$(median $program.wall plain)" 1e9) | $(ratio "$(median $program.wall flow)" 1e9) | $wall | $(ratio "$(median $program plain)" 1e9) | $(ratio "$(median $program flow)" 1e9) | $cpu | 1.02 | $(verdict "$wall" 1.02) | $(verdict "$cpu" 1.02) |"
	done
}

# ---- large runs ----

figure() { skein report flow "$1.skein" --view summary --csv | tr -d '\r"' | awk -F, -v name="$2" '$1 == name {print $2}'; }
# large NAME COMMAND…: recorded once; what skein does afterwards
large() {
	local ended
	say "a large run: ${*:2}"
	rm -f cpu.txt
	env BENCH_NAME=skein BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" skein record flow -q --keep-raw -o "$1.skein" -- "${@:2}" >"$1.out" 2>"$1.err"
	ended=$(date +%s%N)
	awk -v now="$ended" '{printf "%.1f\n", (now - $6) / 1e9}' "$1.out" >"$1.after"
	awk '{kb = $8 > kb ? $8 : kb} END {printf "%.0f\n", kb * 1024 / 1e6}' cpu.txt >"$1.mb"
	cat ."$1".skein.session-*/*.raw ."$1".skein.session-*/switches | wc -c | awk '{printf "%.0f\n", $1 / 1e6}' >"$1.raw"
	rm -rf ."$1".skein.session-*
}
large_row() { # NAME TITLE
	local wall
	wall=$(awk '{printf "%.1f", $4 / 1e9}' "$1.out")
	echo "| $2 | $(figure "$1" events) | $(figure "$1" lost_events) | $(figure "$1" switches_lost) | $wall | $(cat "$1.after") | 60 | $(verdict "$(cat "$1.after")" 60) | $(cat "$1.mb") | 500 | $(verdict "$(cat "$1.mb")" 500) | $(cat "$1.raw") | $(ratio "$(stat -c %s "$1.skein")" 1e6 %.1f) |"
}
# On one core threads meet seldom, so a pair leaves one event.
large both ./flow both "$large_events" 0
large condition ./flow condition "$large_hands" 0

cat <<PAGE
# What the flow lens costs

Measured by \`make bench\` (\`bench/flow.sh\`) on $(nproc) cores: medians of $rounds interleaved rounds. The average load (\`uptime\`) was $load at the beginning and
$(cut -d' ' -f1 /proc/loadavg) at the end.

## Cost of single events

Nanoseconds for each event of bench/flow.c, its start and end left out: wall time, and CPU time of the process, which has that of the recorder in it. The bar is about
one of the two: CPU time where all threads have one core, or where the time that they take is not waiting. What is added is that of the same clock.

| event | native, wall | recorded, wall | ratio | native, CPU | recorded, CPU | ratio | added | bar | met |
|---|---:|---:|---:|---:|---:|---:|---:|---|---|
$(event_rows)

A lock is passed on in a ring of three locks and two threads: each thread has one and wants the next one. A lock that two threads want half of the time has no bar:
few of its acquisitions wait.

## Cost of programs

As Debian built them, on a file of $file_mb MB; seconds.

| command | native, wall | recorded, wall | ratio | native, CPU | recorded, CPU | ratio | bar | met, wall | met, CPU |
|---|---:|---:|---:|---:|---:|---:|---:|---|---|
$(program_rows)

## Large runs

What \`skein record\` does after the program has ended: seconds, and the most memory that it had, with the parts of the raw recording that it had mapped. Raw: what the
program and the recorder of switches left, before it was analysed. Each was run once. So many events are not kept in the .skein file.

| run | events | lost | switches lost | program, s | after it, s | bar | met | memory, MB | bar | met | raw, MB | .skein, MB |
|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---|---:|---:|
$(large_row both 'two threads and two locks on one core')
$(large_row condition "a ping-pong of $large_hands hand-overs by a condition on one core, each on the critical path")

## Beside others

Nanoseconds that each adds to an event, in the same rounds, by the clock that the bar is about. uftrace records a program that was built with \`-pg\`. LTTng has its wrapper of
pthread preloaded, which tells of mutexes; what it records stays in memory. perf sched and perf trace see the kernel's part. An empty cell: it has nothing to record there, or
could not be had.

| event | clock | skein | uftrace | LTTng-UST | perf sched record | perf trace -s | the cheaper of uftrace and LTTng / skein | at least 6 |
|---|---|---:|---:|---:|---:|---:|---:|---|
$(peer_rows)

Versions: $(uftrace --version | awk '{print $1, $2}'), $(lttng --version | sed 's/ - .*//'), $(perf --version).
PAGE
