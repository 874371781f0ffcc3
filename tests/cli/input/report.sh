#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a person sees of a recording of the input lens whose numbers are known, and what skein check says of it.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/input/complaints.sh"
cd "$tmp" || exit

report() { skein report input prog.skein "$@"; }
# table ARGUMENT…: a text report without verdict and doubts
table() { report "$@" | awk '/^What may be wrong/ { exit } is_on; NF == 0 { is_on = 1 }'; }

# The known program (tests/unit/input/make.h), in two runs that overlap at 2^8.
"$build/tests/input/test_report" --recording prog.skein 3 8
"$build/tests/input/test_report" --recording prog.skein 8 12

shows 'the report begins with the verdict and ends with doubts' skein report prog.skein <<'END2'
insert (prog.c:10) grows like n^2 (exponent 2.00, 1.998 to 2.002, 95 %): 99 % of
the cost now (99 % excluding callees), 99.85 % at ten times the input.

x10%  cost%  grows like       R2  calls  sizes  routine
99.9   98.5  n^2            1.00     11     10  insert
 1.1    0.8  n log n        1.00     22     10  list::merge
 0.4    0.4  n              1.00     11     10  select,"<x>\x1b
 0.2    0.2  n              1.00     11     10  consume
 0.1    0.1  n              1.00     22     11  deep
 0.0    0.0  1              0.00     44     10  lookup
       99.8  (only 1 size)            2      1  main
x10%: share of the cost at ten times the input, if everything else grows in
proportion. cost%: share of the program's cost, including callees. R2: share of
the differences in cost that the cost function explains. sizes: different input
sizes.

What may be wrong with this:
- No events were lost.
- 2 runs are combined (--view runs lists them, --run N shows one).
- Costs are counts of basic blocks, not times; input sizes are in cells of 4
  bytes.
- Valgrind runs one thread at a time: what threads read from each other depends
  on the order in which it ran them.
- The program ran in Valgrind: most of its 900 ms of CPU time are Skein's. Costs
  do not contain them.
- Input sizes differ from the paper's definition on purpose: freed memory counts
  as new when it is allocated again; return addresses and the C library's own
  data are not input; synchronisation objects are not input. Options of `skein
  record input` change that.
- 10 activations did not return: control left their stack (longjmp, exceptions,
  exit).
END2

shows 'points and their plot, as a person sees them' table --view points --routine consume --top 3 <<'END2'
The first 3 of 10 rows (--top 0 shows all):
size  calls  best    mean  worst  fitted
   8      1    43   43.00     43   43.00
  16      1    83   83.00     83   83.00
  32      1   163  163.00    163  163.00

consume: n, R2 1.00 (logarithmic axes)
mean cost in basic blocks (o) and its fit (.) by trms in cells of 4 bytes
  20,483 |                                                           .o
         |                                                       ....
         |                                                   ..o.
         |                                               o...
         |                                           ....
         |                                       .o..
         |                                   ....
         |                               ...o
         |                           o...
         |                       ....
         |                    .o.
         |                ....
         |            ..o.
         |        o...
         |    ....
      43 | o..
         +-------------------------------------------------------------
           8                                                      4,096

fitted: value of the cost function.

END2

shows 'workload, as a person sees it' table --view workload --routine 'list::merge*' <<'END2'
 size  calls  calls%  up to here%                        routine
    8      2     9.1          9.1  ##########            list::merge
   16      2     9.1         18.2  ##########            list::merge
   32      2     9.1         27.3  ##########            list::merge
   64      2     9.1         36.4  ##########            list::merge
  128      2     9.1         45.5  ##########            list::merge
  256      4    18.2         63.6  ####################  list::merge
  512      2     9.1         72.7  ##########            list::merge
1,024      2     9.1         81.8  ##########            list::merge
2,048      2     9.1         90.9  ##########            list::merge
4,096      2     9.1        100.0  ##########            list::merge

END2

shows 'sources, as a person sees them' table --view sources <<'END2'
input  induced%  thread%  external%  t other threads, e outside  routine
8,440      99.9     99.9        0.0  tttttttttttttttttttt        consume
9,144      92.3      0.0       92.3  eeeeeeeeeeeeeeeeee          select,"<x>\x1b
Routines without induced input are left out. input: cells, sum over all
activations. induced%: induced reads as a share of its input. thread%: share of
its input that other threads wrote. external%: share of its input that comes
from outside.

END2

