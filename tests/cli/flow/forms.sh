#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The textbook's ways to wait for each other, recorded alone and beside four busy loops, against what the subject measured itself.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/truth.sh"

cd "$tmp" || exit
cc -O2 -g -pthread "$tests/prog/flow/forms.c" -o forms || exit
line() { grep -n "$1" "$tests/prog/flow/forms.c" | cut -d: -f1; }

# What waits for a condition has the queue's lock in the subject's list, and the condition in the lens's.
# shellcheck disable=SC2034 # truth.sh reads it
truth_conditions=queue_lock
for part in lock convoy nested pipeline barrier turns readers queue semaphore tree broadcast; do
	truth_record $part 0 ./forms $part
	truth_record $part-loaded 4 ./forms $part
	for run in "$part" "$part-loaded"; do truth_holds "$run"; done
	if truth_sees_switches $part; then
		check "$part-loaded: the load is seen" [ "$(truth_figure $part-loaded load_ns)" -gt "$(($(truth_figure $part-loaded wall_ns) / 10))" ]
		expect_match "$part-loaded: and told" 'Other programs kept cores from its threads' $part-loaded.verdict
	fi
done

# The recorded order of locks is kept, and a load may change that order: these have no order to be changed.
for part in pipeline barrier turns semaphore tree broadcast; do truth_same_minimum $part $part-loaded; done

for run in {pipeline,barrier,turns,semaphore,broadcast}{,-loaded}; do
	if truth_sees_switches "$run"; then check "$run: the critical path is in the right threads" truth_critical "$run"; else
		skip "$run: the critical path is in the right threads" 'the kernel does not show context switches'
	fi
done

for run in lock convoy lock-loaded convoy-loaded; do
	same "$run: the holder is the routine that took it, and its line" "table_change forms.c:$(line 'the holder')" \
		"$(csv_value $run.objects object=table_lock holder) $(csv_value $run.objects object=table_lock holder_file | sed 's,.*/,,'):$(csv_value $run.objects object=table_lock holder_line)"
	expect_match "$run: the verdict names the lock and its holder" \
		"^Threads waited .* for table_lock \(forms\.c:[0-9]+\), held mostly by table_change \(forms\.c:$(line 'the holder')\)\." $run.verdict
done
for run in readers readers-loaded; do
	expect_match "$run: the verdict names the lock" '^Threads waited .* for map \(forms\.c:[0-9]+\), held mostly by map_(put|get) \(forms\.c:[0-9]+\)\.' $run.verdict
done
for run in barrier barrier-loaded; do
	# Under load another thread may be the last one more often; it has no part of the critical path then.
	case $run in *-loaded) late='[0-9]+' ;; *) late=$(truth_thread $run 3) ;; esac
	expect_match "$run: the verdict names the thread that is late" \
		"^Threads waited .* at barrier \(forms\.c:[0-9]+\); thread $late arrived last most often, from meet \(forms\.c:" $run.verdict
	expect_match "$run: and has the critical path there" "^[0-9.]+ % of the critical path, .* is in thread $(truth_thread $run 3), created in " $run.verdict
done
for run in pipeline pipeline-loaded; do
	expect_match "$run: the verdict names the thread that sets the pace" "^[0-9.]+ % of the critical path, .* is in thread $(truth_thread $run 3), created in " $run.verdict
done
for run in queue queue-loaded; do
	expect_match "$run: the verdict names the thread that sets the pace" "^[0-9.]+ % of the critical path, .* is in thread $(truth_thread $run 1), created in " $run.verdict
done
for run in semaphore semaphore-loaded; do
	expect_match "$run: the verdict names the semaphore" '^Threads waited .* for turns \(forms\.c:' $run.verdict
	expect_match "$run: the path goes through all threads" '^The critical path goes through several threads: 3[0-9.]+ % of it is in thread [123], created in ' $run.verdict
done
