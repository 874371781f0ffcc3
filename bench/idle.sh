#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# idle.sh BUILD: what the idle lens costs and how much of what it sees it can name, beside perf record. Prints a Markdown page.
#
# CPU time is that of the subject's process, the sampler in it included; skein's analysis after the run is left out, and so is perf's own
# process, which writes what the kernel gathers: what it takes away from the subject shows in the wall time. LONG_S (600) is the length of the long run, in
# seconds; WORK_MS (1500) that of the others, about.
. "$(dirname "$0")/lib.sh"
examples=$(realpath "$bench/../examples")
programs=$(realpath "$bench/../tests/prog/idle")
long_s=${LONG_S:-600}
work_ms=${WORK_MS:-1500}
rates="200 1000 5000"

cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
clang-19 -O2 -g -fopenmp -D_GNU_SOURCE "$bench/idle.c" -o idle
clang-19 -O2 -g -fopenmp "$examples/openmp/heat.c" -o heat -lm
tar -C /usr/lib/llvm-19/include --dereference --sort=name --mtime=@0 --owner=0 --group=0 -cf input .

# Three subjects of two threads: a command each, and the name of its process.
declare -A command=([openmp]="./heat 1000 $((work_ms / 4))" [pthread]="./idle threads 2 $((work_ms * 2))" [zstd]="zstd -q -T2 -$((work_ms > 1000 ? 6 : 3)) -c input")
declare -A process=([openmp]=heat [pthread]=idle [zstd]=zstd)
export OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive

# preloaded COMMAND…: the CPU time of $subject's process; its wall time goes beside that of interleave
preloaded() {
	rm -f cpu.txt
	env BENCH_NAME="${process[$subject]}" BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@" >/dev/null
	sed 's/ user_ns.*//' cpu.txt
	sed -n 's/.*wall_ns \([0-9]*\).*/\1/p' cpu.txt >>"$name.$variant.wall.ns"
}
run_native() { preloaded ${command[$subject]}; }
for rate in $rates; do
	eval "run_skein_$rate() { preloaded skein record idle --rate $rate -o \$subject.skein -- \${command[\$subject]}; }
	run_perf_$rate() { preloaded perf record -q -e cpu-clock -F $rate -g -o perf.data \${command[\$subject]}; rm -f perf.data; }
	run_dwarf_$rate() { preloaded perf record -q -e cpu-clock -F $rate --call-graph dwarf -o perf.data \${command[\$subject]}; rm -f perf.data; }"
done
# perf asks for more than some kernels allow.
limit=/proc/sys/kernel/perf_event_max_sample_rate
[ "$(cat $limit)" -ge 5000 ] || echo 5000 >$limit
variants=native
for rate in $rates; do variants+=" skein_$rate perf_$rate dwarf_$rate"; done
for subject in openmp pthread zstd; do interleave "$subject" $variants; done
cost() { ratio "$(median "$1" "$2${3:-}")" "$(median "$1" "native${3:-}")" %.3f; }
cost_rows() {
	local subject rate ours bar why
	for subject in openmp pthread zstd; do
		for rate in $rates; do
			ours=$(cost "$subject" "skein_$rate")
			case $rate in
			200) bar=1.01 why=1.01 ;;
			1000) bar=$(awk -v p="$(cost "$subject" perf_1000)" 'BEGIN {print p + 0.01}') why="perf -g + 0.01" ;;
			*) bar='' why='' ;;
			esac
			echo "| $subject | $rate | $ours | $why | ${bar:+$(verdict "$ours" "$bar")} | $(cost "$subject" "perf_$rate") | $(cost "$subject" "dwarf_$rate") | $(cost "$subject" "skein_$rate" .wall) | $(cost "$subject" "perf_$rate" .wall) | $(cost "$subject" "dwarf_$rate" .wall) |"
		done
	done
}

# The handler: how long a thread is interrupted, less how long it is by a handler that does nothing.
gap() { "$@" 2>&1 | sed -n 's/gap_ns \([0-9]*\).*/cpu_ns \1/p'; }
run_nothing() { gap ./idle gaps 40 "$work_ms" 5000; }
run_handler() { gap skein record idle --rate 5000 -o gaps.skein -- ./idle gaps 40 "$work_ms"; }
interleave gaps nothing handler
handler_us=$(awk -v a="$(median gaps handler)" -v b="$(median gaps nothing)" 'BEGIN {printf "%.2f", (a - b) / 1000}')