shows 'distribution, as a person sees it' table --view distribution <<'END2'
metric                routines  routines%  have at least
richness                     1       14.3           9.00  ####################
richness                     2       28.6           0.00
richness                     3       42.9           0.00
richness                     5       71.4           0.00
richness                     7      100.0           0.00

input_volume                 1       14.3           1.00  ####################
input_volume                 2       28.6           0.91  ##################
input_volume                 3       42.9           0.00
input_volume                 5       71.4           0.00
input_volume                 7      100.0           0.00

thread_induced_pct           1       14.3         100.00  ####################
thread_induced_pct           2       28.6           0.00
thread_induced_pct           3       42.9           0.00
thread_induced_pct           5       71.4           0.00
thread_induced_pct           7      100.0           0.00

external_induced_pct         1       14.3         100.00  ####################
external_induced_pct         2       28.6           0.00
external_induced_pct         3       42.9           0.00
external_induced_pct         5       71.4           0.00
external_induced_pct         7      100.0           0.00
richness: (sizes by trms - sizes by rms) / sizes by rms. input_volume: 1 - rms /
trms, over all activations. thread_induced_pct, external_induced_pct: share of
the routine's induced reads.

END2

shows 'threads, as a person sees them' table --view threads <<'END2'
reader  writer  cells  cells%
2       kernel  7,936    47.0  ####################
3       2       7,931    47.0  ####################
0       kernel    504     3.0  #
1       0         498     3.0  #
Cells that a thread read after another thread or the kernel had written them;
each induced read counts once. cells%: share of all induced reads.

END2

shows 'runs, as a person sees them' table --view runs <<'END2'
run  started              threads  calls  largest     cost  command
  1  2023-11-14 22:13:20        2     67      320  103,882  ./prog 3 8
  2  2023-11-14 22:13:20        2     56    4,160   22.7 M  ./prog 8 12
largest: largest input size of any call.

END2

shows 'contexts that were not recorded are routines' table --view contexts <<'END2'
calls  sizes  largest  cost%  grows like       R2  context
    2      1       50   99.8  (only 1 size)        main
   11     10    4,096   98.5  n^2            1.00  insert
   22     10    4,096    0.8  n log n        1.00  list::merge
   11     10    4,160    0.4  n              1.00  select,"<x>\x1b
   11     10    4,096    0.2  n              1.00  consume
   22     11    4,096    0.1  n              1.00  deep
   44     10    4,096    0.0  1              0.00  lookup
Contexts were not recorded (`skein record input --contexts`): each row is a
routine, whatever its callers. sizes: different input sizes. cost%: share of the
program's cost, including callees. R2: share of the differences in cost that the
cost function explains.

END2

shows 'rows for each thread, as a person sees them' table --by-thread --routine consume <<'END2'
x10%  cost%  grows like        R2  calls  sizes  routine
 0.2    0.2  n               1.00     11     10  consume
        0.0  (only 6 sizes)            6      6  consume in thread 1
        0.2  (only 5 sizes)            5      5  consume in thread 3

consume: n, R2 1.00 (logarithmic axes)
mean cost in basic blocks (o) and its fit (.) by trms in cells of 4 bytes
  20,483 |                                                           .o
         |                                                       ....
         |                                                   ..o.
         |                                               o...
         |                                           ....
         |                                       .o..
         |                                   ....
         |                               ...o
         |                           o...
         |                       ....
         |                    .o.
         |                ....
         |            ..o.
         |        o...
         |    ....
      43 | o..
         +-------------------------------------------------------------
           8                                                      4,096

x10%: share of the cost at ten times the input, if everything else grows in
proportion. cost%: share of the program's cost, including callees. R2: share of
the differences in cost that the cost function explains. sizes: different input
sizes.

END2

shows 'routines by rms, as a person sees them' table --metric rms <<'END2'
x10%  cost%  grows like               R2  calls  sizes  routine
99.9   98.5  n^2                    1.00     11     10  insert
 1.1    0.8  n log n                1.00     22     10  list::merge
 0.1    0.1  n                      1.00     22     11  deep
 0.0    0.0  1                      0.00     44     10  lookup
       99.8  (only 1 size)                    2      1  main
        0.4  (sizes only 67 to 76)           11     10  select,"<x>\x1b
        0.2  (only 1 size)                   11      1  consume
x10%: share of the cost at ten times the input, if everything else grows in
proportion. cost%: share of the program's cost, including callees. R2: share of
the differences in cost that the cost function explains. sizes: different input
sizes.

END2

