#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the first sentence of the idle lens names it, and its routine. Each subject says at its top
# what is true. Subjects measure their work by their own CPU clock; on a loaded machine threads overlap differently from run to run,
# so that a sentence may need several runs, but must never be what the test forbids.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
subjects=$tests/prog/verdicts
if [ "$(nproc)" -lt 2 ]; then
	skip 'idle verdicts' 'there is one core, so no core is ever idle'
	exit
fi

# What the lens found, one finding on each line; `first` is without those about the run as a whole.
record() {
	rm -f "$1.skein"
	skein record idle -o "$1.skein" -- "./$1" >/dev/null 2>"$tmp/err" </dev/null || return 1
	skein report idle "$1.skein" | awk '/^$/ {exit} /^- / {sub(/^- /, ""); print line; line = $0; next} {sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0} END {print line}' >all
	grep -vE '^The program (had no core|crashed|was (killed|stopped))' all | head -n 1 >first
}
# verdict NAME SUBJECT FIRST [ANY [NONE]]: up to five runs; NONE must hold in each of them
verdict() {
	local source compiler=clang-19
	source=$(find "$subjects" -name "$2.c*")
	[ "${source%.cpp}" = "$source" ] || compiler=clang++-19
	# shellcheck disable=SC2046 # flags are words
	$compiler $(sed -nE '1s,.*flags: ([^*]*).*,\1,p' "$source") "$source" -o "$2" || { not_ok "$1" 'it does not compile'; return; }
	for _ in 1 2 3 4 5; do
		record "$2" || { not_ok "$1" "$(head -c 300 "$tmp/err")"; return; }
		if [ -n "${5-}" ] && grep -qE -- "$5" all; then not_ok "$1" "it says: $(grep -E -- "$5" all | head -n 1)"; return; fi
		if grep -qE -- "$3" first && grep -qE -- "${4-}" all; then ok "$1"; return; fi
	done
	not_ok "$1" "it says: $(cat all)"
}

waits='No thread worked for [0-9.]+ m?s of the [0-9.]+ m?s run: '
idle='Idle cores took [0-9.]+ % of the effort; '
verdict 'one lock: the lock, and the routine that holds it' one_lock "^${idle}for [0-9.]+ % of that, other threads waited for the lock table_lock, which table_find \(one_lock\.c:[0-9]+\) holds" \
	'^Hold table_lock for less time, or split it \(table_find takes it at one_lock\.c:12\)' 'Divide the work'
verdict 'a lock that one routine holds and another waits for' reader_writer "^${idle}for [0-9.]+ % of that, other threads waited for the lock map, held in .*, for which map_get \(" '' 'Divide the work'
verdict 'a lock beside a wait by design' signal_thread "other threads waited for the lock turn_lock, which take_turn \(signal_thread\.c:[0-9]+\) holds" '' 'Divide the work'
verdict 'semaphores: who has the token' semaphore "^${idle}.*inlined in pass_on at semaphore\.c:[0-9]+, .*other threads wait for a semaphore" '' 'waited for the lock'
verdict 'a pipeline: its slow stage' pipeline "^${idle}.*inlined in compress_all at pipeline\.c:[0-9]+.*other threads wait for a condition" 'Other threads wait for compress_all' 'waited for the lock'
verdict 'a barrier' barrier "^${idle}.*in simulate at barrier\.c:[0-9]+.*other threads wait at a barrier" 'Share the work of simulate .* out more evenly between barriers' 'waited for the lock|tasks'
verdict 'an OpenMP loop whose parts are uneven' team_uneven "^${idle}.*in row at team_uneven\.c:[0-9]+.*other threads wait at a barrier" 'Share the work of the parallel region at team_uneven\.c:[0-9]+ out more evenly' 'tasks'
verdict 'setup before the parallel part' setup "^${idle}.*in prepare at setup\.c:[0-9]+, which runs serially" 'Make prepare .* parallel' 'waited for the lock'
verdict 'a program that sleeps' sleeping_main "^${waits}pause_between \(sleeping_main\.c:[0-9]+\) spent (all|[0-9.]+ %) of that time in usleep, called at sleeping_main\.c:[0-9]+\. The program itself calls sleep" '' 'Divide|Make .* parallel'
verdict 'a program that reads' io_bound "^${waits}fetch \(io_bound\.c:[0-9]+\) spent (all|[0-9.]+ %) of that time in read, .*overlap input and output" '' 'Divide|Make .* parallel'
verdict 'a server that nobody asks' idle_server "^${waits}listen_loop \(idle_server\.c:[0-9]+\) spent (all|[0-9.]+ %) of that time in poll, .*The program waited for requests" '' 'Divide|Make .* parallel'
verdict 'a loop that waits for events is not to be divided' event_loop "^${waits}" '' 'Divide|Make serve'
verdict 'children that work: no cause to name' forked_children '^(The cores were busy|Idle cores took)' '' 'No thread worked|waited for'
verdict 'loops that are too short are not tasks' short_loops '(parallel loops are too short|make the parallel loops longer)' 'The parallel loops are too short: starting, sharing out and ending them takes .* for relax \((parallel\) \()?short_loops\.c:' 'tasks are too small|task size'
verdict 'one long task, where it is in the source' tail_task "^${idle}.*in step at tail_task\.c:8.*other threads wait for tasks" 'Divide the work of the tasks at tail_task\.c:13 ' 'tail_task\.c:3[0-9]'

