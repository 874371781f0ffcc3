#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# paths.sh BUILD: exactness, hits and cost of path profiles on real programs, which are built from Debian's source packages. Prints a Markdown page.
#
# Each program has three inputs; a plan is always made from another input than the one that is measured. Hits are counted from what was executed, by bench/paths.c; see there.
. "$(dirname "$0")/lib.sh"
. "$bench/packages.bash"
jobs=-j$(nproc)
lua_flags="-D'luai_makeseed(L)=0'" # else it begins with the time
export XDG_CACHE_HOME=$work/cache LC_ALL=C.UTF-8
cc -std=c11 -O2 -D_GNU_SOURCE -I"$bench/../src" -I"$bench/../include" "$bench/paths.c" "$build/lib/libskein-tool.a" -lsqlite3 -ldw -lelf -llzma -lcapstone -lz -lm -lstdc++ -o paths
cc -shared -fPIC -O2 "$bench/cpu.c" -o cpu.so
make -s -C "$bench/.." "$(realpath --relative-to "$bench/.." "$build")/tests/paths_try" >&2

# ---- programs and inputs: command_PROGRAM_INPUT, with every file in $work/input ----

packages="bzip2 lua5.4 hmmer2 libzstd sqlite3"
programs="bzip2 lua hmmer zstd sqlite"
inputs="1 2 3"
sources=$build/bench/sources
"$bench/../tools/source" "$sources" $packages
for package in $packages; do
	src=$build/bench/paths/$package
	[ -e "$src.done" ] || {
		say "building $package"
		rm -rf "$src" && mkdir -p "$(dirname "$src")" && cp -a "$sources/$package" "$src"
		(cd "$src" && "build_$package" skein-cc skein-c++) >"$src.log" 2>&1 || { say "$package does not build: see $src.log"; exit 1; }
		touch "$src.done"
	}
done
declare -A program=([bzip2]=bzip2/bzip2 [lua]=lua5.4/src/lua [hmmer]=hmmer2/src/hmmsearch [zstd]=libzstd/programs/zstd [sqlite]=sqlite3/sqlite3.shell)
for name in $programs; do program[$name]=$build/bench/paths/${program[$name]}; done

