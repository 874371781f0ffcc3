#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `skein record --repeat`: several runs in one recording, under every lens; what differs and what failed is named.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# Its calls depend on a file that counts runs, if one is named; then run number argv[2] fails in the way argv[3] says.
cat >prog.c <<'C'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void step(void)
{
	for (volatile int i = 0; i < 1000; i++)
		;
}

static void *work(void *argument)
{
	for (int i = 0; i < 20; i++)
		step();
	return argument;
}

static int count_runs(const char *path)
{
	int runs = 0;
	FILE *file = fopen(path, "r");
	if (file && fscanf(file, "%d", &runs) != 1)
		runs = 0;
	if (file)
		fclose(file);
	file = fopen(path, "w");
	fprintf(file, "%d\n", ++runs);
	fclose(file);
	return runs;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	int bytes = 0, runs = argc > 1 ? count_runs(argv[1]) : 0;
	while (getchar() != EOF)
		bytes++;
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < runs; i++)
		step();
	printf("read %d\n", bytes);
	fflush(stdout);
	if (argc > 3 && runs == atoi(argv[2]) && strcmp(argv[3], "hangs") == 0)
		pause();
	if (argc > 3 && runs == atoi(argv[2]) && strcmp(argv[3], "dies") == 0)
		raise(SIGSEGV);
	return argc > 3 && runs == atoi(argv[2]) ? atoi(argv[3]) : 0;
}
C
skein-cc -O1 -g -pthread prog.c -o prog 2>build.log || { not_ok 'it compiles' "$(cat build.log)"; exit; }

runs_of() { skein report "$1" "$2" --view runs --csv | tail -n +2 | wc -l; } # LENS FILE

# ---- every lens ----

for lens in calls span idle flow input paths; do
	printf 'abcde' | skein record "$lens" --repeat 3 -o "$lens.skein" -- ./prog >out 2>err
	same "$lens: three runs, each with the same input from a pipe" "0 read 5 read 5 read 5" "${PIPESTATUS[1]} $(paste -sd' ' out)"
	same "$lens: the recording has all" 3 "$(runs_of "$lens" "$lens.skein")"
	expect_match "$lens: the verdict begins with them" '^Median of 3 runs(:|\.)' err
	[ "$lens" = idle ] || expect_match "$lens: nothing exact differs" 'Exact figures are identical in all 3 runs' <(tr '\n' ' ' <err)
	skein report "$lens" "$lens.skein" --view summary --csv >summary.csv
	expect_match "$lens: the summary has their spread" '^name,value,median,plus_minus,min,max$' summary.csv
	same "$lens: the median lies between the ends" 1 "$(tr -d '\r' <summary.csv | awk -F, '$1 == "wall_ns" {print ($3 > 0 && $5 <= $3 && $3 <= $6 && $4 <= $6 - $5)}')"
	for run in 1 2 3; do
		expect_status 0 "$lens: run $run" skein report "$lens" "$lens.skein" --run "$run"
	done
	refused 2 "$lens: there is no fourth run" 'no run 4; its runs are 1' skein report "$lens" "$lens.skein" --run 4
	expect_status 0 "$lens: JSON" skein report "$lens" "$lens.skein" --json
done

# One of the runs is shown, and the median run without a word.
for run in 1 2 3; do
	same "calls: --run $run shows that run" "$(skein report calls calls.skein --view runs --csv | awk -F, -v run=$run '$1 == run {print $2}')" \
		"$(skein report calls calls.skein --run $run --view summary --csv | awk -F, '$1 == "wall_ns" {print $2}')"
done
same 'calls: without --run, the median' "$(skein report calls calls.skein --view runs --csv | tail -n +2 | cut -d, -f2 | sort -n | sed -n 2p)" \
	"$(skein report calls calls.skein --view summary --csv | awk -F, '$1 == "wall_ns" {print $2}')"
same 'input: runs add up' 60 "$(csv_value <(skein report input input.skein --csv) routine=step,thread=all calls)"
same 'input: one of them' 20 "$(csv_value <(skein report input input.skein --run 2 --csv) routine=step,thread=all calls)"

for run in 1 2 3; do
	expect_status 0 "paths: an export of run $run" skein export lcov paths.skein --run $run -o $run.info
done
expect_match 'paths: it has counts' '^FNDA:20,step' 1.info
refused 2 'paths: no export of a run that is not there' 'no run 9; its runs are 1, 2, 3' skein export lcov paths.skein --run 9

# ---- other inputs ----

printf 'head tail' >input.txt
{ head -c 5 >/dev/null; skein record calls --counts --repeat 2 -q -o c.skein -- ./prog; } <input.txt >out
same 'a file is read from where it stood' 'read 4 read 4' "$(paste -sd' ' out)"
skein record calls --counts --repeat 2 -q -o c.skein -- ./prog </dev/null >out
same 'no input' 'read 0 read 0' "$(paste -sd' ' out)"
printf 'abc' | skein record paths --copies 2 --repeat 2 -q -o c.skein -- ./prog >out
same 'copies: each run, each copy' '0 read 3 read 3' "${PIPESTATUS[1]} $(paste -sd' ' out)"
same 'copies: both runs' 2 "$(runs_of paths c.skein)"

# ---- what differs ----

