#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# merge.sh BUILD: what it takes to merge the recordings of many ranks. Prints a Markdown page.
#
# One rank of a generated program of 120 routines is recorded by the calls lens; its recording is copied with other numbers of the rank and
# other times, MERGE_PARTS of them ("1000 10000").
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$work/cache
read -ra parts <<<"${MERGE_PARTS:-1000 10000}"
ROUTINES=120

awk -v n=$ROUTINES 'BEGIN {
	for (i = 1; i <= n; i++) {
		below = i == 1 ? "0" : "(x == 1 ? 0 : f" int(i / 2) "(x - 1))"
		printf "__attribute__((noinline)) int f%d(int x) { volatile int s = 0; for (int i = 0; i - x * 100; i++) s += i; return s + %s; }\n", i, below
	}
	print "int main(void)\n{\n\tint s = 0;"
	for (i = 1; i <= n; i++) printf "\ts += f%d(5);\n", i
	print "\treturn s == 1;\n}"
}' >prog.c
skein-cc -g -O1 -o prog prog.c 2>/dev/null
PMI_RANK=0 PMI_SIZE=2 skein record calls -q -- ./prog
one=prog.skein.d/rank-000000.skein

# copies N: rank 17 is twice as slow as the others
copies() {
	python3 - "$one" "parts$1" "$1" <<'END'
import os, sqlite3, sys
source, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(folder)
whole = open(source, "rb").read()
for rank in range(count):
    path = f"{folder}/rank-{rank:06d}.skein"
    with open(path, "wb") as file:
        file.write(whole)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = off")
    db.execute("pragma synchronous = off")
    db.execute("begin")
    db.execute("update rank set rank = ?, ranks = ?, node = ?", (rank, count, f"n{rank // 64}"))
    db.execute("update calls_routine set direct_ns = cast(direct_ns * ? as integer)", ((1 + rank % 100 / 1000) * (2 if rank == 17 else 1),))
    db.execute("commit")
    db.close()
END
}

# measured FILE COMMAND…: CPU and wall seconds and the largest memory in KiB
measured() { local file=$1; shift; /usr/bin/time -f '%U %S %e %M' -o "$file" "$@" >/dev/null; }
field() { awk -v n="$2" 'END {print $n}' "$1"; }
cpu() { awk 'END {printf "%.1f", $1 + $2}' "$1"; }
mib() { awk 'END {printf "%.0f", $4 / 1024}' "$1"; }

rows() {
	local n
	for n in "${parts[@]}"; do
		say "$n recordings"
		copies "$n"
		measured merge skein merge "parts$n" -o "all$n.skein"
		measured report skein report "all$n.skein"
		measured csv skein merge "all$n.skein" --csv "csv$n"
		skein report "all$n.skein" | tr '\n' ' ' | grep -q 'Rank 17 has' || { say "rank 17 is not named"; exit 1; }
		printf '| %d | %s s | %s s | %s ms | %s MiB | %s MB | %s s, %s MiB | %s s |\n' "$n" "$(field merge 3)" "$(cpu merge)" \
			"$(awk -v n="$n" 'END {printf "%.1f", ($1 + $2) * 1000 / n}' merge)" "$(mib merge)" \
			"$(($(stat -c %s "all$n.skein") / 1000000))" "$(field report 3)" "$(mib report)" "$(field csv 3)"
		rm -rf "parts$n" "csv$n"
	done
}

cat <<END
# Merging many recordings

Made by \`make bench\` (\`bench/merge.sh\`): recordings of $(($(stat -c %s $one) / 1000)) kB and $(for t in $(sqlite3 $one .tables); do sqlite3 $one "select count(*) from $t"; done | awk '{s += $1} END {print s}') rows, of $((ROUTINES + 1)) routines each, merged by one process on a machine
with $(nproc) cores. The bar is 120 s and 500 MB for 10,000. Wall times have what other programs on the machine took; CPU times do not.

| recordings | merge, wall | CPU | CPU each | memory | merged file | report, wall and memory | CSV, wall |
|---:|---:|---:|---:|---:|---:|---:|---:|
$(rows)
END
