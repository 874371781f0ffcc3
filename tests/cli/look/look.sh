#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `skein look`: one run is the program's, the others are for the lenses; what is left out is said; it ends as the program does.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# Reads its input, adds a line to a file of its folder, takes as long as its first argument says, in ms; ends with the second one.
cat >prog.c <<'C'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static long add(long sum, int c)
{
	return sum + c;
}

static void *work(void *argument)
{
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	long sum = 0;
	int c, bytes = 0;
	while ((c = getchar()) != EOF) {
		sum = add(sum, c);
		bytes++;
	}
	FILE *file = fopen("log", "a");
	fprintf(file, "read %d\n", bytes);
	fclose(file);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	printf("read %d bytes, sum %ld\n", bytes, sum);
	fprintf(stderr, "a word of the program\n");
	fflush(stdout);
	if (argc > 1)
		usleep((unsigned)atoi(argv[1]) * 1000);
	return argc > 2 ? atoi(argv[2]) : 0;
}
C
skein-cc -O2 -g -pthread prog.c -o prog && gcc -O2 -g -pthread prog.c -o plain || exit
lenses_of() { sqlite3 "$1" 'select group_concat(lens, " ") from (select distinct lens from run order by lens)'; }
can_overlay() { unshare -m sh -c "mkdir -p '$tmp/l' '$tmp/u' '$tmp/w' '$tmp/m' && mount -t overlay x -o lowerdir='$tmp/l',upperdir='$tmp/u',workdir='$tmp/w' '$tmp/m' || (mount -t tmpfs x '$tmp/w' && mkdir '$tmp/w/u' '$tmp/w/w' && mount -t overlay x -o lowerdir='$tmp/l',upperdir='$tmp/w/u',workdir='$tmp/w/w' '$tmp/m')" 2>/dev/null; }

# ---- every lens, one run of the program ----

printf 'hello\n' | expect_status 3 'the exit status is that of the program' skein look -- ./prog 0 3
same 'its output is shown once' 'read 6 bytes, sum 542' "$(cat out)"
same 'what it says, too' 1 "$(grep -c 'a word of the program' err)"
same 'every lens is recorded' 'calls flow idle input paths span' "$(lenses_of prog.skein)"
expect_match 'files are spoken of beforehand, in one line' '^skein: the program runs up to 6 times' err
same 'that is the first line' 'skein: the program runs up to 6 times' "$(head -n 1 err | cut -c 1-37)"
expect_match 'then comes the overview' '6 of 6 lenses recorded$' err
expect_match 'it says where the recording is' '^Recorded in prog\.skein' err
same 'each run had the whole input' '6 6 6 6' "$(for lens in calls span input paths; do
	case $lens in
	calls) skein report calls --view routines --csv >csv && csv_value csv routine=add,worker=all,entry=all calls ;;
	span) skein report span --view sites --csv >csv && csv_value csv callee=getc,profile=work,measure=local count | head -n 1 | grep -o . | sed 's/7/6/' ;;
	input) skein report input --view routines --csv >csv && csv_value csv routine=add,thread=all calls ;;
	paths) skein report paths --view functions --csv >csv && csv_value csv function=add calls ;;
	esac
done | tr '\n' ' ' | sed 's/ $//')"
if can_overlay; then
	same 'only the first run changes the folder' 'read 6' "$(cat log)"
	same 'nothing else is left in it' '' "$(find . -name '*.session-*' -o -name 'skein-*')"
	rm -f log
	printf 'hello\n' | skein look --shared-folder -- ./prog >out 2>err
	same 'unless that is asked for' 6 "$(grep -c 'read 6' log)"
	expect_match 'which is said' 'each run changes files in this folder' err
else
	skip 'only the first run changes the folder' 'no overlay can be mounted here'
fi

# A file as standard input is read from where it stands.
printf 'skip\nhello\n' >input
{ read -r _ && skein look -q -o file.skein -- ./prog; } <input >out 2>err
same '-q says nothing of its own' 'a word of the program' "$(cat err)"
check 'and runs the program all the same' grep -q 'read [0-9]* bytes' out
same 'every lens is in the file that -o names' 'calls flow idle input paths span' "$(lenses_of file.skein)"

# ---- programs that skein-cc did not build, and none at all ----

expect_status 0 'any program can be looked at' skein look -o plain.skein -- ./plain </dev/null
same 'two lenses take any program' 'flow idle' "$(lenses_of plain.skein)"
expect_match 'the others are not measured' '^span +not measured: skein record span -- \./plain$' err
expect_match 'it says what was left out, and why' '^Left out: calls, paths, span, input \(\./plain was not linked by' err
refused 127 'a missing program' 'nowhere' skein look -- ./nowhere
refused 2 'no program' 'look needs a program' skein look
refused 2 'a budget that is none' "takes a time such as 60, 60s, 5m or 2h, not soon" skein look --budget soon -- ./plain
refused 2 'a budget of nothing' 'takes a time' skein look --budget 0 -- ./plain
refused 2 'a budget in days' 'takes a time' skein look --budget 2d -- ./plain
refused 125 'a recording in a folder that is not there' 'nowhere' skein look -o nowhere/prog.skein -- ./plain

# ---- the budget ----

expect_status 0 'the first run is made whatever the budget is' skein look --budget 1s -o small.skein -- ./prog 1500 </dev/null
same 'the budget is used up then' idle "$(lenses_of small.skein)"
for lens in flow calls paths span input; do
	expect_match "$lens is left out, with its price" "^Left out: $lens \(it takes about [0-9.]+ (ms|s|min), and --budget 1s has 0 left\)" err
done
expect_status 0 'an hour is enough' skein look --budget 1h -o large.skein -- ./plain </dev/null
same 'then nothing that fits is left out' 'flow idle' "$(lenses_of large.skein)"

# ---- its end ----

expect_status 0 'a server is ended after its time, in each run' skein look --for 1 -o server.skein -- ./plain 60000 </dev/null
same 'and recorded until then' 'flow idle' "$(lenses_of server.skein)"

# Ctrl-C reaches the program and skein: the run is stored, and no other one is made.
(exec setsid --wait skein look -o stopped.skein -- ./plain 60000 </dev/null >out 2>err) &
for ((i = 0; i < 300; i++)); do
	leader=$(pgrep -x -f './plain 60000') && break
	sleep 0.1
done
sleep 0.5
group=$(ps -o pgid= -p "$leader" | tr -d ' ')
kill -INT -- "-$group"
wait $!
same 'Ctrl-C ends it as it ends the program' 130 $?
same 'what was recorded is kept' idle "$(lenses_of stopped.skein)"
expect_match 'no further run is made' '^skein: stopped after 1 run' err
same 'and nothing is left behind' '' "$(find . -name '.*.session-*')"

# ---- the same build again, and another one ----

cp prog.c other.c && echo 'int another;' >>other.c && skein-cc -O2 -g -pthread other.c -o prog
skein look -- ./prog </dev/null >out 2>err
expect_match 'a recording of another build is kept aside' 'kept in .*prog\.skein\.old-1' err
