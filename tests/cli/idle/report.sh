#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a person and a script see of a recording of the idle lens whose numbers are known, and which options it takes.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/idle/complaints.sh"
cd "$tmp" || exit

report() { skein report idle prog.skein "$@"; }
# table ARGUMENT…: the table of a text report, without verdict, legend and doubts
table() { report "$@" | sed -n '/^   work\|^thread/,/^[A-Z]/p' | sed '$d'; }

"$build/tests/idle/test_analysis" --recording prog.skein

shows 'the report begins with the verdict and ends with doubts' skein report <<'END2'
Idle cores took 66 % of the effort; 63 % of that is charged to prepare
(prog.c:10), which runs serially while 3 of 4 cores wait.
- Make prepare (most at prog.c:13) parallel, do less there, or let it run beside
  other work. Removing this idleness saves at most 300 ms of 1.00 s.
- Next, with their shares of all idleness: free_matrix (prog.c:30), which runs
  serially while 3 of 4 cores wait (32 %).

   work  idle%  over%  LLC-misses  context
 925 ms   66.2    1.6     700,000  > prog > main
 400 ms   41.8    0.0     500,000     prepare > loop at prog.c:12 > prog.c:13
 295 ms    0.3    1.6     200,000     task::work  prog.c:45
 295 ms    0.0    0.0     200,000      step (inlined) > step.h:6
      0    0.3    0.7           0      pthread_mutex_lock  prog.c:24
 200 ms   20.9    0.0           0     free_matrix > free_matrix > free
30.0 ms    3.1    0.0           0     toy_main > script.toy:7
Each row includes its callees. > marks the hot path. idle%: idleness as a share
of the effort of the run (effort: work, idleness and overhead). over%: overhead
as a share of the effort.

What may be wrong with this:
- No events were lost.
- The event r1234 could not be counted: this machine or its kernel does not
  provide it.
- All figures are estimated from 970 samples, one per 1.00 ms of CPU time:
  idleness is 66.2 ± 1.7 % of the effort (95 %), and a share of the work is
  wrong by at most 3.1 points.
- The call paths of 0.41 % of the samples end before the program's start: their
  outer routines are missing.
END2
shows 'bottom-up, as a person sees it' table --view bottom-up <<'END2'
   work  idle%  over%  LLC-misses  context
 400 ms   41.8    0.0     500,000  prepare < main  prog.c:43
 200 ms   20.9    0.0           0  free < free_matrix < main  prog.c:47
30.0 ms    3.1    0.0           0  toy_main < main  prog.c:47
      0    0.3    0.7           0  pthread_mutex_lock < task::work < main
 295 ms    0.0    0.9     200,000  task::work < main  prog.c:45
END2
shows 'flat, as a person sees it' table --view flat <<'END2'
   work  idle%  over%  LLC-misses  context
 695 ms   41.8    0.9     700,000  prog.c
 400 ms   41.8    0.0     500,000   prepare > loop at prog.c:12 > prog.c:13
 295 ms    0.0    0.9     200,000   task::work  prog.c:20
 295 ms    0.0    0.0     200,000    step (inlined) > step.h:6
 200 ms   20.9    0.0           0  libc.so.6 > free
30.0 ms    3.1    0.0           0  script.toy > toy_main > script.toy:7
      0    0.3    0.7           0  libskein-sample.so > pthread_mutex_lock
END2
shows 'threads, as a person sees them' table --view threads <<'END2'
thread     CPU     work  overhead    idle  dropped  work%  seen%  name
     0  760 ms   730 ms   20.0 ms  1.90 s  5.00 ms   78.9   99.7  prog
     1  125 ms  95.0 ms   25.0 ms       0  5.00 ms   10.3  100.0  worker-a
     2  100 ms   100 ms         0       0        0   10.8  100.0  worker-b
END2
shows 'physical paths, as a person sees them' table --paths physical <<'END2'
   work  idle%  over%  LLC-misses  context
 925 ms   66.2    1.6     700,000  > prog
 730 ms   66.2    0.7     500,000   > main
 400 ms   41.8    0.0     500,000    > prepare > loop at prog.c:12 > prog.c:13
 200 ms   20.9    0.0           0      free_matrix > free_matrix > free
 100 ms    0.3    0.7           0      __kmp_fork_call > …microtask > task::work
 100 ms    0.0    0.0           0       step (inlined) > step.h:6
      0    0.3    0.7           0       pthread_mutex_lock  prog.c:24
30.0 ms    3.1    0.0           0      eval > eval > prog.c:61
 195 ms    0.0    0.9     200,000     __kmp_invoke_microtask > task::work
 195 ms    0.0    0.0     200,000      step (inlined) > step.h:6
