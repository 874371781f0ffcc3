#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a person and a script see of a recording whose numbers are known, and how record, recover and report end.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

mkdir session
"$build/tests/calls/test_analysis" --session session
expect_status 0 'a session that was left behind is recovered' skein recover session -o prog.skein --keep-raw
check 'the recording is for its owner only' [ "$(stat -c %a prog.skein)" = 600 ]

shows 'the report begins with the verdict and ends with doubts' skein report <<'END'
For 60 % of the 1.00 s run at most one of 3 workers was busy; more workers
cannot make it more than 1.7 times faster until that part, mostly prepare
(prog.c:10), is made parallel.
- prepare (prog.c:10) was busy alone for 40 % (± 3.0) of the run. Make it
  parallel, or overlap it with other work.
- Most working time is in task::work (prog.cpp:20) itself: 500 ms, 38 % of all
  workers' working time.
- Most waiting is in task::work (prog.cpp:20): 100 ms over all workers, mostly
  for locks: hold the lock for less time, or split it.
- Work is uneven among the 2 workers that run task::work (prog.cpp:20): worker 1
  did 600 ms of it, 1.33 times the average of 450 ms. Give the others a part of
  it.

routine          calls  elapsed   direct  dir%    wait    wall  wall%   /call
task::work           2   1.00 s   500 ms  38.2  100 ms  600 ms   60.0  500 ms
prepare              1   400 ms   400 ms  30.5       0  400 ms   40.0  400 ms
step\x1b[31m,"x  1,000   400 ms   400 ms  30.5       0  300 ms   30.0  400 us
main                 1   1.00 s  10.0 ms   0.8  590 ms  1.00 s  100.0  1.00 s
elapsed: including callees, sum over workers. direct: excluding callees and
waiting, sum over workers. dir%: direct, as a share of all workers' working
time. wait: sum over workers. wall: wall time in which at least one worker was
inside (union over workers). wall%: the same as a share of the run. /call:
elapsed per call.

What may be wrong with this:
- Calls deeper than the deepest level that is recorded: 7.
- Wall time by routine, together and concurrency are estimated from 1,000
  snapshots: a share of one half is uncertain by ± 3.1 points (95 %).
- The profiler itself took about <0.01 % of the run's CPU time for 1,004 calls
  (20 ns per call, subtracted from the times above, not from wall time) and
  1.0 % for snapshots.
- Working threads had no core for 7.6 % of their working time: there were more
  threads than cores, or other programs ran. The column cpu_ns excludes that
  time.
END

# The promised columns of each form.
columns() { head -n 1 | cut -d, -f "1-$1"; }
same 'columns of routines' routine,file,line,worker,entry,calls,elapsed_ns,direct_ns,callee_calls,callee_ns,wait_ns,union_ns "$(skein report calls --csv | columns 12)"
same 'columns of arcs' caller,callee,file,line,entry,callee_call,calls,elapsed_ns "$(skein report calls --view arcs --csv | columns 8)"
same 'columns of together' routine_a,routine_b,together_ns "$(skein report calls --view together --csv | columns 3)"
same 'columns of summary' name,value "$(skein report calls --view summary --csv | columns 9)"

skein report calls prog.skein --csv >routines.csv
same 'a total row' 1000000000 "$(csv_value routines.csv 'routine=task::work(int),worker=all,entry=all' elapsed_ns)"
same 'a row of a worker in a state' 100000000 "$(csv_value routines.csv 'routine=task::work(int),worker=2,entry=concurrent' direct_ns)"
same 'what was not measured is empty' '(empty)' "$(csv_value routines.csv 'routine=main,worker=0,entry=all' union_ns | or_empty)"
same 'a routine that was never called' 0 "$(csv_value routines.csv 'routine=never,worker=all,entry=all' calls)"
same 'a routine that is not profiled' '' "$(csv_value routines.csv 'routine=skipped,worker=all,entry=all' calls)"
same 'a name with a comma and a quote is quoted, its escape sequence disarmed' '"step\x1b[31m,""x"' "$(grep -o '"step.*x"' routines.csv | head -n 1)"

shows 'arcs' skein report calls --view arcs --csv --top 3 <<'END'
caller,callee,file,line,entry,callee_call,calls,elapsed_ns,arc,case,same_calls,outer_ns,outer_pct,elapsed_per_call_ns,timed_calls,error_ns
(outside),main,,,sequential,sequential,1,1000000000,sequential,S-S,0,1000000000,50.0000,1000000000,1,0
main,task::work(int),/src/prog.c,40,sequential,concurrent,2,1000000000,concurrent,S-C,2,1000000000,50.0000,500000000,2,0
main,prepare,/src/prog.c,43,sequential,sequential,1,400000000,sequential,S-S,0,400000000,20.0000,400000000,1,0
END
shows 'together' skein report calls --view together --csv <<'END'
routine_a,routine_b,together_ns,snapshots,together_pct,error_pct
task::work(int),"step\x1b[31m,""x",200000000,200,20.0000,2.4792
task::work(int),task::work(int),50000000,50,5.0000,1.3508
END
shows 'inlined' skein report calls --view inlined --csv <<'END'
routine,file,line,state,into,into_file
tiny,/src/prog.h,3,inlined,"step\x1b[31m,""x",/src/prog.c
unused,/src/prog.c,70,removed,,
END

table() { skein report calls --view "$@" | sed -n '/^$/,/^$/p' | grep . | sed '/: /,$d; /^Wall time/,$d; /^Times/,$d; /^A worker/,$d'; }
shows 'family, as a person sees it' table family --routine 'task*' <<'END'
relation  routine          calls  sequential  concurrent  elapsed  share%
parent    main                 2           0           2   1.00 s   100.0
self      task::work           2           0           2   1.00 s    50.0
child     step\x1b[31m,"x  1,000           0       1,000   400 ms    40.0
END
shows 'workers, as a person sees it' table workers <<'END'
worker  threads  names     calls   alive  working  waiting  mostly  work%  /mean
     0        1  prog          2  1.00 s   410 ms   590 ms  join     41.0
     1        1  worker-a    501  600 ms   600 ms        0          100.0   1.33
     2        1  worker-b    501  400 ms   300 ms   100 ms  lock     75.0   0.67
END
shows 'concurrency, as a person sees it' table concurrency <<'END'
working  routines at this level    time     %   +-
      1  (wall time)             600 ms  60.0  3.0  ############
      1  prepare                 400 ms  40.0  3.0
      2  (wall time)             400 ms  40.0  3.0  ########
      2  task::work              300 ms  30.0  2.8
      2  step\x1b[31m,"x         250 ms  25.0  2.7
END

for view in routines family arcs workers together concurrency inlined summary; do
	skein report calls --view $view --json >"$view.json"
	same "$view is proper JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('$view.json'))")"
	check "$view: CSV and JSON have as many rows" [ "$(sqlite3 :memory: "select json_array_length(readfile('$view.json'), '\$.rows')")" -eq \
		"$(($(skein report calls --view $view --csv | wc -l) - 1))" ]
	check "$view fits 80 columns" [ "$(skein report calls --view $view | wc -L)" -le 80 ]
done
check 'a page number comes from SQL' [ "$(sqlite3 prog.skein 'select sum(calls) from calls_routine')" -eq 1004 ]
check 'no colour where there is no terminal' [ -z "$(skein report | tr -d -c '\033')" ]

refused 2 'an unknown lens' 'calls' skein report cals prog.skein
refused 2 'an unknown view' 'family' skein report --view familiy
refused 2 'an unknown column' 'elapsed_ns' skein report --sort elapse
refused 2 'an unknown routine' 'nobody' skein report --view family --routine nobody
refused 2 'two forms at once' 'csv' skein report --csv --json
refused 2 'a number that is none' 'top' skein report --top many
refused 2 'an unknown command' 'recover' skein recovr session
refused 127 'a missing recording' 'absent.skein' skein report absent.skein
refused 127 'a missing session' 'absent' skein recover absent
refused 2 'no lens' 'lens' skein record
refused 2 'no program' 'program' skein record calls
refused 127 'a missing program' 'absent' skein record calls -- ./absent
refused 2 'an overhead of nothing' 'from 1 to 100' skein record calls --overhead 0 -- ./absent
refused 2 'times of all calls and of some' 'give one of them' skein record calls --exact --overhead 5 -- ./absent
refused 2 'no times and all times' 'give one of them' skein record calls --exact --counts -- ./absent
printf '#!/bin/sh\n' >script && chmod +x script
refused 126 'a script' 'script' skein record calls -- ./script
echo precious >taken.skein
refused 125 'a file that is no recording is not overwritten' 'taken.skein' skein recover session -o taken.skein
same 'it is left as it was' precious "$(cat taken.skein)"
rm taken.skein

cp -r session broken && head -c -8 session/1000.raw >broken/1000.raw
refused 125 'a session with a truncated raw file' 'truncated' skein recover broken -o broken.skein
head -c 9000 /dev/urandom >broken/1000.raw
refused 125 'a session with a random raw file' 'recording' skein recover broken -o broken.skein
check 'nothing half-written is left' [ -z "$(find . -maxdepth 1 -name '*broken.skein*' -o -maxdepth 1 -name '*new-*')" ]

# A real program: its signals and status are its own, and a killed skein loses nothing.
cat >prog.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void turn(volatile int *x) { ++*x; }
int main(int argc, char **argv)
{
	volatile int x = 0;
	for (int i = 0; i < 1000; i++)
		turn(&x);
	if (argc > 1 && argv[1][0] == 's')
		raise(atoi(argv[1] + 1));
	puts("ready");
	fflush(stdout);
	if (argc > 1 && argv[1][0] == 'w')
		sleep(30);
	return argc > 1 ? atoi(argv[1]) : 0;
}
END
skein-cc -O2 -g prog.c -o prog
expect_status 3 'an exit code passes through' skein record calls -o a.skein -- ./prog 3
same "the subject's output is its own when it goes into a pipe" ready "$(cat "$tmp/out")"
expect_match 'what skein says is on standard error then' 'turn' "$tmp/err"
for signal in 15 6 11; do
	(skein record calls -o a.skein -- ./prog s$signal >/dev/null 2>&1)
	same "death by signal $signal passes through" $((128 + signal)) $?
	skein report calls a.skein --csv >a.csv
	same "and the calls until then are there ($signal)" 1000 "$(csv_value a.csv routine=turn,worker=all,entry=all calls)"
done

skein record calls -o b.skein -- ./prog wait >b.out 2>b.err &
until grep -q ready b.out; do sleep 0.05; done
kill -TERM $!
wait $!
same 'SIGTERM sent to skein reaches the subject' 143 $?
check 'and its recording is written' skein report b.skein --top 1

skein record calls -o c.skein -- ./prog wait >c.out 2>c.err &
until grep -q ready c.out; do sleep 0.05; done
child=$(pgrep -P $!)
kill -KILL $!
wait $! 2>/dev/null
while kill -0 "$child" 2>/dev/null; do sleep 0.05; done
expect_status 0 'the session of a killed skein is recovered' skein recover .c.skein.session-* -o c.skein
skein report calls c.skein --csv >c.csv
same 'with all calls' 1000 "$(csv_value c.csv routine=turn,worker=all,entry=all calls)"
check 'and its folder is gone' [ -z "$(ls -d .c.skein.session-* 2>/dev/null)" ]

skein-cc -O1 -g prog.c -o prog
skein record calls -o a.skein -- ./prog >/dev/null 2>err
check 'another build keeps the old recording aside' [ -e a.skein.old-1 ]
expect_match 'and says so' 'a.skein.old-1' err
