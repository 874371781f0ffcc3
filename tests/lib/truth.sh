# SPDX-License-Identifier: MIT
# truth.sh: recordings of the flow lens against what programs know of their own runs (tests/prog/flow/truth.h).
#
#     . "$tests/lib/truth.sh"
#     truth_record NAME 4 ./forms barrier        records it beside four busy loops into NAME.skein; what it printed goes into NAME.truth
#     truth_holds NAME                           figures that no machine may change, and the minimum
#     truth_same_minimum NAME OTHER              two runs of one program, which have the same minimum, whatever the load
#
# All runs share two cores, so that busy loops are a load on any machine. Every figure is compared with clocks of the same run, and no test
# asks how long anything took. What the tolerance is for:
#   - the larger of 2 % and 1 ms: what a thread does before and behind its own clock, and in calls that wait;
#   - 2 us for each context switch: the kernel tells of a preemption some microseconds late (2.8 us measured), which is nothing until another
#     program preempts a thread ten thousand times;
#   - waits in the kernel, for a page or a lock of the kernel's: they keep their length, and where the machine is loaded, that has the time
#     in it until the thread got a core again;
#   - time that a host takes from a virtual machine is in no clock of the machine's own: truth.h knows it as the second minimum.
truth_busy=()

truth_unload() {
	if [ ${#truth_busy[@]} -gt 0 ]; then
		kill "${truth_busy[@]}"
		wait "${truth_busy[@]}"
	fi 2>/dev/null
	truth_busy=()
}
trap 'truth_unload; finish' EXIT

# truth_cores: the first two cores that we may use
truth_cores() {
	taskset -pc $$ | sed 's/.*: //' | tr , '\n' | while IFS=- read -r first last; do seq "$first" "${last:-$first}"; done | head -n 2 | paste -sd,
}

# truth_record NAME LOOPS COMMAND…
truth_record() {
	local name=$1 loops=$2 view cores
	shift 2
	cores=$(truth_cores)
	for ((i = 0; i < loops; i++)); do
		taskset -c "$cores" bash -c 'while :; do :; done' &
		truth_busy+=($!)
	done
	expect_status 0 "$name: it is recorded" taskset -c "$cores" skein record flow -o "$name.skein" -- "$@"
	truth_unload
	cp "$tmp/out" "$name.truth"
	for view in summary objects threads waits critical-path; do skein report flow "$name.skein" --view $view --top 0 --csv >"$name.$view"; done
	skein report flow "$name.skein" --json >"$name.json"
	sqlite3 :memory: "select replace(value, char(10), ' ') from json_each(json_extract(cast(readfile('$name.json') as text), '\$.verdict'))" >"$name.verdict"
}

truth_figure() { csv_value "$1.summary" "name=$2" value; } # RECORDING FIGURE

# Without context switches time without a core is work, and nothing is known of the minimum.
truth_sees_switches() { [ -n "$(truth_figure "$1" switches)" ]; }

# truth_slack NAME NS: the tolerance for a figure of that size, of this recording
truth_slack() { awk -v ns="$2" -v switches="$(truth_figure "$1" switches)" 'BEGIN {slack = ns * 0.02; print (slack > 1e6 ? slack : 1e6) + 2000 * switches}'; }

# truth_more NAME: what the minimum may have on top: waits in the kernel
truth_more() { csv_value "$1.waits" kind=kernel waited_ns | awk '{sum += $1} END {print sum + 0}'; }

# truth_between NAME LEAST FIGURE MOST: says by how much it is not
truth_between() {
	awk -v name="$1" -v least="$2" -v figure="$3" -v most="$4" 'BEGIN {
		if (figure == "" || figure + 0 < least + 0 || figure + 0 > most + 0) { printf "%s: %.0f is not between %.0f and %.0f\n", name, figure, least, most; exit 1 }
	}'
}

truth_minimum() {
	local cpu core slack
	read -r cpu core < <(awk '$1 == "minimum_ns" {print $2, $3}' "$1.truth")
	slack=$(truth_slack "$1" "$cpu")
	truth_between minimum_ns "$(awk "BEGIN {print $cpu * (1 - ${truth_less:-0}) - $slack}")" "$(truth_figure "$1" minimum_ns)" "$(awk "BEGIN {print $core + $slack + $(truth_more "$1")}")"
}

# The formula, if there is one, and the list of what happened agree: this is about the subject.
truth_formula() {
	awk '$1 == "closed_ns" {closed = $2} $1 == "minimum_ns" {all = $2}
		END {if (closed > all || all - closed > (all * 0.02 > 1e6 ? all * 0.02 : 1e6)) {print "closed_ns", closed, "minimum_ns", all; exit 1}}' "$1.truth"
}

# Its work is between its CPU time and its time on a core.
truth_work() {
	local tid cpu core slack failed=0
	while read -r tid cpu core; do
		slack=$(truth_slack "$1" "$cpu")
		truth_between "work of thread $tid" "$(awk "BEGIN {print $cpu - $slack}")" "$(csv_value "$1.threads" "tid=$tid" work_ns)" \
			"$(awk "BEGIN {print $core + $slack}")" || failed=1
	done < <(awk '$1 == "thread" {print $4, $6, $7}' "$1.truth")
	return $failed
}

# truth_critical NAME: each thread's part of the critical path
truth_critical() {
	local tid ns slack failed=0
	while read -r tid ns; do
		slack=$(truth_slack "$1" "$(truth_figure "$1" minimum_ns)")
		truth_between "critical path in thread $tid" "$(awk "BEGIN {print $ns - $slack}")" "$(csv_value "$1.threads" "tid=$tid" critical_ns)" \
			"$(awk "BEGIN {print $ns + $slack + $(truth_stolen "$1") + $(truth_more "$1")}")" || failed=1
	done < <(awk '$1 == "thread" {print $4, $9}' "$1.truth")
	return $failed
}

truth_stolen() { awk '$1 == "minimum_ns" {print $3 - $2}' "$1.truth"; }

truth_lives() {
	awk -F, -v late="${truth_ends_late-}" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
		{
			life = $at["end_ns"] - $at["start_ns"]; sum = $at["work_ns"] + $at["load_ns"] + $at["waited_ns"] + $at["outside_ns"]
			slack = life * 0.02 > 1e6 ? life * 0.02 : 1e6
			if (sum > life + 1000 || (sum < life - slack && !($at["thread"] == 0 && late))) { print "thread", $1, "lives for", life, "and does things for", sum; failed = 1 }
			n++
		}
		END {exit failed || !n}' "$1.threads"
}

truth_path() {
	awk -F, -v minimum="$(truth_figure "$1" minimum_ns)" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
		{
			if ($at["at_ns"] - sum > NR || sum - $at["at_ns"] > NR) { print "a gap before the stretch at", $at["at_ns"]; failed = 1 }
			sum += $at["duration_ns"]
		}
		END {if (sum - minimum > NR || minimum - sum > NR) { print "stretches", sum, "minimum_ns", minimum; failed = 1 } exit failed || NR < 2}' "$1.critical-path"
}

# Objects of one name are one: acquisitions, waited at least and at most.
truth_things() {
	awk '$1 == "object" {taken[$2] += $4; least[$2] += $6; most[$2] += $7} END {for (o in taken) printf "%s %.0f %.0f %.0f\n", o, taken[o], least[o], most[o]}' "$1.truth"
}

# A thread may lose its core between writing down and waiting: so the lower bound of waiting is not sharp.
truth_objects() {
	local object acquired least most failed=0
	while read -r object acquired least most; do
		truth_between "acquisitions of $object" "$acquired" "$(csv_value "$1.objects" "object=$object" acquisitions)" "$acquired" || failed=1
		[[ " ${truth_conditions-} " != *" $object "* ]] || continue
		truth_between "waited for $object" "$(awk "BEGIN {print $least * 0.95 - 1e7}")" \
			"$(csv_value "$1.objects" "object=$object" waited_ns)" "$(awk "BEGIN {print $most + 1e6}")" || failed=1
	done < <(truth_things "$1")
	return $failed
}

# truth_holds NAME; truth_conditions: objects whose waiting the subject counts otherwise; truth_ends_late: the first thread has things to do
# behind the end of the run; truth_unexplained: so many waits may have ended for no reason; truth_less: a share that the minimum may lack
truth_holds() {
	same "$1: wall is minimum, load and latency" "$(truth_figure "$1" wall_ns)" \
		"$(($(truth_figure "$1" minimum_ns) + $(truth_figure "$1" load_ns) + $(truth_figure "$1" latency_ns)))"
	check "$1: what ended each wait is known" [ "$(truth_figure "$1" unexplained)" -le "${truth_unexplained:-0}" ]
	check "$1: threads do something for as long as they live" truth_lives "$1"
	check "$1: the stretches of the critical path are the minimum" truth_path "$1"
	if grep -q '^object' "$1.truth"; then check "$1: objects are taken as often as they were, and waited for as long" truth_objects "$1"; fi
	if grep -q '^closed_ns' "$1.truth"; then check "$1: the subject's two ways to its minimum agree" truth_formula "$1"; fi
	if ! truth_sees_switches "$1"; then
		skip "$1: the minimum and each thread's work are what CPU clocks say" 'the kernel does not show context switches'
		return
	fi
	check "$1: the minimum is what CPU clocks say" truth_minimum "$1"
	check "$1: so is the work of each thread" truth_work "$1"
}

truth_close() {
	local here other slack
	here=$(truth_figure "$1" minimum_ns)
	other=$(truth_figure "$2" minimum_ns)
	slack=$(awk "BEGIN {print $here * 0.05 + $(truth_stolen "$1") + $(truth_stolen "$2") + $(truth_more "$1") + $(truth_more "$2") + 2000 * ($(truth_figure "$1" switches) + $(truth_figure "$2" switches))}")
	truth_between "minimum of $2" "$(awk "BEGIN {print $here - $slack}")" "$other" "$(awk "BEGIN {print $here + $slack}")"
}

# truth_same_minimum NAME OTHER
truth_same_minimum() {
	if truth_sees_switches "$1"; then
		check "$1 and $2: the load does not change the minimum" truth_close "$1" "$2"
	else
		skip "$1 and $2: the load does not change the minimum" 'the kernel does not show context switches'
	fi
}

# truth_thread NAME NUMBER: the lens's number of the subject's thread
truth_thread() { csv_value "$1.threads" "tid=$(awk -v n="$2" '$1 == "thread" && $2 == n {print $4}' "$1.truth")" thread; }
