#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a person and a script see of a recording of the paths lens whose numbers are known.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/paths/complaints.sh"
cd "$tmp" || exit

report() { skein report paths prog.skein "$@"; }
# table ARGUMENT…: a text report without verdict and doubts
table() { report "$@" | awk '/^What may be wrong/ { exit } is_on; NF == 0 { is_on = 1 }'; }

# The known program (make_known in tests/unit/paths/test_report.c), by one copy and by two, and by two that differ.
for copies in 1 2; do
	mkdir session-$copies
	"$build/tests/paths/test_report" --session session-$copies $copies
done
mkdir session-differ
"$build/tests/paths/test_report" --session session-differ 2 differ
expect_status 0 'a session becomes a recording' skein recover session-1 -o prog.skein
expect_status 0 'so does one of two copies' skein recover session-2 -o two.skein
refused 126 'copies that differ are refused' 'compress was called 10 times in copy 0, but 11 times in copy 1' skein recover session-differ -o differ.skein
check 'and leave no recording' [ ! -e differ.skein ]
same 'one copy holds what every recording must' '' "$(paths_complaints prog.skein)"
same 'two copies hold what every recording must' '' "$(paths_complaints two.skein)"
equal 'both have the same paths' <(skein report paths prog.skein --csv | cut -d, -f1-8) <(skein report paths two.skein --csv | cut -d, -f1-8)

shows 'the report begins with the verdict and ends with doubts' skein report prog.skein <<'END2'
3 of 8 executed paths account for 90 % of the executed instructions. The hottest
is an iteration of a loop of compress (prog.c:110-111,120-121,130-131): 80 %.
- The deciding branch is at prog.c:121; it took the hot side (to prog.c:130) in
  90 % of 600 times. Paths that take another side account for 10 % of the
  instructions.
- Never executed: 0 of 6 outcomes of branches that were reached, and 1 of 4
  functions (--view never).

flow%  so far%  count  insns  path     function     lines
 80.5     80.5    540      9  3        compress     prog.c:110-111,120-121,130-…
  8.3     88.8     50     10  4        compress     prog.c:110-111,120-121,140-…
  3.5     92.2     30      7  0        text::parse  prog.c:300-301,310-311,330-…
  2.2     94.4      2     66  0        many         prog.c:500-501,510-511,520-…
  1.8     96.3     10     11  1        compress     prog.c:100-101,110-111,120-…
  1.3     97.6     10      8  5        compress     prog.c:110-111,150-151
  1.3     98.9     10      8  1        text::parse  prog.c:300-301,320-321,330-…
  1.1    100.0      1     66  1398101  many         prog.c:500-501,510-511,520-…
flow%: share of all executed instructions. so far%: sum of flow% up to this
path, sorted by flow. insns: instructions on the path. path: number of the path.

What may be wrong with this:
- No events were lost.
- 1 frame did not return (exit, longjmp, exceptions, end of a thread). What such
  a frame executed since its last back edge is not a whole path; --view stops
  shows it.
- What Skein itself took is not measured: the recording was recovered. Counts do
  not contain it.
- Paths are those of the optimised program, after inlining. Instructions are
  LLVM's; lines are where the compiler says that they come from.
END2

shows 'functions, as a person sees them' table --view functions <<'END2'
flow%  90%  executed  of      covered%  never  calls  function     where
 91.9    2         4  6           66.7      0     10  compress     prog.c:100
  4.8    2         2  2          100.0      0     41  text::parse  prog.c:300
  3.3    2         2  4.19 M       0.0      0      3  many         prog.c:500
1 function was never executed and left out (--view never lists them). flow%:
share of all executed instructions. 90%: number of paths that make 90 % of the
function's instructions. executed: number of paths that were executed. covered%:
share of its paths that were executed. never: outcomes that were never taken, of
branches that were reached.

END2

shows 'branches, as a person sees them' table --view branches --routine compress <<'END2'
taken   of  taken%  branch      goes to     function
  600  610    98.4  prog.c:111  prog.c:120  compress
   10  610     1.6  prog.c:111  prog.c:150  compress
  540  600    90.0  prog.c:121  prog.c:130  compress
   60  600    10.0  prog.c:121  prog.c:140  compress
of: how often the branch was reached.

END2

shows 'what was never executed' table --view never <<'END2'
never     where       function
function  prog.c:700  idle
Outcomes that were never taken although the branch was reached, then functions
that were never executed. --routine NAME also lists paths.

END2

