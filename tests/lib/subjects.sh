# SPDX-License-Identifier: MIT
# subjects.sh: compile, run and record a program of tests/prog, and hold the recording against what the program knows of
# itself. For suites that have sourced lib.sh.
#
#     test_subject calls/fib.c        each of its runs, in times, exact and counts mode: one result each
#
# A run passes if output and status are those of the program as it was built, and tests/invariants/calls.sql has no complaint.

# head_of FILE KEY: the values of the lines `/* KEY: value */` at its head
head_of() { sed -n "s,^/\* $2: \(.*\) \*/\$,\1,p" "$1"; }

# name_of FILE: what the program is called: calls/fib.c is fib
name_of() { basename "${1%.*}"; }

# build_subject FILE: calls/fib.c into $tmp/calls/fib/fib, and its library beside it
build_subject() {
	local source=$tests/prog/$1 name compiler=skein-cc library other flags with=()
	name=$(name_of "$1")
	case $1 in *.cpp) compiler=skein-c++ ;; esac
	mkdir -p "$tmp/${1%.*}"
	flags="$(head_of "$source" flags) -I$tests/../include"
	for other in $(head_of "$source" with); do with+=("$(dirname "$source")/$other"); done
	library=$(head_of "$source" library)
	(
		cd "$tmp/${1%.*}" || exit
		[ -z "$library" ] || $compiler $flags -shared -fPIC "$(dirname "$source")/$library" -o "lib$name.so" || exit
		$compiler $flags "$source" "${with[@]}" -o "$name"
	) >"$tmp/build.log" 2>&1
}

# said KIND HEADER OUTPUT: the lines of that kind that a subject printed, as CSV
said() { awk -v kinds="^($1)\$" -v header="$2" 'BEGIN {print header} $1 ~ kinds {sub(/^[^ ]* /, ""); gsub(/ /, ","); print}' "$3"; }

# steady OUTPUT: what must be the same each time
steady() { grep -vE '^(wait|counted) ' "$1"; }

# complaints RECORDING OUTPUT MODE: what is wrong with it, a line each
complaints() {
	local at=$tmp/reports
	rm -rf "$at"
	mkdir "$at"
	skein report calls "$1" --csv >"$at/routines.csv" || return
	skein report calls "$1" --view arcs --csv >"$at/arcs.csv" || return
	skein report calls "$1" --view callees --csv >"$at/callees.csv" || return
	skein report calls "$1" --view threads --csv >"$at/threads.csv" || return
	skein report calls "$1" --view summary --csv >"$at/summary.csv" || return
	sed -E 's/^((expect|counted) [^ @]+) /\1@ /; s/@/ /' "$2" | said 'expect|counted' routine,file,calls - >"$at/expected.csv"
	said arc caller,callee,calls "$2" >"$at/expected_arcs.csv"
	said state routine,entry,calls "$2" >"$at/states.csv"
	said case caller,callee,entry,callee_call,calls "$2" >"$at/cases.csv"
	said wait routine,ns "$2" >"$at/waits.csv"
	said time routine,ns "$2" >"$at/alone.csv"
	said inside routine,ns "$2" >"$at/inside.csv"
	awk 'BEGIN {OFS = ","; print "name,value"} $1 == "workers" || $1 == "threads" {print $1, $2}' "$2" >"$at/figures.csv"
	printf 'mode,processes\n%s,%s\n' "$3" "$(csv_value "$at/summary.csv" name=processes value | grep . || echo 1)" >"$at/run.csv"
	(cd "$at" && { read_tables && cat "$tests/invariants/calls.sql"; } | sqlite3 -bail :memory: 2>&1)
}

# A table a file, with the columns of its header; what looks like a number is one.
read_tables() {
	local csv
	echo .mode csv
	for csv in *.csv; do
		printf 'create table %s (%s);\n' "${csv%.csv}" "$(head -n 1 "$csv" | tr -d '\r"' | sed 's/[^,]*/"&" numeric/g')"
		echo ".import --skip 1 $csv ${csv%.csv}"
	done
	echo .mode list
}

# record_subject calls/fib MODE ARGUMENT…: complaints about this run, if any
record_subject() {
	local name=${1##*/} mode=$2 option= native recorded
	cd "$tmp/$1" || return
	shift 2
	[ "$mode" = times ] || option=--$mode
	rm -f run.skein
	(exec "./$name" "$@") >native.out 2>native.err </dev/null
	native=$?
	(exec timeout -k 5 60 skein record calls $option -o run.skein -- "./$name" "$@") >recorded.out 2>recorded.err </dev/null
	recorded=$?
	[ "$recorded" -ne 124 ] || { echo "it hangs: stopped after 60 s"; return; }
	[ "$native" -eq "$recorded" ] || echo "exit status $recorded, natively $native; it said: $(head -c 400 recorded.err)"
	steady native.out >native.steady
	head -n "$(wc -l <native.out)" recorded.out >subject.out
	steady subject.out >recorded.steady
	cmp -s native.steady recorded.steady || echo "its output differs: $(diff native.steady recorded.steady | head -n 5)"
	complaints run.skein subject.out "$mode"
}

# may_run FILE: whether the subject can run here; if not, the skip is printed
may_run() {
	[ "$(head_of "$tests/prog/$1" needs)" != root ] || is_root || { skip "${1%.*}" 'it needs root'; return 1; }
}

test_subject() {
	local source=$tests/prog/$1 name=${1%.*} mode run wrong
	may_run "$1" || return 0
	build_subject "$1" || { not_ok "$name" "skein-cc failed: $(cat "$tmp/build.log")"; return; }
	while read -r run; do
		for mode in times exact counts; do
			wrong=$(record_subject "$name" "$mode" $run 2>&1)
			if [ -z "$wrong" ]; then ok "$name${run:+ $run}, $mode"; else not_ok "$name${run:+ $run}, $mode" "$wrong"; fi
		done
	done < <(head_of "$source" run | grep . || echo)
}
