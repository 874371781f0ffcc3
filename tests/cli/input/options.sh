#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What can be asked of a recording of the input lens: every view in all forms, claims; a session that was left behind; and that both ways of recording lead there.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/complaints.sh"
cd "$tmp" || exit

report() { skein report input prog.skein "$@"; }

# The known program (tests/unit/input/make.h), in two runs that overlap at 2^8.
"$build/tests/input/test_report" --recording prog.skein 3 8
"$build/tests/input/test_report" --recording prog.skein 8 12

# every view is the same in all forms
for view in routines sources distribution threads contexts runs summary 'points --routine *' 'workload --routine *'; do
	set -f
	report --view $view --json >view.json
	same "$view is proper JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('view.json'))")"
	same "$view: CSV and JSON have as many rows" "$(report --view $view --csv | tail -n +2 | wc -l)" "$(sqlite3 :memory: "select json_array_length(readfile('view.json'), '$.rows')")"
	set +f
done
same 'columns of routines' routine,file,line,thread,calls,sizes_rms,sizes_trms,max_trms,cost,richness,input_volume,thread_pct,external_pct,model,exponent,r2 "$(report --csv | head -n 1 | cut -d , -f 1-16)"
same 'columns of points' thread,metric,size,calls,cost_min,cost_max,cost_sum "$(report --view points --routine insert --csv | head -n 1 | cut -d , -f 1-7)"
same 'sorted by another column' main "$(report --sort cost --csv | sed -n 2p | cut -d , -f 1)"
same 'a metric is named by its points' 'rms trms' "$(for m in rms trms; do report --view points --routine consume --metric $m --csv | sed -n '2s/^all,\([a-z]*\),.*/\1/p'; done | xargs)"
same 'one thread' 3 "$(report --thread 3 --csv | tail -n +2 | cut -d , -f 4 | sort -u)"
same 'one run' '8 16 32 64 128 256' "$(report --view points --routine insert --metric trms --run 1 --csv | awk -F, '$1 == "all" {print $3}' | xargs)"

# exit status of check
expect_status 0 'a claim that holds' skein check 'insert: O(n^2)' prog.skein
expect_status 0 'slower growth than claimed is fine' skein check 'lookup: O(n)'
expect_status 1 'faster growth is not' skein check 'insert: O(n log n)' prog.skein
expect_status 3 'one size tells nothing' skein check 'main: O(n)' prog.skein
expect_status 3 'nor do those of one run' skein check 'insert: O(n^2)' prog.skein --run 1
expect_status 1 'worse counts more than unknown' skein check 'main: O(1)' 'insert: O(n)' prog.skein
expect_status 3 'by rms there is nothing to tell' skein check 'consume: O(n)' --metric rms
expect_status 0 'worst costs' skein check '_ZN4list5mergeEi: O(n log n)' --cost worst
refused 2 'no claim' 'needs a claim' skein check prog.skein
refused 2 'no growth' 'O\(n!\) is not a growth' skein check 'insert: O(n!)' prog.skein
refused 2 'no routine' "needs a routine" skein check ': O(n)' prog.skein
refused 2 'a routine that is not there' nobody skein check 'nobody: O(n)' prog.skein
refused 2 'two files' 'is not a claim' skein check 'insert: O(n)' prog.skein other.skein
refused 2 'a wrong metric' 'rms, rms\+external and trms' skein check 'insert: O(n)' prog.skein --metric size
refused 127 'a file that is not there' nothing.skein skein check 'insert: O(n)' nothing.skein

# wrong options
refused 2 'points of nothing' 'name it with --routine' skein report input prog.skein --view points
refused 2 'an unknown metric' 'rms, rms\+external and trms' skein report input prog.skein --metric size
refused 2 'an unknown cost' 'mean or worst' skein report input prog.skein --cost best
refused 2 'a run that is not there' '1 to 2' skein report input prog.skein --run 3
refused 2 'a thread that is not there' '0 to 3' skein report input prog.skein --thread 4
refused 2 'an option of another lens' depth skein report input prog.skein --depth 3
refused 2 'a cell of 3 bytes' '1, 2, 4, 8 or 16' skein record input --cell 3 -- true
refused 2 'a cost that is none' 'blocks or instructions' skein record input --cost time -- true
cp "$build/obj/tool/cli/main.o" main.o && chmod +x main.o
refused 126 'an object file' 'object file' skein record input -- ./main.o
refused 125 'Valgrind is missing' 'apt-get install valgrind' env PATH="$build/bin" skein record input -- /bin/true