mkdir -p input
cat "$sources"/libzstd/lib/*/*.c "$sources"/lua5.4/src/*.c >input/text
cat "${program[sqlite]}" >input/binary
awk 'BEGIN {srand(1); for (i = 0; i < 60000; i++) printf "2026-11-%02d %02d:%02d server-%d GET /item/%d %d\n", i % 30 + 1, i % 24, i % 60, i % 7, int(rand() * 5000), 200 + 4 * (rand() < 0.1)}' >input/log
cp "$sources"/hmmer2/testsuite/fn3.hmm "$sources"/hmmer2/tutorial/rrm.hmm "$sources"/hmmer2/tutorial/globins630.fa "$sources"/hmmer2/testsuite/titin.fa input
for _ in 1 2 3 4 5 6 7 8; do cat input/titin.fa; done >input/titin8.fa
cat >input/1.lua <<'END'
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local t = {}
for i = 1, 200000 do t[i] = (i * 7919) % 100003 end
table.sort(t)
print(fib(29), t[1], t[#t])
END
cat >input/2.lua <<'END'
local words, n = {}, 0
for i = 1, 40000 do
	local w = string.format("%x", i * 2654435761 % 65536)
	words[w] = (words[w] or 0) + 1
end
for w, c in pairs(words) do n = n + c * #w:gsub("%d", "") end
local parts = {}
for i = 1, 60000 do parts[#parts + 1] = tostring(i):rep(3, "-") end
local s = table.concat(parts, " ")
for a, b in s:gmatch("(%d+)-(%d+)") do n = n + #a + #b end
print(n, #s)
END
cat >input/3.lua <<'END'
local Vec = {}
Vec.__index = Vec
Vec.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Vec) end
local sum = setmetatable({x = 0, y = 0}, Vec)
for i = 1, 300000 do sum = sum + setmetatable({x = i, y = i / 2}, Vec) end
local m, w = 0, 160
for y = 0, w - 1 do for x = 0, w - 1 do
	local a, b, k = 0, 0, 0
	while k < 60 and a * a + b * b < 4 do a, b, k = a * a - b * b + 3 * x / w - 2, 2 * a * b + 2 * y / w - 1, k + 1 end
	m = m + k
end end
print(sum.x, sum.y, m)
END
cat >input/1.sql <<'END'
create table t (a integer primary key, b int, c text);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000) insert into t select i, i * 7919 % 10007, 'row ' || i from n;
create index tb on t (b);
select count(*), sum(b), max(c) from t where b between 100 and 3000;
select b % 10, count(*), avg(a) from t group by 1 order by 2, 1;
END
cat >input/2.sql <<'END'
pragma temp_store = memory; -- a temporary file would have a random name
create table p (id integer primary key, name text);
create table o (id integer primary key, p int, v real);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000) insert into p select i, printf('%05d-%s', i * 31 % 2000, hex(i)) from n;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 60000) insert into o select i, i * 17 % 2000 + 1, i / 3.0 from n;
select p.name, sum(o.v) s from o join p on p.id = o.p group by p.id order by s desc limit 5;
update o set v = v * 2 where p in (select id from p where name like '%-3%');
delete from o where id % 7 = 0;
select count(*), round(total(v), 2) from o;
END
cat >input/3.sql <<'END'
create table d (w text, n int);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) insert into d select lower(hex(i * 2654435761 % 4096)), length(hex(i)) from n;
select w, count(*) c, group_concat(distinct n) from d where w glob '3[0-5]*' group by w having c > 2 order by c desc, w limit 10;
select sum(case when w like '%4%' then instr(w, '4') when w > '38' then length(w) else n end), count(distinct substr(w, 2, 2)) from d;
with recursive f(a, b, i) as (select 0, 1, 0 union all select b, (a + b) % 1000003, i + 1 from f where i < 60000) select max(a), sum(b % 3) from f;
END

# set_command PROGRAM INPUT: $command, to be run in $work/input
set_command() {
	case $1$2 in
	bzip21) command="-c -9 text" ;;
	bzip22) command="-c -3 binary" ;;
	bzip23) command="-c -6 log" ;;
	lua*) command="$2.lua" ;;
	hmmer1) command="fn3.hmm globins630.fa" ;;
	hmmer2) command="rrm.hmm titin8.fa" ;;
	hmmer3) command="fn3.hmm titin8.fa" ;;
	zstd1) command="-q --single-thread --no-asyncio -9 -c text" ;;
	zstd2) command="-q --single-thread --no-asyncio -9 -c binary" ;;
	zstd3) command="-q --single-thread --no-asyncio -9 -c log" ;;
	sqlite*) command=":memory: -init $2.sql .exit" ;;
	esac
	command="${program[$1]} $command"
}
other() { echo $(($1 % 3 + 1)); }

# recorded NAME OPTIONS…: $command with this recording, its output in NAME.out
recorded() {
	local to=$work/$1
	shift
	rm -f "$to.skein"
	(cd input && skein record paths "$@" -o "$to.skein" -- $command) >"$to.out" 2>"$to.err" </dev/null || { say "$to: $(tail -n 3 "$to.err")"; return 1; }
}
# shapes PROGRAM NAME: copies of the shapes of a recording's objects; its raw session goes
shapes() {
	local session table n=0
	session=$(echo "$work/.$2.skein.session-"*)
	rm -f "$1".shape.*
	for table in $(awk -F '\t' '$1 == "object" {print $4}' "$session/session"); do cp "$(dirname "$table")/shape" "$1.shape.$((n++))"; done
	rm -rf "$session"
}
rows() { skein report paths "$1.skein" --view paths --top 0 --csv | cut -d, -f1-6 | LC_ALL=C sort; }

# ---- exactness ----

declare -A output edges tried_copies same_copies
judge() { if "$@"; then echo same; else echo '**differ**'; fi; }
# tried NAME KEY=VALUE…: edges of $command by the plugin with these options
tried() {
	local folder=$work/$1.try
	shift
	rm -rf "$folder" && mkdir "$folder"
	(cd input && "$build/tests/paths_try" run "$folder" "$@" -- $command) >/dev/null 2>&1 </dev/null
	"$build/tests/paths_try" edges "$folder"
}
for name in $programs; do
	for input in $inputs; do
		set_command $name $input
		say "$name, input $input"
		(cd input && $command) >"$name.$input.native" 2>/dev/null </dev/null
		recorded "$name.$input" --keep-raw
		shapes "$name" "$name.$input"
		output[$name]+=" $(judge cmp -s "$name.$input.native" "$name.$input.out")"
		for _ in 1 2 3 4 5 6 7 8 9; do
			tried by-paths >by-paths.edges
			tried by-edges EDGES=1 >by-edges.edges
			! cmp -s by-paths.edges by-edges.edges || break
			[ $name = lua ] || break # its hash tables go by addresses, so what it does depends on them: some pair of runs is alike
		done
		edges[$name]+=" $(judge cmp -s by-paths.edges by-edges.edges)"
		rows "$name.$input" >"$name.$input.rows"
	done
	edges[$name]+=" ($(wc -l <by-edges.edges))"
done
figure() { skein report paths "$1.skein" --view summary --csv | awk -F, -v f="$2" '$1 == f {print $2}'; }
# divided NAME INPUT COPIES WAY ONE [OPTION…]: the profile of so many copies against that of one, and the hits of the slowest against ONE's: `NAME INPUT COPIES WAY percent` for measured
divided() {
	local name=$1 input=$2 k=$3 way=$4 one=$5
	shift 5
	say "$name, input $input: $k copies, $way"
	tried_copies[$name]=$((${tried_copies[$name]:-0} + 1))
	recorded divided --copies $k "$@" || return
	rows divided >divided.rows
	if cmp -s "$name.$input.rows" divided.rows; then
		same_copies[$name]=$((${same_copies[$name]:-0} + 1))
	else
		say "$name, input $input: $k copies, $way: differ"
		for suffix in err rows skein; do cp "divided.$suffix" "differ.$name.$input.$k.$way.$suffix"; done
	fi
	echo "$name $input $k $way $(figure divided hits_slowest) $one" | awk '{print $1, $2, $3, $4, 100 * (1 - $5 / $6)}' >>measured
}
: >measured
for name in bzip2 hmmer zstd sqlite; do
	for input in $inputs; do
		set_command $name $input
		plan=$work/$name.$(other $input).skein
		recorded planned --plan "$plan"
		for k in 2 4 8; do
			divided $name $input $k guess+turns "$(figure "$name.$input" hits_slowest)"
			divided $name $input $k plan+turns "$(figure planned hits_slowest)" --plan "$plan"
		done
	done
done
copies_of() { if [ $1 = lua ]; then echo 'they differ: it hashes addresses'; else echo "${same_copies[$1]:-0} of ${tried_copies[$1]} same"; fi; }

# ---- re-links ----

relink=$build/tests/try_relink # it finds skein's own libraries from where it lies
cc -std=c11 -I"$bench/../src" "$bench/../tests/prog/relink/try.c" "$build/lib/libskein-tool.a" -ldw -lelf -o "$relink"
# clocked COMMAND…: its seconds, and those of CPU, from an empty cache; what it prints goes nowhere
clocked() {
	local XDG_CACHE_HOME=$work/clocked TIMEFORMAT='%R %U %S'
	rm -rf "$XDG_CACHE_HOME"
	{ time "$@" >/dev/null 2>clocked.err || say "$* failed: $(tail -n 3 clocked.err)"; } 2>clocked.time
	tail -n 1 clocked.time | awk '{printf "%.0f | %.0f", $1, $2 + $3}'
}
lines() { cat "$@" | wc -l; }
code_lines() { cat "$@" | cc -fpreprocessed -dD -E -P -w -x c - 2>/dev/null | wc -l; } # without comments
relink_rows() {
	local name
	declare -A parts=([zstd]="$sources/libzstd/programs/*.[ch] $sources/libzstd/lib/*.h $sources/libzstd/lib/*/*.[ch]" [sqlite]="$build/bench/paths/sqlite3/sqlite3.c $build/bench/paths/sqlite3/shell.c")
	for name in zstd sqlite; do
		set_command $name 1
		say "$name: four re-links"
		echo "| $name | $(lines ${parts[$name]}) | $(code_lines ${parts[$name]}) | $(clocked "$relink" -k 4 "${program[$name]}" paths SHARE=best TURNS=1) | $(clocked recorded clocked --copies 4) |"
	done
}
relink_rows >relinks

