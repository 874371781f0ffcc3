#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that is recorded ends with skein, in whatever way skein ends, unless --outlive says otherwise; what it did can be recovered.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
cat >waits.c <<'END'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) static int turn(int i) { return i * 3; }
int main(int argc, char **argv)
{
	volatile int s = 0;
	for (int i = 0; i < 1000; i++)
		s += turn(i);
	(void)argv;
	printf("%d ready\n", getpid());
	fflush(stdout);
	if (argc > 1) /* becomes another program, which is bound as well */
		execl("/bin/sleep", "sleep", "600", (char *)NULL);
	for (;;)
		pause();
	return s;
}
END
skein-cc -O1 -g waits.c -o waits && clang-19 -O1 -g waits.c -o plain || exit

# start PROGRAM LENS…: skein is $skein, the program $subject
start() {
	local program=$1
	shift
	rm -rf waits.out w.skein .w.skein.session-*
	skein record "$@" -o w.skein -- $program >waits.out 2>waits.err &
	skein=$!
	until grep -q ready waits.out 2>/dev/null; do kill -0 $skein || return; sleep 0.05; done
	subject=$(sed -n 's/ ready$//p' waits.out)
}
is_gone() { # within half a minute
	for _ in $(seq 600); do
		kill -0 "$subject" 2>/dev/null || return 0
		sleep 0.05
	done
	return 1
}

for lens in calls span idle input paths 'input --valgrind' 'paths --copies 1'; do
	program=./waits
	[ "$lens" != 'input --valgrind' ] || program=./plain
	for signal in KILL SEGV; do
		start $program $lens
		check "$lens: the program runs" kill -0 "$subject"
		{ kill -$signal $skein && wait $skein; } 2>/dev/null
		check "$lens: skein died of SIG$signal, and the program with it" is_gone
	done
	expect_status 0 "$lens: what it did is recovered" skein recover .w.skein.session-* -o w.skein
	check "$lens: and can be read" skein report w.skein --top 1
done
start ./waits calls
{ kill -KILL $skein && wait $skein; } 2>/dev/null
is_gone
skein recover .w.skein.session-* -o w.skein >/dev/null 2>&1
skein report calls w.skein --csv >calls.csv
same 'all calls are in the recovered recording' 1000 "$(csv_value calls.csv routine=turn,worker=all,entry=all calls)"

start './waits exec' calls
{ kill -KILL $skein && wait $skein; } 2>/dev/null
check 'what the program has become ends, too' is_gone

# Unless told otherwise.
for lens in calls 'input --valgrind'; do
	start ./waits --outlive $lens
	{ kill -KILL $skein && wait $skein; } 2>/dev/null
	sleep 0.3
	check "--outlive: $lens: the program goes on" kill -0 "$subject"
	kill -KILL "$subject"
	is_gone
	expect_status 0 "--outlive: $lens: what it did is recovered" skein recover .w.skein.session-* -o w.skein
done