END2

# Lines that a flame graph is drawn from, and nothing else.
shows 'folded, with work as weight' report --view folded <<'END2'
prog;_start;main;prepare 400000000
prog;_start;main;task::work(int);step 295000000
prog;_start;main;free_matrix;free_matrix;free 200000000
prog;_start;main;toy_main 30000000
END2
shows 'with idleness' report --view folded --metric idle <<'END2'
prog;_start;main;prepare 1200000000
prog;_start;main;task::work(int);pthread_mutex_lock 10000000
prog;_start;main;free_matrix;free_matrix;free 600000000
prog;_start;main;toy_main 90000000
END2
shows 'with overhead, on stacks as they were' report --view folded --metric overhead --paths physical <<'END2'
prog;_start;main;__kmp_fork_call;__kmp_invoke_microtask;task::work(int);pthread_mutex_lock 20000000
prog;clone3;start_thread;__kmp_invoke_microtask;task::work(int);__kmpc_omp_task_alloc 25000000
END2
shows 'with an event, by thread' report --view folded --metric LLC-misses --by-thread <<'END2'
thread 0;prog;_start;main;prepare 500000
thread 1;prog;_start;main;task::work(int);step 200000
END2
same 'effort is the sum' 2870000000 "$(report --view folded --metric effort | awk '{sum += $NF} END {printf "%.0f", sum}')"
same 'all samples are on some path' 970 "$(report --view folded --metric samples | awk '{sum += $NF} END {print sum}')"

# The promised columns and figures.
for view in top-down bottom-up flat; do
	report --view $view --csv >"$view.csv"
	same "columns of $view" depth,context,file,line,thread,work_ns,idle_ns,overhead_ns,samples "$(head -n 1 $view.csv | cut -d, -f 1-9)"
done
same 'further columns: an event, then figures that exclude and include callees' LLC-misses,own_work_ns,own_idle_ns,own_overhead_ns,incl_work_ns,incl_idle_ns,incl_overhead_ns \
	"$(head -n 1 top-down.csv | grep -o 'LLC-misses.*')"
same 'top-down: a routine excluding callees' '0 400000000 0' "$(for context in main prepare 'task::work(int)'; do csv_value top-down.csv "context=$context,depth=$([ "$context" = main ] && echo 3 || echo 4)" own_work_ns; done | paste -sd' ')"
same 'bottom-up and flat: a routine including callees' '295000000 295000000' \
	"$(csv_value bottom-up.csv 'context=task::work(int),depth=0' incl_work_ns) $(csv_value flat.csv 'context=task::work(int),depth=1' incl_work_ns)"
same 'top-down: the root' '0 (program) all 925000000 1900000000 45000000 970' "$(sed -n 2p top-down.csv | awk -F, '{print $1, $2, $5, $6, $7, $8, $9}')"
same 'a routine is where it is called' '/src/prog.c 47' "$(csv_value top-down.csv context=free_matrix,depth=4 file) $(csv_value top-down.csv context=free_matrix,depth=4 line)"
same 'classes of a routine' 400000000 "$(csv_value top-down.csv context=prepare serial_ns)"
same 'shares of a routine' '41.8118 63.1579' "$(csv_value top-down.csv context=prepare idle_pct_effort) $(csv_value top-down.csv context=prepare idle_pct)"
same 'its share of the wall time' 400000000 "$(csv_value top-down.csv context=prepare critical_ns)"
same 'kinds' 'root process routine routine routine loop line' "$(head -n 8 top-down.csv | tail -n 7 | cut -d, -f 10 | paste -sd' ')"
same 'a word for each row' 'refine serial coarsen serial serial' "$(for context in main prepare 'task::work(int)' free toy_main; do csv_value top-down.csv "context=$context" advice; done | paste -sd' ')"
same 'overhead has a kind' 25000000 "$(csv_value bottom-up.csv 'context=task::work(int),depth=0' task_ns)"
same 'bottom-up: the most idle routine comes first' prepare "$(sed -n 2p bottom-up.csv | cut -d, -f 2)"
same 'who called free' free_matrix "$(csv_value bottom-up.csv depth=1,line=34 context)"
same 'direct recursion is one caller' 'main' "$(csv_value bottom-up.csv depth=2,line=47 context)"
same 'flat: a loop' 400000000 "$(csv_value flat.csv 'context=loop at prog.c:12' work_ns)"
report --view summary --csv >summary.csv
same 'the first figures of the summary' 'cores,work_ns,idle_ns,overhead_ns,samples,cpu_ns,lost_events' "$(sed -n '2,8s/,.*//p' summary.csv | paste -sd,)"
same 'effort' 2870000000 "$(csv_value summary.csv name=effort_ns value)"
same 'classes' '630000000 20000000 315000000 5000000' "$(for class in serial under full over; do csv_value summary.csv name=${class}_ns value; done | paste -sd' ')"
same 'what was dropped' 10000000 "$(csv_value summary.csv name=dropped_ns value)"

