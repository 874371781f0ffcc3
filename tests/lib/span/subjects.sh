# SPDX-License-Identifier: MIT
# subjects.sh: the same for the span lens. For suites that have sourced lib.sh and lib/subjects.sh.
#
#     span_subject calls/fib.c             each of its runs: one result each
#     span_subject span/threads.c --clock tsc    with options for the recording
#
# A run passes if output and status are those of the program as it was built, and tests/invariants/span.sql has no complaint:
# neither in general nor with what the subject says of itself. Beside `expect NAME CALLS` (calls of NAME by sites; an indirect call
# has no name, and who is entered by foreign code is named in its head, `entered: NAME…`) it may say
# (`inexact: why` in its head: nothing but behaviour is held against it)
#     figure NAME LEAST MOST      of the summary: parallelism, threads, lost_events …
#     span NAME LEAST MOST        of the local span of the sites into NAME, in per cent of the program's
#     work NAME LEAST MOST        likewise of its local work

# span_complaints: what is wrong with sites.csv, wide.csv, summary.csv and said.csv
span_complaints() {
	local at=$tmp/tables
	rm -rf "$at" && mkdir "$at" && cp sites.csv wide.csv summary.csv said.csv entered.csv "$at" && cd "$at" &&
		{ read_tables && cat "$tests/invariants/span.sql" "$tests/invariants/span_table.sql" "$tests/invariants/span_said.sql"; } | sqlite3 -bail :memory: 2>&1
}

# span_reports RECORDING OUTPUT ENTERED
span_reports() {
	skein report span "$1" --csv >sites.csv && skein report span "$1" --view summary --csv >summary.csv &&
		skein report span "$1" --view table --csv >wide.csv || return
	awk 'BEGIN {OFS = ","; print "kind,name,least,most"}
		$1 == "expect" || $1 == "counted" {sub(/@.*/, "", $2); print "calls", $2, $3, $3}
		$1 == "figure" || $1 == "span" || $1 == "work" {print $1, $2, $3, $4}' "$2" >said.csv
	{ echo name; printf '%s\n' $3; } >entered.csv
}

# span_run FILE OPTIONS ARGUMENT…: complaints about this run, if any
span_run() {
	local source=$tests/prog/$1 name options=$2 native recorded
	name=$(name_of "$1")
	cd "$tmp/${1%.*}" || return
	shift 2
	rm -f run.skein
	(exec "./$name" "$@") >native.out 2>native.err </dev/null
	native=$?
	(exec timeout -k 5 60 skein record span $options -o run.skein -- "./$name" "$@") >recorded.out 2>recorded.err </dev/null
	recorded=$?
	[ "$recorded" -ne 124 ] || { echo "it hangs: stopped after 60 s"; return; }
	[ "$native" -eq "$recorded" ] || echo "exit status $recorded, natively $native; it said: $(head -c 400 recorded.err)"
	steady native.out >native.steady
	head -n "$(wc -l <native.out)" recorded.out >subject.out
	steady subject.out >recorded.steady
	cmp -s native.steady recorded.steady || echo "its output differs: $(diff native.steady recorded.steady | head -n 5)"
	span_reports run.skein subject.out "$(head_of "$source" entered)" || return
	if [ -z "$(head_of "$source" inexact)" ]; then span_complaints; else (span_complaints >/dev/null); fi
}

span_subject() {
	local source=$tests/prog/$1 name=${1%.*} run wrong options=${*:2}
	may_run "$1" || return 0
	[ -x "$tmp/$name/$(name_of "$1")" ] || build_subject "$1" || { not_ok "$name" "skein-cc failed: $(cat "$tmp/build.log")"; return; }
	while read -r run; do
		wrong=$(span_run "$1" "$options" $run 2>&1)
		if [ -z "$wrong" ]; then ok "$name${run:+ $run}${options:+, $options}"; else not_ok "$name${run:+ $run}${options:+, $options}" "$wrong"; fi
	done < <(head_of "$source" run | grep . || echo)
}
