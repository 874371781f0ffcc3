#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# input.sh BUILD: what the input lens costs, by hooks and under Valgrind beside Valgrind's other tools, and what it finds in sqlite3. Prints a Markdown page.
#
# Under Valgrind CPU time is that of the whole process, with its start; skein's analysis is left out. By hooks it is that of the subject's process. ROUNDS (5) is for hooks, there are
# VALGRIND_ROUNDS (3) under Valgrind; ACCESSES (10000000000) is the length of the long run. Ten minutes on two idle cores.
: "${ROUNDS:=5}"
. "$(dirname "$0")/lib.sh"
valgrind_rounds=${VALGRIND_ROUNDS:-3}
accesses=${ACCESSES:-10000000000}
export OMP_WAIT_POLICY=passive

# ---- subjects ----

say "building the subjects"
cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
cc -O2 "$bench/input_spent.c" -o spent
clang-19 -O2 -g -gdwarf-4 -fopenmp "$bench/input.c" -o plain
skein-cc -O2 -g -fopenmp "$bench/input.c" -o input
"$bench/../tools/source" "$build/source" bzip2 lua5.4
cp -r "$build/source/bzip2" src-bzip2
make -s -C src-bzip2 bzip2 CC=skein-cc CFLAGS="-O2 -g -D_FILE_OFFSET_BITS=64" >bzip2.log 2>&1
cp -a src-bzip2/bzip2 src-bzip2/libbz2.so* .
cp -r "$build/source/lua5.4" src-lua
cp src-lua/.pc/0001-build-system.patch/src/Makefile src-lua/src/Makefile
echo '#define DEB_HOST_MULTIARCH "."' >src-lua/src/lua5.4-deb-multiarch.h
make -s -C src-lua/src linux CC=skein-cc >lua.log 2>&1
cp src-lua/src/lua lua
tar -C /usr/lib/llvm-19/include --dereference --sort=name --mtime=@0 --owner=0 --group=0 -cf - . | head -c 4000000 >data
awk 'BEGIN {srand(1); for (i = 0; i < 400000; i++) printf "%d line %d of the file\n", rand() * 1e9, i}' >lines
cat >work.lua <<'END'
local n, s = tonumber(arg[1]), 0
for round = 1, n do
	local t, words = {}, {}
	for i = 1, 20000 do t[i] = (i * 7919) % 10007 end
	table.sort(t, function(a, b) return a > b end)
	for w in (("the quick brown fox "):rep(2000)):gmatch("%a+") do words[w] = (words[w] or 0) + #w end
	for _, v in pairs(words) do s = s + v end
	local function fib(k) return k < 2 and k or fib(k - 1) + fib(k - 2) end
	s = s + fib(20) + t[1]
end
print(s)
END
cat >work.sql <<'END'
create table t as with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000) select x, (x * 7919) % 10007 y, 'r' || x z from c;
create index i on t (y, z); select count(*), max(a.z) from t a join t b on a.y = b.x where a.z like 'r%7%'; select y % 10, count(distinct z), avg(x) from t group by 1;
END
cat >blobs.sql <<'END'
create table t (x integer primary key, z blob);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 20000) insert into t select x, zeroblob(4000) from c;
update t set z = randomblob(4000) where x % 3 = 0; select sum(length(z)) from t;
END

# ---- under Valgrind ----

declare -A command=(
	[memory]="./plain memory 1 8" [calls]="./plain calls 1 200" [team]="./plain team 4 15" [sqlite3]="sqlite3 -init work.sql :memory: .exit" [gzip]="gzip -c data"
	[memory4]="./plain memory 4 1" [blobs]="sqlite3 -init blobs.sql :memory: .exit" [sort]="sort --parallel=1 -S 300M lines")
