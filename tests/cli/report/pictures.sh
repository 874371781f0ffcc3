#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --svg of idle, flow and span: pictures that are XML, have what the reports have, and run nothing.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
# A name may have any characters.
cat >prog.c <<'END'
#include <pthread.h>
#include <time.h>
static volatile unsigned sink;
static void spin(int ms)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	long end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + ms;
	do {
		for (int i = 0; i < 10000; i++)
			sink++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < end);
}
__attribute__((noinline)) void hot(void) __asm__("hot<script>&\"x\"");
__attribute__((noinline)) void hot(void) { spin(300); sink++; }
__attribute__((noinline)) void cold(void) { spin(100); sink++; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) void *body(void *unused)
{
	pthread_mutex_lock(&lock);
	hot();
	pthread_mutex_unlock(&lock);
	cold();
	return unused;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, body, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	return 0;
}
END
clang-19 -O1 -g -fno-optimize-sibling-calls -pthread prog.c -o prog || exit
skein record idle -q -o idle.skein -- ./prog || exit
skein record flow -q -o flow.skein -- ./prog || exit
skein-cc -O1 -g -fopenmp "$tests/../examples/openmp/quicksort.c" -o quicksort || exit
skein record span -q -o span.skein -- ./quicksort 100000 >/dev/null || exit

# An element of that class with these words in its tip: its widths, added up.
cat >widths.py <<'END'
import sys, xml.etree.ElementTree as tree
svg = '{http://www.w3.org/2000/svg}'
root = tree.parse(sys.argv[1]).getroot()
assert root.tag == svg + 'svg'
assert not [e for e in root.iter() if e.tag == svg + 'script' or any(k.startswith('on') or 'href' in k for k in e.keys())]
boxes = [(g.find(svg + 'title').text, float(g.find(svg + 'rect').get('width'))) for g in root.iter(svg + 'g') if g.get('class') == 'box']
print(round(sum(w for t, w in boxes if t.startswith(sys.argv[2] + ':'))))
END
width() { python3 widths.py "$1" "$2"; }
# near A B: within 12 %, as samples are
near() { awk -v a="$1" -v b="$2" 'BEGIN {exit !(a > 0.88 * b && a < 1.12 * b)}'; }

expect_status 0 'idle: a flame graph' skein report idle idle.skein --svg down.svg
expect_status 0 'idle: and inverted' skein report idle idle.skein --view bottom-up --svg up.svg
check 'idle: a box is as wide as its share of the work' near "$(width down.svg 'hot<script>&"x"')" 885
check 'idle: callees are in it' near "$(width down.svg cold)" 295
check 'idle: what ran is in the first row when inverted' near "$(width up.svg spin)" 1180
expect_status 0 'idle: of another figure' skein report idle idle.skein --metric samples --svg samples.svg
check 'idle: it says which' grep -q '<title>prog: samples [0-9,]*, by call path</title>' samples.svg
expect_status 2 'idle: a view without a picture' skein report idle idle.skein --view threads --svg none.svg
expect_match 'idle: names those that have one' 'the view threads has no picture; --svg draws the views top-down, bottom-up' "$tmp/err"

expect_status 0 'flow: a time line' skein report flow flow.skein --view timeline --svg line.svg
same 'flow: of work, of time without a core, and of waits' 'load wait work' "$(grep -o 'class="[a-z]*"' line.svg | sed 's/.*"\(.*\)"/\1/' | sort | paste -sd ' ')"
same 'flow: of three workers' 3 "$(grep -c '>worker [0-9]*<' line.svg)"
check 'flow: it is XML' python3 widths.py line.svg none
expect_status 0 'flow: waits by call path' skein report flow flow.skein --svg waits.svg
check 'flow: both threads wait in body, or are joined' near "$(($(width waits.svg body) + $(width waits.svg main)))" 1180
skein record flow -q --order -o order.skein -- ./prog
expect_status 2 'flow: without times there is none' skein report flow order.skein --view timeline --svg none.svg

expect_status 0 'span: bounds on the speed-up' skein report span span.skein --view speedup --svg bounds.svg
same 'span: four of them' 4 "$(grep -c 'class="bound"' bounds.svg)"
check 'span: it is XML' python3 widths.py bounds.svg none
check 'nothing is written where there is no picture' [ ! -e none.svg ]
