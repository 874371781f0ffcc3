#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a person and a script see of a recording of the span lens whose numbers are known, and which options it takes.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"
cd "$tmp" || exit

# span_complaints: what is wrong with sites.csv and summary.csv
span_complaints() { (mkdir -p tables && cp sites.csv summary.csv tables && cd tables && { read_tables && cat "$tests/invariants/span.sql"; } | sqlite3 -bail :memory: 2>&1); }

mkdir session
"$build/tests/span/test_analysis" --session session
expect_status 0 'a session that was left behind is recovered' skein recover session -o prog.skein --keep-raw

shows 'the report begins with the verdict and ends with doubts' skein report <<'END2'
The parallelism is 5.6: the program cannot use the 8 cores of this machine,
because sort::partition is serial, and only 6.0 of its calls can run at once on
average. No number of cores makes the program more than 5.6 times as fast as one
core.
- sort::partition, called at sort.c:3 by pqsort, alone accounts for 90 % of the
  span; it is serial: make it parallel, or do less there.
- Tasks are too small: with the cost of scheduling the parallelism is 2.2, not
  5.6. Most often that is pqsort, spawned at sort.c:4 by pqsort. Spawn fewer and
  larger tasks. The cost is taken as 1,000 instructions per spawn and
  continuation (--burden).
- If sort::partition were perfectly parallel, the parallelism could rise to
  56.0, and the speed-up on the 8 cores of this machine from 5.6 to 8.0; another
  path may become critical first (--view what-if).