# ---- hits ----

for name in $programs; do
	for input in $inputs; do
		say "$name, input $input: hits"
		./paths "$name.$(other $input).skein" "$name.$input.skein" "$name".shape.* | sed "s/^/$name $input /"
	done
done >hits
awk '$1 == "lua" {print $1, $2, $3, $4, $5}' hits >>measured # for want of better
# hit PROGRAM|all COPIES WAY COLUMN: percent that the slowest copy has less; programs count alike. real: the same, measured
hit() { awk -v p="$1" -v k="$2" -v w="$3" -v c="$4" '$3 == k && $4 == w && (p == "all" || $1 == p) {sum[$1] += $c; n[$1]++} END {for (i in sum) {all += sum[i] / n[i]; m++} printf "%.1f", m ? all / m : 0}' "${5:-hits}"; }
real() { hit "$1" "$2" "$3" 5 measured; }
hit_rows() {
	local name k
	for name in $programs all; do
		for k in 2 4 8; do
			echo "| $name | $k | $(hit $name $k pbl 5) | $(hit $name $k p3 5) | $(real $name $k guess+turns) | $(real $name $k plan+turns) | $(hit $name $k guess+turns 5) | $(hit $name $k plan 5) | $(hit $name $k plan+turns 5) | $(hit $name $k plan+turns 6) | $(hit $name $k floor 5) |"
		done
	done
}
at_least() { awk -v a="$1" -v b="$2" 'BEGIN {print (a >= b ? "yes" : "**no**")}'; }
bar_rows() {
	local k plan guess
	while read -r k plan guess; do
		echo "| $k copies, with a plan | $(real all $k plan+turns) | $plan | $(at_least "$(real all $k plan+turns)" $plan) |"
		echo "| $k copies, without | $(real all $k guess+turns) | $guess | $(at_least "$(real all $k guess+turns)" $guess) |"
	done <<<$'2 35 23\n4 60 43\n8 72 56'
}