for threads in 1 2 4 8 16; do command[team$threads]="./plain team $threads 5"; done
spend() { ./spent "$name.$variant.spent" "$@"; }
under() { spend valgrind -q --tool="$1" --fair-sched=yes --vgdb=no --log-file=/dev/null "${@:2}" ${command[$name]}; }
run_native() { spend ${command[$name]}; }
run_nulgrind() { under none; }
run_memcheck() { under memcheck; }
run_callgrind() { under callgrind --callgrind-out-file=/dev/null; }
run_helgrind() { under helgrind; }
run_skein() {
	rm -rf session
	mkdir session
	SKEIN_SESSION=$work/session VALGRIND_LIB=$build/lib/skein/valgrind under skein --demangle=no
}
peak() { sed 's/.*peak_kb //' "$1.$2.spent" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
over() { ratio "$(median "$1" "$2")" "$(median "$1" "$3")"; }
geomean() { awk '{s += log($1)} END {printf "%.2f", exp(s / NR)}'; }

valgrind_subjects="memory calls team sqlite3 gzip"
hook_rounds=$rounds rounds=$valgrind_rounds
for subject in $valgrind_subjects; do interleave "$subject" native nulgrind memcheck callgrind skein; done
rounds=1
for subject in $valgrind_subjects; do interleave "$subject" helgrind; done
for subject in memory4 blobs sort team1 team2 team4 team8 team16; do interleave "$subject" native nulgrind skein; done
valgrind_rows() {
	local s tool
	for s in $valgrind_subjects; do
		echo "| $s | $(ratio "$(median "$s" native)" 1e9) s | $(over "$s" nulgrind native) | $(over "$s" memcheck nulgrind) | $(over "$s" callgrind nulgrind) | $(over "$s" helgrind nulgrind) | $(over "$s" skein nulgrind) | $(verdict "$(median "$s" skein)" "$(median "$s" helgrind)") |"
	done
	printf '| geometric mean |  |  '
	for tool in memcheck callgrind helgrind skein; do printf '| %s ' "$(for s in $valgrind_subjects; do over "$s" $tool nulgrind; echo; done | geomean)"; done
	echo '| |'
}
skein_over_nulgrind=$(for s in $valgrind_subjects; do over "$s" skein nulgrind; echo; done | geomean)
memory_rows() {
	local s
	for s in "$@"; do
		echo "| ${command[$s]} | $(ratio "$(peak "$s" native)" 1000 %.0f) MB | $(ratio "$(peak "$s" nulgrind)" "$(peak "$s" native)") | $(ratio "$(peak "$s" skein)" "$(peak "$s" native)") | $(ratio "$(($(peak "$s" skein) - $(peak "$s" nulgrind) + $(peak "$s" native)))" "$(peak "$s" native)") |"
	done
}
valgrind_memory=$(for s in memory4 blobs sort; do ratio "$(peak "$s" skein)" "$(peak "$s" native)"; echo; done | geomean)
thread_rows() {
	local n
	for n in 1 2 4 8 16; do
		echo "| $n | $(over team$n skein native) | $(over team$n nulgrind native) | $(over team$n skein nulgrind) | $(ratio "$(peak team$n skein)" "$(peak team$n native)") | $(ratio "$(peak team$n skein)" 1000) MB |"
	done
}

# ---- by hooks ----

rounds=$hook_rounds
declare -A hooked=(
	[hooks_memory]="./input memory 1 10" [hooks_calls]="./input calls 1 500" [hooks_team]="./input team 1 15" [hooks_bzip2]="./bzip2 -k -c data" [hooks_lua]="./lua work.lua 20"
	[hooks_memory2]="./input memory 2 10" [hooks_calls2]="./input calls 2 500" [hooks_team2]="./input team 2 30")
export LD_LIBRARY_PATH=$work
# preloaded COMMAND…: the CPU time of the subject's process; its wall time and memory go beside that
preloaded() {
	local program=${hooked[$name]%% *}
	rm -f cpu.txt
	env BENCH_NAME="${program#./}" BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@" >/dev/null
	cat cpu.txt >>"$name.$variant.spent"
	sed 's/ user_ns.*//' cpu.txt
	sed -n 's/.*wall_ns \([0-9]*\).*/\1/p' cpu.txt >>"$name.$variant.wall.ns"
}
run_alone() { preloaded ${hooked[$name]}; }
run_hooks() { rm -f hooks.skein; preloaded skein record input -o hooks.skein -- ${hooked[$name]}; }
hook_subjects="memory calls team bzip2 lua"
for subject in $hook_subjects memory2 calls2 team2; do interleave "hooks_$subject" alone hooks; done
hook_rows() {
	local s
	for s in $hook_subjects; do
		echo "| ${hooked[hooks_$s]#./} | $(ratio "$(median "hooks_$s" alone)" 1e9) s | $(over "hooks_$s" hooks alone) | $(ratio "$(peak "hooks_$s" alone)" 1000) MB | $(ratio "$(peak "hooks_$s" hooks)" "$(peak "hooks_$s" alone)") |"
	done
}
hooks_cpu=$(for s in $hook_subjects; do over "hooks_$s" hooks alone; echo; done | geomean)
hooks_memory=$(for s in $hook_subjects; do ratio "$(peak "hooks_$s" hooks)" "$(peak "hooks_$s" alone)"; echo; done | geomean)
both_rows() {
	local s one two
	for s in memory calls team; do
		one=$(over "hooks_$s" hooks.wall alone.wall) two=$(over "hooks_${s}2" hooks.wall alone.wall)
		echo "| $s | $one | $two | $(ratio "$two" "$one") | $(verdict "$(ratio "$two" "$one")" 1.2) | $(over "hooks_$s" hooks alone) | $(over "hooks_${s}2" hooks alone) |"
	done
}

# ---- endurance ----

figure() { skein report input "$1.skein" --view summary --csv | tr -d '\r"' | awk -F, -v name="$2" '$1 == name {print $2}'; }
say "a run of $accesses accesses"
name=long variant=alone
hooked[long]="./input sums $((accesses / 10000))"
preloaded ${hooked[long]} >/dev/null
variant=hooks
preloaded skein record input -o long.skein -- ${hooked[long]} >/dev/null 2>long.err
variant=valgrind
spend skein record input --valgrind -o long_valgrind.skein -- ./plain sums $((accesses / 10000)) >/dev/null 2>long.err
point_of() { skein report input "$1.skein" --view points --routine sum_of --csv | tr -d '\r' | awk -F, '$1 == "all" && $2 == "trms" {printf "%s calls of size %s, cost %s", $4, $3, $7}'; }
sizes=20000
skein record input -o sizes.skein -- ./input sizes $sizes >/dev/null 2>&1
rows=$(skein report input sizes.skein --view points --routine sum_of --csv | grep -c '^all,trms')

# ---- sqlite3 with growing tables ----

say "sqlite3 with growing tables"
awk -v q="'" 'BEGIN {
	n = 600
	print "pragma page_size = 1024; begin;"
	for (i = 0; i < 20; i++) {
		printf "create table t%d (x integer primary key, y int, z text); with recursive c(x) as (select 1 union all select x + 1 from c where x < %d) insert into t%d select x, x * 7919 %% 10007, %sr%s || x from c;\n", i, n, i, q, q
		n = int(n * 1.3) + 1
	}
	print "commit;"
}' | sqlite3 tables.db
{ echo "pragma cache_size = 20;"; for i in $(seq 0 19); do echo "select sum(y), max(z) from t$i;"; done; } >selects.sql
skein record input --valgrind -o sqlite.skein -- sqlite3 tables.db ".read selects.sql" >/dev/null 2>sqlite.err
sqlite_rows() {
	skein report input sqlite.skein --csv | tr -d '\r' | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
		$c["thread"] == "all" && $c["cost_pct"] > 50 && $c["model"] != "" {
			printf "| %s | %s | %s | %s, %.2f (%.2f to %.2f) | %.4f | %s |\n", $1, $c["calls"], $c["sizes_trms"], $c["model"], $c["exponent"], $c["exponent_low"], $c["exponent_high"], $c["r2"],
				$c["model_rms"] == "" ? "none" : $c["model_rms"] ", " sprintf("%.2f", $c["exponent_rms"])
		}'
}