span%   span  calls  paral.  kind     site                       where
 90.0  9,000     10    1.00  call     pqsort -> sort::partition  sort.c:3:8
  4.0    400      6    4.00  call     pqsort -> pqsort           sort.c:5:3
  3.0    300      3    5.00  spawn    pqsort -> pqsort           sort.c:4:16
  2.0    200     20    1.00  foreign  main -> rand\x1b[31m,"x    sort.c:10:2
  0.5     50      1    5.60  call     (start) -> main            sort.c:9
  0.5     50      1    5.72  call     main -> pqsort             sort.c:11:2
Work and span are counts of instructions. span%: share of the program's span,
excluding callees. span: on the critical path, excluding callees. calls: on the
critical path. paral.: parallelism (work divided by span), including callees,
without recursive calls.

What may be wrong with this:
- No events were lost.
- This is one serial run: with another input, timing or random choice the
  program may be more or less parallel.
- Foreign code has 0.36 % of the work and 2.0 % of the span. Its cost comes from
  a fixed model and is not measured. Its calls really lasted about 20.0 us,
  including waits, in a run of 1.00 s.
END2

# The promised columns and figures.
skein report span prog.skein --csv >sites.csv
same 'columns of sites' file,line,column,caller,callee,kind,profile,measure,count,work,span,parallelism "$(head -n 1 sites.csv | cut -d, -f 1-12)"
same 'a site, by top caller on the span' 6000 "$(csv_value sites.csv 'line=3,profile=span,measure=top-caller' span)"
same 'a site, by top call site on work' 5.0000 "$(csv_value sites.csv 'line=4,profile=work,measure=top-call-site' parallelism)"
same 'local figures have no parallelism' '(empty)' "$(csv_value sites.csv measure=local parallelism | sort -u | or_empty)"
same 'local spans sum to the span' 10000 "$(csv_value sites.csv profile=span,measure=local span | awk '{sum += $1} END {print sum}')"
same 'local works sum to the work' 56000 "$(csv_value sites.csv profile=work,measure=local work | awk '{sum += $1} END {print sum}')"
same 'six rows a site' 36 "$(($(wc -l <sites.csv) - 1))"
same 'the largest local span on the span comes first' 3 "$(csv_value sites.csv measure=local,profile=span line | head -n 1)"
same 'what a foreign callee really took' 20000 "$(csv_value sites.csv line=10,profile=work,measure=local real_ns)"
same 'what starts the program' '(start)' "$(csv_value sites.csv line=9,profile=work,measure=local caller)"
skein report span --view summary --csv >summary.csv
same 'the first figures of the summary' 'work,span,parallelism,burdened_span,burdened_parallelism,clock,lost_events' "$(sed -n '2,8s/,.*//p' summary.csv | paste -sd,)"
same 'parallelism' 5.6000 "$(csv_value summary.csv name=parallelism value)"
same 'spawns' 100 "$(csv_value summary.csv name=spawns value)"

check 'a recording holds what every recording must' [ -z "$(span_complaints)" ]
sed -i 's/,span,local,10,9000,9000,/,span,local,10,9000,9001,/' sites.csv
check 'and a wrong one is found out' [ "$(span_complaints | wc -l)" -eq 2 ]

# The tables of the paper's figures: all profiles and measures of a site in one row.
skein report span prog.skein --csv >sites.csv
skein report span prog.skein --view table --csv >wide.csv
table_complaints() { (mkdir -p wide && cp sites.csv wide.csv wide && cd wide && { read_tables && cat "$tests/invariants/span_table.sql"; } | sqlite3 -bail :memory: 2>&1); }
same 'the table has the figures of the sites' '' "$(table_complaints)"
sed 's/,54000,54000,1.0000,1,6000,6000,/,54001,54000,1.0000,1,6000,6000,/' wide.csv >wrong.csv && mv wrong.csv wide.csv
check 'and a wrong table is found out' [ "$(table_complaints | wc -l)" -eq 1 ]
skein report span prog.skein --view table --csv >wide.csv
same 'columns of the table' file,line,column,caller,callee,kind,on_work_top_call_site_count,on_work_top_call_site_work,on_work_top_call_site_span,on_work_top_call_site_parallelism \
	"$(head -n 1 wide.csv | cut -d, -f 1-10)"
same 'thirty columns' 30 "$(head -n 1 wide.csv | awk -F, '{print NF}')"
same 'by local span on the span' '3 5 4 10 9 11' "$(awk -F, 'NR > 1 {print $2}' wide.csv | paste -sd' ')"
same '--profile work: its columns, by its work' '3 4 5 10 9 11' "$(skein report span prog.skein --view table --profile work --csv | awk -F, 'NR > 1 {print $2}' | paste -sd' ')"
same '--profile and --measure: four figures' on_span_top_caller_count,on_span_top_caller_work,on_span_top_caller_span,on_span_top_caller_parallelism \
	"$(skein report span prog.skein --view table --profile span --measure top-caller --csv | head -n 1 | cut -d, -f 7-)"
same '--profile and --measure: rows of sites' '56000 55750 25000 24000 6000 200' \
	"$(skein report span prog.skein --profile work --measure top-caller --csv >chosen.csv && csv_value chosen.csv measure=top-caller,profile=work work | paste -sd' ')"
same '--measure: one row for each profile' 12 "$(skein report span prog.skein --measure local --csv | tail -n +2 | wc -l)"
expect_status 2 'a profile that there is not' skein report span prog.skein --profile both
expect_status 2 'a measure that there is not' skein report span prog.skein --measure global
shows 'the columns of Figure 7' skein report span prog.skein --view table --profile work --top 2 <<'END2'
The parallelism is 5.6: the program cannot use the 8 cores of this machine,
because sort::partition is serial, and only 6.0 of its calls can run at once on
average. No number of cores makes the program more than 5.6 times as fast as one
core.

The first 2 of 6 rows (--top 0 shows all):
    T1    Tinf   par  caller T1  local Tinf  site                    where
54,000  54,000  1.00      6,000      54,000  pqsort -> …::partition  sort.c:3:8
30,000   6,000  5.00     25,000         900  pqsort -> pqsort        sort.c:4:16
Work and span are counts of instructions. T1: work, including callees, without
recursive calls of the site; Tinf: span, likewise; par: parallelism, T1 divided
by Tinf. caller: only calls whose caller is not under another call of itself.
local: excluding callees.

What may be wrong with this:
- No events were lost.
- This is one serial run: with another input, timing or random choice the
  program may be more or less parallel.
- Foreign code has 0.36 % of the work and 2.0 % of the span. Its cost comes from
  a fixed model and is not measured. Its calls really lasted about 20.0 us,
  including waits, in a run of 1.00 s.
END2
shows 'the columns of Figure 2' skein report span prog.skein --view table --top 2 <<'END2'
The parallelism is 5.6: the program cannot use the 8 cores of this machine,
because sort::partition is serial, and only 6.0 of its calls can run at once on
average. No number of cores makes the program more than 5.6 times as fast as one
core.

The first 2 of 6 rows (--top 0 shows all):
  T1.w  Tinf.w  par.w    T1.s  local Tinf  site                       where
54,000  54,000   1.00   9,000       9,000  pqsort -> sort::partition  sort.c:3:8
28,000   7,000   4.00  28,000         400  pqsort -> pqsort           sort.c:5:3
Work and span are counts of instructions. T1: work, including callees, without
recursive calls of the site; Tinf: span, likewise; par: parallelism, T1 divided
by Tinf. .w: all calls (on work); .s: calls on the critical path (on span).
local: excluding callees, on the critical path.

What may be wrong with this:
- No events were lost.
- This is one serial run: with another input, timing or random choice the
  program may be more or less parallel.
- Foreign code has 0.36 % of the work and 2.0 % of the span. Its cost comes from
  a fixed model and is not measured. Its calls really lasted about 20.0 us,
  including waits, in a run of 1.00 s.
END2
shows 'one profile and measure in text' skein report span prog.skein --profile span --measure top-call-site --top 2 <<'END2'
The parallelism is 5.6: the program cannot use the 8 cores of this machine,
because sort::partition is serial, and only 6.0 of its calls can run at once on
average. No number of cores makes the program more than 5.6 times as fast as one
core.
- sort::partition, called at sort.c:3 by pqsort, alone accounts for 90 % of the
  span; it is serial: make it parallel, or do less there.
- Tasks are too small: with the cost of scheduling the parallelism is 2.2, not
  5.6. Most often that is pqsort, spawned at sort.c:4 by pqsort. Spawn fewer and
  larger tasks. The cost is taken as 1,000 instructions per spawn and
  continuation (--burden).
- If sort::partition were perfectly parallel, the parallelism could rise to
  56.0, and the speed-up on the 8 cores of this machine from 5.6 to 8.0; another
  path may become critical first (--view what-if).

The first 2 of 6 rows (--top 0 shows all):
calls    work    span  paral.  kind  site             where
    1  56,000  10,000    5.60  call  (start) -> main  sort.c:9
    1  55,750   9,750    5.72  call  main -> pqsort   sort.c:11:2
Work and span are counts of instructions. paral.: parallelism (work divided by
span).

What may be wrong with this:
- No events were lost.
- This is one serial run: with another input, timing or random choice the
  program may be more or less parallel.
- Foreign code has 0.36 % of the work and 2.0 % of the span. Its cost comes from
  a fixed model and is not measured. Its calls really lasted about 20.0 us,
  including waits, in a run of 1.00 s.
END2

shows 'speed-up bounds' skein report span --view speedup --csv --top 4 <<'END2'
cores,linear,span,greedy,burdened
1,1.0000,5.6000,1.0000,1.0000
2,2.0000,5.6000,1.6970,1.1371
4,4.0000,5.6000,2.6047,1.2207
8,8.0000,5.6000,3.5556,1.2673
END2
expect_status 0 'they are drawn, too' skein report span --view speedup
expect_match 'with both axes' '^  256 \|' "$tmp/out"
expect_match 'of cores and speed-up' '1     2     4 .* 256  cores' "$tmp/out"

shows 'what if' skein report span --view what-if --csv --top 5 <<'END2'
change,file,line,column,site,factor,work,span,parallelism,speedup_here,speedup_infinite,exact
as it is,,,,,,56000,10000,5.6000,5.6000,5.6000,1
exact,,,,partition,0.5000,29000,5500,5.2727,10.1818,10.1818,1
exact,,,,pqsort->partition,0.0000,2000,1000,2.0000,56.0000,56.0000,1
free,/src/sort.c,3,8,pqsort -> sort::partition(int),0.0000,2000,1000,2.0000,56.0000,56.0000,0
parallel,/src/sort.c,3,8,pqsort -> sort::partition(int),,56000,1000,56.0000,8.0000,56.0000,0
END2

table() { skein report span --view "$@" | sed -n '/^$/,/^$/p' | grep . | head -n 4; }
shows 'what if, as a person sees it' table what-if <<'END2'
change      span  paral.   here    any  site                       where
as it is  10,000    5.60   5.60   5.60
exact      5,500    5.27  10.18  10.18  partition x 0.5
exact      1,000    2.00  56.00  56.00  pqsort->partition x 0
END2
shows 'the critical path' skein report span --view critical-path --csv --top 3 <<'END2'
place,file,line,column,caller,callee,kind,count,span,span_share,cumulative_share
1,/src/sort.c,10,2,main,"rand\x1b[31m,""x",call,20,200,2.0000,2.0000
2,/src/sort.c,3,8,pqsort,sort::partition(int),call,10,9000,90.0000,92.0000
3,/src/sort.c,4,16,pqsort,pqsort,spawn,3,300,3.0000,95.0000
END2

same 'threads with creator, start and end' thread,process,tid,worker,creator,start_ns,end_ns,alive_ns,cpu_ns,wait_ns,name "$(skein report span prog.skein --view threads --csv | head -n 1)"
same 'all of them' "$(sqlite3 prog.skein 'select count(*) from thread')" "$(skein report span prog.skein --view threads --csv | tail -n +2 | wc -l)"

# Annotated source.
refused 127 'a source that is not here' 'sort.c' skein report span --source sort.c
printf 'void pqsort(int *a, int n)\n{\n\tint m = partition(a, n);\n\tcilk_spawn pqsort(a, m);\n\tpqsort(a + m, n - m);\n\tf();\n}\n\nint main(void) {\n\trand();\n\tpqsort(a, 100);\n}\n' >sort.c
touch -d '2001-01-01' sort.c
annotated() { skein report span --source "$@" | sed -n '/^line/,/^ *12/p'; }
shows 'annotated source' annotated ./sort.c <<'END2'
line  span%  work%  calls  source
   1                       void pqsort(int *a, int n)
   2                       {
   3   90.0   96.4    100      int m = partition(a, n);
   4    3.0    1.6    100      cilk_spawn pqsort(a, m);
   5    4.0    1.4     99      pqsort(a + m, n - m);
   6                           f();
   7                       }
   8
   9    0.5    0.1      1  int main(void) {
  10    2.0    0.4     20      rand();
  11    0.5    0.1      1      pqsort(a, 100);
  12                       }
END2
skein report span --source sort.c --csv >source.csv
same 'source as CSV' 9000 "$(csv_value source.csv line=3 span)"
check 'a source as old as the program is not doubted' [ -z "$(skein report span --source sort.c | grep 'was changed')" ]
touch sort.c
check 'a newer one is' [ -n "$(skein report span --source sort.c | tr '\n' ' ' | grep 'sort.c was changed')" ]
head -n 4 sort.c >short.c && mv short.c sort.c && touch -d 2001-01-01 sort.c
check 'one that is too short is' [ -n "$(skein report span --source sort.c | tr '\n' ' ' | grep 'sort.c was changed')" ]
refused 2 'a source that has no site' 'absent.c' skein report span --source absent.c
refused 2 'a name that is only the end of one' 'ort.c' skein report span --source ort.c
refused 2 'a source and another view' 'summary' skein report span --source sort.c --view summary
refused 2 'the view without a file' 'source' skein report span --view source

for view in sites summary speedup what-if critical-path; do
	skein report span --view $view --json >"$view.json"
	same "$view is proper JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('$view.json'))")"
	check "$view: CSV and JSON have as many rows" [ "$(sqlite3 :memory: "select json_array_length(readfile('$view.json'), '\$.rows')")" -eq \
		"$(($(skein report span --view $view --csv | wc -l) - 1))" ]
	check "$view fits 80 columns" [ "$(skein report span --view $view | wc -L)" -le 80 ]
