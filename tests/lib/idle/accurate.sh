# SPDX-License-Identifier: MIT
# accurate.sh: work and idleness of subjects that know their own. For suites that have sourced lib.sh, subjects.sh and idle/subjects.sh.
#
#     accurate pthread idle/pthread [ARGUMENT…]    with $around and $options: one result
#
# In the median of many runs work is within 1 % and idleness within 5 % of what the subject measured in that very run, by its threads' CPU clocks, in the right routine;
# and the CPU time is accounted for. A routine of little work is no better known than sampling allows: of less than a fifth of the run's work a hundredth of that fifth
# may be amiss, and idleness of less than half a routine's work is held against that half.
#
# Five runs whose medians are within the bounds are enough. Else five more are made, up to 65 in all, and the subject fails as soon as so many runs are beyond a bound on one
# side that fewer than 1 in 2 * 10^7 would be so by chance if the median were within it (each run being beyond it with a chance of a half at most): 25 of 25, or 55 of 65. The suites
# look at about 120 figures, at most twelve times each: a right sampler fails in fewer than 1 of 10,000 runs of all suites, on any machine. A wrong one that is beyond a bound in 9 of 10 runs passes in
# fewer than 1 of 10.
rounds=13 runs=5

# medians FILE: routine, relative error of work, of idleness (per cent), idleness in ms, and the number of runs: in all, and beyond the bounds of work (below, above) and idleness (below, above)
medians() {
	sqlite3 -separator ' ' :memory: "create table r (routine, work_true real, work real, idle_true real, idle real);" ".separator ," ".import $1 r" ".separator ' '" "
		with run as (select sum(work_true) / (select count(*) from r group by routine limit 1) whole from r),
		each as (select routine, 100 * (work - work_true) / max(work_true, whole / 5) w, 100 * (idle - idle_true) / max(idle_true, work_true / 2) i, idle / 1e6 ms from r, run),
		ranked as (select *, row_number() over (partition by routine order by w) rw, row_number() over (partition by routine order by i) ri,
			row_number() over (partition by routine order by ms) rm, count(*) over (partition by routine) n from each)
		select routine, round(sum(case when rw = (n + 1) / 2 then w end), 2), round(sum(case when ri = (n + 1) / 2 then i end), 2), round(sum(case when rm = (n + 1) / 2 then ms end), 3),
			count(*), sum(w < -1), sum(w > 1), sum(i < -5), sum(i > 5)
		from ranked group by routine"
}

# outside FILE: medians that are not within the bounds
outside() {
	awk '$2 > 1 || $2 < -1 || $3 > 5 || $3 < -5 {print $1} END {if (!NR) print "no routine was found"}' "$1"
}

# beyond_chance FILE: figures that so many runs have beyond a bound on one side that it is no chance
beyond_chance() {
	awk '
		# the chance of at least k heads in n throws of a coin
		function tail(n, k,    c, j, sum) {
			c = 1
			for (j = 0; j <= n; j++) {
				if (j >= k) sum += c
				c = c * (n - j) / (j + 1)
			}
			return sum / 2 ^ n
		}
		function judge(what, off, k) {if (tail($5, k) < 5e-8) printf "%s of %s is %s %% off, beyond the bound in %d of %d runs; ", what, $1, off, k, $5}
		{judge("work", $2, $6); judge("work", $2, $7); judge("idleness", $3, $8); judge("idleness", $3, $9)}
		END {if (!NR) print "no routine was found"}' "$1"
}

# accurate TITLE NAME [ARGUMENT…]: leaves $tmp/TITLE.medians
accurate() {
	local title=$1 name=$2 round run wrong= off=- all=$tmp/$1.csv
	shift
	rm -f "$tmp/$name/accounted.csv"
	for ((round = 1; round <= rounds && ${#off} && !${#wrong}; round++)); do
		for ((run = 1; run <= runs; run++)); do
			wrong+=$(idle_record "$@" 2>&1 && cd "$tmp/$name" && idle_compare 2>&1 && cat compared.csv >>"$all")
		done
		medians "$all" >"$tmp/$title.medians"
		sed 's/^/# /' "$tmp/$title.medians"
		off=$(outside "$tmp/$title.medians")
		wrong+=$(beyond_chance "$tmp/$title.medians")
	done
	wrong+=$(cd "$tmp/$name" && idle_unaccounted)
	if [ -z "$wrong" ]; then ok "$title"; else not_ok "$title" "$wrong"; fi
}
