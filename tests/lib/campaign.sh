# SPDX-License-Identifier: MIT
# campaign.sh: what tools/storm and tools/refuse share.

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
