#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# attach.sh BUILD: what `skein record idle --pid` takes from programs that run already, beside `perf record --call-graph dwarf`: redis, postgres
# and python in the middle of their work. Prints a Markdown page.
#
# CPU time of the program for a fixed amount of work, and of the tool meanwhile. ATTACHES (1000): how often skein goes in and out of redis.
: "${ROUNDS:=7}"
. "$(dirname "$0")/lib.sh"
attaches=${ATTACHES:-1000}
seconds=5
trap 'kill "${servers[@]}" 2>/dev/null || true' EXIT
servers=()

cat >load.py <<'END'
# Sorts and joins, in two threads that share the interpreter's lock; a line on standard input is an order, an answer its end.
import sys, threading
def work(n):
    for i in range(n):
        ",".join(str(x) for x in sorted((x * 7919) % 10007 for x in range(3000)))
for line in sys.stdin:
    threads = [threading.Thread(target=work, args=(int(line),)) for _ in range(2)]
    for t in threads: t.start()
    for t in threads: t.join()
    print("done", flush=True)
END

# cpu PID: nanoseconds of CPU time of the process, threads that have ended included: the kernel has a clock of that for each process
cpu() { python3 -c 'import sys, time; print(time.clock_gettime_ns(~int(sys.argv[1]) << 3 | 2))' "$1"; }

say 'redis'
redis-server --port 0 --unixsocket "$work/redis.sock" --save '' --appendonly no >redis.log 2>&1 &
redis=$!
servers+=("$redis")
say 'postgres'
user=(env)
[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid postgres --regid postgres --init-groups)
bin=$(pg_config --bindir)
base=$(mktemp -d /tmp/skein-bench-XXXXXX)
[ "$(id -u)" -ne 0 ] || chown postgres "$base"
"${user[@]}" "$bin/initdb" -A trust -U bench -D "$base/data" >initdb.log 2>&1
(cd "$base" && exec "${user[@]}" "$bin/postgres" -D "$base/data" -k "$base" -c listen_addresses= -c fsync=off) >postgres.log 2>&1 &
servers+=("$!")
until "$bin/pg_isready" -q -h "$base"; do sleep 0.1; done
"$bin/createdb" -h "$base" -U bench load
"$bin/pgbench" -q -i -s 5 -h "$base" -U bench load >pgbench.log 2>&1
mkfifo orders.sql orders.py answers.sql answers.py
"$bin/psql" -qAtX -h "$base" -U bench load <orders.sql >answers.sql 2>psql.log &
servers+=("$!")
exec {to_sql}>orders.sql {from_sql}<answers.sql
echo 'SELECT pg_backend_pid();' >&$to_sql
# shellcheck disable=SC2034 # look finds the three by their names
read -r postgres <&$from_sql
say 'python'
python3 load.py <orders.py >answers.py 2>python.log &
python=$!
servers+=("$python")
exec {to_py}>orders.py {from_py}<answers.py

work_redis() { redis-benchmark -s "$work/redis.sock" -q -t set,get -c 8 -n 100000 >redis-benchmark.log 2>&1; }
work_postgres() {
	for _ in 1 2 3 4 5 6; do echo "SELECT sum(a.abalance + length(a.filler)) FROM pgbench_accounts a JOIN pgbench_branches USING (bid) WHERE a.aid % 3 <> 1 AND md5(a.aid::text) > '2';" >&$to_sql; done
	for _ in 1 2 3 4 5 6; do read -r _ <&$from_sql; done
}
work_python() {
	echo 250 >&$to_py
	read -r _ <&$from_py
}

# look PROGRAM: does a round of work; the CPU time that it took from the program
look() { local -n pid=$1; local before; before=$(cpu "$pid"); "work_$1"; echo "cpu_ns $(($(cpu "$pid") - before))"; }
# beside PROGRAM TOOL COMMAND…: the same with a tool at it, whose CPU time goes to PROGRAM.TOOL.own
beside() {
	local program=$1 tool=$2 pid
	shift 2
	"$@" >"$tool.log" 2>&1 &
	pid=$!
	sleep 0.7 # it is at work
	look "$program"
	cut -d ' ' -f 1 "/proc/$pid/schedstat" >>"$program.$tool.own"
	kill -TERM "$pid" 2>/dev/null || true
	wait "$pid" || true
}
for program in redis postgres python; do
	eval "run_native() { look $program; }
	run_skein() { beside $program skein skein record idle --pid \$$program -o $program.skein; }
	run_perf() { beside $program perf perf record -q -e cpu-clock -F 1000 --call-graph dwarf -p \$$program -o $program.perf; }"
	interleave "$program" native skein perf
done

say "CPU time as seen"
truth() { # PROGRAM: CPU time that skein saw, in percent of what the kernel counted while it looked
	local -n pid=$1
	local before after load skein
	(while :; do "work_$1"; done) &
	load=$!
	skein record idle --pid "$pid" --for $seconds -o "$1.skein" >/dev/null 2>looking &
	skein=$!
	until grep -q 'looking at process' looking; do sleep 0.01; done
	before=$(cpu "$pid")
	sleep $seconds
	after=$(cpu "$pid")
	wait $skein
	kill $load && wait $load 2>/dev/null || true
	skein sql "$1.skein" "SELECT 100.0 * cpu_ns / ($after - $before) FROM v_runs" --csv | tail -n 1 | awk '{printf "%.0f", $1}'
}
lost() { skein sql "$1.skein" 'SELECT 100.0 * sum(paths_cut) / sum(samples) FROM idle_thread' --csv | tail -n 1 | awk '{printf "%.1f", $1}'; }

say "in and out of redis, $attaches times"
(while :; do work_redis; done) &
load=$!
failed=0
for _ in $(seq "$attaches"); do skein record idle --pid "$redis" --for 0.03 -q -o in.skein || failed=$((failed + 1)); done
kill $load && wait $load 2>/dev/null || true
alive=$(redis-cli -s "$work/redis.sock" ping)

share() { ratio "$(median "$1" native)" "$(median "$1" "$2")" %.3f; }
own() { sort -n "$1.$2.own" | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
rows() {
	local program
	for program in redis postgres python; do
		echo "| $program | $(ratio "$(median $program native)" 1e6 %.0f) ms | $(share $program skein) | $(share $program perf) | $(ratio "$(own $program skein)" "$(median $program native)" %.3f) | $(ratio "$(own $program perf)" "$(median $program native)" %.3f) | $(truth $program) % | $(lost $program) % | $(verdict "$(median $program skein)" "$(median $program perf)") |"
	done
}
table=$(rows)
cat <<END
# What looking from outside takes

Made by \`make bench\` (\`bench/attach.sh\`) on $(nproc) cores: \`skein record idle --pid\` beside \`perf record --call-graph dwarf\` (8 KiB of stack per sample), both at 1000 Hz, at a
redis-server with 8 clients, a backend of PostgreSQL that joins and hashes, and a python with two threads. Medians of $rounds interleaved rounds of CPU time for a fixed amount of work. Skein
unwinds while it looks, and records where threads wait; perf writes stacks to a file and unwinds them in \`perf report\`, which is not in this table. CPU time seen: what Skein's recording says, of what the kernel
counted meanwhile.

| program | CPU time, native | native / with skein | native / with perf | skein's own CPU time, of native | perf's | CPU time seen | paths cut | skein takes no more than perf |
|---|---:|---:|---:|---:|---:|---:|---:|---|
$table

$attaches times in and out of the redis-server under load, 30 ms each: $failed failed, and it answers $alive.
END
rm -rf "$base"
