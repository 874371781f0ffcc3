#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The overview: the same numbers in text, CSV, JSON and the lenses' own views; what was not measured is said, never 0; names do no harm.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# A routine whose name repaints a terminal, breaks a quote, and is a tag of HTML.
cat >prog.c <<'C'
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;

__attribute__((noinline)) static void add(long n) __asm__("add\033[2J'<script>");
static void add(long n)
{
	pthread_mutex_lock(&lock);
	for (long i = 0; i < n; i++)
		sum += i;
	pthread_mutex_unlock(&lock);
}

static void *work(void *none)
{
	for (int i = 0; i < 300; i++)
		add(100000);
	return none;
}

int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("%ld\n", sum);
	return 0;
}
C
skein-cc -O2 -g -pthread prog.c -o prog || exit
skein look -q -o "it's.skein" -- ./prog >/dev/null 2>err </dev/null
mv "it's.skein" prog.skein
json() { sqlite3 :memory: "select $1 from json_each(json_extract(cast(readfile('$tmp/all.json') as text), '\$.$2'))"; }

expect_status 0 'the overview as JSON' skein report overview prog.skein --json
cp "$tmp/out" all.json
same 'it is JSON' 1 "$(sqlite3 :memory: "select json_valid(cast(readfile('$tmp/all.json') as text))")"
same 'it has every lens' 'calls span idle input paths flow' "$(json "group_concat(json_extract(value, '\$.lens'), ' ')" lenses)"
for view in findings routines lenses; do
	skein report overview prog.skein --view $view --csv >$view.csv
	same "as many $view as in CSV" "$(($(wc -l <$view.csv) - 1))" "$(json 'count(*)' $view)"
done
for figure in calls direct_ns span_pct idle_pct wait_ns paths_90 flow_pct; do
	same "$figure of all routines is the same in CSV and JSON" "$(awk -F, -v name=$figure 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; next} {print $c}' routines.csv | awk '{printf "%s ", $1 == "" ? "-" : $1 + 0}')" \
		"$(json "coalesce(json_extract(value, '\$.$figure'), '-')" routines | awk '{printf "%s ", $1 == "-" ? "-" : $1 + 0}')"
done
for figure in saved_ns of_ns saved_pct cores; do
	same "$figure of all findings is the same in CSV and JSON" "$(awk -F, -v name=$figure 'NR == 1 {for (i = 1; i <= NF; i++) if ($i == name) c = i; next} /^[0-9]+,/ {print $c}' findings.csv | awk '{printf "%s ", $1 == "" ? "-" : $1 + 0}')" \
		"$(json "coalesce(json_extract(value, '\$.$figure'), '-')" findings | awk '{printf "%s ", $1 == "-" ? "-" : $1 + 0}')"
done

# What the table has is what the lenses' own views have.
skein report calls prog.skein --view routines --csv >calls.csv
skein report paths prog.skein --view functions --csv >paths.csv
skein report idle prog.skein --view flat --csv >idle.csv
same 'calls of work' "$(csv_value calls.csv routine=work,worker=all,entry=all calls)" "$(csv_value routines.csv routine=work calls)"
same 'direct time of main' "$(csv_value calls.csv routine=main,worker=all,entry=all direct_ns)" "$(csv_value routines.csv routine=main direct_ns)"
same 'executed paths of work' "$(csv_value paths.csv function=work paths_executed)" "$(csv_value routines.csv routine=work paths_executed)"
for routine in main work; do
	same "idleness of $routine" "$(csv_value idle.csv kind=routine,routine=$routine idle_pct)" "$(csv_value routines.csv routine=$routine idle_pct)"
done

# ---- names that do harm elsewhere ----

for form in '' --json --csv; do
	skein report overview prog.skein $form >shown
	check "no byte of a control character is shown ${form:-as text}" eval '! grep -qP "[\x00-\x08\x0b-\x1f\x7f]" shown'
done
skein report overview prog.skein >shown
same 'a shell takes the command as one word' 0 "$(grep -c "^   skein report .*[^']<script>" shown)"

# ---- one lens ----

expect_status 0 'a file of one lens has an overview' env COLUMNS=100 skein record paths -q -o one.skein -- ./prog
COLUMNS=100 skein report overview one.skein >one
expect_match 'one lens is recorded' '1 of 6 lenses recorded' one
for lens in calls span idle input flow; do
	expect_match "$lens is not measured, and how to measure it" "^$lens +not measured: skein record $lens -o one\.skein -- \./prog$" one
done
skein report overview one.skein --view routines --csv >one.csv
same 'what was not measured is empty' '(empty)' "$(csv_value one.csv routine=work calls | or_empty)"
check 'what was measured is not' [ -n "$(csv_value one.csv routine=work paths_executed)" ]
check 'a file of one lens without a word shows the lens' eval 'skein report one.skein | grep -q "executed path"'

# ---- what makes no sense ----

refused 2 'a view that is not there' 'the overview has no view finding; did you mean findings' skein report overview prog.skein --view finding
refused 2 'an option of a lens' 'routine is an option of lenses' skein report overview prog.skein --routine main
refused 2 'two forms' 'exclude each other' skein report overview prog.skein --csv --json
expect_status 0 'rows can be sorted' skein report overview prog.skein --view routines --sort direct_ns --top 1 --csv
same 'and counted' 2 "$(wc -l <"$tmp/out")"

# The order of the lenses in the file does not matter: the overview is the same each time.
skein report overview prog.skein >again
equal 'the overview is the same each time' shown again
