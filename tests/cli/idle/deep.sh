#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A stack that takes longer to walk than the time between two samples: the program goes on, and its work is where it was done.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cat >deep.c <<'END'
#include <stdio.h>
static volatile double sum;
__attribute__((noinline)) int deep(int n)
{
	if (n)
		return deep(n - 1) + 1;
	for (int i = 0; i < 100000000; i++)
		sum += i;
	return 0;
}
int main(void)
{
	printf("%d\n", deep(30000));
	return 6;
}
END
cc -O1 -g -fno-optimize-sibling-calls deep.c -o deep
for rate in 1000 20000; do
	expect_status 6 "$rate samples a second: the program ends" timeout -s KILL 120 skein record idle -q --rate $rate -o run.skein -- ./deep
	same "$rate: it says the same" 30000 "$(cat out)"
	skein report idle --view flat --csv run.skein >rows
	expect_match "$rate: its work is in deep" '^[^,]*,?.*\bdeep\b' rows
done
finish