# One thread, all threads.
report --thread 1 --csv >one.csv
same 'a thread alone' '1 95000000 0 25000000 120' "$(sed -n 2p one.csv | awk -F, '{print $5, $6, $7, $8, $9}')"
report --by-thread --csv >each.csv
same 'each thread has all its rows' '0 730000000 1 95000000 2 100000000' "$(csv_value each.csv depth=0 thread | paste - <(csv_value each.csv depth=0 work_ns) | tr '\t\n' '  ' | sed 's/ $//')"
same 'a thread in text' 1 "$(table --thread 2 | grep -c 'step (inlined) > step.h:6')"
same 'a thread in the summary' 120 "$(report --view summary --thread 1 --csv | sed -n 's/^samples,//p')"

# What is shown.
same 'a threshold' 'prepare free' "$(report --view bottom-up --threshold 20 --csv | awk -F, '$1 == 0 {print $2}' | paste -sd' ')"
same 'no threshold' 1 "$(table --threshold 0 | grep -c prog.c:26)"
same 'a depth' 'program prog _start main' "$(report --depth 3 --csv | tail -n +2 | cut -d, -f 2 | tr -d '()' | paste -sd' ')"
same 'another metric sorts siblings and leads the path' '> prog > main' "$(table --metric overhead | sed -n 2p | sed 's/.*  > prog/> prog/')"
same 'and another' 'task::work(int)' "$(report --metric LLC-misses --csv | awk -F, '$1 == 4 {print $2}' | sed -n 2p)"
same 'siblings sorted by name' 'free_matrix prepare task::work(int) toy_main' "$(report --sort context --csv | awk -F, '$1 == 4 {print $2}' | paste -sd' ')"
same 'the top rows have their parents' '0 1 2 3 4' "$(report --top 5 --csv | tail -n +2 | cut -d, -f 1 | paste -sd' ')"
same 'a routine, with what leads there and what is below' '(program) prog _start main prepare loop at prog.c:12 prog.c:13' "$(report --routine prepare --csv | tail -n +2 | cut -d, -f 2 | paste -sd' ')"
same 'bottom-up, what ran' 'free free_matrix main _start' "$(report --view bottom-up --routine free --csv | tail -n +2 | cut -d, -f 2 | paste -sd' ')"

# Columns that are worked out.
report --derive 'bandwidth=LLC-misses*64/work_ns' --derive 'x = -(1 + 2) * samples / (4 - 2*2)' --derive 'half=.5*samples' --csv >derived.csv
same 'an event, times and over' 0.0800 "$(csv_value derived.csv context=prepare bandwidth)"
same 'divided by nothing' '(empty)' "$(csv_value derived.csv context=prepare x | or_empty)"
same 'several of them' 200.0000 "$(csv_value derived.csv context=prepare half)"
same 'sorted by it' prepare "$(report --derive 'b=LLC-misses*64/work_ns' --sort b --csv | awk -F, '$1 == 4 {print $2}' | head -n 1)"
refused 2 'an unknown metric in it' 'LLC-misses' skein report idle prog.skein --derive 'x=cycles/2'
refused 2 'no name' 'NAME=EXPR' skein report idle prog.skein --derive 'samples*2'
refused 2 'an open parenthesis' 'not closed' skein report idle prog.skein --derive 'x=(samples*2'
refused 2 'two names in a row' 'samples' skein report idle prog.skein --derive 'x=samples samples'
refused 2 'half an expression' 'too soon' skein report idle prog.skein --derive 'x=samples*'
refused 2 'deep nesting' 'nested' skein report idle prog.skein --derive "x=$(printf '(%.0s' {1..100})1"

# Wrong questions.
refused 2 'an unknown metric' 'LLC-misses' skein report idle prog.skein --metric nonsense
refused 2 'an unknown kind of paths' 'logical or physical' skein report idle prog.skein --paths sideways
refused 2 'a threshold above all' '0 to 100' skein report idle prog.skein --threshold 101
refused 2 'a threshold that is no number' '0 to 100' skein report idle prog.skein --threshold few
refused 2 'an unknown thread' '0 to 2' skein report idle prog.skein --thread 3
refused 2 'an unknown view' 'top-down' skein report idle prog.skein --view top-dwn
refused 2 'an unknown column' 'idle_ns' skein report idle prog.skein --sort nonsense
refused 2 'an unknown routine' 'nobody' skein report idle prog.skein --routine nobody
refused 2 'an option of another lens' 'idle' skein report calls prog.skein --paths physical
refused 127 'a lens that was not recorded' 'skein record span' skein report span prog.skein

