#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the first sentence of the calls lens names it, and its routine. Each subject says at its
# top what is true. Nothing here depends on speed: subjects measure their work by their own CPU clock.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
subjects=$tests/prog/verdicts

# verdict NAME: builds and records a subject; $tmp/first has what the lens itself found first, $tmp/all all findings, one on
# each line
verdict() {
	local source around=${around:-} ends=${ends:-0} status
	source=$(find "$subjects" -name "$1.c*")
	local compiler=skein-cc
	[ "${source%.cpp}" = "$source" ] || compiler=skein-c++
	# shellcheck disable=SC2046 # flags are words
	$compiler $(sed -nE '1s,.*flags: ([^*]*).*,\1,p' "$source") "$source" -o "$1" || not_ok "$1" 'it does not compile'
	rm -f "$1.skein"
	# shellcheck disable=SC2086 # words
	$around skein record calls -o "$1.skein" -- "./$1" >/dev/null 2>"$tmp/err" </dev/null
	status=$?
	[ "$status" -eq "$ends" ] || not_ok "$1" "status $status: $(head -c 300 "$tmp/err")"
	skein report calls "$1.skein" --csv --view waits >"$1.csv"
	skein report calls "$1.skein" | awk '/^$/ {exit} /^- / {sub(/^- /, ""); print line; line = $0; next} {sub(/^ +/, ""); line = line (line == "" ? "" : " ") $0} END {print line}' >all
	grep -vE '^The program (had no core|crashed|was (killed|stopped))' all | head -n 1 >first
}
first() { expect_match "$1" "$2" first; }
any() { expect_match "$1" "$2" all; }
none() { # NAME REGEX: no finding says that
	if grep -qE -- "$2" all; then not_ok "$1" "$(grep -E -- "$2" all | head -n 1)"; else ok "$1"; fi
}

verdict one_lock
first 'one lock: the lock holds the others up' '^For .* at most one of 5 workers was busy.* (waited|wait less) for locks in table_find \(one_lock\.c:[0-9]+\)'
any 'its variable is named' 'Most waiting is in table_find .*split it\. (All|[0-9.]+ %) of that is for table_lock, first at one_lock\.c:'
same 'the view has it' 'table_lock' "$(csv_value one_lock.csv routine=table_find,kind=lock object)"
same 'main joins by design' 1 "$(csv_value one_lock.csv routine=main,kind=join by_design)"
same 'the lock is not by design' 0 "$(csv_value one_lock.csv routine=table_find,kind=lock by_design)"

verdict half_locked
first 'several work: what the others wait for is in the first sentence' '(others mostly waited|others waited|wait less) for locks in add_totals \(half_locked\.c:'
none 'where workers wait for each other, the rest is no bound' 'bounds any speed-up'

verdict semaphore
first 'semaphores are not locks' 'at most one of 5 workers was busy.* (waited|wait less) for semaphores in receive \(semaphore\.c:'
any 'they have advice of their own' 'Most waiting is in receive .*mostly for semaphores: the threads that post them do so too late\..* is for token, '
same 'and a kind of their own' semaphore "$(csv_value semaphore.csv routine=receive kind)"

verdict pipeline
first 'a pipeline: the slow stage is named' 'at most one of 4 workers was busy.*compress_all \(pipeline\.c:[0-9]+\), which sets the pace'
any 'with how busy it was' 'Threads that run compress_all .* set the pace: they were busy for .* Make that routine faster'
none 'stages are not compared with each other' 'Work is (un)?even'

verdict stages
first 'std::thread: what the user passed to it counts' 'encode \(stages\.cpp:[0-9]+\), which sets the pace'
none 'two stages of one type for the library are two jobs' 'Work is (un)?even'

verdict idle_server
first 'a server that idles: nobody worked' '^No worker was busy for [0-9.]+ % of the .* run: the program waited for input or output in listen_loop \(idle_server\.c:'
none 'more workers are no advice' 'until|faster'

verdict sleeping_main
first 'a program that sleeps' '^No worker was busy .*: the program slept or waited for a signal in pause_between'

verdict forked_sort
first 'another program was run' '^The only worker was busy for [0-9.]+ % of the .* run; for the rest it waited for a child process in run_child'
none 'which is not a serial part' 'parallel'

verdict io_bound
first 'input that comes slowly' '^The only worker was busy for .* it waited for input or output in fetch'

verdict forked_children
first 'several processes have no common bound' '^4 processes ran within .*bounds no speed-up'
none 'none is claimed' 'cannot make it'

verdict uneven
first 'one thread has most of the work' 'at most one of 5 workers was busy.* work is (uneven|divided evenly) among the 4 workers that run solve \(uneven\.c:'
any 'which one, and how much' 'Work is uneven among the 4 workers that run solve .*: worker [0-9]+ did .* Give the others a part of it'