shows 'paths of a function that were never taken' table --view never --routine compress <<'END2'
never  where   function  would go
path   path 0  compress  prog.c:100-101,110-111,120-121,130-131
path   path 2  compress  prog.c:100-101,110-111,150-151

END2

shows 'blocks, as a person sees them' table --view blocks --top 7 <<'END2'
The first 7 of 22 rows (--top 0 shows all):
flow%  count  insns  block  function     lines
  0.2     10      1      0  compress     prog.c:100-101
 20.2    610      2      1  compress     prog.c:110-111
 29.8    600      3      2  compress     prog.c:120-121
 35.8    540      4      3  compress     prog.c:130-131
  5.0     60      5      4  compress     prog.c:140-141
  1.0     10      6      5  compress     prog.c:150-151
  0.7     41      1      0  text::parse  prog.c:300-301
flow%: share of all executed instructions. insns: instructions of the block.

END2

shows 'blocks of a path, for scripts' report --view blocks --routine compress --path 4 --csv <<'END2'
function,file,line,block,lines,count,instructions,flow_pct,graph
compress,/src/prog.c,110,1,prog.c:110-111,610,2,20.1953,0
compress,/src/prog.c,120,2,prog.c:120-121,600,3,29.7964,0
compress,/src/prog.c,140,4,prog.c:140-141,60,5,4.9661,0
END2

shows 'edges, as a person sees them' table --view edges --routine compress <<'END2'
count  taken%  from           to                   kind     function
   10   100.0  the call       0: prog.c:100        entry    compress
   10   100.0  0: prog.c:101  1: prog.c:110        forward  compress
  600    98.4  1: prog.c:111  2: prog.c:120        forward  compress
   10     1.6  1: prog.c:111  5: prog.c:150        forward  compress
  540    90.0  2: prog.c:121  3: prog.c:130        forward  compress
   60    10.0  2: prog.c:121  4: prog.c:140        forward  compress
  540   100.0  3: prog.c:131  1: prog.c:110        back     compress
   60   100.0  4: prog.c:141  1: prog.c:110        back     compress
   10   100.0  5: prog.c:151  out of the function  exit     compress
taken%: share of the times that the block was left.

END2

shows 'edges of a path that nobody took, for scripts' report --view edges --routine compress --path 0 --csv <<'END2'
function,file,line,from,to,count,kind,taken_pct,edge,graph
compress,/src/prog.c,100,,0,10,entry,100.0000,,0
compress,/src/prog.c,101,0,1,10,forward,100.0000,0,0
compress,/src/prog.c,111,1,2,600,forward,98.3607,1,0
compress,/src/prog.c,121,2,3,540,forward,90.0000,3,0
compress,/src/prog.c,131,3,1,540,back,100.0000,5,0
END2
refused 2 'blocks of a path that there is not' 'compress has no path 6' report --view blocks --routine compress --path 6

shows 'copies, as a person sees them' table --view copies <<'END2'
copy        functions  of sequential%    wall     cpu  increments  updates  hits
sequential          4           100.0                          19      656   675
0                   4           100.0  1.00 s  1.80 s          19      656   675
sequential: what one copy without a plan would execute, computed from the same
profile. functions: number of functions whose paths the copy counts. increments:
of a register. updates: of a counter. hits: increments and updates.

END2

shows 'frames that never ended' table --view stops <<'END2'
frames  in the call at  function     path to it
     1  prog.c:311      text::parse  prog.c:300-301,310-311
Frames that never returned: they were left by exit, longjmp, an exception or the
end of a thread, inside a call. path to it: since the function's entry or its
last back edge.

END2

shows 'a graph for graphviz' report --dot compress <<'END2'
digraph "compress" {
  node [shape=box fontname=monospace];
  label="compress: path 3, taken 540 times, 80 % of all instructions";
  begin [shape=plaintext];
  end [shape=plaintext];
  begin -> b0 [label="10"];
  b0 [label="0: prog.c:100-101\n10 x 1"];
  b1 [label="1: prog.c:110-111\n610 x 2" color=red penwidth=2];
  b2 [label="2: prog.c:120-121\n600 x 3" color=red penwidth=2];
  b3 [label="3: prog.c:130-131\n540 x 4" color=red penwidth=2];
  b4 [label="4: prog.c:140-141\n60 x 5"];
  b5 [label="5: prog.c:150-151\n10 x 6"];
  b0 -> b1 [label="10"];
  b1 -> b2 [label="600" color=red penwidth=2];
  b1 -> b5 [label="10"];
  b2 -> b3 [label="540" color=red penwidth=2];
  b2 -> b4 [label="60"];
  b3 -> b1 [label="540" color=red penwidth=2];
  b4 -> b1 [label="60"];
  b5 -> end [label="10"];
}
END2