done
check 'a page number comes from SQL' [ "$(sqlite3 prog.skein "select sum(span) from span_sum where profile = 'span' and measure = 'local'")" -eq 10000 ]
same '--routine chooses callers and callees' 6 "$(($(skein report span --csv --routine 'sort::*' | wc -l) - 1))"
same '--sort and --top' '6 5' "$(skein report span --csv --view critical-path --sort place --top 2 | sed 1d | cut -d, -f 1 | paste -sd' ')"
expect_status 0 'judged by another machine' skein report span --cores 4
expect_match 'the cost of scheduling may decide' '5.6, too little for 4 cores\.' "$tmp/out"
expect_status 0 'judged by a smaller machine' skein report span --cores 2
expect_match 'it may have enough' '^The parallelism is 5.6: enough for 2 cores, but not ample \(20 or more\)' "$tmp/out"
refused 2 'a machine without cores' 'cores' skein report span --cores 0
refused 2 'an unknown routine' 'nobody' skein report span --routine nobody
refused 2 'an unknown column' 'span%, span, calls, own work, work, its span, paral\., kind, site, targets, where, and in CSV .*parallelism' skein report span --sort parallel
# sorted COLUMN [OPTION…]: the lines of the sites in that order
sorted() { skein report span --csv --sort "$@" | awk -F, 'NR % 6 == 2 {print $2}' | paste -sd' '; }
by_sql() { sqlite3 prog.skein "select line from span_sum join span_site using (site) where profile = 'work' and measure = 'top-call-site' order by $1" | paste -sd' '; }
same '--sort work sorts by the work that is shown' "$(by_sql 'work desc, site')" "$(sorted work)"
same '--sort parallelism sorts by the parallelism that is shown' "$(by_sql '1.0 * work / span desc, site')" "$(sorted parallelism)"
check 'which is another order' [ "$(sorted work)" != "$(sorted span)" ]
for heading in 'span%' 'own work' 'its span' paral. site WHERE; do
	check "--sort takes the heading $heading" skein report span --sort "$heading"
	equal "--sort $heading: text and CSV have the same order" <(sorted "$heading") \
		<(skein report span --sort "$heading" | sed '1,/^span%/d' | grep -oE 'sort\.c:[0-9]+' | cut -d: -f2 | paste -sd' ')
