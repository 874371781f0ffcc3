#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Work and idleness of subjects that know their own: in the median of nine runs work is within 1 % and idleness within 5 % of what the subject
# measured in that very run, in the right routine. In every run the CPU time is accounted for.
#
# A routine of little work is no better known than sampling allows: of less than a fifth of the run's work a hundredth of that fifth may be amiss, and
# idleness of less than half a routine's work is held against that half. Where threads take turns each millisecond or two, it is sampled more often.
. "$(dirname "$0")/../lib.sh"
. "$tests/subjects.sh"
. "$tests/idle_subjects.sh"
runs=${RUNS:-9}

# medians FILE: routine, relative error of work, of idleness (per cent), and idleness in ms
medians() {
	sqlite3 -separator ' ' :memory: "create table r (routine, work_true real, work real, idle_true real, idle real);" ".separator ," ".import $1 r" ".separator ' '" "
		with run as (select sum(work_true) / $runs whole from r),
		each as (select routine, 100 * (work - work_true) / max(work_true, whole / 5) w, 100 * (idle - idle_true) / max(idle_true, work_true / 2) i, idle / 1e6 ms from r, run),
		ranked as (select *, row_number() over (partition by routine order by w) rw, row_number() over (partition by routine order by i) ri,
			row_number() over (partition by routine order by ms) rm, count(*) over (partition by routine) n from each)
		select routine, round(sum(case when rw = (n + 1) / 2 then w end), 2), round(sum(case when ri = (n + 1) / 2 then i end), 2), round(sum(case when rm = (n + 1) / 2 then ms end), 3)
		from ranked group by routine"
}

# accurate TITLE NAME [ARGUMENT…]: leaves $tmp/TITLE.medians
accurate() {
	local title=$1 name=$2 run wrong= all=$tmp/$1.csv
	shift
	for ((run = 1; run <= runs; run++)); do
		wrong+=$(idle_record "$@" 2>&1 && cd "$tmp/$name" && idle_compare 2>&1 && cat compared.csv >>"$all")$'\n'
	done
	medians "$all" >"$tmp/$title.medians"
	sed 's/^/# /' "$tmp/$title.medians"
	wrong=$(grep . <<<"$wrong")$(awk '$2 > 1 || $2 < -1 {print "work of " $1 " is " $2 " % off;"} $3 > 5 || $3 < -5 {print "idleness of " $1 " is " $3 " % off;"} END {if (!NR) print "no routine was found"}' "$tmp/$title.medians")
	if [ -z "$wrong" ]; then ok "$title"; else not_ok "$title" "$wrong"; fi
}

# alike TITLE OTHER: as much idleness was seen of what there was
alike() {
	local seen other
	seen=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$1.csv")
	other=$(awk -F, '{was += $4; is += $5} END {print was ? is / was : 0}' "$tmp/$2.csv")
	check "$1 and $2 agree" awk -v a="$seen" -v b="$other" 'BEGIN {if (a / b < 1.05 && b / a < 1.05) exit 0; print a " and " b " of the idleness"; exit 1}'
}

want() { [ -z "${ONLY:-}" ] || [[ $1 == $ONLY ]]; }

if want pthread && idle_build idle_pthread.c; then
	accurate pthread idle_pthread
	around='taskset -c 0' accurate pthread-on-one-core idle_pthread
fi
if want c11 && idle_build idle_c11.c; then accurate c11 idle_c11; fi
if want locks && idle_build idle_locks.c; then
	options='--rate 4000' accurate locks idle_locks
	around='taskset -c 0' options='--rate 4000' accurate locks-on-one-core idle_locks
fi
if want sleeps && idle_build idle_sleeps.c; then accurate sleeps idle_sleeps; fi
if want openmp && idle_build idle_openmp.c clang-19; then
	accurate openmp idle_openmp regions
	around='taskset -c 0' accurate openmp-on-one-core idle_openmp regions
	around='env OMP_WAIT_POLICY=active' options='--rate 4000' accurate openmp-active idle_openmp locks
	around='env OMP_WAIT_POLICY=passive' options='--rate 4000' accurate openmp-passive idle_openmp locks
	alike openmp-active openmp-passive
fi
if want gcc && idle_build idle_openmp.c gcc; then accurate openmp-of-gcc idle_openmp regions; fi
if want cilk && idle_build idle_cilk.c skein-cc; then
	accurate cilk idle_cilk
	check 'cilk ran in parallel' awk '$1 == "strand_of_two" {exit !($4 < 60)}' "$tmp/cilk.medians"
	around='taskset -c 0' accurate cilk-on-one-core idle_cilk
fi
