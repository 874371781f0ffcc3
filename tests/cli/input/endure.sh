#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The input lens where much is asked of it, by hooks and under Valgrind: many threads at once, deep stacks, sizes beyond 32 bits, more sizes than are kept apart.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit
export ASAN_OPTIONS=detect_leaks=0

for name in endure many; do
	skein-cc -O1 -g -pthread -fno-optimize-sibling-calls -Wno-unknown-attributes "$tests/prog/input/$name.c" -o "hooks-$name" 2>build.err &&
		gcc -O1 -g -pthread -fno-optimize-sibling-calls "$tests/prog/input/$name.c" -o "plain-$name" || { not_ok "$name" "it does not compile: $(head -c 300 build.err)"; exit; }
done

# record HOW PROGRAM WHAT [OPTION…]: to HOW-WHAT.skein, and what was said to HOW-WHAT.said
record() {
	local how=$1 program=$2 what=$3
	shift 3
	skein record input "$@" -o "$how-$what.skein" -- "./$how-$program" "$what" >"$how-$what.out" 2>"$how-$what.said"
}

# point HOW-WHAT ROUTINE METRIC COLUMN: of all threads together
point() { csv_value <(skein report input "$1.skein" --view points --routine "$2" --csv) "thread=all,metric=$3" "$4"; }
figure() { skein report input "$1.skein" --view summary --csv | tr -d '\r' | awk -F, -v name="$2" '$1 == name {print $2}'; }

# The long ones run beside each other.
record hooks endure large --cell 1 & hooks=$!
record plain endure large --cell 1 & plain=$!
wait "$hooks"
same 'sizes beyond 32 bits, hooks: it ends well' 0 $?
wait "$plain"
same 'sizes beyond 32 bits, plain: it ends well' 0 $?

for how in hooks plain; do
	cells=$(sed -n 's/^cells //p' $how-large.out)
	check "there are more than 32 bits can count, $how" [ "${cells:-0}" -gt 4294967296 ]
	same "sizes beyond 32 bits, $how: trms" "$cells" "$(point $how-large pump trms size)"
	same "sizes beyond 32 bits, $how: all from outside" "$cells" "$(point $how-large pump trms external)"
	same "sizes beyond 32 bits, $how: rms is the buffer" 1048576 "$(point $how-large pump rms size)"

	record $how endure batches
	same "ten thousand threads in batches, $how: it ends well" 0 $?
	same "ten thousand threads in batches, $how: each is counted" 5:10000 "$(point $how-batches look rms size):$(point $how-batches look rms calls)"
	same "ten thousand threads in batches, $how: nothing is lost" 0 "$(figure $how-batches lost_events)"

	record $how many deep
	same "a million activations, $how: it ends well" 0 $?
	same "a million activations, $how: all but the last read two cells" '1:1 2:999999' "$(point $how-deep down rms size | paste -d: - <(point $how-deep down rms calls) | sort -n | xargs)"
	same "a million activations, $how: nothing is lost" 0 "$(figure $how-deep lost_events)"

	record $how endure sizes
	same "five thousand sizes, $how: it ends well" 0 $?
	rows=$(point $how-sizes sum trms size | wc -l)
	check "five thousand sizes, $how: no more rows than are kept apart" [ "$rows" -le 1024 ]
	check "five thousand sizes, $how: not too few either" [ "$rows" -gt 256 ]
	same "five thousand sizes, $how: every call is in one of them" 5000 "$(point $how-sizes sum trms calls | awk '{n += $1} END {print n}')"
	same "five thousand sizes, $how: their sum is exact" $((5000 * 5001 / 2)) \
		"$(paste -d' ' <(point $how-sizes sum trms calls) <(point $how-sizes sum trms size_mean) | awk '{n += $1 * $2} END {printf "%.0f\n", n}')"
	tr '\n' ' ' <$how-sizes.said | tr -s ' ' >said
	expect_match "five thousand sizes, $how: the report says so" 'more than 1024 different sizes have them in bins' said
done