done
same '--sort paral. is --sort parallelism' "$(sorted parallelism)" "$(sorted paral.)"
refused 2 'an unknown view' 'speedup' skein report span --view speedpu
refused 2 'an option of another lens' 'calls' skein report span --worker 1
refused 2 'a source for another lens' 'span' skein report input prog.skein --source sort.c
refused 127 'a lens that was not recorded' 'skein record calls' skein report calls prog.skein

# Two lenses in one file.
mkdir calls
"$build/tests/calls/test_analysis" --session calls
expect_status 0 'another lens is added' skein recover calls -o prog.skein
expect_status 0 'then the report is an overview' skein report prog.skein
expect_match 'of the one' 'at most one of 3 workers was busy' "$tmp/out"
expect_match 'and the other' 'The parallelism is 5.6' "$tmp/out"
refused 2 'of which options choose nothing' 'several lenses \(calls, span\)' skein report prog.skein --csv
equal 'a view of one of them chooses its lens' <(skein report --view workers prog.skein) <(skein report calls --view workers prog.skein)
equal 'so does one of the other' <(skein report --view critical-path --csv prog.skein) <(skein report span --view critical-path --csv prog.skein)
equal 'so does an option' <(skein report --cores 4 prog.skein) <(skein report span --cores 4 prog.skein)
equal 'an option decides on a view of both' <(skein report --view summary --cores 4 prog.skein) <(skein report span --view summary --cores 4 prog.skein)
refused 2 'a view of both' 'view summary \(calls, span\).*skein report span --view summary' skein report --view summary prog.skein
refused 2 'a view of a lens that was not recorded' 'lens idle has it.*skein record idle' skein report --view top-down prog.skein
refused 2 'a view that no lens has' 'no lens has a view worker;' skein report --view worker prog.skein
refused 2 'options that no lens has all of' 'all of these options' skein report --cores 4 --by-worker prog.skein

