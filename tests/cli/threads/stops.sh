#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Signals to skein reach the program; one that does not take them cannot hold skein, and what it did is kept.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cat >deaf.c <<'END'
#include <signal.h>
#include <unistd.h>
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 17; i++)
		work();
	write(1, "up\n", 3);
	for (;;)
		pause();
}
END
cat >patient.c <<'END'
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t taken;
static void handle(int number)
{
	taken += number != 0;
	write(1, "taken\n", 6);
}
int main(void)
{
	signal(SIGINT, handle);
	write(1, "up\n", 3);
	while (taken < 3)
		usleep(1000);
	return 5;
}
END
for program in deaf patient; do skein-cc -O2 -g $program.c -o $program || exit; done

# start PROGRAM LENS: records it; returns when it is up
start() {
	: >up # what an earlier one wrote would be taken for this one's
	skein record "$2" -o "$1.skein" -- "./$1" >up 2>err &
	recorder=$!
	until grep -q up up; do sleep 0.05; done
}

for lens in calls span input paths idle; do
	for signal in INT TERM; do
		rm -f deaf.skein
		start deaf "$lens"
		kill -$signal "$recorder"
		sleep 1
		check "$lens: one SIG$signal that is not taken leaves the program alone" kill -0 "$recorder"
		kill -$signal "$recorder"
		{ wait "$recorder"; } 2>/dev/null
		same "$lens: the next SIG$signal ends it" 137 $?
		expect_match "$lens: skein says so" "^skein: the program does not take SIG$signal: it is killed" err
		expect_status 0 "$lens: what it did is kept" skein report "$lens" deaf.skein
	done
	[ "$lens" != calls ] || skein report calls deaf.skein --csv >calls.csv
done
same 'all its calls are there' 17 "$(csv_value calls.csv routine=work,worker=all,entry=all calls)"

# A program that has a use for the signal gets each of them.
start patient calls
for count in 1 2 3; do
	kill -INT "$recorder"
	until [ "$(grep -c taken up)" -ge $count ]; do sleep 0.05; done
done
wait "$recorder"
same 'a program that takes its signals ends as it likes' 5 $?
same 'nothing is left' '' "$(find . -maxdepth 1 -name '.*.session-*' -o -maxdepth 1 -name '.*.new-*')"