# ---- a profile for clang: lua, built with the counts of input 1, runs inputs 1 to 3 ----

skein export llvm-profdata lua.1.skein -o lua.proftext
llvm-profdata-19 merge lua.proftext -o lua.profdata
for way in plain guided; do
	rm -rf "lua.$way" && cp -a "$sources/lua5.4" "lua.$way"
	guide=
	[ $way = plain ] || guide=" -fprofile-use=$work/lua.profdata"
	(cd "lua.$way" && lua_flags="$lua_flags$guide" && build_lua5.4 clang-19 clang++-19) >"lua.$way.log" 2>&1 || say "lua does not build: see $work/lua.$way.log"
done

# ---- time ----

preloaded() {
	rm -f cpu.txt
	(cd input && env BENCH_NAME="$(basename "${program[$subject]}")" BENCH_CPU="$work/cpu.txt" LD_PRELOAD="$work/cpu.so" "$@") >/dev/null 2>&1 </dev/null
	sed 's/ user_ns.*//' cpu.txt
}
run_native() { preloaded $command; }
run_plain() { preloaded "$work/lua.plain/src/lua" $input.lua; }
run_guided() { preloaded "$work/lua.guided/src/lua" $input.lua; }
run_paths() { preloaded skein record paths -o "$work/time.skein" -- $command; }
for subject in $programs; do
	for input in $inputs; do
		set_command $subject $input
		interleave $subject.$input native paths
	done