# What record refuses before anything runs. (The program is not there: nothing else would stop it.)
refused 2 'a factor that is none' 'SITE=FACTOR' skein record span --what-if f=-1 -- ./absent
refused 2 'no factor' 'SITE=FACTOR' skein record span --what-if f -- ./absent
refused 2 'no site' 'FILE:LINE' skein record span --what-if =2 -- ./absent
many=(); for i in $(seq 17); do many+=(--what-if "f$i=0"); done
refused 2 'too many of them' '16 times' skein record span "${many[@]}" -- ./absent
refused 127 'as many as there may be' 'absent' skein record span "${many[@]:2}" -- ./absent
refused 2 'no site to be under' 'FILE:LINE' skein record span --under '' -- ./absent
refused 2 'a clock that is none' 'cache-misses' skein record span --clock cash-misses -- ./absent
refused 2 'a clock like no other' 'insn, tsc, ns' skein record span --clock nonsense -- ./absent
refused 125 'an event that no machine has' 'rffffffffffffffff' skein record span --clock rffffffffffffffff -- ./absent
refused 2 'sites without sites' 'no-sites' skein record span --no-sites --under f -- ./absent
refused 2 'a burden that is none' 'burden' skein record span --burden many -- ./absent
refused 2 'an option of the calls lens' 'calls' skein record span --counts -- ./absent
refused 2 'an option of this lens for another' 'span' skein record calls --under f -- ./absent
refused 127 'good options' 'absent' skein record span --clock tsc --burden 5 --under f --what-if 'a->b=0.25' --inlined --only 'x*' -- ./absent