shows 'paths, as a script sees them' report --csv --routine compress <<'END2'
function,file,line,path,kind,count,blocks,instructions,lines,copy,flow,flow_pct,cumulative_pct,count_pct,function_pct,graph,steps
compress,/src/prog.c,100,3,back-back,540,3,9,"prog.c:110-111,120-121,130-131",0,4860,80.4902,80.4902,82.6953,87.5676,0,1 3 5
compress,/src/prog.c,100,4,back-back,50,3,10,"prog.c:110-111,120-121,140-141",0,500,8.2809,88.7711,7.6570,9.0090,0,1 4 6
compress,/src/prog.c,100,1,entry-back,10,4,11,"prog.c:100-101,110-111,120-121,140-141",0,110,1.8218,96.2570,1.5314,1.9820,0,0 1 4 6
compress,/src/prog.c,100,5,back-exit,10,2,8,"prog.c:110-111,150-151",0,80,1.3249,97.5820,1.5314,1.4414,0,2 7
END2

shows 'the figures that scripts may rely on' eval 'report --view summary --csv | head -5' <<'END2'
name,value
copies,1
hits_sequential,675
hits_slowest,675
lost_events,0
END2

for view in paths functions branches never blocks edges copies profitable stops summary; do
	report --view $view --json >$view.json
	same "$view as JSON" 1 "$(sqlite3 :memory: "select json_valid(readfile('$view.json')) and json_array_length(readfile('$view.json'), '\$.rows') = $(($(report --view $view --csv | wc -l) - 1))")"
done

# ---- one path ----

seq -f 'line %g' 800 >prog.c
touch -d 2020-01-01 prog.c
report --routine compress --path 4 --source prog.c --csv >source.csv
same 'the lines of a path are marked' '110 111 120 121 140 141' "$(awk -F, '$4 == 1 { print $2 }' source.csv | xargs)"
same 'lines have counts' '610 600 60' "$(awk -F, '$2 == 110 || $2 == 120 || $2 == 140 { print $3 }' source.csv | xargs)"
same 'lines without code have none' '(empty)' "$(awk -F, '$2 == 112 { print $3 }' source.csv | or_empty)"
report --routine compress --path 0 --source prog.c --csv >source.csv
same 'so are those of a path that nobody took' '100 101 110 111 120 121 130 131' "$(awk -F, '$4 == 1 { print $2 }' source.csv | xargs)"
same 'of one path: its lines, and some around them' '97 98 99 100 132 133 134' "$(awk -F, 'NR > 1 && ($2 < 101 || $2 > 131) { print $2 }' source.csv | xargs)"
same 'of one function: the same' '97 98 99 100 152 153 154' "$(report --routine compress --source prog.c --csv | awk -F, 'NR > 1 && ($2 < 101 || $2 > 151) { print $2 }' | xargs)"
same 'of none: the whole file' 800 "$(report --source prog.c --csv | tail -n +2 | wc -l)"
expect_match 'a path that nobody took, drawn' 'compress: path 0, never taken' <(report --dot compress --path 0)
shows 'a path that nobody took, alone' table --view never --routine compress --path 2 <<'END2'
never  where   function  would go
path   path 2  compress  prog.c:100-101,110-111,150-151
All lines, in order: prog.c:100-101, 110-111, 150-151.

END2
same 'one path alone' 4 "$(csv_value <(report --routine compress --path 4 --csv) function=compress path)"
refused 2 'a path without its function' '--routine' report --path 4
refused 2 'a path that was not taken' 'path 0 of compress was not taken' report --routine compress --path 0
refused 2 'a path that there is not' 'compress has no path 6' report --view never --routine compress --path 6
refused 2 'a file that no code is from' 'no code' report --source other.c
refused 2 'a graph of several functions' 'matches several' report --dot '*'
refused 2 'a graph and a view' '--dot selects a view' report --dot compress --view paths
refused 2 'an unknown function' 'no routine nobody' report --routine nobody
refused 2 'an unknown view' 'did you mean branches' report --view branchs
refused 2 'an option of another lens' 'idle' report --depth 3

report --dot compress >compress.dot
check 'graphviz draws the graph' dot -Tsvg compress.dot -o compress.svg
same 'with one box a block' 6 "$(grep -c '<title>b[0-9]*</title>' compress.svg)"

# ---- two copies ----