done
subject=lua
for input in $inputs; do interleave guided.$input plain guided; done
guided() { ratio "$(median guided.$1 guided)" "$(median guided.$1 plain)" %.3f; }
time_of() { ratio "$(median $1.$2 paths)" "$(median $1.$2 native)" %.3f; }
times() { for name in $programs; do for input in $inputs; do time_of $name $input; echo; done; done; }
time_rows() { for name in $programs; do echo "| $name | $(time_of $name 1) | $(time_of $name 2) | $(time_of $name 3) |"; done; }
mean=$(times | awk '{s += log($1); n++} END {printf "%.3f", exp(s / n)}')
worst=$(times | sort -n | tail -n 1)

cat <<END
# What the paths lens costs, and what copies save

Made by \`make bench\`: five real programs, built by skein-cc from Debian's source packages with their own flags; three inputs each; $rounds rounds; $(nproc) cores.

## Exactness

Three comparisons:

- *output*: the output of the recorded program with that of the native program;
- *edges*: the count of each edge, computed from paths, with a separate counter in another run. In parentheses: the number of edges. The tables of lua depend on addresses; for lua, the first identical pair of up to nine pairs of runs is used;
- *copies*: the profiles of 2, 4 and 8 copies, without and with a plan, with that of one copy, path by path.

| program | output | edges | copies |
|---|---|---|---|
$(for name in $programs; do echo "| $name |${output[$name]} |${edges[$name]} | $(copies_of $name) |"; done)

## Hits

How many percent fewer increments and counter updates the slowest copy executes than one copy that counts everything with the same plan. Means of three inputs; *all*: means of the programs.

- Columns *measured* are from copies that ran. lua's copies differ, so its figures are computed.
- The other columns are computed from one recording: PBL and P3 as published, compared with Ball and Larus as published; Skein with functions counted in every k-th call (*turns*) and without. The computation assumes that all calls are equally long, which flatters functions that are called only a few times.
- A *plan* comes from another input than the one that is measured.
- *floor*: the saving if only the most frequent path were counted, by one copy.

| program | copies | PBL | P3 | no plan, measured | plan, measured | no plan | plan, no turns | plan | plan: increments alone | floor |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
$(hit_rows)

| hits of the slowest copy are lower by | percent | bar | met |
|---|---:|---:|---|
$(bar_rows)

## Time of one copy

CPU time of the subject with all paths counted, divided by that of the native program, per input.

| program | 1 | 2 | 3 |
|---|---:|---:|---:|
$(time_rows)

| time | ratio | bar | met |
|---|---:|---:|---|
| geometric mean | $mean | 1.25 | $(verdict $mean 1.25) |
| worst | $worst | 1.6 | $(verdict $worst 1.6) |

Time for planning and four re-links, with $(nproc) cores and an empty cache; then the same with four runs and the report. The bar is 60 s for planning and re-links of 80,000 lines.

| program | lines | without comments | re-links, s | CPU, s | with the runs, s | CPU, s |
|---|---:|---:|---:|---:|---:|---:|
$(cat relinks)

## A profile for clang

Time of lua built by clang with \`-fprofile-use\` and the profile that \`skein export llvm-profdata\` made of input 1, divided by the time of lua built without a profile: $(guided 1) on input 1, $(guided 2) on input 2, $(guided 3) on input 3.
END