skein record calls --repeat 3 --warmup 2 -o d.skein -- ./prog counter </dev/null >out 2>err
same 'five runs, two of them before' '5 5' "$(wc -l <out) $(cat counter)"
same 'three are recorded' 3 "$(runs_of calls d.skein)"
expect_match 'a count that differs is named' 'Exact figures differ between runs: calls of step 23 to 25\.' <(tr '\n' ' ' <err)
same 'and listed' 'calls,step,23,25' "$(skein report calls d.skein --view differences --csv | awk -F, 'NR > 1 {print $1 "," $2 "," $5 "," $6}')"
rm counter
for lens in span input paths; do
	skein record $lens --repeat 2 -o d.skein -- ./prog counter </dev/null >out 2>err
	expect_match "$lens: a count that differs is named" 'calls of step 2[0-9] to 2[0-9]' <(tr '\n' ' ' <err)
done

# ---- what fails ----

rm -f counter
expect_status 7 'the status is that of the run that failed' skein record calls --repeat 3 -o f.skein -- ./prog counter 2 7 </dev/null
expect_match 'it is named' '1 of 3 runs failed and does not count: run 2 \(exit status 7\)' "$tmp/err"
same 'it is not shown' 'does not count' "$(csv_value <(skein report calls f.skein --view runs --csv) run=2 role)"
rm -f counter
{ expect_status 139 'a signal is passed on' skein record calls --repeat 3 -o f.skein -- ./prog counter 1 dies </dev/null; } 2>/dev/null
same 'after all runs' 3 "$(runs_of calls f.skein)"
expect_match 'the crash is named' '1 of 3 runs failed and does not count: run 1 \(SIGSEGV\)' <(tr '\n' ' ' <"$tmp/err")

# ---- what is stopped in the middle ----

# begin SIGNAL: records five runs, and sends the signal to skein while the third one hangs
begin() {
	rm -f counter
	: >out
	skein record calls --repeat 5 -o k.skein -- ./prog counter 3 hangs </dev/null >out 2>err &
	until [ "$(wc -l <out)" = 3 ]; do kill -0 $! || break; done
	kill "-$1" $!
	wait $! 2>/dev/null
}
begin TERM
same 'SIGTERM: three runs were begun' 3 "$(cat counter)"
same 'SIGTERM: all three are there' 3 "$(runs_of calls k.skein)"
expect_match 'SIGTERM: the others are missed' '2 of 5 runs were not made' err
expect_match 'SIGTERM: the third is named' 'run 3 \(SIGTERM\)' err
rm k.skein
begin KILL
same 'SIGKILL: the finished runs are there' 2 "$(runs_of calls k.skein)"
session=$(echo .k.skein.session-*)
expect_status 0 'SIGKILL: the third can be recovered' skein recover -o k.skein "$session"
same 'SIGKILL: then it is the third' '1 2 3' "$(skein report calls k.skein --view runs --csv | tail -n +2 | cut -d, -f1 | xargs)"
same 'nothing is left beside' '' "$(find . -name '.*session*')"

# What ran until its time was over has not failed, and did as much as it could.
expect_status 0 'runs whose time is over' skein record idle --repeat 2 --for 1 -o t.skein -- sleep 60 </dev/null
same 'they count' 'stopped after its time 1 stopped after its time 1' \
	"$(skein report t.skein --view runs --csv | tail -n +2 | cut -d, -f6,7 | tr , ' ' | tr -d '\r' | xargs)"
same 'their exact figures are not compared' '' "$(skein report t.skein | grep -i 'exact figures')"

# ---- two programs in turns ----

sed 's/i < 20;/i < 30;/' prog.c >old.c
skein-cc -O1 -g -pthread old.c -o old
printf 'xy' | skein record calls --repeat 4 --warmup 1 --against ./old -v -o new.skein -- ./prog >out 2>err
same 'against: ten runs with the same input' '10 read 2' "$(wc -l <out) $(sort -u out)"
same 'against: four of each are recorded' '4 4' "$(runs_of calls new.skein) $(runs_of calls new.against.skein)"
same 'against: each is of its program' '20 30' \
	"$(for file in new.skein new.against.skein; do csv_value <(skein report calls $file --csv) routine=step,worker=all,entry=all calls; done | xargs)"
grep -oE 'run [0-9] of 4: \./(prog|old)' err | cut -d' ' -f2,5 >order
same 'against: pairs stay together' '1 1 2 2 3 3 4 4' "$(cut -d' ' -f1 order | xargs)"
expect_match 'against: the place of the other is told' '^The runs of \./old are in new\.against\.skein\.$' err
expect_status 127 'against: a program that is not there' skein record calls --against ./none -o n.skein -- ./prog </dev/null
check 'against: nothing was run' test ! -s "$tmp/out"

# ---- wrong use ----

refused 2 'no run' 'repeat' skein record calls --repeat 0 -- ./prog
refused 2 'too many' 'repeat' skein record calls --repeat 1001 -- ./prog
refused 2 'no number' 'warmup' skein record calls --warmup some -- ./prog
refused 2 'the plan is the recording' 'would replace paths.skein, which is the plan' skein record paths --repeat 2 --plan paths.skein -o paths.skein -- ./prog
refused 127 'an old program that is not there' 'none' skein record calls --against ./none -- ./prog