same 'what each copy executed adds up to what it did' 'sequential 0 1' "$(csv_value <(skein report paths two.skein --view copies --csv) '' copy | xargs)"
skein report paths two.skein >two.txt
expect_match 'the verdict says what copies saved' 'slowest of 2 copies' two.txt
expect_match 'threads make several copies doubtful' 'has several threads' two.txt

# ---- damage ----

damage() { cp prog.skein bad.skein && sqlite3 bad.skein "$1" && skein report paths bad.skein; }
refused 125 'a path of edges that do not meet' 'paths of a function do not match its blocks' damage "update paths_path set edges = '1 1' where rowid = 1"
refused 125 'a path that is no list' 'a path is not valid' damage "update paths_path set edges = 'x' where rowid = 1"
refused 125 'an edge to nowhere' 'refers to a row that does not exist' damage 'update paths_edge set target = 99 where edge = 1'
refused 125 'a block without a way out' 'paths of a function do not match its blocks' damage 'delete from paths_edge where function = 3'
refused 125 'functions that are missing' 'numbered' damage 'delete from paths_function where function = 0'
refused 125 'a routine that is not there' 'refers to a row that does not exist' damage 'update paths_function set routine = 77'
refused 125 'lines of no file' 'a block is not valid' damage "update paths_block set lines = '7:1'"
refused 125 'a count below zero' 'out of range' damage 'update paths_path set count = -1'
refused 125 'no copies' 'number of copies is missing' damage 'delete from paths_how'

# ---- a program ----

cat >walk.c <<'END2'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) int odd(int n)
{
	if (n & 1)
		return puts("odd") < 0;
	return 0;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < 100; i++)
		if (odd(argc > 1 ? i : 0))
			exit(1);
	return argc > 5 ? argv[0][0] : 0;
}
END2
check 'a program is built' skein-cc -O1 -g walk.c -o walk
expect_status 0 'and recorded' skein record paths -- ./walk x
same 'its paths are counted' '50 50' "$(csv_value <(skein report paths walk.skein --csv --routine odd) function=odd count | xargs)"
same 'its recording holds what every recording must' '' "$(paths_complaints walk.skein)"
same 'a plan can be made of it' 0 "$(skein record paths --plan walk.skein -o again.skein -- ./walk x >/dev/null 2>&1; echo $?)"

# ---- programs of other suites: whatever a frame ends by, sums hold ----

for subject in calls/{ends.c,exceptions.cpp,fib_threads.c,forks.c,hostile.c} input/throws.cpp calls/{longjmp,signals}.c; do
	name=$(basename "${subject%.*}")
	compiler=skein-cc
	[[ $subject = *.c ]] || compiler=skein-c++
	for level in -O0 -O2; do
		$compiler $level -g -w -pthread "$tests/prog/$subject" -o "$name" 2>"$tmp/err" || not_ok "$subject $level is built" "$(cat "$tmp/err")"
		./"$name" >native.out 2>/dev/null
		native=$?
		rm -f "$name.skein"
		skein record paths -- ./"$name" >recorded.out 2>/dev/null
		same "$subject $level ends as it does" $native $?
		equal "$subject $level prints what it does" native.out recorded.out
		same "$subject $level holds what every recording must" '' "$(paths_complaints "$name.skein")"
	done
done

# ---- libraries, one of them loaded three times, and a child: by one copy and by two ----

cat >one.c <<'END2'
int one(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += i % 3 ? i : -i;
	return sum;
}
END2
echo 'int two(int n) { return n > 5 ? n * 2 : n - 1; }' >two.c
cat >whole.c <<'END2'
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>
int one(int);
int main(void)
{
	int sum = 0;
	for (int i = 0; i < 50; i++)
		sum += one(i);
	for (int turn = 0; turn < 3; turn++) {
		void *library = dlopen("./libtwo.so", RTLD_NOW);
		int (*two)(int) = (int (*)(int))dlsym(library, "two");
		for (int i = 0; i < 10; i++)
			sum += two(i);
		dlclose(library);
	}
	if (fork() == 0)
		_exit(one(7) & 0);
	wait(0);
	return sum != 6751;
}
END2
check 'libraries are built' eval 'for name in one two; do skein-cc -O2 -g -fPIC -shared $name.c -o lib$name.so || exit; done'
check 'and a program with them' eval 'skein-cc -O2 -g whole.c -o whole -L. -lone -Wl,-rpath,\$ORIGIN -ldl'
for copies in 1 2; do
	expect_status 0 "they are recorded by $copies" skein record paths --copies $copies -o whole-$copies.skein -- ./whole
	same "calls of all processes and loads by $copies" '51 30' "$(for name in one two; do csv_value <(skein report paths whole-$copies.skein --view functions --csv) function=$name calls; done | xargs)"
	same "it holds what every recording must by $copies" '' "$(paths_complaints whole-$copies.skein)"
