#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The examples of the input lens, built with skein-cc and with any compiler: both ways of recording find the growth that each was written to have.
. "$(dirname "$0")/../../lib/lib.sh"
examples=$(realpath "$tests/../examples/input")
cd "$tmp" || exit

# record NAME: both builds of it, into built.skein and plain.skein, and their routines as CSV
record() {
	local how
	skein-cc -O2 -g -fno-inline -pthread -Wall -Wextra -Werror "$examples/$1.c" -o built && cc -O2 -g -fno-inline -pthread -Wall -Wextra -Werror "$examples/$1.c" -o plain || not_ok "$1" 'does not compile'
	rm -f built.skein plain.skein
	for how in built plain; do
		expect_status 0 "$1, $how: recorded" skein record input -- ./$how
		expect_match "$1, $how: it is right" ' right$' out
		skein report input $how.skein --csv >$how.csv
	done
}

# grows EXAMPLE ROUTINE MODEL: in both
grows() {
	for how in built plain; do
		same "$1, $how: $2 grows like $3" "$3" "$(csv_value $how.csv "routine=$2,thread=all" model)"
	done
}

# claims STATUS EXAMPLE CLAIM…: skein check says so of both
claims() {
	for how in built plain; do
		expect_status "$1" "$2, $how: check ${*:3} is $1" skein check "${@:3}" $how.skein
	done
}

# value ROUTINE COLUMN: of both
value() { echo "$(csv_value built.csv "routine=$1,thread=all" "$2") $(csv_value plain.csv "routine=$1,thread=all" "$2")"; }

# sizes HOW ROUTINE METRIC: how often it was called with each
sizes() { skein report input "$1.skein" --view points --routine "$2" --metric "$3" --csv | awk -F, '$1 == "all" {print $3 ":" $4}' | paste -sd ' '; }

# costs RECORDING ROUTINE: of each size, by any metric
costs() { skein report input "$1.skein" --view points --routine "$2" --csv | awk -F, '$1 == "all" {print $2, $3, $5, $6, $7}'; }

record sorts
grows sorts insertion_sort n^2
grows sorts merge_sort 'n log n'
grows sorts merge n
claims 0 sorts 'insertion_sort: O(n^2)' 'merge_sort: O(n log n)'
claims 1 sorts 'insertion_sort: O(n log n)'
same 'sorts: sizes are numbers that were sorted' "$(sizes built insertion_sort trms)" "$(sizes plain insertion_sort trms)"
same 'sorts: of merge_sort, too' "$(sizes built merge_sort trms)" "$(sizes plain merge_sort trms)"
for how in built plain; do
	expect_match "sorts, $how: the verdict begins with insertion_sort" '^insertion_sort \(sorts.c:[0-9]*\) grows like n\^2' <(skein report input $how.skein)
done

record table
grows table load_fixed n^2
grows table load_growing n
grows table table_find n
claims 0 table 'load_growing: O(n)' 'load_fixed: O(n^2)'
claims 1 table 'load_fixed: O(n log n)'
# lengths HOW: sizes from the smallest on; a compiler may pass what the table itself says as arguments, which are no input
lengths() { sizes "$1" table_find trms | tr ' :' '\n ' | awk '{least = NR == 1 ? $1 : least; print $1 - least ":" $2}' | paste -sd ' '; }
same 'table: chains are as long both ways' "$(lengths built)" "$(lengths plain)"
for how in built plain; do
	check "table, $how: insertions, which search or grow, are not called quadratic" [ "$(skein report input $how.skein | grep -c '^.*table_insert ([^)]*) grows like')" -eq 0 ]
done

record tokens
grows tokens tokenize_slow n^2
grows tokens line_of n
grows tokens tokenize n
claims 0 tokens 'tokenize: O(n)' 'line_of: O(n)'
claims 1 tokens 'tokenize_slow: O(n log n)'

record pipeline
grows pipeline consume n
claims 0 pipeline 'consume: O(n)'
same 'pipeline: 1,000 items are an input of 1,000' '1000 1000' "$(value consume max_trms)"
same 'pipeline: all of it from another thread' '100.0000 100.0000' "$(value consume thread_pct)"
for how in built plain; do
	same "pipeline, $how: by rms it is 1" 1:10 "$(sizes $how consume rms)"
	same "pipeline, $how: by trms it is the items" '10:1 40:1 90:1 160:1 250:1 360:1 490:1 640:1 810:1 1000:1' "$(sizes $how consume trms)"
	costs=$(costs $how consume)
	expect_status 0 "pipeline, $how: once more" skein record input -o again.skein -- ./$how
	same "pipeline, $how: who waits longer costs no more" "$costs" "$(costs again consume)"
	rm again.skein
	expect_status 3 "pipeline, $how: by rms nothing can be told" skein check 'consume: O(n)' --metric rms $how.skein
done

record blocks
grows blocks select_rows n
claims 0 blocks 'select_rows: O(n)'
same 'blocks: all of it from outside' '100.0000 100.0000' "$(value select_rows external_pct)"
for how in built plain; do
	same "blocks, $how: by rms it is the buffer" 256:15 "$(sizes $how select_rows rms)"
	same "blocks, $how: by trms it is the table" '400:1 500:1 625:1 781:1 976:1 1220:1 1525:1 1906:1 2382:1 2977:1 3721:1 4651:1 5813:1 7266:1 9082:1' "$(sizes $how select_rows trms)"
	expect_match "blocks, $how: rms is named as misleading" 'select_rows .* while its rms is flat' <(skein report input $how.skein | tr '\n' ' ')
done

record filter
grows filter blur_bands n
grows filter blur_stripes n
grows filter blur_row n
claims 0 filter 'blur_*: O(n)'
for how in built plain; do
	check "filter, $how: stripes read more than three times as much" awk -v bands="$(csv_value $how.csv routine=blur_bands,thread=all trms_total)" \
		-v stripes="$(csv_value $how.csv routine=blur_stripes,thread=all trms_total)" 'BEGIN {exit !(bands > 0 && stripes > 3 * bands)}'
done