# What is intercepted: a million of each, natively and recorded.
tasks=$((work_ms * 1000)) pairs=$((work_ms * 20000))
run_tasks() { ./idle tasks $tasks; }
run_tasks_skein() { skein record idle --rate 200 -o tasks.skein -- ./idle tasks $tasks; }
run_tree() { ./idle tree $tasks; }
run_tree_skein() { skein record idle --rate 200 -o tree.skein -- ./idle tree $tasks; }
run_pairs() { ./idle pairs $pairs; }
run_pairs_skein() { skein record idle --rate 200 -o pairs.skein -- ./idle pairs $pairs; }
interleave costs tasks tasks_skein tree tree_skein pairs pairs_skein
each() { awk -v ns="$(median costs "$1")" 'BEGIN {printf "%.1f", ns / 1e6}'; }
more() { awk -v a="$(median costs "$1_skein")" -v b="$(median costs "$1")" 'BEGIN {printf "%.1f", (a - b) / 1e6}'; }

# A spawn: fib in parallel on one worker, less its serial elision.
fib_n=$((work_ms > 1000 ? 32 : 25))
skein-cc -O3 -g "$examples/cilk/fib.c" -o fib-serial
skein-cc -O3 -g -fcilk=parallel "$examples/cilk/fib.c" -o fib-parallel
run_serial() { all_cpu ./fib-serial $fib_n; }
run_parallel() { all_cpu env CILK_NWORKERS=1 ./fib-parallel $fib_n; }
interleave spawn serial parallel
spawns=$(awk -v n=$fib_n 'BEGIN {a = 1; b = 1; for (i = 1; i < n; i++) {c = a + b; a = b; b = c} printf "%d", b - 1}')
spawn_ns=$(awk -v p="$(median spawn parallel)" -v s="$(median spawn serial)" -v n="$spawns" 'BEGIN {printf "%.0f", (p - s) / n}')

# How many samples reach the root of their thread, in programs that others built.
figure() { skein report idle "$1.skein" --view summary --csv | tr -d '\r"' | awk -F, -v name="$2" '$1 == name {print $2}'; }
record() { # NAME COMMAND…
	say "unwinding $1"
	skein record idle --rate 1000 -o "$1.skein" -- "${@:2}" >"$1.out" 2>"$1.err" || say "$1 failed: $(tail -n 3 "$1.err")"
}
cat >work.py <<'PY'
import json, re, sys
def tree(n): return {} if n == 0 else {"left": tree(n - 1), "right": [tree(n - 1), n]}
for turn in range(int(sys.argv[1])):
    text = json.dumps(tree(10))
    words = sorted(re.findall(r"[a-z]+", text), key=lambda w: (len(w), w[::-1]))
    assert json.loads(text)["left"] and len(words) > 1000
PY
record python3 /usr/bin/python3 work.py $((work_ms / 15))
record sqlite3 sqlite3 :memory: "create table t as with recursive c(x) as (select 1 union all select x + 1 from c where x < $((work_ms * 300))) select x, (x * 7919) % 100003 y, 'r' || x z from c;
	create index i on t (y, z); select count(*), max(a.z) from t a join t b on a.y = b.x where a.z like 'r%7%'; select y % 10, count(distinct z), avg(x) from t group by 1;"
awk 'BEGIN {print "double t[999];"; for (f = 0; f < 300; f++) {printf "double f%d(double *a, int n) {double s = 0; for (int i = 0; i < n; i++) switch (i %% 7) {", f
	for (c = 0; c < 6; c++) printf "case %d: s += a[(i * %d + %d) %% n] * t[%d]; break; ", c, c + 3, f, (f * 31 + c) % 999; print "} return s;}"}}' >large.c