done
equal 'one copy and two have the same paths' <(skein report paths whole-1.skein --csv | cut -d, -f1-8) <(skein report paths whole-2.skein --csv | cut -d, -f1-8)

# ---- paths that begin alike ----

cat >alike.c <<'END2'
static volatile unsigned sum;
__attribute__((noinline)) void note(unsigned n)
{
	sum += n;
}
int main(void)
{
	for (unsigned i = 0; i < 100; i++) {
		note(i);
		sum ^= 1;

		sum ^= 2;

		sum ^= 4;

		sum ^= 32;

		if (i % 3)
			note(1);
		else
			sum ^= 8;

		sum ^= 16;
	}
	return 0;
}
END2
check 'a program whose paths begin alike is built' skein-cc -O1 -g alike.c -o alike
expect_status 0 'it is recorded' skein record paths -o alike.skein -- ./alike
skein report paths alike.skein --routine main | grep ' back-back ' >alike.txt
same 'what all have in common is left out' 'alike.c:…18-19,23,8 alike.c:…18,21,23,8' "$(grep -o 'alike.c:.*' alike.txt | xargs)"
check 'but not in CSV' eval "! skein report paths alike.skein --csv | grep -q …"

# ---- some paths ----

number=$(csv_value <(skein report paths walk.skein --csv --routine odd) function=odd path | head -1)
expect_status 0 'one path alone is counted' skein record paths --only-paths "odd:$number" -o some.skein -- ./walk x
same 'as often' 50 "$(csv_value <(skein report paths some.skein --csv) function=odd count)"
skein report paths some.skein >some.txt
expect_match 'the verdict claims nothing of the program' '^1 of 1 path that was requested was taken' some.txt
expect_match 'it says what was not counted' '1 function was not counted at all' some.txt
same 'calls are not known' '(empty)' "$(csv_value <(skein report paths some.skein --view functions --csv --routine odd) function=odd calls | or_empty)"

# ---- coverage ----

expect_status 0 'coverage is exported' skein export lcov prog.skein -o prog.info
check 'lcov reads it' lcov -q --summary prog.info
same 'lines found and hit' 'LF:44 LH:42' "$(grep -E '^L[FH]:' prog.info | xargs)"
same 'functions' 'FN:100,compress FN:300,_ZN4text5parseEi FN:500,many FN:700,idle' "$(grep '^FN:' prog.info | xargs)"
same 'calls' 'FNDA:10,compress FNDA:41,_ZN4text5parseEi FNDA:3,many FNDA:0,idle' "$(grep '^FNDA:' prog.info | xargs)"
same 'branches' 'BRDA:111,0,0,600 BRDA:111,0,1,10 BRDA:121,0,0,540 BRDA:121,0,1,60 BRDA:301,0,0,31 BRDA:301,0,1,10' "$(grep '^BRDA:' prog.info | xargs)"
same 'counts of lines' 'DA:110,610 DA:130,540 DA:310,31 DA:700,0' "$(grep -E '^DA:(110|130|310|700),' prog.info | xargs)"
same 'the recording has the same lines' "$(grep -c '^DA' prog.info)" "$(awk -F, '$3 != "" && NR > 1' <(report --source prog.c --csv) | wc -l)"
expect_status 0 'the export of a program' skein export lcov walk.skein -o walk.info
check 'genhtml makes pages of it' genhtml -q --branch-coverage walk.info -o html
same 'lines of it, also that of a function without code on it' 'DA:3,100 DA:5,100 DA:6,50' "$(awk '/^SF:.*walk.c$/ { here = 1 } /^end/ { here = 0 } here' walk.info | grep -E '^DA:[356],' | xargs)"
expect_status 0 'the export goes to standard output' skein export lcov walk.skein
equal 'and is the same' "$tmp/out" walk.info
refused 2 'an unknown format' 'did you mean lcov' skein export lcovv prog.skein
refused 2 'no format' 'needs a format' skein export
"$build/tests/input/test_report" --recording input.skein 3 8
refused 127 'a recording without paths' 'skein record paths' skein export lcov input.skein
refused 125 'a place that cannot be written' 'cannot write' skein export lcov prog.skein -o /nowhere/prog.info
