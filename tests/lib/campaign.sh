# SPDX-License-Identifier: MIT
# campaign.sh: what tools/storm, tools/refuse and tools/starve share.

# recorded LENS FILE: calls of `turn`, or nanoseconds of CPU time for idle
recorded() {
	case $1 in
	calls | counts) skein report calls "$2" --csv | awk -F, '$1 == "turn" && $4 == "all" && $5 == "all" {n += $6} END {printf "%.0f\n", n}' ;;
	span) skein report span "$2" --csv --top 0 | awk -F, '$5 == "turn" && $7 == "work" && $8 == "local" {n += $9} END {printf "%.0f\n", n}' ;;
	idle) skein report idle "$2" --csv --top 0 | awk -F, '$1 == 0 {n += $6} END {printf "%.0f\n", n}' ;;
	input | valgrind) skein report input "$2" --csv --top 0 | awk -F, '$1 == "turn" && $4 == "all" {n += $5} END {printf "%.0f\n", n}' ;;
	*) skein report paths "$2" --csv --top 0 | awk -F, '$1 == "turn" && $5 ~ /-exit$/ {n += $6} END {printf "%.0f\n", n}' ;;
	esac
}

# Calls of `turn` by workers.c; span shows the first process, which has 1200
calls=1300

# is_whole LENS FILE NATIVE_NS: each call is there; of CPU time, which is sampled, three quarters
is_whole() {
	local n
	n=$(recorded "$1" "$2")
	case $1 in
	idle) [ "$n" -gt $(($3 * 3 / 4)) ] ;;
	span) [ "$n" -eq $((calls - 100)) ] ;;
	*) [ "$n" -eq $calls ] ;;
	esac
}

# is_native: what the program printed is what it prints by itself; $program and `out` are given
is_native() { [ "$(head -n 1 out)" = "$(cat "${program%/*}/native")" ]; }

# judge LENS STATUS WHAT: of a run of workers.c in this folder, with out, err and s.skein: one line that begins with exact, stated or BAD
judge() {
	if [ "$2" -ne 7 ] || ! is_native; then
		echo "BAD $3: status $2, output $(head -n 1 out); $(head -c 300 err)"
	elif [ ! -e s.skein ]; then
		if grep -q '^skein: ' err; then echo "stated $3: $(grep -m 1 '^skein: ' err)"; else echo "BAD $3: no recording, and no sentence"; fi
	elif ! skein report s.skein >text 2>&1; then
		echo "BAD $3: the recording does not open: $(head -c 200 text)"
	elif is_whole "$1" s.skein "$(cat "${program%/*}/cpu")"; then
		echo "exact $3"
	elif ! grep -q '^- No events were lost' err; then
		echo "stated $3: $(sed -n '/^What may be wrong/,$p' err | sed -n 2p)"
	else
		echo "BAD $3: lost in silence: $(recorded "$1" s.skein)"
	fi
}

# tell SECTION KEY REST: puts a row into the table of that section of $PAGE, in place of the row with the same key
tell() {
	[ "${PAGE-}" ] || return 0
	awk -v section="## $1" -v key="| $2 |" -v row="| $2 | $3 |" '
		/^## / {inside = $0 == section}
		inside && index($0, key) == 1 {$0 = row; told = 1}
		inside && was_table && !/^\|/ && !told {print row; told = 1}
		{was_table = /^\|/; print}' "$PAGE" >"$PAGE.new" && cat "$PAGE.new" >"$PAGE"
	rm -f "$PAGE.new"
}