shows 'routines by worst cost, of one run' table --cost worst --run 2 <<'END2'
cost%  grows like      calls  sizes  largest  routine          where
 99.8  (only 1 size)       1      1       50  main             prog.c:100
 98.6  (only 5 sizes)      5      5    4,096  insert           prog.c:10
  0.8  (only 5 sizes)     10      5    4,096  list::merge      prog.c:20
  0.4  (only 5 sizes)      5      5    4,160  select,"<x>\x1b  prog.c:40
  0.2  (only 5 sizes)      5      5    4,096  consume          prog.c:30
  0.1  (only 6 sizes)     10      6    4,096  deep             prog.c:60
  0.0  (only 5 sizes)     20      5    4,096  lookup           prog.c:50
cost%: share of the program's cost, including callees. sizes: different input
sizes.

END2

shows 'routines, for scripts' report --csv <<'END2'
routine,file,line,thread,calls,sizes_rms,sizes_trms,max_trms,cost,richness,input_volume,thread_pct,external_pct,model,exponent,r2,exponent_low,exponent_high,cost_pct,x10_pct,self_cost,sizes_external,rms_total,trms_total,thread_induced,external,thread_induced_pct,external_induced_pct,model_rms,exponent_rms,bits,why,change_at,model_before,self_pct
insert,/src/prog.c,10,all,11,10,10,4096,22435136,0.0000,0.0000,0.0000,0.0000,n^2,2.0000,1.0000,1.9980,2.0020,98.5210,99.8501,22435136,10,8440,8440,0,0,,,n^2,2.0000,0,,,,98.5210
insert,/src/prog.c,10,0,6,6,6,256,87360,0.0000,0.0000,0.0000,0.0000,,,,,,0.3836,,87360,6,504,504,0,0,,,,,0,only 6 sizes,,,0.3836
insert,/src/prog.c,10,2,5,5,5,4096,22347776,0.0000,0.0000,0.0000,0.0000,,,,,,98.1374,,22347776,5,7936,7936,0,0,,,,,0,only 5 sizes,,,98.1374
list::merge(int),/src/prog.c,20,all,22,10,10,4096,184326,0.0000,0.0000,0.0000,0.0000,n log n,1.0000,1.0000,1.0000,1.0000,0.8094,1.0530,184326,10,16880,16880,0,0,,,n log n,1.0000,0,,,,0.8094
list::merge(int),/src/prog.c,20,0,12,6,6,256,7164,0.0000,0.0000,0.0000,0.0000,,,,,,0.0315,,7164,6,1008,1008,0,0,,,,,0,only 6 sizes,,,0.0315
list::merge(int),/src/prog.c,20,2,10,5,5,4096,177162,0.0000,0.0000,0.0000,0.0000,,,,,,0.7780,,177162,5,15872,15872,0,0,,,,,0,only 5 sizes,,,0.7780
"select,""<x>\x1b",/src/prog.c,40,all,11,10,10,4160,84400,0.0000,0.9139,0.0000,92.3010,n,1.0000,1.0000,0.9976,1.0023,0.3706,0.3983,84400,10,787,9144,0,8440,0.0000,100.0000,,,0,,,,0.3706
"select,""<x>\x1b",/src/prog.c,40,0,6,6,6,320,5040,0.0000,0.5304,0.0000,56.7568,,,,,,0.0221,,5040,6,417,888,0,504,0.0000,100.0000,,,0,only 6 sizes,,,0.0221
"select,""<x>\x1b",/src/prog.c,40,2,5,5,5,4160,79360,0.0000,0.9552,0.0000,96.1240,,,,,,0.3485,,79360,5,370,8256,0,7936,0.0000,100.0000,,,0,only 5 sizes,,,0.3485
consume,/src/prog.c,30,all,11,1,10,4096,42233,9.0000,0.9987,99.8697,0.0000,n,1.0000,1.0000,0.9978,1.0023,0.1855,0.1853,42233,1,11,8440,8429,0,100.0000,0.0000,,,0,,,,0.1855
consume,/src/prog.c,30,1,6,1,6,256,2538,5.0000,0.9881,98.8095,0.0000,,,,,,0.0111,,2538,1,6,504,498,0,100.0000,0.0000,,,0,only 6 sizes,,,0.0111
consume,/src/prog.c,30,3,5,1,5,4096,39695,4.0000,0.9994,99.9370,0.0000,,,,,,0.1743,,39695,1,5,7936,7931,0,100.0000,0.0000,,,0,only 5 sizes,,,0.1743
deep,/src/prog.c,60,all,22,11,11,4096,25320,0.0000,0.0000,0.0000,0.0000,n,1.0000,0.9992,0.9881,1.0898,0.1112,0.1113,25320,11,12660,12660,0,0,,,n,1.0000,0,,,,0.1112
deep,/src/prog.c,60,0,12,7,7,256,1512,0.0000,0.0000,0.0000,0.0000,,,,,,0.0066,,1512,7,756,756,0,0,,,,,0,only 7 sizes,,,0.0066
deep,/src/prog.c,60,2,10,6,6,4096,23808,0.0000,0.0000,0.0000,0.0000,,,,,,0.1045,,23808,6,11904,11904,0,0,,,,,0,only 6 sizes,,,0.1045
lookup,/src/prog.c,50,all,44,10,10,4096,308,0.0000,0.0000,0.0000,0.0000,1,0.0000,0.0000,0.0000,0.0000,0.0014,0.0001,308,10,33760,33760,0,0,,,1,0.0000,0,,,,0.0014
lookup,/src/prog.c,50,0,24,6,6,256,168,0.0000,0.0000,0.0000,0.0000,,,,,,0.0007,,168,6,2016,2016,0,0,,,,,0,only 6 sizes,,,0.0007
lookup,/src/prog.c,50,2,20,5,5,4096,140,0.0000,0.0000,0.0000,0.0000,,,,,,0.0006,,140,5,31744,31744,0,0,,,,,0,only 5 sizes,,,0.0006
main,/src/prog.c,100,all,2,1,1,50,22729690,0.0000,0.0000,0.0000,0.0000,,,,,,99.8145,,200,1,100,100,0,0,,,,,0,only 1 size,,,0.0009
main,/src/prog.c,100,0,1,1,1,50,101344,0.0000,0.0000,0.0000,0.0000,,,,,,0.4450,,100,1,50,50,0,0,,,,,0,only 1 size,,,0.0004
main,/src/prog.c,100,2,1,1,1,50,22628346,0.0000,0.0000,0.0000,0.0000,,,,,,99.3695,,100,1,50,50,0,0,,,,,0,only 1 size,,,0.0004
END2

