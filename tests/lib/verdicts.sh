# SPDX-License-Identifier: MIT
# verdicts.sh: programs whose bottleneck is known, and what a lens says of them, by the rows of tests/lib/verdicts.tsv.
#
#     lens=calls
#     . "$tests/lib/verdicts.sh"
#     verdicts                      records every program that has a row for the lens, and holds its findings against the row
#
# Each program lies below tests/prog/verdicts and says at its top what is true. Its recording stays in $tmp/PROGRAM.skein for further
# checks, except if the row says how to run it otherwise. Columns of the table, divided by tabs; "-" is nothing:
#
#     program   name of the source file, without its ending
#     lens
#     fits      "*": this is the lens to ask; each program has one such row
#     run       how, in words: ends=STATUS, args=A,B (arguments), cores=LIST (on these cores), beside=N (N busy loops beside it on
#               the same cores), asked=N (the report is for a machine with N cores), opening (the first sentence is how the program ended, or that it had no core: that is the cause)
#     cause     what is true, in a few words
#     routine   that is to blame, which the first sentence must name; "-" if there is none, or the lens cannot see it
#     first     extended regular expression of the first sentence (without the opening)
#     any       of some finding; several are divided by " && "
#     none      no finding of any recording may match that
#
# Nothing depends on speed: programs measure their work by their own CPU clock. But which threads have a core decides what a run is like:
# on a loaded machine threads may run one after another and never meet at their lock. So the lenses that measure time, calls and idle,
# may need several recordings until the first sentence holds; none of them may say what `none` forbids. The flow lens may need them,
# too; what it says of an idle machine first is an opening, since it depends on the load.
verdicts_table=$tests/lib/verdicts.tsv
verdicts_opening='^The program (had no core|crashed|was (killed|stopped))'
case $lens in
calls | idle) verdicts_tries=5 ;;
flow) verdicts_tries=5 verdicts_opening="$verdicts_opening|^On an idle machine|^Other programs kept cores|^The difference is the time" ;;
*) verdicts_tries=1 ;;
esac

# verdicts_build PROGRAM: once; the lenses idle and flow take what any compiler makes
verdicts_build() {
	local source compiler=skein-cc flags
	[ ! -e "$1" ] || return 0
	source=$(find "$tests/prog/verdicts" -name "$1.c" -o -name "$1.cpp")
	case $lens in
	idle | flow) compiler=clang-19 ;;
	esac
	case $compiler:$source in
	skein-cc:*.cpp) compiler=skein-c++ ;;
	clang-19:*.cpp) compiler=clang++-19 ;;
	esac
	flags=$(sed -nE '1s,.*flags: ([^*]*).*,\1,p' "$source")
	# shellcheck disable=SC2086 # flags are words
	$compiler ${flags:--O2 -g -pthread -fopenmp} "$source" -o "$1"
}

# verdicts_record PROGRAM RECORDING WORD…: as the words of column `run` say; all findings into $tmp/all, one on each line
verdicts_record() {
	local program=$1 into=$2 word ends=0 status opening=
	local -a args=() cores=() busy=() asked=()
	for word in "${@:3}"; do
		case $word in
		ends=*) ends=${word#*=} ;;
		args=*) IFS=, read -ra args <<<"${word#*=}" ;;
		cores=*) cores=(taskset -c "${word#*=}") ;;
		beside=*) for ((i = 0; i < ${word#*=}; i++)); do
			"${cores[@]}" bash -c 'while :; do :; done' &
			busy+=($!)
		done ;;
		asked=*) asked=(--cores "${word#*=}") ;;
		opening) opening=yes ;;
		-) ;;
		*) echo "a word that run does not have: $word" && return 1 ;;
		esac
	done
	rm -f "$into"
	{ "${cores[@]}" skein record "$lens" -o "$into" -- "./$program" "${args[@]}" >/dev/null 2>"$tmp/err" </dev/null; } 2>/dev/null
	status=$?
	if [ ${#busy[@]} -gt 0 ]; then
		kill "${busy[@]}"
		wait "${busy[@]}"
	fi 2>/dev/null
	[ "$status" -eq "$ends" ] || { echo "status $status, not $ends: $(head -c 300 "$tmp/err")" && return 1; }
	skein report "$lens" "$into" "${asked[@]}" --json >"$tmp/run.json" && sqlite3 :memory: "select replace(value, char(10), ' ') from json_each(json_extract(cast(readfile('$tmp/run.json') as text), '\$.verdict'))" >"$tmp/all"
	if [ -n "$opening" ]; then cat "$tmp/all"; else grep -vE "$verdicts_opening" "$tmp/all"; fi | head -n 1 >"$tmp/first"
}

# verdicts_has REGEX…: each matches some finding
verdicts_has() {
	local regex
	for regex; do
		grep -qE -- "$regex" "$tmp/all" || return
	done
}

# verdict PROGRAM RUN CAUSE FIRST ANY NONE: one row
verdict() {
	local name="$1: $3" into=$1.skein try said
	local -a words any=()
	read -ra words <<<"$2"
	[ "$2" = - ] || { into=$1.other.skein && name="$name ($2)"; }
	[ "$5" = - ] || mapfile -t any <<<"${5// && /$'\n'}"
	verdicts_build "$1" || { not_ok "$name" 'it does not compile' && return; }
	for ((try = 1; try <= verdicts_tries; try++)); do
		said=$(verdicts_record "$1" "$into" "${words[@]}") || { not_ok "$name" "$said" && return; }
		if [ "$6" != - ] && grep -qE -- "$6" "$tmp/all"; then not_ok "$name" "it says: $(grep -E -- "$6" "$tmp/all" | head -n 1)" && return; fi
		if grep -qE -- "$4" "$tmp/first" && verdicts_has "${any[@]}"; then ok "$name" && return; fi
	done
	not_ok "$name" "it says: $(cat "$tmp/all")"
}

# verdicts: every row of the lens; VERDICTS=PATTERN in the environment picks programs
verdicts() {
	local program of fits run cause routine first any none
	while IFS=$'\t' read -r program of fits run cause routine first any none <&3; do
		[[ $of = "$lens" && $program =~ ${VERDICTS:-.} ]] || continue
		: "$fits" "$routine" # for readers, and for tests/cli/house/verdicts.sh
		verdict "$program" "$run" "$cause" "$first" "$any" "$none"
	done 3< <(grep -v '^#' "$verdicts_table")
}
