# SPDX-License-Identifier: MIT
# accurate.sh: work and idleness of subjects that know their own. For suites that have sourced lib.sh, subjects.sh and idle/subjects.sh.
#
#     accurate pthread idle/pthread [ARGUMENT…]    with $around and $options: one result
#
# In the median of nine runs work is within 1 % and idleness within 5 % of what the subject measured in that very run, in the right routine. Where it is not, the median of
# nine runs was not well enough known: up to three times as many decide. In every run the CPU time is accounted for. A routine of little work is no better known than sampling allows: of less than a fifth of the run's work a hundredth of that fifth
# may be amiss, and idleness of less than half a routine's work is held against that half.
runs=${RUNS:-9}

# medians FILE: routine, relative error of work, of idleness (per cent), and idleness in ms
medians() {
	sqlite3 -separator ' ' :memory: "create table r (routine, work_true real, work real, idle_true real, idle real);" ".separator ," ".import $1 r" ".separator ' '" "
		with run as (select sum(work_true) / (select count(*) from r group by routine limit 1) whole from r),
		each as (select routine, 100 * (work - work_true) / max(work_true, whole / 5) w, 100 * (idle - idle_true) / max(idle_true, work_true / 2) i, idle / 1e6 ms from r, run),
		ranked as (select *, row_number() over (partition by routine order by w) rw, row_number() over (partition by routine order by i) ri,
			row_number() over (partition by routine order by ms) rm, count(*) over (partition by routine) n from each)
		select routine, round(sum(case when rw = (n + 1) / 2 then w end), 2), round(sum(case when ri = (n + 1) / 2 then i end), 2), round(sum(case when rm = (n + 1) / 2 then ms end), 3)
		from ranked group by routine"
}

# outside FILE: medians that are not within the bounds
outside() {
	awk '$2 > 1 || $2 < -1 {print "work of " $1 " is " $2 " % off;"} $3 > 5 || $3 < -5 {print "idleness of " $1 " is " $3 " % off;"} END {if (!NR) print "no routine was found"}' "$1"
}

# accurate TITLE NAME [ARGUMENT…]: leaves $tmp/TITLE.medians
accurate() {
	local title=$1 name=$2 round run wrong= off=- all=$tmp/$1.csv
	shift
	for ((round = 1; round <= 3 && ${#off}; round++)); do
		for ((run = 1; run <= runs; run++)); do
			wrong+=$(idle_record "$@" 2>&1 && cd "$tmp/$name" && idle_compare 2>&1 && cat compared.csv >>"$all")$'\n'
		done
		medians "$all" >"$tmp/$title.medians"
		sed 's/^/# /' "$tmp/$title.medians"
		off=$(outside "$tmp/$title.medians")
	done
	wrong=$(grep . <<<"$wrong")$off
	if [ -z "$wrong" ]; then ok "$title"; else not_ok "$title" "$wrong"; fi
}
