#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Programs with another C library, musl: linked with -static, lenses that take such programs record them; with its loader, lenses that need the GNU
# C library refuse in one sentence, and input runs it under Valgrind.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
library=/usr/lib/x86_64-linux-musl
flags=(-g -O1 -pthread -nostdinc -isystem /usr/include/x86_64-linux-musl -nostdlib "$library/crt1.o" "$library/crti.o" "$tests/prog/odd/musl.c")
flags+=("-L$library" -lc "$(gcc -print-libgcc-file-name)" "$library/crtn.o")
skein-cc "${flags[@]}" -static -o fixed || { not_ok 'static' 'it does not compile'; exit; }
skein-cc "${flags[@]}" -no-pie -Wl,-dynamic-linker,/lib/ld-musl-x86_64.so.1 -o loaded || { not_ok 'loaded' 'it does not compile'; exit; }
./fixed >native
same 'natively' 4 $?

# recorded PROGRAM WHERE LENS [OPTION…]: as natively, with every call in the row that WHERE selects
recorded() {
	local program=$1 where=$2 view=routines
	shift 2
	[ "$1" != paths ] || view=functions
	rm -f run.skein
	expect_status 4 "$program: $*: status" skein record "$@" -o run.skein -- "./$program"
	equal "$program: $*: output" native out
	skein report "$1" run.skein --view "$view" --csv >csv
	same "$program: $*: calls" 40 "$(csv_value csv "$where" calls)"
}
recorded fixed routine=step,worker=all,entry=all calls --counts
recorded fixed routine=step,thread=all input
recorded fixed routine=step,thread=all input --valgrind
recorded fixed function=step paths
recorded loaded routine=step,thread=all input

for lens in calls 'calls --counts' span paths idle; do
	# shellcheck disable=SC2086 # a lens and its option
	refused 126 "loaded: $lens" 'loaded is loaded by /lib/ld-musl-x86_64.so.1, and .* needs the GNU C library' skein record $lens -o no.skein -- ./loaded
done
check 'and nothing is written' [ ! -e no.skein ]
