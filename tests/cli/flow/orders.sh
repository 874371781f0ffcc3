#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is initialised once, eventfds, tries that fail, detached threads, marks of the program, tasks and what they depend on.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cc -O2 -g -pthread -I"$tests/../include" "$tests/prog/flow/orders.c" -o orders || exit

# recorded PART: what it prints is what it prints alone; its views are in PART.VIEW
recorded() {
	local view
	skein record flow -q -o "$1.skein" -- ./orders "$1" >out 2>err
	same "$1: it behaves as it does alone" "$(./orders "$1") 0" "$(cat out) $?$(cat err)"
	for view in objects waits events tasks; do skein report flow "$1.skein" --view $view --top 0 --csv >"$1.$view"; done
	same "$1: nothing is lost" 0 "$(skein report flow "$1.skein" --view summary --csv | csv_value /dev/stdin name=lost_events value)"
}
# events PART EVENT [OBJECT]: how many there are
events() { awk -F, -v event="$2" -v object="${3:-}" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
	$at["event"] == event && (object == "" || $at["object"] == object) {n++} END {print n + 0}' "$1.events"; }
at_least() { awk -v is="$1" -v least="$2" 'BEGIN {if (is < least) {print is " is less than " least; exit 1}}'; }

recorded once
same 'once: one thread lets others go on' 1 "$(events once open set_up_once)"
same 'once: others wait for it' 2 "$(events once enter set_up_once)"
same 'once: it is an object of its own kind' once "$(csv_value once.objects object=set_up_once kind)"
same 'once: so is one that is set up in another' 1 "$(events once open inner_once)"
same 'once: and that of C11' 1 "$(events once open flag)"
check 'once: they waited for the set-up' at_least "$(csv_value once.objects object=set_up_once waited_ns)" 50000000
check 'once: the thread that sets up ended their waits' grep -qE ',condition,set_up_once,thread [0-9]+: ' once.waits

recorded eventfd
name=$(csv_value eventfd.objects kind=eventfd object)
same 'eventfd: it is told five times' 5 "$(events eventfd open "$name")"
same 'eventfd: and read five times; a clock with its number is something else' 5 "$(events eventfd enter "$name")"
check 'eventfd: the reader waited for the writer' at_least "$(awk -F, -v name="$name" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next}
	$at["object"] == name && $at["waited_for"] != "" {n += $at["waited_ns"]} END {print n + 0}' eventfd.waits)" 80000000

recorded tries
same 'tries: each one that fails is counted' 1005 "$(csv_value tries.objects object=lock refused)"
same 'tries: also of a second lock' 5 "$(csv_value tries.objects object=other refused)"
same 'tries: of a read-write lock' 2 "$(csv_value tries.objects object=shared refused)"
same 'tries: of a semaphore' 1 "$(csv_value tries.objects object=none refused)"
same 'tries: tries in a row are one event' 6 "$(events tries refuse lock)"
same 'tries: those with others between them are not' 5 "$(events tries refuse other)"

recorded detach
same 'detach: both threads' 2 "$(events detach detach)"

recorded marks
skein report flow marks.skein --view marks --top 0 --csv >marks.marks
sum() { awk -F, -v name="$1" -v column="$2" 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} $at["name"] == name {n += $at[column]} END {print n + 0}' marks.marks; }
same 'marks: parts are counted' '2 10 2' "$(sum outer count) $(sum inner count) $(sum 'never ended' count)"
check 'marks: work in them' at_least "$(sum inner work_ns)" 39000000
check 'marks: a part has that of the parts in it' at_least "$(sum outer work_ns)" "$(sum inner work_ns)"
check 'marks: and waiting' at_least "$(sum outer outside_ns)" 39000000
same 'marks: but not what waits elsewhere' 0 "$(sum inner outside_ns)"
same 'marks: values' '-7 -1 20 40' "$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} $at["name"] == "temperature" {print $at["least"]; print $at["most"]}' marks.marks | sort -n | paste -sd ' ')"
same 'marks: messages' 2 "$(sum 'almost done' count)"
same 'marks: they are events' '14 12 2 4' "$(events marks part) $(events marks part-end) $(events marks message) $(events marks value)"
expect_status 0 'marks: they are exported' skein export chrome-trace marks.skein -o marks.json
same 'marks: parts, messages and values' '14 12 2 4' "$(jq -r '[.traceEvents[] | select(.cat == "part" or .ph == "i" or (.ph == "C" and .name == "temperature")) | .ph] | group_by(.) | map({key: .[0], value: length}) | from_entries | "\(.b) \(.e) \(.i) \(.C)"' marks.json)"
expect_status 2 'marks: a program without marks' skein report flow tries.skein --view marks
expect_match 'marks: is told how to make them' 'this recording has no marks: skein_begin' "$tmp/err"

# ---- tasks ----

export KMP_AFFINITY=disabled
clang-19 -O2 -g -fopenmp "$tests/prog/flow/depend.c" -o depend || exit
skein record flow -q -o depend.skein -- ./depend >depend.out
for view in tasks objects summary; do skein report flow depend.skein --view $view --top 0 --csv >depend.$view; done
same 'depend: tasks are counted by where they were created' '3 3 3 3' "$(awk -F, '$1 == "task" {print $5}' depend.tasks | paste -sd ' ')"
same 'depend: what they depend on has a name' '9 3' "$(csv_value depend.objects object=a,kind=dependence acquisitions) $(csv_value depend.objects object=b,kind=dependence acquisitions)"
if [ -n "$(csv_value depend.summary name=switches value)" ]; then
	wanted=$(awk '{print $2}' depend.out)
	check 'depend: tasks that depend on others begin behind them' at_least "$(csv_value depend.summary name=minimum_ns value)" "$wanted"
	check 'depend: and not later' at_least "$((wanted + 25000000))" "$(csv_value depend.summary name=minimum_ns value)"
	check 'depend: work is that of the tasks' at_least "$(awk -F, 'NR == 1 {for (i = 1; i <= NF; i++) at[$i] = i; next} $1 == "task" {n += $at["work_ns"]} END {print n}' depend.tasks)" 164000000
else
	skip 'depend: the minimum' 'the kernel does not show context switches'
fi
expect_status 0 'depend: a graph of its tasks' skein report flow depend.skein --dot tasks
check 'depend: which graphviz reads' dot -Tsvg -o depend.svg "$tmp/out"
same 'depend: four kinds of tasks, created by the first thread' 4 "$(grep -c 'label="creates 3"' "$tmp/out" | awk '{print $1 - 1}')"
expect_status 2 'another graph is refused' skein report flow depend.skein --dot routines
expect_match 'another graph: why' 'there is no graph routines: skein report flow --dot tasks' "$tmp/err"
skein report flow once.skein --view what-if --top 0 --csv >what-if
same 'what-if: objects that threads waited for' once "$(csv_value what-if name=set_up_once what)"

# ---- the order alone, without times ----

# turns_of RECORDING: thread ids in the order in which they acquired the lock; the first ones took it before another thread did
turns_of() {
	skein report flow "$1" --view threads --csv >threads
	skein report flow "$1" --view events --top 0 --csv | awk -F, 'FNR == 1 {for (i = 1; i <= NF; i++) at[NR == FNR ? "t" $i : $i] = i; next}
		NR == FNR {tid[$at["tthread"]] = $at["ttid"]; next}
		$at["event"] == "acquire" && $at["object"] == "turn_lock" && tid[$at["thread"]] != last {last = tid[$at["thread"]]; print last}' threads -
}
for option in '' --order; do
	skein record flow -q $option -o turns.skein -- ./orders turns >truth
	same "turns $option: who had the lock after whom" "$(awk '{print $2}' truth | md5sum)" "$(turns_of turns.skein | tail -n "$(wc -l <truth)" | md5sum)"
	check "turns $option: that changed often enough to be a test" at_least "$(wc -l <truth)" 10
done
for part in once eventfd tries detach; do
	skein record flow -q --order -o "ordered.skein" -- ./orders $part >/dev/null
	skein report flow ordered.skein --view events --top 0 --csv | grep -v ',flag,' >ordered.events # whether others wait for it is chance
	for event in create begin join detach open enter refuse; do
		same "ordered $part: as many events: $event" "$(grep -v ',flag,' $part.events >timed.events && events timed $event)" "$(events ordered $event)"
	done
	same "ordered $part: objects are counted alike" "$(awk -F, '$1 != "flag" {print $1, $5, $NF}' $part.objects | sort)" \
		"$(skein report flow ordered.skein --view objects --top 0 --csv | awk -F, '$1 != "flag" {print $1, $5, $NF}' | sort)"
	same "ordered $part: no time is told" '' "$(awk -F, 'NR > 1 {print $1}' ordered.events | sort -u)"
done
KMP_AFFINITY=disabled skein record flow -q --order -o ordered.skein -- ./depend >/dev/null
same 'ordered depend: tasks are counted' '3 3 3 3' "$(skein report flow ordered.skein --view tasks --top 0 --csv | awk -F, '$1 == "task" {print $5}' | paste -sd ' ')"
skein report flow ordered.skein --json | jq -r '.verdict[]' >said
expect_match 'ordered: the verdict counts' '^(Threads waited [0-9]+ times? for|[0-9]+ threads waited [0-9]+ times in all)' said
for view in critical-path slack timeline concurrency cores what-if; do
	expect_status 2 "ordered: the view $view is refused" skein report flow ordered.skein --view $view
	same "ordered: $view: why" 'skein: this recording has the order of events and no times: record without --order' "$(cat "$tmp/err")"
done
expect_status 2 'ordered: so is an export of times' skein export chrome-trace ordered.skein
expect_status 2 'ordered: so is a part of the time' skein record flow --order --after 1 -- ./orders once
