#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Wrong use and bad input: one clear sentence, the documented exit status, nothing left behind.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

echo 'int main(void) { return 0; }' >plain.c
cc plain.c -o plain
printf '#!/bin/sh\nexit 0\n' >script
chmod +x script
echo text >text
mkdir folder empty

refused 126 'a program that skein-cc did not build' skein-cc skein record calls -- ./plain
refused 126 'a script' 'script' skein record calls -- ./script
refused 126 'a file that is no program' 'text' skein record calls -- ./text
refused 126 'a folder' 'folder' skein record calls -- ./folder
refused 127 'a program that is not there' 'absent' skein record calls -- ./absent
refused 2 'an unknown lens' 'nonsense' skein record nonsense -- ./plain
refused 2 'a mistyped lens' 'calls' skein record cals -- ./plain
refused 2 'a mistyped command' 'report' skein reprot
refused 2 'an unknown option' 'nonsense' skein record calls --nonsense -- ./plain
refused 2 'no program to record' 'PROGRAM|program' skein record calls
check 'nothing was left behind' [ -z "$(find . -name '*.skein*')" ]

cat >good.c <<'END'
__attribute__((noinline)) static int twice(volatile int *x) { return *x += *x; }
int main(void) { volatile int x = 1; for (int i = 0; i < 10; i++) twice(&x); return x != 1024; }
END
skein-cc -O2 -g -c good.c -o good.o && skein-cc good.o -o good
refused 2 'a pattern that matches nothing' 'only' skein record calls --only 'none*' -- ./good
expect_status 0 'a good program is recorded' skein record calls -o good.skein -- ./good
check 'a recording is for its owner only' [ "$(stat -c %a good.skein)" = 600 ]

refused 2 'an unknown view' 'nonsense' skein report calls good.skein --view nonsense
refused 2 'an unknown column' 'nonsense' skein report calls good.skein --sort nonsense
refused 127 'a recording that is not there' 'absent.skein' skein report calls absent.skein
refused 127 'no recording in this folder' 'record' sh -c 'cd empty && exec skein report calls'

size=$(stat -c %s good.skein)
for part in 0 1 100 4096 $((size / 2)) $((size - 1)); do
	head -c "$part" good.skein >cut.skein
	refused 125 "a recording cut to $part bytes" 'cut.skein' skein report calls cut.skein
done
awk 'BEGIN {srand(7); for (i = 0; i < 20000; i++) printf "%c", 1 + int(rand() * 250)}' >random.skein
refused 125 'random bytes' 'random.skein' skein report calls random.skein
sqlite3 other.skein 'create table t (x); insert into t values (1);'
refused 125 'a database that is no recording' 'other.skein' skein report calls other.skein

# One byte in a hundred is wrong: any answer but a crash.
crashes=0
for seed in 1 2 3 4 5 6 7 8; do
	cp good.skein broken.skein
	for at in $(awk -v seed=$seed -v size="$size" 'BEGIN {srand(seed); for (i = 0; i < 40; i++) print int(rand() * size)}'); do
		printf '\377' | dd of=broken.skein bs=1 seek="$at" conv=notrunc status=none
	done
	timeout 20 skein report calls broken.skein >out 2>err
	case $? in 0 | 125) ;; *) crashes=$((crashes + 1)) ;; esac
done
same 'a damaged recording never crashes the report' 0 "$crashes"

mv good.o kept.o
refused 125 'an object that is gone' 'good.o' skein record calls --counts -o again.skein -- ./good
sed 's/1024/1023/' good.c >changed.c
skein-cc -O2 -g -c changed.c -o good.o
refused 125 'an object that changed' 'good.o' skein record calls --counts -o again.skein -- ./good
check 'no recording of a failed re-link' [ ! -e again.skein ]
