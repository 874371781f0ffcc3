#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A recording may come from anywhere: whatever figures it holds, a report ends by itself.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >prog.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long sums[64];
static int pipes[2];
__attribute__((noinline)) long sum(int n)
{
	long all = 0;
	for (int i = 0; i < n; i++)
		all += sums[i];
	return all;
}
__attribute__((noinline)) void take(int n)
{
	char bytes[64];
	if (write(pipes[1], bytes, (size_t)n) == n && read(pipes[0], bytes, (size_t)n) == n)
		sums[n] += bytes[0] + sum(n);
}
static void *thread(void *unused)
{
	for (int i = 1; i < 60; i++) {
		pthread_mutex_lock(&lock);
		take(i);
		pthread_mutex_unlock(&lock);
	}
	return unused;
}
int main(int argc, char **argv)
{
	pthread_t id;
	(void)argv;
	for (long i = 0; argc > 1 && i < 200000000; i++) /* for samples */
		sums[0] += i;
	if (pipe(pipes) || pthread_create(&id, 0, thread, 0))
		return 1;
	thread(0);
	pthread_join(id, 0);
	puts("done");
	return 0;
}
END
skein-cc -g -O1 -pthread prog.c -o prog || exit
for lens in calls span idle input paths flow; do
	# shellcheck disable=SC2046 # no word, or one
	expect_status 0 "$lens: recorded" skein record "$lens" -o $lens.skein -- ./prog $([ $lens != idle ] || echo long)
done

views_of() { skein report "$1" --help | sed -n '/^Views of/,/^$/s/^  \([a-z-]*\) .*/\1/p'; } # LENS
columns_of() { # LENS: TABLE COLUMN of each figure
	sqlite3 "$1.skein" "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and c.pk = 0 and c.type in ('INTEGER', 'REAL')
		and (m.name like '$1\\_%' escape '\\' or m.name in ('run', 'process', 'worker', 'wait', 'thread'))" | tr '|' ' '
}

# ends NAME COMMAND…: tells what a signal ended; what is refused is not wrong
ends() {
	"$@" >/dev/null 2>&1
	local status=$?
	[ $status -lt 126 ] || echo "$* ended with $status"
}
for lens in calls span idle input paths flow; do
	columns_of $lens >columns
	check "$lens: there are figures" [ "$(wc -l <columns)" -ge 20 ]
	check "$lens: there are views" [ "$(views_of $lens | wc -l)" -ge 3 ]
	for value in 4611686018427387903 -1 9e99; do
		while read -r table column; do
			cp $lens.skein bad.skein
			sqlite3 bad.skein "update or ignore $table set $column = $value" 2>/dev/null
			if [ $value = 4611686018427387903 ]; then
				for view in $(views_of $lens); do ends timeout 60 skein report $lens bad.skein --view "$view"; done
			fi
			[ $lens != flow ] || ends timeout 60 skein export chrome-trace bad.skein
			[ $lens != flow ] || ends timeout 60 skein report flow bad.skein --what-if '*' --view events --csv
			ends timeout 60 skein report $lens bad.skein --json
		done <columns >said
		same "$lens: no report is ended by a signal when a figure is $value" '' "$(head -n 5 said)"
	done
done

# Nothing that somebody put into a recording runs, neither when it is read nor when a run is added to it.
declare -A strange=([trigger]='create trigger odd after insert on run begin delete from run; end' [view]='create view odd as select 1'
	[table]='create table odd (x)' [index]='create index odd on run (lens)')
for kind in trigger view table index; do
	cp calls.skein odd.skein
	sqlite3 odd.skein "${strange[$kind]}"
	cp odd.skein before.skein
	for command in 'report odd.skein' 'export lcov odd.skein' 'record calls -o odd.skein -- ./prog' 'record idle -o odd.skein -- ./prog'; do
		# shellcheck disable=SC2086 # words
		refused 125 "a $kind that skein did not make: $command" "odd\\.skein holds the $kind odd, which skein did not make: remove it" skein $command
		same "a $kind: the program did not run: $command" '' "$(cat "$tmp/out")"
	done
	equal "a recording with a $kind is left as it was" before.skein odd.skein
done
sqlite3 odd.skein "create trigger \"$(printf 'x\033]0;owned\007\342\200\256y')\" after insert on run begin delete from run; end; drop index odd"
refused 125 'a name that repaints the terminal is escaped' 'holds the trigger x\\x1b' skein report odd.skein

# Whatever a name holds, no way out passes what commands a terminal, ends a line or turns its direction; and no field of CSV is a formula.
odd=$(printf '=1+1\033]0;x\007\302\2331m\342\200\256\342\201\246\330\234\342\200\250\357\273\277\377\302"<&\\\rx\ny')
for lens in calls span idle input paths flow; do
	cp $lens.skein odd.skein
	sqlite3 $lens.skein "select m.name, c.name from sqlite_schema m, pragma_table_info(m.name) c where m.type = 'table' and c.type = 'TEXT' and c.pk = 0
		and c.name not in ('lens', 'mode', 'kind', 'build_id', 'entry', 'callee_call', 'arc', 'share') and m.name != 'meta'" | tr '|' ' ' >columns
	while read -r table column; do
		cp odd.skein try.skein
		sqlite3 try.skein "update or ignore $table set $column = cast(x'$(printf %s "$odd" | od -An -v -tx1 | tr -d ' \n')' as text) || $column $([ "$table" != routine ] || echo "where kind not in ('outside', 'unknown')")" 2>/dev/null
		if skein report $lens try.skein >/dev/null 2>&1; then cp try.skein odd.skein; fi
	done <columns
	name=$(sqlite3 odd.skein "select linkage from routine where linkage like '=1+1%' order by linkage like '%main' desc limit 1")
	check "$lens: a routine has a hostile name" [ -n "$name" ]
	{
		for view in $(views_of $lens); do
			for form in '' --csv --json; do
				# shellcheck disable=SC2086 # no word, or one
				timeout 60 skein report $lens odd.skein --view "$view" $form 2>&1
			done
		done
		skein report $lens odd.skein --source "$odd" 2>&1
		skein report $lens odd.skein --routine "$odd" 2>&1
		skein report $lens odd.skein --routine "$name" 2>&1
		[ $lens != paths ] || { skein export lcov odd.skein 2>&1; skein report paths odd.skein --dot "$name" 2>&1; }
		[ $lens != flow ] || { skein export chrome-trace odd.skein 2>&1; skein report flow odd.skein --what-if "$odd" 2>&1; skein report flow odd.skein --what-if '*' 2>&1; }
		[ $lens != input ] || { skein report input odd.skein --svg 2>&1; skein check "$name: O(n)" odd.skein 2>&1; }
		skein report $lens "$odd" 2>&1
		skein record $lens -- "./$odd" 2>&1
		skein record "$odd" -- ./prog 2>&1
	} >all
	check "$lens: hostile names are shown" grep -qF '\x1b' all
	check "$lens: what is shown is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null all
	same "$lens: no character commands, ends a line or turns the direction" '' \
		"$(grep -naP '[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{206f}\x{feff}\x{fff9}-\x{fffb}]' all | head -n 3 | cut -c1-200 | cat -v)"
	for view in $(views_of $lens); do timeout 60 skein report $lens odd.skein --view "$view" --csv 2>/dev/null; done >all
	same "$lens: no field of CSV begins like a formula" '' "$(grep -aE '(^|,)"?[ ]*[=+@-]..' all | grep -avE '(^|,)-[0-9.]+(,|$)' | head -n 3 | cut -c1-200)"
done