# a session that was left behind
mkdir session
"$build/tests/input/test_report" --session session 3 12
expect_status 0 'a session that was left behind is recovered' skein recover session -o recovered.skein
same 'with all its points' "$(report --run 1 --view summary --csv | grep -c .)" "$(skein report input recovered.skein --view summary --csv | grep -c .)"

# both ways of recording
cat >sort.c <<'END2'
#include <stdlib.h>
__attribute__((noinline)) void insertion(int *a, int n)
{
	for (int i = 1; i < n; i++) {
		int x = a[i], j = i;
		for (; j > 0 && a[j - 1] > x; j--)
			a[j] = a[j - 1];
		a[j] = x;
	}
}
__attribute__((noinline)) void merge(int *a, int *b, int n)
{
	int h = n / 2, i = 0, j = h, k = 0;
	if (n < 2)
		return;
	merge(a, b, h);
	merge(a + h, b, n - h);
	while (i < h && j < n)
		b[k++] = a[i] <= a[j] ? a[i++] : a[j++];
	while (i < h)
		b[k++] = a[i++];
	while (j < n)
		b[k++] = a[j++];
	for (i = 0; i < n; i++)
		a[i] = b[i];
}
__attribute__((noinline)) long sum(const int *a, int n)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}
int main(int count, char **words)
{
	long s = 0;
	for (int n = atoi(words[1]); n <= atoi(words[2]); n += n / 4 + count - 3) {
		int *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b), *c = malloc((size_t)n * sizeof *c);
		for (int i = 0; i < n; i++)
			a[i] = b[i] = (i * 7919 + n) % 1009;
		insertion(a, n);
		merge(b, c, n);
		s += sum(a, n);
		free(a);
		free(b);
		free(c);
	}
	return s ? 7 : 0;
}
END2
cc -O1 -g sort.c -o plain && skein-cc -O1 -g sort.c -o built
for program in plain built; do
	expect_status 7 "$program: its exit status" skein record input -- ./$program 10 60
	expect_status 7 "$program: once more" skein record input -- ./$program 60 400
	same "$program: two runs" 2 "$(skein report input $program.skein --view summary --csv | sed -n 's/^runs,//p')"
	skein report input $program.skein --csv >$program.csv
	same "$program: insertion" n^2 "$(csv_value $program.csv routine=insertion,thread=all model)"
	same "$program: merge" 'n log n' "$(csv_value $program.csv routine=merge,thread=all model)"
	same "$program: sum" n "$(csv_value $program.csv routine=sum,thread=all model)"
	same "$program: file and line" 'sort.c 27' "$(csv_value $program.csv routine=sum,thread=all file | sed 's,.*/,,') $(csv_value $program.csv routine=sum,thread=all line)"
	same "$program: sizes" "$(csv_value $program.csv routine=sum,thread=all max_trms)" "$(csv_value $program.csv routine=insertion,thread=all max_trms)"
	expect_status 0 "$program: claims hold" skein check 'insertion: O(n^2)' 'merge: O(n log n)' 'sum: O(n)' $program.skein
	expect_status 1 "$program: claims do not" skein check 'sum: O(log n)' $program.skein
	expect_status 1 "$program: nor do those that are near" skein check 'merge: O(n)' $program.skein
	check "$program: it holds what every recording must" [ -z "$(input_complaints $program.skein)" ]
done

# ---- growth that changes, and growth that cannot be told ----

