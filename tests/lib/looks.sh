# SPDX-License-Identifier: MIT
# looks.sh: programs whose bottleneck is known, looked at with every lens that fits, by the rows of tests/lib/looks.tsv.
#
#     . "$tests/lib/looks.sh"
#     looks locks                  looks at every program of the group, and holds the overview against its row
#
# The programs are those of tests/lib/verdicts.tsv, which says what each lens makes of them by itself. Columns, divided by tabs; "-" is
# nothing:
#
#     group     the suite of tests/cli/look that runs the row
#     program   name of the source file below tests/prog/verdicts, without its ending
#     run       args=A,B: arguments
#     cause     what is true, in a few words
#     kind      of the first finding; several are divided by blanks
#     first     extended regular expression of the first finding's sentence, which names what is to blame
#     none      no finding of any look may match that
#
# As with verdicts.sh, which threads have a core decides what a run is like: several looks may be needed until the first finding holds; none of
# them may say what `none` forbids.
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=calls
. "$tests/lib/verdicts.sh"
looks_table=$tests/lib/looks.tsv
looks_tries=4

# look_at PROGRAM ARGUMENT…: $tmp/findings: a line for each, KIND<TAB>SENTENCE
look_at() {
	rm -f "$1.skein"
	skein look -q -o "$1.skein" -- "./$1" "${@:2}" </dev/null >/dev/null 2>"$tmp/err" || { head -c 300 "$tmp/err"; return 1; }
	skein report overview "$1.skein" --json >"$tmp/look.json" &&
		sqlite3 -separator $'\t' :memory: "select json_extract(value, '\$.kind'), replace(json_extract(value, '\$.text'), char(10), ' ') from json_each(json_extract(cast(readfile('$tmp/look.json') as text), '\$.findings'))" >"$tmp/findings"
}

# look_row PROGRAM RUN CAUSE KIND FIRST NONE
look_row() {
	local name="$1: $3" try kind text
	local -a args=()
	case $2 in args=*) IFS=, read -ra args <<<"${2#args=}" ;; esac
	verdicts_build "$1" || { not_ok "$name" 'it does not compile' && return; }
	for ((try = 1; try <= looks_tries; try++)); do
		look_at "$1" "${args[@]}" >"$tmp/said" || { not_ok "$name" "$(cat "$tmp/said")" && return; }
		if [ "$6" != - ] && cut -f2 "$tmp/findings" | grep -qE -- "$6"; then not_ok "$name" "it says: $(grep -E -- "$6" "$tmp/findings" | head -n 1)" && return; fi
		IFS=$'\t' read -r kind text <"$tmp/findings"
		if [[ " $4 " = *" ${kind:-none} "* ]] && grep -qE -- "$5" <<<"$text"; then ok "$name" && return; fi
	done
	not_ok "$name" "it says: $(cat "$tmp/findings")"
}

# looks GROUP; LOOKS=PATTERN in the environment picks programs
looks() {
	local group program run cause kind first none
	while IFS=$'\t' read -r group program run cause kind first none <&3; do
		[[ $group = "$1" && $program =~ ${LOOKS:-.} ]] || continue
		look_row "$program" "$run" "$cause" "$kind" "$first" "$none"
	done 3< <(grep -v '^#' "$looks_table")
}