shows 'points, for scripts' report --view points --routine consume --csv <<'END2'
thread,metric,size,calls,cost_min,cost_max,cost_sum,cost_mean,cost_sd,size_mean,bits,self_sum,thread_induced,external,fitted,routine,file,line
all,rms,1,11,43,20483,42233,3839.3636,6022.5625,1.0000,0,42233,8429,0,,consume,/src/prog.c,30
all,rms+external,1,11,43,20483,42233,3839.3636,6022.5625,1.0000,0,42233,8429,0,,consume,/src/prog.c,30
all,trms,8,1,43,43,43,43.0000,0.0000,8.0000,0,43,7,0,43.0000,consume,/src/prog.c,30
all,trms,16,1,83,83,83,83.0000,0.0000,16.0000,0,83,15,0,83.0000,consume,/src/prog.c,30
all,trms,32,1,163,163,163,163.0000,0.0000,32.0000,0,163,31,0,163.0000,consume,/src/prog.c,30
all,trms,64,1,323,323,323,323.0000,0.0000,64.0000,0,323,63,0,323.0000,consume,/src/prog.c,30
all,trms,128,1,643,643,643,643.0000,0.0000,128.0000,0,643,127,0,643.0000,consume,/src/prog.c,30
all,trms,256,2,1283,1283,2566,1283.0000,0.0000,256.0000,0,2566,510,0,1283.0000,consume,/src/prog.c,30
all,trms,512,1,2563,2563,2563,2563.0000,0.0000,512.0000,0,2563,511,0,2563.0000,consume,/src/prog.c,30
all,trms,1024,1,5123,5123,5123,5123.0000,0.0000,1024.0000,0,5123,1023,0,5123.0000,consume,/src/prog.c,30
all,trms,2048,1,10243,10243,10243,10243.0000,0.0000,2048.0000,0,10243,2047,0,10243.0000,consume,/src/prog.c,30
all,trms,4096,1,20483,20483,20483,20483.0000,0.0000,4096.0000,0,20483,4095,0,20483.0000,consume,/src/prog.c,30
1,rms,1,6,43,1283,2538,423.0000,433.1282,1.0000,0,2538,498,0,,consume,/src/prog.c,30
1,rms+external,1,6,43,1283,2538,423.0000,433.1282,1.0000,0,2538,498,0,,consume,/src/prog.c,30
1,trms,8,1,43,43,43,43.0000,0.0000,8.0000,0,43,7,0,,consume,/src/prog.c,30
1,trms,16,1,83,83,83,83.0000,0.0000,16.0000,0,83,15,0,,consume,/src/prog.c,30
1,trms,32,1,163,163,163,163.0000,0.0000,32.0000,0,163,31,0,,consume,/src/prog.c,30
1,trms,64,1,323,323,323,323.0000,0.0000,64.0000,0,323,63,0,,consume,/src/prog.c,30
1,trms,128,1,643,643,643,643.0000,0.0000,128.0000,0,643,127,0,,consume,/src/prog.c,30
1,trms,256,1,1283,1283,1283,1283.0000,0.0000,256.0000,0,1283,255,0,,consume,/src/prog.c,30
3,rms,1,5,1283,20483,39695,7939.0000,6982.7490,1.0000,0,39695,7931,0,,consume,/src/prog.c,30
3,rms+external,1,5,1283,20483,39695,7939.0000,6982.7490,1.0000,0,39695,7931,0,,consume,/src/prog.c,30
3,trms,256,1,1283,1283,1283,1283.0000,0.0000,256.0000,0,1283,255,0,,consume,/src/prog.c,30
3,trms,512,1,2563,2563,2563,2563.0000,0.0000,512.0000,0,2563,511,0,,consume,/src/prog.c,30
3,trms,1024,1,5123,5123,5123,5123.0000,0.0000,1024.0000,0,5123,1023,0,,consume,/src/prog.c,30
3,trms,2048,1,10243,10243,10243,10243.0000,0.0000,2048.0000,0,10243,2047,0,,consume,/src/prog.c,30
3,trms,4096,1,20483,20483,20483,20483.0000,0.0000,4096.0000,0,20483,4095,0,,consume,/src/prog.c,30
END2

