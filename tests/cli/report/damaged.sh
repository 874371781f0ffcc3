#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Files whose symbols crash what reads them: names are lost, recordings are not.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cat >prog.c <<'END'
#include <time.h>
__attribute__((noinline)) double work(double x)
{
	for (int i = 0; i < 1000; i++)
		x = x * 0.999 + 1;
	return x;
}
int main(void)
{
	volatile double x = 1;
	while (clock() < CLOCKS_PER_SEC / 5)
		x = work(x);
	return 7;
}
END
skein-cc -O1 -g prog.c -o prog
cc -shared -fPIC -O1 "$tests/prog/campaign/libdw.c" -o libdw-fault.so

flat() { skein report idle --view flat --csv --threshold 0 "$1"; }
# shellcheck disable=SC2317 # by check
has_names() { flat "$1" | grep -qE ',(work|main),'; }
caveats() { skein report idle --threshold 0 "$1"; }

expect_status 7 'a file that is as it should be' skein record idle -o good.skein -- ./prog
check 'its routines have names' has_names good.skein
same 'nothing is said of it' 0 "$(caveats good.skein | grep -c 'are left out')"

for fault in abort exit; do
	expect_status 7 "$fault: the status is the program's" env FAULT=$fault LD_PRELOAD="$tmp/libdw-fault.so" skein record idle -o $fault.skein -- ./prog
	caveats $fault.skein | tr -s '\n ' ' ' >said
	flat $fault.skein >rows
	expect_match "$fault: the report says what is missing" 'The names of [^ ]*/prog are left out: reading its symbols crashed' said
	expect_match "$fault: offsets stand for names" '\(prog\)\+0x' rows
	same "$fault: there is no other name" 0 "$(grep -cE ',(work|main),' rows)"
	same "$fault: nothing is left beside the recording" '' "$(find . -name ".$fault*")"
done

# Sessions become recordings later, too.
expect_status 7 'a session is kept' skein record idle --keep-raw -o kept.skein -- ./prog
rm kept.skein
expect_status 0 'abort: a session is recovered' env LD_PRELOAD="$tmp/libdw-fault.so" skein recover -o kept.skein .kept.skein.session-*
caveats kept.skein | tr -s '\n ' ' ' >said
expect_match 'abort: what is recovered says what is missing' 'names of [^ ]*/prog are left out' said

# Reading that never ends is ended by Ctrl-C: what was recorded stays.
set -m # else what runs in the background ignores interrupts
FAULT=hang LD_PRELOAD=$tmp/libdw-fault.so skein record idle -o hang.skein -- ./prog 2>err &
skein=$!
set +m
until grep -q hanging err; do sleep 0.1; done
pgrep -P "$skein" >child
kill -INT "$skein"
wait "$skein"
same 'hang: an interrupt ends skein' 130 $?
expect_match 'hang: and says what to do' 'skein recover .*hang.skein.session' err
check 'hang: the process that read symbols has ended, too' test ! -e "/proc/$(cat child)"
expect_status 0 'hang: the session is there' skein recover -o hang.skein .hang.skein.session-*
check 'hang: with names, by a libdw that works' has_names hang.skein
finish