verdict barrier
first 'barriers: uneven work is the reason' 'work is (uneven|divided evenly) among the 4 workers that run simulate \(barrier\.c:'
any 'the barrier is named' 'mostly at barriers: .* is for step_barrier, '

verdict team_uneven
first 'a team is compared with its master' 'work is (uneven|divided evenly) among the 4 workers of the OpenMP team'

verdict setup
first 'a serial routine before the threads' 'at most one of 5 workers was busy.* mostly (in )?prepare \(setup\.c:'
any 'how long' '^prepare .* was busy alone for .* Make it parallel'
any 'the threads are even' 'Work is even among the 4 workers that run solve'

verdict reader_writer
first 'a read-write lock in a structure' '(waited|wait less) for locks in map_get \(reader_writer\.c:'
any 'its variable contains it' ' is for map, first at reader_writer\.c:'
none 'a writer that holds a lock is not a stage' 'sets? the pace'

verdict two_places
any 'the sum over workers counts, not the longest row' '^Most waiting is in update '

verdict signal_thread
any 'a thread made for waiting comes last' '^Most waiting is in take_turn '
same 'its wait is by design' 1 "$(csv_value signal_thread.csv routine=await_end,kind=condition by_design)"

verdict heap_lock
first 'a lock in allocated memory' '(waited|wait less) for locks in account_move \(heap_lock\.c:'
any 'has no name, but a place' 'Most waiting is in account_move .* of that is at heap_lock\.c:16\.'

verdict critical
first 'a critical section is a lock' '(waited|wait less) for locks in add \(critical\.c:'
none 'who gets the lock works' 'Work is uneven'

verdict tasks
first 'one long task' 'work is (uneven|divided evenly) among the 4 workers of the OpenMP team'

verdict late_thread
first 'a thread that comes late' 'at most one of 4 workers was busy.* mostly (in )?load_more \(late_thread\.c:'

verdict heartbeat
first 'a thread that sleeps between beats is not the reason' 'at most one of 2 workers was busy.* mostly (in )?solve \(heartbeat\.c:'

verdict serial_between
first 'a serial routine between loops' 'at most one of 4 workers was busy.* mostly (in )?reduce_all \(serial_between\.c:'

verdict slow_reader
first 'a pool that waits for main' 'at most one of 5 workers was busy.* mostly (in )?parse_block \(slow_reader\.c:'

verdict two_locks
first 'the lock that matters' '(waited|wait less) for locks in count_hit \(two_locks\.c:'
any 'not the other one' ' of that is for stats_lock, '

verdict pool_sem
first 'a semaphore with one place' '(waited|wait less) for semaphores in db_query \(pool_sem\.c:'

verdict async
first 'results that are awaited one by one' 'at most one of 2 workers was busy.* mostly (in )?fetch \(async\.cpp:'

ends=142 verdict deadlock # by SIGALRM
first 'a deadlock' '^No worker was busy for .*: the program waited for locks in take_(ab|ba) \(deadlock\.c:'

verdict spin_barrier
none 'spinning looks like work: no other cause is named' 'for locks|at barriers|sets? the pace|made parallel'

# What lacks cores has no bound, and what all do is not serial.
around='taskset -c 0' verdict setup
first 'on one core a bound means nothing' 'mostly in prepare \(setup\.c:[0-9]+\)\. That bounds no speed-up here: with free cores'
none 'none is given' 'cannot make it'
around='taskset -c 0' verdict even
none 'what two workers do is not a serial part' 'Make it parallel|cannot make it'
any 'they are even' 'Work is even among the 2 workers that run solve'

# Rows of objects are limited, sums are not: what a worker waited for is what its routines waited for, also in a forked child.
verdict many_objects
sums() { sqlite3 many_objects.skein "$1"; }
check 'there are two processes with semaphores' [ "$(sums "select count(distinct worker) from calls_wait where kind = 'semaphore'")" -eq 2 ]
same 'every wait is in a row' '' "$(sums "select worker, kind, waits, (select sum(waits) from calls_wait c where c.worker = w.worker and c.kind = w.kind) as has from wait w where has is not waits")"
same 'and all the time' '' "$(sums "select worker, kind, wait_ns, (select sum(wait_ns) from calls_wait c where c.worker = w.worker and c.kind = w.kind) as has from wait w where abs(has - wait_ns) > wait_ns / 1000 + 1000")"

# Tasks on one core: who waits for a task may as well wait for the core.
around='taskset -c 0' verdict tasks
none 'tasks without cores have no bound' 'cannot make it|made parallel'
