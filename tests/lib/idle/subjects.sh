# SPDX-License-Identifier: MIT
# subjects.sh: build and record the subjects of the idle lens (tests/prog/idle), and hold recordings against what they measured
# themselves. For suites that have sourced lib.sh and subjects.sh.
#
#     idle_build idle/pthread.c [COMPILER]      an ordinary compiler: the lens needs no other; $tmp/idle/pthread/pthread
#     around='taskset -c 0' idle_record idle/pthread [ARGUMENT…]    run it recorded, read the reports; says what is wrong with the run
#     idle_unaccounted                          says what is wrong with the CPU time of all runs since accounted.csv was removed
#     idle_compare                              into compared.csv: routine,work_true,work,idle_true,idle
#
# A subject prints `expect ROUTINE work_ns idle_ns` (truth.h); its processes may print several of one routine, which are added. What was
# measured is the sum of the routine's rows in the top-down view, all that it called included. C++ has its parameters behind the name.

idle_build() {
	local source=$tests/prog/$1 name compiler=${2:-cc} library linked flags
	name=$(name_of "$1")
	case $1 in *.cpp) compiler=${2:-c++} ;; esac
	mkdir -p "$tmp/${1%.*}"
	flags="$(head_of "$source" flags)"
	library=$(head_of "$source" library)
	linked=$(head_of "$source" linked)
	(
		cd "$tmp/${1%.*}" || exit
		for part in $library $linked; do $compiler $flags -shared -fPIC "$(dirname "$source")/$part" -o "lib$name.so" || exit; done
		$compiler $flags "$source" ${linked:+"./lib$name.so"} -o "$name"
	) >"$tmp/build.log" 2>&1 || { not_ok "$name is built" "$(cat "$tmp/build.log")"; return 1; }
}

# idle_reports: of run.skein, into tree.csv and summary.csv; adds a line to accounted.csv: the CPU time, what was found of it, and how much may be amiss: 1 %, and
# the beginning and the end of each thread, between which its samples are
idle_reports() {
	skein report idle run.skein --view top-down --csv >tree.csv && skein report idle run.skein --view summary --csv >summary.csv || return
	awk -F, '{gsub(/[\r"]/, "")} {v[$1] = $2} END {
		printf "%d,%d,%d\n", v["cpu_ns"], v["work_ns"] + v["overhead_ns"] + v["dropped_ns"] + v["own_ns"], v["cpu_ns"] / 100 + v["period_ns"] * sqrt(v["threads"])
	}' summary.csv >>accounted.csv
}

# idle_unaccounted: says so if the CPU time of the runs in accounted.csv is not accounted for
idle_unaccounted() {
	awk -F, '{cpu += $1; found += $2; slack += $3} END {
		away = found - cpu
		if (!cpu || (away < 0 ? -away : away) > slack) printf "work + overhead + dropped + own is %.2f %% off the CPU time; ", 100 * away / (cpu + 1)
	}' accounted.csv
}

idle_record() {
	local name=${1##*/}
	cd "$tmp/$1" || return
	shift
	rm -f run.skein
	{ (exec timeout -k 5 60 ${around:-} skein record idle ${options:-} -o run.skein -- "./$name" "$@") >recorded.out 2>recorded.err </dev/null; } 2>/dev/null
	recorded=$?
	[ "$recorded" -ne 124 ] || { echo "it hangs: stopped after 60 s"; return; }
	[ "$recorded" -lt 125 ] || [ "$recorded" -gt 127 ] || { echo "it is not recorded: $(head -c 400 recorded.err)"; return; }
	idle_reports
}

idle_compare() {
	rm -rf tables && mkdir tables && cp tree.csv tables &&
		awk 'BEGIN {print "routine,work,idle"} $1 == "expect" {print $2 "," $3 "," $4}' recorded.out >tables/said.csv &&
		(cd tables && { read_tables && echo ".separator ,
select s.routine, s.work, coalesce(m.work, 0), s.idle, coalesce(m.idle, 0)
			from (select routine, sum(work) work, sum(idle) idle from said group by 1) s
			left join (select substr(context, 1, instr(context || '(', '(') - 1) name, sum(work_ns) work, sum(idle_ns) idle from tree where kind = 'routine' group by 1) m on m.name = s.routine;"; } |
			sqlite3 -bail :memory:) >compared.csv
}