shows 'workload, for scripts' report --view workload --routine deep --metric trms --csv <<'END2'
routine,thread,metric,size,calls,calls_pct,calls_up_to_pct,file,line
deep,all,trms,4,1,4.5455,4.5455,/src/prog.c,60
deep,all,trms,8,2,9.0909,13.6364,/src/prog.c,60
deep,all,trms,16,2,9.0909,22.7273,/src/prog.c,60
deep,all,trms,32,2,9.0909,31.8182,/src/prog.c,60
deep,all,trms,64,2,9.0909,40.9091,/src/prog.c,60
deep,all,trms,128,3,13.6364,54.5455,/src/prog.c,60
deep,all,trms,256,3,13.6364,68.1818,/src/prog.c,60
deep,all,trms,512,2,9.0909,77.2727,/src/prog.c,60
deep,all,trms,1024,2,9.0909,86.3636,/src/prog.c,60
deep,all,trms,2048,2,9.0909,95.4545,/src/prog.c,60
deep,all,trms,4096,1,4.5455,100.0000,/src/prog.c,60
deep,0,trms,4,1,8.3333,8.3333,/src/prog.c,60
deep,0,trms,8,2,16.6667,25.0000,/src/prog.c,60
deep,0,trms,16,2,16.6667,41.6667,/src/prog.c,60
deep,0,trms,32,2,16.6667,58.3333,/src/prog.c,60
deep,0,trms,64,2,16.6667,75.0000,/src/prog.c,60
deep,0,trms,128,2,16.6667,91.6667,/src/prog.c,60
deep,0,trms,256,1,8.3333,100.0000,/src/prog.c,60
deep,2,trms,128,1,10.0000,10.0000,/src/prog.c,60
deep,2,trms,256,2,20.0000,30.0000,/src/prog.c,60
deep,2,trms,512,2,20.0000,50.0000,/src/prog.c,60
deep,2,trms,1024,2,20.0000,70.0000,/src/prog.c,60
deep,2,trms,2048,2,20.0000,90.0000,/src/prog.c,60
deep,2,trms,4096,1,10.0000,100.0000,/src/prog.c,60
END2

