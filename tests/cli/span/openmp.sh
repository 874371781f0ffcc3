#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# OpenMP under the span lens: subjects that know their work and span, compiled with and without optimisation. LEVELS chooses among -O0 to -O3.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
cd "$tmp" || exit
unset OMP_NUM_THREADS OMP_SCHEDULE

# compile NAME FLAGS: tests/prog/span/NAME.c or .cpp into NAME
compile() {
	local source compiler=skein-cc
	source=$(ls "$tests/prog/span/$1".c*)
	case $source in *.cpp) compiler=skein-c++ ;; esac
	$compiler -g -fopenmp $2 "$source" -o "$1" 2>build.log || { not_ok "$1 $2" "it does not compile: $(cat build.log)"; return 1; }
}

# figures RECORDING: its CSV reports into sites.csv and summary.csv; work and span into $work and $span
figures() {
	skein report span "$1" --csv >sites.csv && skein report span "$1" --view summary --csv >summary.csv || return
	work=$(csv_value summary.csv name=work value)
	span=$(csv_value summary.csv name=span value)
}

# What is wrong with sites.csv and summary.csv whatever the program.
span_complaints() { (mkdir -p tables && cp sites.csv summary.csv tables && cd tables && { read_tables && cat "$tests/invariants/span.sql"; } | sqlite3 -bail :memory: 2>&1); }

# near ACTUAL EXPECTED PERCENT: that much more or less, or what it takes to find a case and to share out iterations
near() { awk -v a="$1" -v e="$2" -v p="$3" 'BEGIN {d = a - e; exit !((d < 0 ? -d : d) <= p / 100 * e + 2000)}'; }

# case_complaints PROGRAM NAME WORK SPAN: what is wrong with this case; a unit is $unit instructions
case_complaints() {
	./"$1" "$2" >native.out || echo "natively it says: $(cat native.out)"
	rm -f run.skein
	timeout -k 1 120 skein record span -o run.skein -- ./"$1" "$2" >recorded.out 2>recorded.err || echo "recorded it says: $(head -c 300 recorded.err)"
	head -n "$(wc -l <native.out)" recorded.out | cmp -s - native.out || echo "its output differs: $(head -c 300 recorded.out)"
	figures run.skein || return
	near "$work" $(($3 * unit)) 0.1 || echo "its work is $work, $3 units of $unit are $(($3 * unit))"
	near "$span" $(($4 * unit)) 0.1 || echo "its span is $span, $4 units of $unit are $(($4 * unit))"
	span_complaints
}

# unit_of PROGRAM: instructions of a unit, into $unit
unit_of() {
	timeout -k 1 120 skein record span -o run.skein -- ./"$1" serial >/dev/null 2>&1 && figures run.skein && unit=$((work / 10))
	rm -f run.skein
}

# cases PROGRAM FLAGS: one result a case
cases() {
	local name w s wrong count=0
	compile "$1" "$2" && unit_of "$1" || { not_ok "$1 $2" "its unit cannot be had"; return; }
	while read -r name w s; do
		count=$((count + 1))
		wrong=$(case_complaints "$1" "$name" "$w" "$s" 2>&1)
		if [ -z "$wrong" ]; then ok "${1#openmp_} $2: $name"; else not_ok "${1#openmp_} $2: $name" "$(tr '\n' ';' <<<"$wrong")"; fi
	done < <(./"$1" list)
	check "${1#openmp_} $2: it has cases" [ "$count" -gt 0 ]
}

# The same in every run.
compile openmp_loops -O2
for run in first second; do
	skein record span -o "$run.skein" -- ./openmp_loops of_splits >/dev/null 2>&1
	skein report span "$run.skein" --csv | cut -d, -f 1-12 >"$run.csv"
done
equal 'two runs give the same numbers' first.csv second.csv
same 'and some' yes "$([ "$(wc -l <first.csv)" -gt 20 ] && echo yes)"

# Cilk and OpenMP agree about the same program, and theory with both.
for language in cilk openmp; do
	skein-cc -O2 -g -fopenmp "$tests/../examples/$language/mm.c" -o "mm_$language" -lm && skein record span -o mm.skein -- "./mm_$language" 512 32 1 >/dev/null 2>&1
	skein report span mm.skein --csv >"mm_$language.csv"
	parallelism=$(csv_value "mm_$language.csv" callee=mm,kind=call,profile=work,measure=top-call-site parallelism | sort -g | tail -n 1) # from main
	check "$language: mm has a parallelism of 256, not ${parallelism:-none}" awk -v p="$parallelism" 'BEGIN {exit !(p > 253.5 && p < 258.5)}'
done

for level in ${LEVELS:--O2 -O0 -O1 -O3}; do
	for program in openmp_tasks openmp_untied openmp_loops openmp_objects; do cases "$program" "$level"; done
done