cat >bends.c <<'END2'
#include <stdlib.h>
__attribute__((noinline)) static long bends(const int *a, int n)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		for (int j = n < 300 ? i : 300; j <= i || j == 300; j++)
			s += a[i] ^ j;
	return s;
}
__attribute__((noinline)) static long step(const int *a, int n)
{
	long s = 0;
	for (int i = 0; i < (n < 300 ? 200 : 9000); i++)
		s += a[i % n];
	return s;
}
__attribute__((noinline)) static long varies(const int *a, int n, unsigned random)
{
	long s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	for (unsigned i = 0; i < (random >> 16) % 7 * (random >> 20) % 5 * 3000; i++)
		s += a[i % (unsigned)n];
	return s;
}
int main(int argc, char **argv)
{
	static int a[8000];
	long s = argc;
	unsigned random = 1;
	for (int n = 12; n < 8000; n += n / 6 + 1) {
		random = random * 1103515245 + 12345;
		s += bends(a, n) + step(a, n < 200 ? 200 : n) + varies(a, n, random);
		for (int i = 0; i < 8000; i++)
			a[i] += i % (int)(s % 3 + 2);
	}
	(void)argv;
	return s == 0;
}
END2
skein-cc -O1 -g bends.c -o bends
expect_status 0 'a program whose growth changes' skein record input -- ./bends
skein report input bends.skein --csv >bends.csv
skein report input bends.skein >bends.txt
same 'below the change' n "$(csv_value bends.csv routine=bends,thread=all model_before)"
same 'above it' n^2 "$(csv_value bends.csv routine=bends,thread=all model)"
check 'where it is' [ "$(csv_value bends.csv routine=bends,thread=all change_at)" -ge 300 ]
check 'not much later' [ "$(csv_value bends.csv routine=bends,thread=all change_at)" -le 420 ]
expect_match 'it is said in the table' 'n up to [34][0-9][0-9], then n\^2 .* bends$' bends.txt
expect_match 'and in the verdict' '^bends \(bends.c:2\) grows like n up to [34][0-9][0-9], then n\^2' <(tr '\n' ' ' <bends.txt)
expect_status 0 'so it is n^2' skein check 'bends: O(n^2)' bends.skein
expect_status 1 'and not less' skein check 'bends: O(n log n)' bends.skein
same 'costs of any size have no model' 'costs vary too much' "$(csv_value bends.csv routine=varies,thread=all why)"
same 'and no share at ten times the input' '(empty)' "$(csv_value bends.csv routine=varies,thread=all x10_pct | or_empty)"
expect_match 'which is said in the table' '\(cannot tell\) .* varies$' bends.txt
expect_status 3 'nor can it be checked' skein check 'varies: O(n)' bends.skein
expect_match 'and why' '^unknown  varies: O\(n\) cannot be checked: costs vary too much$' out

expect_match 'the one was recorded by Valgrind' '^producer,valgrind' <(skein report input plain.skein --view summary --csv)
expect_match 'the other by itself' '^producer,compiled' <(skein report input built.skein --view summary --csv)
# what hooks do not count is not 0 but empty
skein report input plain.skein --view summary --csv >plain.csv
skein report input built.skein --view summary --csv >built.csv
skein report input built.skein --view summary --json >built.json
skein report input built.skein --view summary >built.txt
for figure in reads writes kernel_reads kernel_writes switches forgotten cut contexts; do
	same "built: $figure were not measured" '(empty)' "$(csv_value built.csv name=$figure value | or_empty)"
	same "built: $figure in JSON" null "$(sqlite3 :memory: "select json_type(value, '$.value') from json_each(readfile('built.json'), '$.rows') where json_extract(value, '$.name') = '$figure'")"
	expect_match "built: $figure in text" "^$figure *\$" built.txt
done
for figure in reads writes; do check "plain: Valgrind counts $figure" [ "$(csv_value plain.csv name=$figure value)" -gt 0 ]; done
for figure in renumberings binned unseen; do same "built: $figure were counted" 0 "$(csv_value built.csv name=$figure value)"; done
expect_match 'built: R2 in text' ' R2 .* 1\.00 .* insertion' <(skein report input built.skein | tr '\n' ' ')
expect_status 7 'under Valgrind if one asks' skein record input --valgrind -o built.skein -- ./built 10 60
same 'runs of two ways do not add up' '1 2' "$(skein report input built.skein --view summary --csv | sed -n 's/^runs\(_left_out\)\?,//p' | xargs)"
expect_status 7 'contexts' skein record input --contexts -o contexts.skein -- ./plain 10 60
expect_match 'have depth' '^[1-9][0-9]*,insertion,' <(skein report input contexts.skein --view contexts --csv)
check 'and hold what every recording must' [ -z "$(input_complaints contexts.skein)" ]
