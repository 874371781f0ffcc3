#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# diff.sh BUILD: how long skein diff takes, how often it is wrong about times, and what it finds. Prints a Markdown page.
#
# PAIRS (200) pairs of equal runs, FINDS (20) pairs with a routine that takes 5 % longer.
: "${ROUNDS:=5}"
. "$(dirname "$0")/lib.sh"
pairs=${PAIRS:-200}
finds=${FINDS:-20}
. "$bench/packages.bash"
jobs=-j$(nproc)

say 'sqlite3'
"$bench/../tools/source" "$build/source" sqlite3
if [ ! -x "$build/bench/sqlite3/sqlite3.shell" ]; then
	mkdir -p "$build/bench"
	cp -r "$build/source/sqlite3" "$build/bench/sqlite3"
	(cd "$build/bench/sqlite3" && build_sqlite3 skein-cc skein-c++) >sqlite3.log 2>&1
fi
cp "$build/bench/sqlite3/sqlite3.shell" sqlite3
for size in 20000 21000; do
	cat >$size.sql <<-END
		create table t as with recursive c(x) as (select 1 union all select x + 1 from c where x < $size) select x, (x * 7919) % 10007 y, 'r' || x z from c;
		create index i on t(y);
		select count(*), sum(length(z)) from t a join t b on a.y = b.y where a.x < 500;
		select group_concat(z) from (select z from t order by y, z limit 200);
	END
	for lens in calls span paths input idle flow; do
		say "$lens of sqlite3, $size rows"
		skein record $lens -q -o $lens.$size.skein -- ./sqlite3 :memory: -init $size.sql .exit >/dev/null 2>$lens.err || say "$lens failed: $(tail -n 1 $lens.err)"
	done
done
say 'contexts of idle'
gcc -std=gnu11 -O2 -g -fno-optimize-sibling-calls "$bench/diff.c" -o paths
for turn in 1 2; do skein record idle -q -o contexts.$turn.skein -- ./paths paths "${CONTEXT_MS:-9000}" >/dev/null; done
contexts=$(skein sql contexts.1.skein 'SELECT count(*) FROM v_contexts' --csv | tail -n 1)

# elapsed NAME OLD NEW: seconds and CPU seconds of a diff, best of ROUNDS, since other programs share the machine
elapsed() {
	local TIMEFORMAT='%R %U %S' round
	for ((round = 0; round < rounds; round++)); do
		{ time skein diff "$1" "$2" "$3" >/dev/null; } 2>&1
	done | awk '{cpu = $2 + $3; if (NR == 1 || $1 < real) real = $1; if (NR == 1 || cpu < best) best = cpu} END {printf "%.2f %.2f", real, best}'
}
rows() {
	local lens real cpu
	for lens in calls span paths input idle flow; do
		[ -e $lens.21000.skein ] || continue
		read -r real cpu <<<"$(elapsed $lens $lens.20000.skein $lens.21000.skein)"
		echo "| sqlite3, $lens | $real | $cpu | 1 | $(verdict "$real" 1) |"
	done
	read -r real cpu <<<"$(elapsed idle contexts.1.skein contexts.2.skein)"
	echo "| idle, $contexts contexts | $real | $cpu | 3 | $(verdict "$real" 3) |"
}

say "false alarms of $pairs pairs"
skein-cc -std=gnu11 -O2 -g "$bench/diff.c" -o old
skein-cc -std=gnu11 -O2 -g -DSLOWER=0 "$bench/diff.c" -o same
skein-cc -std=gnu11 -O2 -g -DSLOWER=5 "$bench/diff.c" -o new
# sure RUNS PROGRAM MS: records PROGRAM and `old` in turns, and prints rows that are said to differ in time: routine, figure, verdict
sure() {
	skein record calls -q --repeat "$1" --warmup 1 --against ./old -o pair.skein -- "./$2" work "$3" >/dev/null
	skein diff calls pair.against.skein pair.skein --csv |
		python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["figure"].endswith("_ns") and row["verdict"] in ("worse", "better") and row["sure"] not in ("", "no", "exact") and float(row["sure"]) >= 0.95:
        print(row["routine"] or "(run)", row["figure"], row["verdict"])'
	rm -f pair.skein pair.against.skein
}
alarms=0
for ((pair = 0; pair < pairs; pair++)); do
	if [ -n "$(sure 5 same 20)" ]; then alarms=$((alarms + 1)); fi
done
say "a routine that takes 5 % longer, $finds times"
found=0 wrong=0
for ((pair = 0; pair < finds; pair++)); do
	said=$(sure 10 new 100)
	if grep -q '^part direct_ns worse$' <<<"$said"; then found=$((found + 1)); fi
	if grep -vE '^(part|main|work|\(run\)) ' <<<"$said" | grep -q .; then wrong=$((wrong + 1)); fi
done
table=$(rows)
cat <<END
# How long a diff takes, and how often it is right

Made by \`make bench\` (\`bench/diff.sh\`) on $(nproc) cores with a load of $(cut -d ' ' -f 1 /proc/loadavg): \`skein diff\` of two recordings of sqlite3 (Debian's source, one file and its shell, joins and sorts of 20,000
and 21,000 rows), and of two of a program whose samples hardly share a call path. Elapsed time and CPU time in seconds, the best of $rounds.

| recordings | elapsed | CPU time | bar, elapsed | met |
|---|---:|---:|---:|---|
$table

Times are judged at 95 % for all differences of a report together. The program has twenty routines; runs of both sides are made in turns, under \`calls\`.

| what | runs on each side | pairs | of these | bar | met |
|---|---:|---:|---:|---:|---|
| equal programs: some difference of time is called sure | 5 | $pairs | $alarms ($(ratio "$((100 * alarms))" "$pairs" %.1f) %) | 5 % | $(verdict "$((100 * alarms))" "$((5 * pairs))") |
| a routine with 20 % of the time takes 5 % longer: found | 10 | $finds | $found ($(ratio "$((100 * found))" "$finds" %.0f) %) | 90 % | $(verdict "$((90 * finds))" "$((100 * found))") |
| another routine is blamed | 10 | $finds | $wrong ($(ratio "$((100 * wrong))" "$finds" %.0f) %) | 5 % | $(verdict "$((100 * wrong))" "$((5 * finds))") |
END
