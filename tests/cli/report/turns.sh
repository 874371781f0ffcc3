#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Several skein write to one recording at once: the run of each is in it.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >prog.c <<'END'
#include <stdio.h>
__attribute__((noinline)) void step(int n) { printf("%d\n", n); }
int main(void) { step(1); return 0; }
END
skein-cc -g -O1 prog.c -o prog || exit
lenses='calls span input paths idle'
record() { skein record "$1" -o run.skein -- ./prog >/dev/null 2>"$1.err"; }
lenses_of() { sqlite3 "$1" 'select distinct lens from run order by lens' | paste -sd' '; }
for lens in $lenses; do record "$lens"; done # what they link is in the cache

all='calls idle input paths span'
for round in 1 2 3 4 5; do
	rm -f run.skein
	for lens in $lenses; do record "$lens" & done
	wait
	same "five lenses at once, round $round" "$all" "$(lenses_of run.skein)"
	expect_status 0 "the recording can be shown, round $round" skein report run.skein
done
for _ in 1 2 3 4; do record input & done
wait
same 'four runs that add up, at once' 5 "$(sqlite3 run.skein "select count(*) from run where lens = 'input'")"
same 'nothing is left beside the recording' '' "$(find . -name '.run.skein*')"

# Another process writes: skein waits for it, and has lost nothing.
rm run.skein
exec 9>.run.skein.lock
flock 9
record calls 9>&- &
waits=$!
until [ -n "$(find /proc/[0-9]*/fd -lname "$tmp/.run.skein.lock" -not -path "/proc/$$/*" 2>/dev/null)" ]; do kill -0 $waits || break; done
check 'it waits for another that writes' test ! -e run.skein
exec 9>&-
wait $waits
same 'and then writes' "0 calls" "$? $(lenses_of run.skein)"

# What a killed process left blocks nothing, nor does what is there instead of it.
: >.run.skein.lock
expect_status 0 'a lock that was left' skein record idle -o run.skein -- ./prog
same 'both are there' 'calls idle' "$(lenses_of run.skein)"
check 'the lock that was left is gone' test ! -e .run.skein.lock
echo mine >victim
ln -s victim .run.skein.lock
expect_status 0 'a link instead of a lock' skein record span -o run.skein -- ./prog
same 'what it leads to is left alone' mine "$(cat victim)"
rm .run.skein.lock && mkdir .run.skein.lock
expect_status 0 'a folder instead of a lock' skein record paths -o run.skein -- ./prog
rmdir .run.skein.lock && mkfifo .run.skein.lock
expect_status 0 'a pipe instead of a lock' skein record input -o run.skein -- ./prog
same 'all lenses are there' "$all" "$(lenses_of run.skein)"