shows 'sources, for scripts' report --view sources --csv <<'END2'
routine,file,line,trms_total,thread_induced,external,induced_pct,thread_pct,external_pct,thread_induced_pct,external_induced_pct
consume,/src/prog.c,30,8440,8429,0,99.8697,99.8697,0.0000,100.0000,0.0000
"select,""<x>\x1b",/src/prog.c,40,9144,0,8440,92.3010,0.0000,92.3010,0.0000,100.0000
lookup,/src/prog.c,50,33760,0,0,0.0000,0.0000,0.0000,,
list::merge(int),/src/prog.c,20,16880,0,0,0.0000,0.0000,0.0000,,
deep,/src/prog.c,60,12660,0,0,0.0000,0.0000,0.0000,,
insert,/src/prog.c,10,8440,0,0,0.0000,0.0000,0.0000,,
main,/src/prog.c,100,100,0,0,0.0000,0.0000,0.0000,,
END2

shows 'distribution, for scripts' report --view distribution --csv <<'END2'
metric,routines,routines_pct,at_least
richness,1,14.2857,9.0000
richness,7,100.0000,0.0000
input_volume,1,14.2857,0.9987
input_volume,2,28.5714,0.9139
input_volume,7,100.0000,0.0000
thread_induced_pct,1,14.2857,100.0000
thread_induced_pct,7,100.0000,0.0000
external_induced_pct,1,14.2857,100.0000
external_induced_pct,7,100.0000,0.0000
END2

shows 'threads, for scripts' report --view threads --csv <<'END2'
reader,writer,cells,cells_pct,reader_process,reader_name,writer_name
2,kernel,7936,47.0449,1000,prog,
3,2,7931,47.0152,1000,consumer,prog
0,kernel,504,2.9877,1000,prog,
1,0,498,2.9522,1000,consumer,prog
END2

shows 'summary, for scripts' report --view summary --csv <<'END2'
name,value
routines,7
cost,22771923
rms_total,72638
trms_total,89424
thread_total,8429
external_total,8440
lost_events,0
calls,123
models,6
input_volume,0.1877
thread_pct_induced,49.9674
external_pct_induced,50.0326
producer,valgrind
cost_unit,blocks
cell_bytes,4
sizes_max,1024
reads,2000
writes,1000
kernel_reads,6
kernel_writes,8
switches,24
renumberings,0
forgotten,4
binned,0
cut,10
unseen,0
runs,2
runs_left_out,0
contexts,
points,100
threads,4
processes,2
wall_ns,1000000000
cpu_ns,900000000
profiler_cpu_ns,0
samples,
hook_samples,
mode,blocks
command,./prog 8 12
build_id,b1d
END2

shows 'claims that hold' skein check 'insert: O(n^2)' 'list::merge*: O(n log n)' 'lookup: O(1)' prog.skein <<'END2'
holds    insert: O(n^2) (grows like n^2, R2 1.000, over 10 sizes from 8 to 4,096)
holds    list::merge(int): O(n log n) (grows like n log n, R2 1.000, over 10 sizes from 8 to 4,096)
holds    lookup: O(1) (grows like 1, R2 0.000, over 10 sizes from 8 to 4,096)
END2

shows 'claims that do not' skein check 'insert: O(n^1.5)' 'main: O(1)' 'list::*: O(n)' prog.skein <<'END2'
worse    insert: grows like n^2, faster than O(n^1.5) (99.9 % confidence), over 10 sizes from 8 to 4,096
unknown  main: O(1) cannot be checked: only 1 size
worse    list::merge(int): grows like n log n, faster than O(n) (99.9 % confidence), over 10 sizes from 8 to 4,096
END2

check 'it holds what every recording must' [ -z "$(input_complaints prog.skein)" ]

# Runs add up, but a run is one run: a session that is recovered when its run was already stored takes that run's place.
printf '#include <stdlib.h>\n__attribute__((noinline)) long sum(const int *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\nstatic int cells[100];\nint main(void) { return sum(cells, 100) != 0; }\n' >once.c
skein-cc -O1 -g once.c -o once
expect_status 0 'a run is recorded' skein record input --keep-raw -o once.skein -- ./once
session=$(find . -maxdepth 1 -name '*.session-*' | head -n 1)
cp -r "$session" again.session
expect_status 0 'its session is recovered' skein recover "$session" -o once.skein
skein report input once.skein --view runs --csv >runs.csv
same 'it is the same run' 1 "$(tail -n +2 runs.csv | wc -l)"
skein report input once.skein --csv >once.csv
same 'and its calls are counted once' 1 "$(csv_value once.csv routine=sum,thread=all calls)"
expect_status 0 'another run is recorded' skein record input -o once.skein -- ./once
skein report input once.skein --csv >once.csv
same 'and added' 2 "$(csv_value once.csv routine=sum,thread=all calls)"
