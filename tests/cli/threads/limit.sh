#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `skein record --for`: programs that do not end by themselves, under every lens.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

# A server: it counts turns until SIGTERM; how it takes that is its argument.
cat >server.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t over;
static void on_end(int number) { over = number; }
__attribute__((noinline)) static void turn(void)
{
	for (volatile int i = 0; i < 20000; i++)
		;
}

int main(int argc, char **argv)
{
	long turns = 0;
	if (argc > 1 && strcmp(argv[1], "deaf") == 0)
		signal(SIGTERM, SIG_IGN);
	else if (argc > 1)
		signal(SIGTERM, on_end);
	while (!over) {
		turn();
		turns++;
	}
	dprintf(1, "turns %ld\n", turns);
	return argc > 1 && strcmp(argv[1], "fails") == 0 ? 7 : 0;
}
C
skein-cc -O1 -g server.c -o server 2>build.log || { not_ok "it compiles" "$(cat build.log)"; exit; }

for lens in calls span idle input paths; do
	expect_status 0 "$lens: a server that dies of SIGTERM" skein record "$lens" --for 1 -o "$lens.skein" -- ./server
	expect_match "$lens: the report says so" 'The program was stopped after 1\.[0-9]* s \(SIGTERM\)' "$tmp/err"
	expect_status 0 "$lens: there is a report" skein report "$lens" "$lens.skein"
	expect_status 0 "$lens: a server that ends cleanly" skein record "$lens" --for 1 -o clean.skein -- ./server ends
	expect_match "$lens: it has done something" '^turns [0-9]+' "$tmp/out"
	check "$lens: nothing is said of a signal" bash -c "! grep -q SIGTERM '$tmp/err'"
done
skein record calls --for 1 -o counted.skein -- ./server ends >counted.out 2>/dev/null
same 'what it did is counted until its end' "$(sed -n 's/^turns //p' counted.out)" "$(skein report calls counted.skein --csv | awk -F, '$1 == "turn" && $4 == "all" && $5 == "all" {print $6}')"
expect_status 7 'its exit status is its own' skein record calls --for 1 -o c.skein -- ./server fails
expect_status 3 'a program that ends before has its own, too' skein record idle --for 60 -q -o c.skein -- sh -c 'exit 3'
expect_status 0 'under Valgrind' skein record input --valgrind --for 3 -o v.skein -- ./server
expect_match 'under Valgrind: the report says so' 'was stopped after 3\.[0-9]* s' "$tmp/err"
expect_status 0 'a program that ignores SIGTERM is killed' skein record idle --for 1 -o d.skein -- ./server deaf
expect_match 'that is said' 'has not ended 10 s after SIGTERM: it is killed, and what was recorded is kept' "$tmp/err"
expect_match 'and in the report' 'The program was killed after 1[01]\.[0-9]* s \(SIGKILL\)' "$tmp/err"
expect_status 2 'copies have no such time' skein record paths --copies 2 --for 1 -- ./server
expect_match 'copies: why' '^skein: --for cannot be used with --copies' "$tmp/err"
expect_status 2 'no time' skein record idle --for 0 -- ./server
expect_status 2 'no number' skein record idle --for soon -- ./server