# What is high is what the user says.
expect_status 0 'other limits' skein report idle prog.skein --min-idle-pct 70 --min-overhead-pct 1
expect_match 'make another verdict' '^Overhead took 1.6 % of the effort \(task creation 0.87 %' "$tmp/out"

for view in top-down bottom-up flat threads summary folded; do
	report --view $view --json >"$view.json"
	report --view $view --csv >"$view.csv"
	same "$view is proper JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('$view.json'))")"
	check "$view: CSV and JSON have as many rows" [ "$(sqlite3 :memory: "select json_array_length(readfile('$view.json'), '\$.rows')")" -eq "$(($(wc -l <"$view.csv") - 1))" ]
	[ $view = folded ] || check "$view fits 80 columns" [ "$(report --view $view | wc -L)" -le 80 ]
done
same 'CSV and JSON have the same numbers' "$(csv_value top-down.csv kind=line idle_ns | sort | paste -sd' ')" \
	"$(sqlite3 :memory: "select json_extract(value, '\$.idle_ns') from json_each(readfile('top-down.json'), '\$.rows') where json_extract(value, '\$.kind') = 'line'" | sort | paste -sd' ')"
same 'a page number comes from SQL' 1200000000 "$(sqlite3 prog.skein "select sum(idle_ns) from idle_cost c join idle_scope s on c.logical = s.scope join routine using (routine) where name = 'prepare'")"

# Invariants, and that they can be violated.
check 'a recording holds what every recording must' [ -z "$(idle_complaints prog.skein)" ]
lies() { # NAME SQL
	cp prog.skein lie.skein
	sqlite3 lie.skein "$2"
	mkdir -p honest
	for view in top-down bottom-up flat threads summary; do cp $view.csv "honest/${view/-/_}.csv"; done
	check "$1 is found out" [ -n "$(idle_complaints lie.skein honest)" ]
}
lies 'a cost that is too large' 'update idle_cost set idle_ns = idle_ns + 1 where logical = (select max(logical) from idle_cost)'
lies 'a scope without a parent' 'update idle_scope set parent = 999 where scope = 9'
lies 'idleness while all cores worked' 'update idle_cost set idle_ns = 5 where full_ns > 0'
lies 'a thread with more than it had' 'update idle_thread set work_ns = 1 where sampled = 1'
lies 'an event too many' 'update idle_event set count = count + 1'

# Raw sessions of programs that were not built by us, with an unknown file and none at all.
mkdir session
"$build/tests/idle/test_analysis" --session session
expect_status 0 'a session that was left behind is recovered' skein recover session -o other.skein
same 'the numbers are there without the files' 970 "$(skein report idle other.skein --view summary --csv | sed -n 's/^samples,//p')"
same 'names of agents, too' 90000000 "$(skein report idle other.skein --csv >other.csv && csv_value other.csv context=toy_main idle_ns)"
check 'code without symbols is doubted' [ -n "$(skein report idle other.skein | grep 'code without symbols')" ]

# Annotated source.
refused 127 'a source that is not here' 'prog.c' skein report idle prog.skein --source prog.c
refused 2 'a source that nothing is known of' 'other.c' skein report idle prog.skein --source other.c
refused 2 'no source' '--source' skein report idle prog.skein --view source
for line in $(seq 61); do echo "line $line"; done >prog.c
touch -d 2001-01-01 prog.c
report --source prog.c --csv >source.csv
same 'columns of the source' file,line,work_ns,idle_ns,overhead_ns,incl_work_ns,incl_idle_ns,incl_overhead_ns "$(head -n 1 source.csv | cut -d, -f 1-8)"
same 'a line that works' '400000000 1200000000 400000000' "$(for column in work_ns idle_ns incl_work_ns; do csv_value source.csv line=13 $column; done | paste -sd' ')"
same 'a line that calls' '0 295000000' "$(for column in work_ns incl_work_ns; do csv_value source.csv line=45 $column; done | paste -sd' ')"
same 'a line that is not sampled' '(empty)' "$(csv_value source.csv line=60 work_ns | or_empty)"
check 'a source as old as the program is not doubted' [ -z "$(report --source prog.c | grep 'was changed')" ]
touch prog.c
check 'a newer one is' [ -n "$(report --source prog.c | tr '\n' ' ' | grep 'prog.c was changed')" ]
