#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The events in a recording: the view of them, the run without an object, and the export that viewers of time lines read.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >prog.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER, rare_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t meeting;
static sem_t tokens;
__attribute__((noinline)) static void table_add(void)
{
	pthread_mutex_lock(&table_lock);
	usleep(1000);
	pthread_mutex_unlock(&table_lock);
	usleep(300); /* or nobody else would get it */
}
__attribute__((noinline)) static void rare(void)
{
	pthread_mutex_lock(&rare_lock);
	pthread_mutex_unlock(&rare_lock);
}
static void *body(void *number)
{
	for (int i = 0; i < 20; i++)
		table_add();
	rare();
	if (number)
		sem_post(&tokens);
	else
		sem_wait(&tokens);
	pthread_barrier_wait(&meeting);
	return NULL;
}
int main(void)
{
	pthread_t threads[2];
	sem_init(&tokens, 0, 0);
	pthread_barrier_init(&meeting, NULL, 2);
	for (long i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, body, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	puts("done");
	return 0;
}
END
cc -g -O1 -pthread prog.c -o prog || exit
expect_status 0 'recorded' skein record flow -- ./prog
expect_status 0 'recorded without the events' skein record flow --no-events -o without.skein -- ./prog
sum() { sqlite3 "$1" "select $2"; }
same 'the events are in the recording' yes "$(sum prog.skein 'kept from flow_total')"
same 'or they are not' 'unwanted 0 0 0 0' "$(sum without.skein "kept || ' ' || (select count(*) from flow_log) || ' ' || (select count(*) from flow_place) || ' ' ||
	(select count(*) from flow_member) || ' ' || (select count(*) from flow_process) from flow_total")"

# ---- one by one ----
skein report flow --view events --csv prog.skein >events.csv
same 'each event is a row' "$(sum prog.skein 'events from flow_total')" "$(($(wc -l <events.csv) - 1))"
same 'its columns' time_ns,thread,worker,event,object,routine,file,line,kind,core,value "$(head -n 1 events.csv)"
same 'they are in the order of time' '' "$(tail -n +2 events.csv | cut -d, -f1 | sort -nc 2>&1)"
words() { tail -n +2 events.csv | cut -d, -f4 | sort | uniq -c | awk -v wanted=" $* " 'index(wanted, " " $2 " ") {printf "%s%s %d", n++ ? " " : "", $2, $1} END {print ""}'; }
same 'threads' 'begin 3 create 2 end 2 exit 1 join 2' "$(words create begin end join exit)"
same 'what they do to each other' 'arrive 2 fill 1 pass 2 post 1 take 1' "$(words arrive pass post take fill)"
same 'an event has its object and its call' "table_lock,table_add,prog.c,$(grep -n 'mutex_lock(&table_lock)' prog.c | cut -d: -f1)" \
	"$(awk -F, '$4 == "acquire" && $5 == "table_lock" {print $5 "," $6 "," $7 "," $8; exit}' events.csv)"
same 'a wait has its kind' 'lock' "$(awk -F, '$4 == "wait" && $5 == "table_lock" {print $9; exit}' events.csv)"
same 'a join has its thread' 'thread 1,thread 2' "$(awk -F, '$4 == "join" {print $5}' events.csv | sort | paste -sd,)"
same '--thread selects' '1' "$(skein report flow --view events --csv --thread 1 prog.skein | tail -n +2 | cut -d, -f2 | sort -u)"
same '--routine selects' 'rare' "$(skein report flow --view events --csv --routine rare prog.skein | tail -n +2 | cut -d, -f6 | sort -u)"
same '--top cuts CSV' "$(head -n 6 events.csv)" "$(skein report flow --view events --csv --top 5 prog.skein)"
same 'sorted rows are the same rows' "$(sort events.csv)" "$(skein report flow --view events --csv --sort object prog.skein | sort)"
skein report flow --view events prog.skein >events.txt
same 'text shows the first 40' 40 "$(grep -cE '^ *[0-9,]+ +[0-9]* +[a-z-]+' events.txt)"
expect_match 'and says of how many' "^The first 40 of [0-9]+ rows" events.txt
same 'JSON has the same rows' "$(($(wc -l <events.csv) - 1))" "$(skein report flow --view events --json prog.skein >events.json && sqlite3 :memory: "select json_array_length(readfile('events.json'), '\$.rows')")"

# ---- stretch by stretch ----
skein report flow --view intervals --csv prog.skein >intervals.csv
same 'intervals: its columns' thread,worker,start_ns,end_ns,state,kind,object,routine,file,line,until_thread,until_worker,until_ns,until_routine,until_file,until_line,outcome \
	"$(head -n 1 intervals.csv)"
same 'intervals: of a thread, each begins where the last one ended' '' \
	"$(awk -F, 'NR > 1 {if (($1 in end) && end[$1] != $3) print "thread " $1 ": " end[$1] " " $3; end[$1] = $4}' intervals.csv)"
# spent STATE COLUMNS: their time, and what the columns of threads say, which round each wait by itself
spent() { awk -F, -v state="$1" 'NR > 1 && $5 == state && $17 != "unfinished" {ns += $4 - $3} END {printf "%.0f", ns}' intervals.csv; }
told() { skein report flow --view summary --csv prog.skein | awk -F, -v names=" $* " 'index(names, " " $1 " ") {ns += $2} END {printf "%.0f", ns}'; }
near() { awk -v a="$1" -v b="$2" 'BEGIN {d = a - b; exit !((d < 0 ? -d : d) <= 1000 + a / 10000)}'; }
check 'intervals: work is that of threads' near "$(spent work)" "$(told threads_work_ns)"
check 'intervals: so is time without a core' near "$(spent 'no core')" "$(told threads_load_ns)"
check 'intervals: so are waits' near "$(spent wait)" "$(told threads_waited_ns threads_outside_ns)"
same 'intervals: a wait has its object, its call, and the call that ended it' 'lock,table_lock,table_add table_add,acquired' \
	"$(awk -F, '$5 == "wait" && $7 == "table_lock" {print $6 "," $7 "," $8 " " $14 "," $17; exit}' intervals.csv)"
same 'intervals: which came before it went on' '' "$(awk -F, 'NR > 1 && $13 != "" && $13 > $4' intervals.csv)"
same 'intervals: --thread selects' '1' "$(skein report flow --view intervals --csv --thread 1 prog.skein | tail -n +2 | cut -d, -f1 | sort -u)"
check 'intervals: --routine selects waits in it, and those that it ended' \
	[ "$(skein report flow --view intervals --csv --routine table_add prog.skein | awk -F, 'NR > 1 {n++; if ($8 != "table_add" && $14 != "table_add") bad++} END {print (n > 0 && !bad)}')" = 1 ]
same 'intervals: sorted rows are the same rows' "$(sort intervals.csv)" "$(skein report flow --view intervals --csv --sort object prog.skein | sort)"
refused 2 'intervals need the events' 'because of --no-events' skein report flow --view intervals without.skein

# ---- what if ----
free_of() { csv_value "$1" "object=$2" minimum_if_free_ns; } # FILE OBJECT
skein report flow --view objects --csv prog.skein >objects.csv
skein report flow --view objects --csv --what-if table_lock prog.skein >asked.csv
same 'what if: the same as when it was recorded' "$(free_of objects.csv table_lock)" "$(free_of asked.csv table_lock)"
skein report flow --view objects --csv --what-if '*' prog.skein >asked.csv
check 'what if: of objects that nobody waited for, too' [ -n "$(free_of asked.csv rare_lock)" ]
skein report flow --what-if table_lock prog.skein >verdict
expect_match 'what if: a sentence' '^Without table_lock the run could take [0-9.]+ ms instead of [0-9.]+ ms\.' verdict
skein report flow --what-if 'table*' --what-if '*_lock' --what-if rare_lock --view threads prog.skein >verdict
expect_match 'what if: a pattern for one object' '^Without table_lock the run could take' verdict
expect_match 'what if: for several' "Without the 2 objects that match '\*_lock' the run could take" verdict
expect_match 'what if: one that changes nothing' 'Without rare_lock the run would take as long' verdict
check 'what if: two threads sleep for 26 ms each, at once' [ "$(free_of asked.csv table_lock)" -ge 26000000 ]
check 'what if: and not for 40 ms' [ "$(free_of asked.csv table_lock)" -lt "$(csv_value <(skein report flow --view summary --csv prog.skein) name=minimum_ns value)" ]
refused 2 'what if: an object that is not there' 'no lock or other object nonsense' skein report flow --what-if nonsense prog.skein
refused 2 'what if: needs the events' 'because of --no-events: record again without it' skein report flow --what-if table_lock without.skein
refused 2 'the view needs them' 'because of --no-events' skein report flow --view events without.skein
refused 2 'the export needs them' 'because of --no-events' skein export chrome-trace without.skein
sqlite3 without.skein "update flow_total set kept = 'too-many'"
refused 2 'too many events' 'because they take more than 64 MiB: record less, with --for SECONDS' skein report flow --view events without.skein
skein report flow without.skein >said
expect_match 'too many events are a caveat' '^- The events themselves are not in the recording, because they take more than 64' said
expect_status 0 'other views do not' skein report flow --view waits without.skein

# ---- the export ----
expect_status 0 'exported' skein export chrome-trace prog.skein -o prog.json
equal 'to standard output, too' prog.json <(skein export chrome-trace prog.skein)
same 'it is JSON' 1 "$(sqlite3 :memory: "select json_valid(readfile('prog.json'))")"
skein report flow --csv prog.skein >waits.csv
if command -v python3 >/dev/null; then
	python3 "$tests/lib/trace_events.py" prog.json waits.csv >said 2>&1
	same 'slices, arrows and locks are those of the run' '' "$(grep -v '^checked' said | head -n 3)"
	expect_match 'and there are some' '^checked slices [1-9][0-9]+ waits [1-9][0-9]+ arrows [1-9][0-9]+ locks [1-9][0-9]*$' said
	sed 's/"ph":"f"/"ph":"t"/; s/"dur":\([0-9]\)/"dur":9\1/' prog.json >bad.json
	python3 "$tests/lib/trace_events.py" bad.json waits.csv >said 2>&1
	check 'what is wrong is seen' [ "$(grep -c '^wrong: slices overlap' said)" -gt 0 ]
else
	skip 'slices, arrows and locks are those of the run' 'there is no python3'
fi
names() { sqlite3 :memory: "select distinct json_extract(value, '\$.name') from json_each(readfile('prog.json'), '\$.traceEvents') where json_extract(value, '\$.ph') = '$1' order by 1" | paste -sd,; }
for name in work 'wait: join' 'wait: sleep' 'wait: table_lock (lock)'; do
	check "slices: $name" grep -qxF "$name" <(names X | tr , '\n')
done
same 'locks' 'hold: table_lock' "$(names b | sed 's/hold: rare_lock,//')"
same 'the counter' 'threads at work' "$(names C)"

# A name of the program cannot leave its string.
cp prog.skein odd.skein
sqlite3 odd.skein "update flow_object set name = '\",\"a\":[' || char(10) || x'ff'; update flow_place set file = char(27) || '\"}]}'; update thread set name = '\\\"'"
skein export chrome-trace odd.skein -o odd.json
same 'hostile names stay names' 1 "$(sqlite3 :memory: "select json_valid(readfile('odd.json'))")"

# ---- real readers, from npm ----
npm_get() { timeout 120 npm install --fetch-retries=1 --fetch-retry-mintimeout=100 --prefix "$tmp/npm" --no-audit --no-fund --loglevel=error "$@" >"$tmp/npm.said" 2>&1; }
why_not=
if ! command -v npm >/dev/null || ! command -v node >/dev/null; then
	why_not='there is no npm'
elif ! npm_get speedscope; then
	why_not='npm cannot install speedscope'
fi
if [ -n "$why_not" ]; then
	skip 'speedscope reads it' "$why_not"
else
	node "$tests/lib/speedscope.mjs" npm prog.json >profiles 2>said || cat said
	same 'speedscope: a profile for each thread' 3 "$(wc -l <profiles)"
	same 'speedscope: slices lie beside each other, and all end' '3' "$(grep -c '"deepest":1,"left":0' profiles)"
	same 'speedscope: as many as there are' "$(grep -c '"ph":"X"' prog.json)" "$(grep -oE '"calls":[0-9]+' profiles | awk -F: '{n += $2} END {print n}')"
	expect_match 'speedscope: waits have their names' '"wait: table_lock \(lock\)":[0-9]+' profiles
fi

# The Firefox Profiler's own reader; it needs a newer node, which npm has, too.
pq() { XDG_RUNTIME_DIR=$tmp HOME=$tmp timeout 60 npm/node_modules/node/bin/node npm/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js "$@"; }
if [ -z "$why_not" ] && ! { npm_get node@24 @firefox-devtools/profiler-cli && pq --version >/dev/null 2>&1; }; then
	why_not='npm cannot install the reader, or a node that runs it'
fi
if [ -n "$why_not" ]; then
	skip 'the Firefox Profiler reads it' "$why_not"
else
	pq load prog.json >said 2>&1
	pq profile info >about 2>&1
	expect_match 'the Firefox Profiler: all threads' 'contains 3 threads across 1 process' about
	pq thread select "$(grep -oE 't-[0-9]+: thread 1|t-[0-9]+: prog, thread 1' about | cut -d: -f1)" >said 2>&1
	pq thread markers >waits 2>&1
	expect_match 'the Firefox Profiler: waits are markers' 'wait: table_lock \(lock\) +[0-9]+ markers' waits
	pq stop --all >said 2>&1
fi
