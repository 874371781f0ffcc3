#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Small programs whose limit is known (tests/prog/verdicts/span): the first sentence of the span lens gives the true cause.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# build NAME [FLAG…]
build() { skein-cc -O2 -g -pthread -fopenmp "${@:2}" "$tests/prog/verdicts/span/$1.c" -o "$1" || not_ok "$1" "it does not compile"; }

# records STATUS NAME [ARGUMENT…]: what skein says, in one line, into $tmp/said; figures into summary.csv. $options go to skein.
options=
records() {
	local status
	rm -f run.skein
	skein record span $options -o run.skein -- "./$2" "${@:3}" >"$tmp/out" 2>&1
	status=$?
	same "${*:2}: exit status" "$1" "$status"
	grep -v '^skein: ' "$tmp/out" | tr '\n' ' ' | sed 's/  */ /g' >"$tmp/said"
	skein report span run.skein --view summary --csv >summary.csv
}
figure() { csv_value summary.csv "name=$1" value; }

# between NAME FIGURE LEAST MOST
between() { check "$1: $2 is $(figure "$2"), from $3 to $4" awk -v f="$(figure "$2")" -v least="$3" -v most="$4" 'BEGIN {exit !(f >= least && f <= most)}'; }

# first: what the lens found first, without how the program ended and whether it had cores
first() {
	tr '\n' ' ' <"$tmp/said" | sed -E 's/ - /\n/g' | grep -vE '^ *The program (was|crashed|had no core)' | grep -E '[a-z]' | head -n 1
}

# says NAME PATTERN: of what the lens found first
says() { first >"$tmp/first"; expect_match "$1" "$2" "$tmp/first"; }

# silent NAME PATTERN: no sentence of the report has that
silent() { check "$1" eval '! grep -qE "$2" "$tmp/said"'; }

# Threads that have not ended: their paths count up to the stop.
build server
records 143 server signal 400
between 'a server that is stopped' parallelism 1 2.1
expect_match 'a server that is stopped: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
records 0 server exit 400
between 'a server that exits' parallelism 1 2.1
expect_match 'a server that exits: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
skein report span run.skein --csv >sites.csv
same 'a server that exits: what main did before is on the path' 1 "$(csv_value sites.csv callee=set_up,profile=span,measure=local count)"

build exit
records 0 exit
between 'an exit beside an equal thread' parallelism 1.3 3
same 'an exit beside an equal thread: it is known that the thread runs' 1 "$(figure running)"
says 'an exit beside an equal thread: it is an estimate' 'parallelism is about [0-9.]+: 1 of 2 threads had not ended'

# Order by locks and conditions is not part of the span: the first sentence says how much of it there was.
build locked_work
records 0 locked_work
says 'one lock: the figure is a bound' 'The parallelism is at most 4\.0, and smaller in fact: threads waited [0-9.]+ % of their time .* for locks'
silent 'one lock: it is not enough for anything' 'enough for|ample for'
silent 'one lock: nothing is to be made parallel' 'make it parallel'

build hand_off
records 0 hand_off
says 'taking turns: the figure is a bound' 'The parallelism is at most 2\.0, and smaller in fact: threads waited [0-9.]+ % of their time .* for .*conditions'

build semaphores
records 0 semaphores
says 'semaphores: the figure is a bound' 'The parallelism is at most 2\.0, and smaller in fact: threads waited [0-9.]+ % of their time .* for semaphores'

# Waiting for other threads is not span, whatever the clock.
options='--clock ns'
records 0 hand_off
skein report span run.skein --csv >sites.csv
check 'taking turns, --clock ns: a wait has no span' awk -v s="$(csv_value sites.csv callee=pthread_cond_wait,profile=span,measure=local span_share)" 'BEGIN {exit !(s < 30)}'
silent 'taking turns, --clock ns: a wait is not to be made parallel' 'pthread_cond_wait.* alone accounts'
options=

# A fixed model for foreign code: above a quarter the figure is a guess.
build library
records 0 library
says 'foreign code: a guess' 'The parallelism is about 2\.0, a guess: foreign code is [0-9]+ % of the work and [0-9]+ % of the span'
silent 'foreign code: it is not to be made parallel' 'make it parallel'

# The cost of scheduling, where it decides.
build tiny_tasks
records 0 tiny_tasks
says 'tiny tasks' 'Tasks are too small: with the cost of scheduling the parallelism is less than 1, not 1\.[0-9], too little for .*main \(task\), spawned at tiny_tasks.c:[0-9]+'
build brief_loops
records 0 brief_loops
says 'short loops' 'Parallel loops are too short: .*the loop at brief_loops.c:16\. Merge parallel regions'
silent 'short loops: there are no tasks to make larger' '[Tt]asks'
build long_tasks
records 0 long_tasks
says 'long tasks' 'The parallelism is 1,0[0-9][0-9], ample for'
silent 'long tasks: the grain is not mentioned' 'too small|too short'
build untied
records 0 untied
says 'untied tasks, one at a time' 'The parallelism is 1\.0: almost nothing in the program can run in parallel'

# What holds the program back, and what is worth a repair.
build few_iterations
records 0 few_iterations
expect_match 'few iterations' 'The loop at few_iterations.c:16, with 10 iterations, accounts for 99\.[0-9]+ % of the span; its parallelism is 10\.0, one per iteration' "$tmp/said"
silent 'few iterations: the routine in the loop is not blamed' 'make it parallel|omp for, '
records 0 few_iterations uneven
expect_match 'uneven iterations' 'its parallelism is 2\.0, because its iterations are uneven' "$tmp/said"
build set_up
records 0 set_up
expect_match 'set-up: it is blamed' 'fill, called at set_up.c:[0-9]+ by main, alone accounts for 99\.[0-9]+ % of the span; it is serial: make it parallel' "$tmp/said"
expect_match 'set-up: the kernel has its own figure' 'kernel, called at set_up.c:[0-9]+ by main, has [0-9]+ % of the work, and a parallelism of 1,000 by itself' "$tmp/said"
build spread
records 0 spread
expect_match 'ten things: none is blamed' 'No call site dominates the span: the largest part, 10 %, is that of [a-j], called at spread.c:[0-9]+ by worker\.' "$tmp/said"
silent 'ten things: none is to be made parallel' 'make it parallel'

# Sentence and row have the same figure.
# is_in FIGURE: some site has that parallelism, as far as it is printed
is_in() { csv_value sites.csv profile=work,measure=top-call-site parallelism | awk -v f="$1" '{d = $1 - f; if (f != "" && d < 0.06 && d > -0.06) found = 1} END {exit !found}'; }
records 0 tiny_tasks
skein report span run.skein --csv >sites.csv
check 'sentence and row agree' is_in "$(sed -nE 's/.*including its callees it has a parallelism of ([0-9.,]+[0-9]).*/\1/p' "$tmp/said" | tr -d ,)"