record clang clang-19 -O2 -c large.c -o large.o
clang++-19 -O2 -g -D_GNU_SOURCE -pthread "$programs/throws.cpp" -o throws
record throws ./throws
# redis-tools has the server, too, under another name; it looks at what it is called.
say "unwinding redis-server"
ln -sf "$(command -v redis-check-rdb)" redis-server
skein record idle --rate 1000 -o redis.skein -- ./redis-server --port 0 --unixsocket "$work/redis.sock" --io-threads 3 --io-threads-do-reads yes --save '' >redis.out 2>&1 &
server=$!
for _ in $(seq 100); do [ ! -S redis.sock ] || break; sleep 0.1; done
redis-benchmark -s redis.sock -q -n $((work_ms * 15)) -P 32 -c 20 -t set,get,lpush,lrange_100,zadd >/dev/null 2>&1 || say "redis-benchmark failed"
redis-cli -s redis.sock shutdown nosave >/dev/null 2>&1 || true
wait "$server" || say "redis-server failed: $(tail -n 3 redis.out)"
root_rows() {
	local name samples cut whole
	for name in sqlite3 python3 clang redis zstd throws; do
		samples=$(figure "$name" samples) cut=$(figure "$name" paths_cut)
		whole=$(awk -v s="${samples:-0}" -v c="${cut:-0}" 'BEGIN {printf "%.2f", s ? 100 * (s - c) / s : 0}')
		echo "| $name | $(figure "$name" threads) | ${samples:-0} | ${cut:-0} | $whole | $(verdict 99 "$whole") |"
	done
}

# A long run: what it holds in memory beyond the native one, and what it leaves.
say "a run of $long_s s on 16 threads"
turns=$(./idle threads 1 1000 | sed -n 's/turns_in_s //p' | awk -v s="$long_s" -v cores="$(nproc)" '{printf "%d", s * $1 * cores / 16}')
subject=long process[long]=idle name=long
variant=native preloaded ./idle threads 16 100 >/dev/null
small_kb=$(sed -n 's/.*peak_kb //p' cpu.txt)
variant=skein preloaded skein record idle --rate 1000 --keep-raw -o long.skein -- ./idle threads 16 $turns >/dev/null
long_kb=$(($(sed -n 's/.*peak_kb //p' cpu.txt) - small_kb))
raw_mb=$(cat .long.skein.session-*/*.raw | wc -c | awk '{printf "%.1f", $1 / 1e6}')
skein_mb=$(awk -v b="$(stat -c %s long.skein)" 'BEGIN {printf "%.1f", b / 1e6}')
long_mb=$(awk -v kb=$long_kb 'BEGIN {printf "%.1f", kb * 1024 / 1e6}')

cat <<PAGE
# What the idle lens costs

Measured by \`make bench\` on $(nproc) cores: medians of $rounds interleaved rounds. Compared with $(perf --version),
event cpu-clock, at the same rates.

## Cost of a run

Each subject has two threads: heat with OpenMP; pthreads in calls nine deep; \`zstd -T2\` as Debian built
it. Figures are CPU time of the process and its wall time, native = 1.

| subject | Hz | skein | bar | met | perf -g | perf dwarf | skein, wall | perf -g, wall | perf dwarf, wall |
|---|---|---|---|---|---|---|---|---|---|
$(cost_rows)

perf -g follows frame pointers, which ordinary binaries do not have: its stacks are short and wrong
there. perf dwarf copies 8 kB of stack per sample, to be unwound later.

## Cost of single operations

| | figure | bar | met |
|---|---|---|---|
| the handler at 40 frames | $handler_us us | 2 | $(verdict "$handler_us" 2) |
| added to an OpenMP task that a loop creates, two threads (native: $(each tasks) ns) | $(more tasks) ns | 100 | $(verdict "$(more tasks)" 100) |
| added to a task that tasks create, each on another call path, with its taskwait (native: $(each tree) ns) | $(more tree) ns | 100 | $(verdict "$(more tree)" 100) |
| added to an uncontended mutex pair (native: $(each pairs) ns) | $(more pairs) ns | 3 | $(verdict "$(more pairs)" 3) |
| a Cilk spawn on one worker, not recorded (fib $fib_n, $spawns spawns) | $spawn_ns ns | 150 | $(verdict "$spawn_ns" 150) |
| a run of $long_s s, 1000 Hz, 16 threads: memory beyond the native run's | $long_mb MB | 64 | $(verdict "$long_mb" 64) |
| its recording (raw, while it ran: $raw_mb MB) | $skein_mb MB | 20 | $(verdict "$skein_mb" 20) |

With an empty handler, a tick takes $(ratio "$(median gaps nothing)" 1000 %.1f) us here. This part belongs to the kernel and is the same for
perf.

## Samples with a complete call path

| program | threads | samples | incomplete | complete, % | at least 99 |
|---|---|---|---|---|---|
$(root_rows)

redis is redis-server with three I/O threads, under redis-benchmark. throws is C++ that throws
exceptions all the time (tests/prog/idle/throws.cpp). All others are as Debian built them.
PAGE
