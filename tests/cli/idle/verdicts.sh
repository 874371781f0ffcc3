#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs whose bottleneck is known: the first sentence of the idle lens names it, and its routine (tests/lib/verdicts.tsv).
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=idle
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
if [ "$(nproc)" -lt 2 ]; then
	skip 'idle verdicts' 'there is one core, so no core is ever idle'
	exit
fi
verdicts

# A thread that is in the kernel works: what it does there is a fifth of this run or more, and once was in both figures. Work is a sum of
# samples and time without work is one of waits, so that they may be a sample or two apart.
skein report idle small_writes.skein --view summary --csv >summary.csv
check 'time in the kernel is not time in which no thread works' [ $(($(csv_value summary.csv name=quiet_ns value) + $(csv_value summary.csv name=work_ns value))) -le $(($(csv_value summary.csv name=wall_ns value) * 102 / 100)) ]

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

# Each figure of a sentence about idleness, and of what a remedy saves, is in a table, and a wrong one would be seen.
. "$tests/lib/figures.sh"
# shellcheck disable=SC2034 # figures.sh reads them
figures_shares='idle_ns work_ns effort_ns quiet_ns unworked_ns' figures_parts=cores
figures_only='^Idle cores took .*(of that is charged|other threads waited)|^No (recorded )?thread worked|^The cores were busy.*has .* of the work|saves at most'
for recording in *.skein; do figures "${recording%.skein}" idle "$recording" flat bottom-up top-down threads; done
figures 'one lock' idle one_lock.skein flat bottom-up top-down threads
echo 'Idle cores took 912.3456 % of the effort; for 756.7891 % of that, other threads waited for the lock table_lock, which table_find (one_lock.c:10) holds.' | figures_of >figures.list
same 'wrong figures are seen' '912.3456 756.7891' "$(figures_missing figures.list figures.csv figures.summary | cut -d' ' -f1 | paste -sd ' ')"
