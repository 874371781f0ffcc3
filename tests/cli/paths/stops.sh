#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Frames that never end, in functions whose paths several copies share: exit inside nested frames, longjmp, exceptions that pass through frames. Copies together tell what one alone tells:
# the ways that these frames took, the paths that were completed, and how often edges were passed.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/paths/complaints.sh"
cd "$tmp" || exit

cat >leave.c <<'END2'
#include <pthread.h> /* what might start threads is not taken by turns: its functions are split */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline))
static uint64_t state = 1;
static volatile unsigned sum;
static jmp_buf home;
static unsigned next(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}
APART void leave(unsigned how)
{
	if (how == 1)
		longjmp(home, 1);
	if (how == 2)
		exit(3);
	sum++;
}
APART unsigned inner(unsigned n, unsigned how) /* a loop, and calls that may not come back on several ways through it */
{
	for (unsigned i = 0; i < n; i++) {
		if (next(3))
			sum += i;
		else
			sum ^= i;
		switch (next(5)) {
		case 0: sum += 2; break;
		case 1: if (next(9) == 0) leave(how); break;
		case 2: sum += 3; /* fall through */
		case 3: sum += 4; if (next(20) == 0) leave(how); break;
		default: continue;
		}
		if (next(2))
			sum += 7;
	}
	if (next(2))
		sum += 5;
	leave(next(100) ? 0 : how);
	return sum;
}
APART unsigned outer(unsigned n, unsigned how)
{
	unsigned all = 0;
	if (n & 1)
		all += 3;
	if (n & 2)
		all += inner(n, how);
	else
		all += 2 * inner(n / 2, how);
	if (n & 4)
		all += inner(2, how);
	return n > 3 ? all + outer(n - 3, how) : all;
}
int main(int argc, char **argv)
{
	unsigned turns = 300;
#ifndef ALONE
	pthread_t other;
	if (argc > 2)
		return pthread_create(&other, NULL, NULL, NULL);
#endif
	for (volatile unsigned i = 0; i < turns; i++)
		if (setjmp(home) == 0)
			outer(next(9), argc > 1 && strcmp(argv[1], "jump") == 0);
	return outer(40, 2) & 1;
}
END2
cat >pass.cpp <<'END2'
#include <cstdint>
#include <pthread.h>
#include <stdexcept>
static uint64_t state = 1;
static volatile unsigned sum;
static unsigned next(unsigned below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(state >> 33) % below;
}
struct Guard { unsigned n; ~Guard() { sum += n; } };
[[gnu::noinline]] void check(unsigned n) { if (next(12) == 0) throw std::runtime_error("no"); sum += n; }
[[gnu::noinline]] unsigned plain(unsigned n) /* frames that nothing is to be done for */
{
	unsigned all = 0;
	for (unsigned i = 0; i < n; i++) {
		if (next(2)) all += i; else all ^= i;
		if (next(3)) check(i);
		if (next(4) == 0) all += 2;
	}
	if (next(2)) check(n);
	return all;
}
[[gnu::noinline]] unsigned guarded(unsigned n)
{
	Guard guard{n};
	if (n & 1) sum += 3;
	return next(2) ? plain(n) : plain(n / 2) + 1;
}
[[gnu::noinline]] unsigned caught(unsigned n)
{
	try {
		return n & 2 ? guarded(n) : plain(n);
	} catch (const std::exception &) {
		return n & 1 ? 7 : 8;
	}
}
int main(int argc, char **)
{
	unsigned all = 0;
	pthread_t other;
	if (argc > 2)
		return pthread_create(&other, NULL, NULL, NULL);
	for (unsigned i = 0; i < 400; i++)
		all += caught(next(8));
	return all == 1;
}
END2

# stops RECORDING, edges RECORDING, paths RECORDING: without what is each copy's own
stops() { skein report paths "$1" --view stops --csv | sort; }
edges() { sqlite3 "$1" 'select name, edge, count from paths_edge join paths_function using (run, function) join routine using (routine) order by 1, 2'; }
paths() { skein report paths "$1" --csv | cut -d, -f1-9 | sort; }

# compare NAME STATUS OPTION… -- WORD…: the same as in one.skein
compare() {
	local name=$1 status=$2
	shift 2
	expect_status "$status" "$name" skein record paths -o several.skein "$@"
	equal "$name: the ways of frames that never ended" <(stops one.skein) <(stops several.skein)
	equal "$name: completed paths" <(paths one.skein) <(paths several.skein)
	sqlite3 several.skein 'select flags from paths_function join paths_stop using (run, function)' >>shared
	equal "$name: edges" <(edges one.skein) <(edges several.skein)
}

# all_ways PROGRAM STATUS WORD…: with guesses and with a plan, our way and the published one
all_ways() {
	local program=$1 status=$2
	shift 2
	expect_status "$status" "$program $*" skein record paths -o one.skein -- "./$program" "$@"
	check "$program $*: frames are left" [ "$(stops one.skein | wc -l)" -gt 3 ]
	for copies in 2 4; do
		compare "$program $*, $copies copies" "$status" --copies $copies -- "./$program" "$@"
		compare "$program $*, $copies copies, with a plan" "$status" --copies $copies --plan one.skein -- "./$program" "$@"
		same "$program $*, $copies copies: it holds what every recording must" '' "$(paths_complaints several.skein)"
		compare "$program $*, $copies copies, as published" "$status" --copies $copies --share p3 -- "./$program" "$@"
	done
}
check 'a program is built' skein-cc -O2 -g -w leave.c -o leave
all_ways leave 3
all_ways leave 3 jump
check 'a program without threads is built' skein-cc -O2 -g -DALONE leave.c -o alone
all_ways alone 3 jump
check 'a program in C++ is built' skein-c++ -O2 -g -w pass.cpp -o pass
all_ways pass 0
check 'frames stopped in functions that copies split' grep -q s shared
check 'and in functions that they took by turns' grep -q t shared

# Of some paths alone: the ways that begin one of these are told.
expect_status 3 'some paths' skein record paths --only-paths inner:0,1,2,3,4,5 -o some.skein -- ./leave jump
skein record paths -o one.skein -- ./leave jump 2>/dev/null
known() { skein report paths "$1" --view stops --csv | awk -F, '$1 == "inner" && $6 == "way"' | sort; }
same 'some paths: what is told of stops is right' '' "$(comm -23 <(known some.skein) <(known one.skein))"
same 'some paths: it holds what every recording must' '' "$(paths_complaints some.skein)"
same 'some paths: all stops are there' "$(sqlite3 one.skein "select sum(count) from paths_stop join paths_function using (run, function) join routine using (routine) where name = 'inner'")" \
	"$(sqlite3 some.skein 'select sum(count) from paths_stop')"

# A program that hangs and is stopped has not "ended at once".
printf '#include <unistd.h>\nint main(void) { write(1, "up\\n", 3); for (;;) pause(); }\n' >hangs.c
skein-cc -O2 -g hangs.c -o hangs
skein record paths -o hangs.skein -- ./hangs >"$tmp/hangs.out" 2>"$tmp/hangs.err" &
recorder=$!
until grep -q up "$tmp/hangs.out"; do sleep 0.05; done
kill -TERM "$recorder"
{ wait "$recorder"; } 2>/dev/null
skein report paths hangs.skein | tr '\n' ' ' | tr -s ' ' >"$tmp/out"
expect_match 'stopped: that comes first' '^ ?The program was stopped after [0-9.]+ m?s \(SIGTERM\): the figures end there\.' "$tmp/out"
same 'stopped: nothing says that it ended at once' '' "$(grep -o 'ended at once' "$tmp/out")"
