#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Pictures of the input lens: each view that has a plot draws its own, with the numbers of its table; a view that has none says so.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# The known program (tests/unit/input/make.h), in two runs that overlap at 2^8.
"$build/tests/input/test_report" --recording prog.skein 3 8
"$build/tests/input/test_report" --recording prog.skein 8 12

report() { skein report input prog.skein "$@"; }

# is_xml FILE: elements are closed, attributes quoted, & and < are written as entities
is_xml() {
	perl -0777 -e '
		$_ = <>;
		die "an & that is no entity\n" if /&(?!(amp|lt|gt|quot);)/;
		my $attributes = qr{(?:\s[\w-]+="[^"<>]*")*};
		s{<[a-z]+$attributes/>}{}g;
		1 while s{<([a-z]+)$attributes>[^<>]*</\1>}{}g;
		die "left: " . substr($_, 0, 100) . "\n" if /\S/' "$1"
}

# drawn NAME FILE ARGUMENT…: the report with that picture
drawn() {
	expect_status 0 "$1" report "${@:3}" --svg "$2"
	check "$1: the picture is XML" is_xml "$2"
	check "$1: no text of it is empty, and no number is none" eval '! grep -nE "nan|inf[ \"<]|></text>" "$2"'
}

# tips FILE: what the elements of a picture tell, but for the first, which tells what the whole is, and those of the legend
tips() { grep -oE '<title>[^<]*' "$1" | sed 's/<title>//' | tail -n +2 | grep -E "${2:- }"; }
count() { grep -c -- "$1" "$2"; } # PATTERN FILE

# ---- cost of a routine ----
drawn 'a routine' one.svg --routine 'select*'
same 'its points' 'trms 72: 1 call, mean 80' "$(tips one.svg | head -n 1)"
same 'all of them' "$(report --view points --routine 'select*' --metric trms --csv | grep -c '^all,')" "$(tips one.svg call | wc -l)"
same 'its curve' 1 "$(count 'class="fit"' one.svg)"
expect_match 'a name in it does no harm' '>select,&quot;&lt;x&gt;\\x1b: n<' one.svg
expect_match 'both axes have units: sizes' '>trms in cells of 4 bytes<' one.svg
expect_match 'and costs' '>mean cost in basic blocks<' one.svg
expect_match 'R2 is in it' '>fit: n, R2 1\.00<' one.svg
expect_match 'it has a ground of its own' '<rect width="[0-9]*" height="[0-9]*" fill="#fff"/>' one.svg
drawn 'the view points' points.svg --view points --routine 'select*'
equal 'draws the same' one.svg points.svg
drawn 'worst costs' worst.svg --routine deep --cost worst
expect_match 'are named' '>worst cost in basic blocks<' worst.svg
drawn 'a routine without a curve' plain.svg --routine main
same 'has none' 0 "$(count 'class="fit"' plain.svg)"
expect_match 'and says why' '>no curve: only 1 size<' plain.svg

# ---- linear axes ----
# marks FILE ANCHOR: labels of an axis: middle is across, end is down
marks() { grep -oE "text-anchor=\"$2\">[0-9][^<]*" "$1" | sed 's/.*>//' | paste -sd' '; }
drawn 'linear axes' linear.svg --routine insert --linear
same 'go from 0 in even steps' '0 500 1,000 1,500 2,000 2,500 3,000 3,500 4,000' "$(marks linear.svg middle)"
drawn 'logarithmic axes' log.svg --routine insert
same 'do not' '10 20 50 100 200 500 1,000 2,000 5,000' "$(marks log.svg middle)"
expect_match 'text says which, too' '^insert: n\^2, R2 1\.00 \(linear axes\)$' <(report --routine insert --linear)

# ---- rms and trms in one picture ----
drawn 'an overlay' overlay.svg --routine 'select*' --overlay
same 'has the points of both' '10 10' "$(tips overlay.svg '^trms .*call' | wc -l) $(tips overlay.svg '^rms .*call' | wc -l)"
for metric in rms trms; do
	same "sizes by $metric" "$(report --view points --routine 'select*' --metric $metric --csv | sed -nE 's/^all,[a-z]*,([0-9]+),.*/\1/p' | paste -sd' ')" \
		"$(tips overlay.svg "^$metric .*call" | sed -E 's/^[a-z]* ([0-9,]*):.*/\1/; s/,//g' | paste -sd' ')"
done
expect_match 'and says what each tells: trms' '>fit: n, R2 1\.00<' overlay.svg
expect_match 'and rms' '>no curve: sizes only 67 to 76<' overlay.svg
drawn 'an overlay of rms' rms.svg --routine 'select*' --overlay --metric rms
same 'has trms as the second' 'rms: trms:' "$(grep -oE '>r?t?rms:' rms.svg | tr -d '>' | xargs)"
report --routine 'select*' --overlay >text
expect_match 'text overlays both' '^trms \(o\) and its fit \(\.\): n, R2 1\.00$' text
expect_match 'with another mark' '^rms \(x\), no fit: sizes only 67 to 76$' text
check 'rms lies left of trms' grep -qE '^ +\|  *x .*o' text

# ---- gallery ----
# names FILE: of the routines in a gallery
names() { sed -nE 's,.*font-weight="bold">([^<]*)</text>,\1,p' "$1" | paste -sd' '; }
drawn 'a gallery' all.svg
same 'has all routines with a curve, in the order of the table' 'insert list::merge select,&quot;&lt;x&gt;\x1b consume deep lookup' "$(names all.svg)"
same 'a curve each' 6 "$(count 'class="fit"' all.svg)"
same 'and points' '10 10 10 10 11 10' "$(sed -nE 's/.*class="dots".* d="([^"]*)".*/\1/p' all.svg | sed 's/[^M]//g' | awk '{print length($0)}' | xargs)"
expect_match 'with units' '>mean cost in basic blocks by trms in cells of 4 bytes; logarithmic axes<' all.svg
drawn 'as many as asked for' two.svg --top 2
same 'the first ones' 'insert list::merge' "$(names two.svg)"
drawn 'a pattern that fits several' some.svg --view points --routine 'l*'
same 'is a gallery of these' 'list::merge lookup' "$(names some.svg)"
drawn 'a gallery of both metrics' both.svg --overlay --linear
same 'has two series each' 12 "$(count 'class="dots"' both.svg)"

# ---- workload ----
drawn 'workload' load.svg --view workload --routine deep
same 'has the calls of its table' "$(report --view workload --routine deep --metric trms --csv | sed -nE 's/^deep,all,trms,([0-9]+),([0-9]+),.*/\1 \2/p' | paste -sd' ')" \
	"$(tips load.svg call | sed -E 's/,//g; s/^trms ([0-9]*): ([0-9]*) calls?$/\1 \2/' | paste -sd' ')"
expect_match 'its axis is calls' '>calls<' load.svg
same 'no curve' 0 "$(count 'class="fit"' load.svg)"
drawn 'workload of several' loads.svg --view workload --routine '*' --overlay
same 'is a gallery' 7 "$(names loads.svg | wc -w)"

# ---- sources ----
drawn 'sources' sources.svg --view sources
same 'has the shares of its table' 'consume: 99.87 % from other threads, 0 % from outside|select,&quot;&lt;x&gt;\x1b: 0 % from other threads, 92 % from outside' "$(tips sources.svg outside | paste -sd'|')"
expect_match 'with units' ">% of the routine's input \(trms\)<" sources.svg
drawn 'the first of the sources' first.svg --view sources --top 1
same 'is one' 1 "$(tips first.svg outside | wc -l)"

# Above 40 routines there is no room for names: two staircases, both and thread-induced input, with a step per routine.
{
	echo '#include <unistd.h>'
	echo 'static int zeros(int *at) { return read(0, at, 64) == 64; }'
	for ((i = 0; i < 45; i++)); do
		echo "__attribute__((noinline)) int part$i(int *at) { int sum = 0; for (int k = 0; k < 2 + $i; k++) if (zeros(at)) for (int c = 0; c < 16; c++) sum += ((volatile int *)at)[c]; return sum; }"
	done
	echo 'int main(void) { int at[16], sum = 0;'
	for ((i = 0; i < 45; i++)); do echo "sum += part$i(at);"; done
	echo 'return sum; }'
} >many.c
skein-cc -O1 -g many.c -o many
expect_status 0 'a program with many routines that read' skein record input -- ./many </dev/zero
drawn_of_many() { skein report input many.skein --view sources --svg many.svg "$@"; }
check 'sources of many routines' drawn_of_many
check 'are XML' is_xml many.svg
same 'two staircases' 2 "$(count 'class="area"' many.svg)"
same 'a step each for 45 routines and main' '46 46' "$(sed -nE 's/.*class="area".* d="([^"]*)".*/\1/p' many.svg | sed 's/[^H]//g' | awk '{print length($0)}' | xargs)"
check 'the first 40 of them' drawn_of_many --top 40
same 'have names' 40 "$(tips many.svg outside | wc -l)"

# ---- distribution ----
# stairs FILE: x and y of each corner of the four curves, in pixels
stairs() { sed -nE 's/.*class="stairs".* d="([^"]*)".*/\1/p' "$1"; }
drawn 'distribution' steps.svg --view distribution
same 'four curves' 4 "$(stairs steps.svg | wc -l)"
same 'with the steps of its table' "$(report --view distribution --csv | tail -n +2 | cut -d, -f1 | uniq -c | awk '{print $1}' | xargs)" "$(stairs steps.svg | sed 's/[^H]//g' | awk '{print length($0)}' | xargs)"
for title in 'Profile richness' 'Input volume' 'Thread-induced input' 'External input'; do expect_match "it has: $title" ">$title<" steps.svg; done
drawn 'distribution, linear' even.svg --view distribution --linear
same 'from 0 to all routines' '0 50 100' "$(marks even.svg middle | cut -d' ' -f1-3)"

# ---- a view that has no picture, and a picture of nothing ----
for view in threads contexts runs summary; do
	rm -f no.svg
	refused 2 "$view has no picture" "the view $view has no picture; --svg draws the views routines, points, workload, sources, distribution" skein report input prog.skein --view $view --svg no.svg
	check "$view: and none is drawn" [ ! -e no.svg -a ! -s out ]
	refused 2 "$view has no axes" -- skein report input prog.skein --view $view --linear
done
refused 2 'shares have no second metric' 'overlay is for plots by input size' skein report input prog.skein --view sources --overlay --svg no.svg
refused 2 'sources are in percent' 'linear is for plots with logarithmic axes' skein report input prog.skein --view sources --linear --svg no.svg
refused 2 'no plot, no overlay' 'none is drawn: add --svg' skein report input prog.skein --overlay
refused 2 'no plot in CSV' 'none is drawn: add --svg' skein report input prog.skein --csv --routine insert --linear
refused 125 'a picture that cannot be written' 'nowhere/x.svg' skein report input prog.skein --routine insert --svg nowhere/x.svg
same 'nothing is printed then' 0 "$(wc -c <out)"
refused 125 'a full disk' '/dev/full' skein report input prog.skein --routine insert --svg /dev/full
refused 2 'workload of nothing' 'name it with --routine' skein report input prog.skein --view workload --svg no.svg
"$build/tests/input/test_report" --recording few.skein 3 5
refused 2 'a gallery of nothing' 'no such routine has a cost function by trms' skein report input few.skein --svg no.svg
refused 2 'sources of nothing' 'no such routine has input from other threads' skein report input prog.skein --view sources --routine insert --svg no.svg
refused 2 'a routine of another thread' 'thread 1 did not call such a routine' skein report input prog.skein --view workload --routine insert --thread 1 --svg no.svg
check 'no file is left of them' [ ! -e no.svg ]