verdict 'a serial routine between parallel loops' serial_between "^${idle}.*in reduce_all at serial_between\.c:[0-9]+, which runs serially" 'Make reduce_all .* parallel' 'waited for the lock'
verdict 'one of many tasks' tasks "^${idle}.*in node_build at tasks\.c:[0-9]+" 'Divide the work of the tasks at tasks\.c:12 ' 'between barriers'
verdict 'a semaphore that lets one thread in' pool_sem "^${idle}.*in db_query at pool_sem\.c:[0-9]+.*other threads wait for a semaphore" 'Let more threads into db_query .*, or hold the semaphore connections for less time' 'mostly waits'
verdict 'a critical section' critical '^Idle cores took [0-9.]+ % of the effort.*other threads waited for a lock, which add \(critical\.c:' '' 'Divide the work'
verdict 'two locks: the one that matters' two_locks 'other threads waited for the lock stats_lock, which count_hit \(' '' 'lock data_lock'
verdict 'a lock in allocated memory' heap_lock 'other threads waited for a lock, which account_move \(' 'account_move takes it at heap_lock\.c:[0-9]+' 'Divide the work'
verdict 'a late thread' late_thread "^${idle}.*in load_more at late_thread\.c:[0-9]+" 'Make load_more .* parallel' 'waited for the lock'
verdict 'a thread that sleeps beside the work is not the cause' heartbeat "^${idle}.*in solve at heartbeat\.c:[0-9]+" 'Make solve .* parallel' 'No thread worked'
verdict 'threads that spin: no other cause is named' spin_barrier '^(The cores were busy|Idle cores took)' '' 'waited for|other threads wait'

# The program has the name that it was called by.
ln -s tail_task alias
skein record idle -o alias.skein -- ./alias >/dev/null 2>&1
same 'a symbolic link has its own name' alias "$(skein report idle alias.skein --csv | awk -F, '$1 == 1 {print $2}')"

# A thread that is ready, without a core, is a state of its own.
skein report idle one_lock.skein --view threads --csv >threads.csv
same 'each thread has its time without a core' 5 "$(csv_value threads.csv process="$(csv_value threads.csv thread=0 process)" no_core_ns | grep -c '^[0-9]')"
skein report idle one_lock.skein --view summary --csv >summary.csv
check 'the summary has it for the whole program' [ "$(csv_value summary.csv name=no_core_ns value)" -ge 0 ]
check 'and how much more idleness there would be' [ "$(csv_value summary.csv name=ready_ns value)" -ge 0 ]
check 'and how much is due to the lock' [ "$(csv_value summary.csv name=held_ns value)" -gt 0 ]
check 'the summary says how long no thread worked' [ "$(skein report idle sleeping_main.skein --view summary --csv | sed -n 's/^quiet_ns,//p')" -gt 0 ]
