#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# growth.sh BUILD: how the first look grows with the program. Prints a Markdown page.
#
# Generated programs: ROUTINES routines, 250 a file, each called once from one function (50,000: from fifty); and SITES call sites, 200 in each function.
# GROWTH_ROUTINES="500 5000 50000", GROWTH_SITES="20000 200000".
. "$(dirname "$0")/lib.sh"
export XDG_CACHE_HOME=$work/cache
read -ra routines <<<"${GROWTH_ROUTINES:-500 5000 50000}"
read -ra sites <<<"${GROWTH_SITES:-20000 200000}"
PER_FILE=250 PER_FUNCTION=200

compile() { # COMPILER
	printf '%s\0' *.c | xargs -0 -n 1 -P "$(nproc)" "$1" -O2 -g -c && "$1" ./*.o -o program
}

# seconds FILE COMMAND…: leaves CPU and wall time
seconds() {
	local file=$1 TIMEFORMAT='%U %S %R'
	shift
	{ time "$@" >"$work/log" 2>&1; } 2>"$file" || { say "$*: $(tail -n 1 "$work/log")"; exit 1; }
}

# measure NAME KIND N PER
measure() {
	local lens
	say "$1"
	mkdir "$work/$1" && cd "$work/$1"
	awk -v kind="$2" -v n="$3" -v per="$4" -f "$bench/growth.awk"
	seconds plain compile clang-19
	seconds skein compile skein-cc
	for lens in calls span paths input; do seconds $lens skein record $lens -q -o $lens.skein -- ./program; done
	cd "$work"
}

# cpu FILE UNITS: milliseconds of CPU time for each; wall FILE: seconds
cpu() { awk -v n="$2" '{printf "%.2f", ($1 + $2) * 1000 / n}' "$1"; }
wall() { awk '{printf "%.1f", $3}' "$1"; }

rows() { # KIND N…
	local kind=$1 n way
	shift
	for n; do
		printf '| %d |' "$n"
		for way in plain skein calls span paths input; do printf ' %s ms (%s s) |' "$(cpu "$kind$n/$way" "$n")" "$(wall "$kind$n/$way")"; done
		echo
	done
}

for n in "${routines[@]}"; do measure "routines$n" routines "$n" $PER_FILE; done
for n in "${sites[@]}"; do measure "sites$n" sites "$n" $PER_FUNCTION; done
cat <<END
# How the first look grows

Made by \`make bench\` (\`bench/growth.sh\`), from programs that it generates. Milliseconds of CPU time for each routine or call site, and
seconds of wall time on $(nproc) cores: builds with plain clang-19 and with skein-cc (-O2 -g), and the first look by each lens.

Routines, $PER_FILE per file, each called once: up to 5000 from one function, 50000 from fifty, since plain clang takes minutes for a function
with 50000 calls. The bar is 1 ms.

| routines | plain clang | skein-cc | calls | span | paths | input |
|---:|---|---|---|---|---|---|
$(rows routines "${routines[@]}")

Call sites, $PER_FUNCTION per function. The bar is 10 s for 200000.

| call sites | plain clang | skein-cc | calls | span | paths | input |
|---:|---|---|---|---|---|---|
$(rows sites "${sites[@]}")
END