cat <<PAGE
# What the input lens costs

Measured by \`make bench\` on $(nproc) cores: medians of interleaved rounds: $hook_rounds with hooks, $valgrind_rounds under Valgrind, 1 for helgrind, for memory and for numbers of threads. Figures are ratios of CPU time unless stated otherwise. Cells have 4 bytes.

The subjects: \`memory\` sums up, reads at random and counts into arrays of 16 MB; \`calls\` recurses with hardly any work; \`team\` is a matrix product and a stencil with OpenMP (bench/input.c). sqlite3 (a join, an index, groups), gzip and sort are Debian's binaries; skein-cc builds bzip2 and lua from Debian's sources.

## Any binary, under Valgrind

Ratios to nulgrind. \`team\` has four threads; they take turns under all tools.

| subject | native | nulgrind over native | memcheck | callgrind | helgrind | skein | below helgrind |
|---|---|---|---|---|---|---|---|
$(valgrind_rows)

Bar: skein at most 3.2 times nulgrind. Measured $skein_over_nulgrind; met: $(verdict "$skein_over_nulgrind" 3.2). (aprof's paper, on other programs: 6.0, with one of the three sizes per run.)

Memory, native = 1. Valgrind itself takes about 35 MB for any program; the last column leaves this out.

| program | native | nulgrind | skein | skein without Valgrind's own |
|---|---|---|---|---|
$(memory_rows memory4 blobs sort)

Bar: at most 3.3 (geometric mean). Measured $valgrind_memory; met: $(verdict "$valgrind_memory" 3.3).

\`team\` with more threads (Figure 14 of the paper):

| threads | skein over native, time | nulgrind over native | skein over nulgrind | skein over native, memory | memory |
|---|---|---|---|---|---|
$(thread_rows)

## Programs that skein-cc built, with hooks

One thread, native = 1.

| program | native | skein | memory, native | memory, skein |
|---|---|---|---|---|
$(hook_rows)
| geometric mean |  | $hooks_cpu |  | $hooks_memory |

Bars: time at most 8, met: $(verdict "$hooks_cpu" 8); memory at most 5, met: $(verdict "$hooks_memory" 5). Each cell takes one word, and two more per thread that accesses it: a program whose threads all use the same memory needs more.

Two threads on $(nproc) cores: wall time over native, compared with one thread. With two threads, \`memory\` and \`calls\` do twice the work; \`team\` divides its work.

| subject | one thread | two threads | two over one | at most 1.2 | one thread, CPU time | two threads, CPU time |
|---|---|---|---|---|---|---|
$(both_rows)

## Endurance

- A run of $accesses accesses, with hooks: $(point_of long); $(figure long lost_events) events lost; $(ratio "$(peak long hooks)" 1000) MB of memory (native: $(ratio "$(peak long alone)" 1000) MB).
- The same under Valgrind: $(point_of long_valgrind); $(figure long_valgrind reads) reads, $(figure long_valgrind lost_events) events lost; $(ratio "$(peak long valgrind)" 1000 %.0f) MB of memory; $(ratio "$(sed 's/cpu_ns \([0-9]*\).*/\1/' long.valgrind.spent)" 1e9 %.0f) s of CPU time.
- A routine with $sizes different sizes: $rows rows in a recording of $(stat -c %s sizes.skein) bytes.
- Ten thousand threads, stacks a million deep and sizes beyond 32 bits are in tests/cli/input/endure.sh.

## sqlite3 with growing tables

Debian's sqlite3 reads tables of 600 to $(sqlite3 tables.db 'select count(*) from t19') rows from a file, with a small page cache: 20 statements \`select sum(y), max(z) from tN\`. The table shows the routines with most of the cost, by trms and by rms. (The shell is stripped: its routines have no names. sqlite3_step is also called for statements that read hardly anything. sqlite3VdbeExec, which executes statements, is not in the table: its cost depends on the functions that a statement calls through pointers, so no cost function is claimed.)

| routine | calls | sizes | by trms: model, exponent | R2 | by rms: model, exponent |
|---|---|---|---|---|---|
$(sqlite_rows)

rms sees only the page cache, so a select seems to cost ever more for the same input (Figure 4 of the paper): by rms there is no cost function.
PAGE
