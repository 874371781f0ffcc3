#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Small programs whose limit is known (tests/prog/verdicts/span): the first sentence of the span lens gives the true cause
# (tests/lib/verdicts.tsv), and its figures are right.
. "$(dirname "$0")/../../lib/lib.sh"
# shellcheck disable=SC2034 # verdicts.sh reads it
lens=span
. "$tests/lib/verdicts.sh"
cd "$tmp" || exit
verdicts

# What sentences say is in the tables.
. "$tests/lib/figures.sh"
for recording in *.skein; do figures "${recording%.skein}" span "$recording" sites speedup what-if; done

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

# silent NAME PATTERN: no sentence of the report has that
silent() { check "$1" eval '! grep -qE "$2" "$tmp/said"'; }

# Threads that have not ended: their paths count up to the stop.
verdicts_build server
records 143 server signal 400
between 'a server that is stopped' parallelism 1 2.1
expect_match 'a server that is stopped: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
records 0 server exit 400
between 'a server that exits' parallelism 1 2.1
expect_match 'a server that exits: what its threads do is named' 'serve, called at server.c:[0-9]+ by server' "$tmp/said"
skein report span run.skein --csv >sites.csv
same 'a server that exits: what main did before is on the path' 1 "$(csv_value sites.csv callee=set_up,profile=span,measure=local count)"

records 0 exit
between 'an exit beside an equal thread' parallelism 1.3 3
same 'an exit beside an equal thread: it is known that the thread runs' 1 "$(figure running)"

# What a killed program had not returned from is in no table, and the verdict says so.
cat >killed.c <<'C'
#include <signal.h>
static volatile unsigned sink;
__attribute__((noinline)) static void little(void) { sink++; }
__attribute__((noinline)) static void much(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sink = i;
	raise(SIGKILL);
}
int main(void) { little(); much(); }
C
skein-cc -O2 -g killed.c -o killed
records 137 killed
expect_match 'killed: only calls that had returned have figures' 'the figures end there\. .*These are figures of calls that had returned\. What open calls had done is not known\.' "$tmp/said"

# Waiting is not span, whatever the clock: for another thread, for a signal, for input, or asleep. Of input and output the kernel's work is.
cat >outside.c <<'C'
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile unsigned sink;
static sigset_t set;
__attribute__((noinline)) static void compute(void)
{
	for (unsigned i = 0; i < 5000000; i++)
		sink = i;
}
__attribute__((noinline)) static void *signals(void *arg)
{
	for (int number;;)
		sigwait(&set, &number);
	return arg;
}
__attribute__((noinline)) static void nap(void)
{
	poll(NULL, 0, 300);
	usleep(300000);
}
__attribute__((noinline)) static void fill(int to)
{
	static char many[1 << 20];
	for (int i = 0; i < 50; i++)
		if (pwrite(to, many, sizeof many, 0) != sizeof many)
			_exit(1);
}
int main(void)
{
	pthread_t thread;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, signals, NULL);
	compute();
	nap();
	fill(open("filled", O_RDWR | O_CREAT, 0600));
}
C
skein-cc -O2 -g -pthread outside.c -o outside
for clock in ns tsc; do
	options="--clock $clock"
	records 0 outside
	skein report span run.skein --csv >sites.csv
	for call in poll usleep; do
		check "--clock $clock: a wait in $call is no work" awk -v part="$(csv_value sites.csv callee=$call,profile=work,measure=local work)" -v all="$(figure work)" 'BEGIN {exit !(part > 0 && part < all / 4)}'
	done
	silent "--clock $clock: a wait for a signal has no span" 'sigwait.* accounts for'
	check "--clock $clock: what the kernel does in a call is work" [ "$(csv_value sites.csv callee=pwrite,profile=work,measure=local work)" -gt 1000000 ]
	expect_match "--clock $clock: it says what is not in the span" 'Threads were in calls for input or output for [0-9.]+ ms and asleep for [0-9.]+ ms\.' <(skein report span run.skein | tr '\n' ' ' | tr -s ' ')
done
options='--clock ns'
# A core that other programs take between the wait and the clock counts as span: the least of three runs is the program's own.
for _ in 1 2 3; do
	records 0 hand_off
	skein report span run.skein --csv >sites.csv
	csv_value sites.csv callee=pthread_cond_wait,profile=span,measure=local span_share >>shares
done
check 'taking turns, --clock ns: a wait has no span' awk -v s="$(sort -n shares | head -n 1)" 'BEGIN {exit !(s != "" && s < 30)}'
silent 'taking turns, --clock ns: a wait is not to be made parallel' 'pthread_cond_wait.* alone accounts'
options=

# Sentence and row have the same figure.
# is_in FIGURE: some site has that parallelism, as far as it is printed
is_in() { csv_value sites.csv profile=work,measure=top-call-site parallelism | awk -v f="$1" '{d = $1 - f; if (f != "" && d < 0.06 && d > -0.06) found = 1} END {exit !found}'; }
records 0 tiny_tasks
skein report span run.skein --csv >sites.csv
check 'sentence and row agree' is_in "$(sed -nE 's/.*including its callees it has a parallelism of ([0-9.,]+[0-9]).*/\1/p' "$tmp/said" | tr -d ,)"
