#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What the recorder of the flow lens leaves of programs whose events are known, and what core/flow makes of that.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
sanitize=$(nm -A "$build/lib/libskein-tool.a" 2>/dev/null | grep -q __asan_ && echo -fsanitize=address,undefined)
# shellcheck disable=SC2086 # nothing, or one option
cc -std=c11 -D_GNU_SOURCE -I"$tests/../src" -I"$tests/../include" $sanitize "$tests/prog/flow/read.c" "$build/lib/libskein-tool.a" -ldw -lelf -llzma -lcapstone -lz -lm -lstdc++ -o reader || exit
cc -O2 -g -pthread "$tests/prog/flow/waits.c" -o waits || exit

# recorded PART: runs the part; its figures are in the file PART
recorded() {
	rm -rf session
	mkdir session && printf 'lens\tflow\n' >session/session
	SKEIN_SESSION=$tmp/session LD_PRELOAD=$build/lib/skein/libskein-trace.so ./waits "$1" >out 2>err
	status=$?
	same "$1: it behaves as it does alone" "$(./waits "$1") 0" "$(cat out) $status$(cat err)"
	for raw in session/*.raw; do ./reader "$raw"; done >"$1"
	check "$1: all of its log can be read" [ "$(grep -cE '^(bad|failed|unexplained) 0$' "$1")" -eq "$(($(find session -name '*.raw' | wc -l) * 3))" ]
	check "$1: events come in order" [ "$(grep -c disorder "$1")" -eq 0 ]
	same "$1: what is recorded is what happened" "$(awk '$1 == "wall" {print $2}' "$1")" "$(awk '$1 == "recorded" {print $2}' "$1")"
}
figure() { awk -v name="$2" '$1 == name {print $2}' "$1"; }
# kinds PART NUMBER…: how many events of these kinds (enum flow_kind) there are
kinds() { awk -v wanted=" ${*:2} " '$1 == "kind" && index(wanted, " " $2 " ") {printf "%s%s", n++ ? " " : "", $3} END {print ""}' "$1"; }

recorded lock
same 'lock: threads are created, begin, end and are joined' '2 3 2 2' "$(kinds lock 0 1 2 3)"
same 'lock: who comes second acquires what the first one releases' '1 2' "$(kinds lock 6 7)"
expect_match 'lock: it was contended' '^object lock acquired 2 contended 1 waited [0-9]+ held [0-9]+ shared 1$' lock
check 'lock: held twice in turn for 100 ms' [ "$(figure lock minimum)" -ge 200000 ]
check 'lock: the second thread waited' [ "$(awk '/^object lock/ {print $8}' lock)" -gt 0 ]
check 'lock: the critical path goes through both threads' [ "$(figure lock stretches)" -eq 4 ]

recorded own
expect_match 'own: all acquisitions are counted' '^object lock acquired 4000 .* shared 1$' own
check 'own: a lock of one thread alone is counted and not in its log' [ "$(kinds own 6)" -le 4000 ]
check 'own: so is a lock that a thread has again and again' [ "$(awk '/^object lock acquired/ {n += $4} END {print n}' own)" -eq 8000 ]

recorded barrier
same 'barrier: three threads arrive and pass five times' '15 15' "$(kinds barrier 18 19)"
check 'barrier: the late thread decides' [ "$(figure barrier minimum)" -ge 100000 ]

recorded semaphore
same 'semaphore: filled twice, posted and taken' '2 200 200' "$(kinds semaphore 10 11 12)"

recorded condition
same 'condition: one broadcast is heard by all that listened' "1 $(kinds condition 13)" "$(kinds condition 15 16)"
check 'condition: they wait for who comes late' [ "$(figure condition minimum)" -ge 50000 ]

recorded share
same 'share: a writer and two readers' '10 20 20' "$(kinds share 7 8 9)"
check 'share: the first to write needs no record' [ "$(($(kinds share 6) / 9))" -eq 1 ]
check 'share: the writer is alone' [ "$(figure share minimum)" -ge 10000 ]

recorded recursive
expect_match 'recursive: each acquisition is counted' '^object lock acquired 4 contended 0 .* shared 0$' recursive

recorded fork
same 'fork: parent and child have a recording each' 2 "$(find session -name '*.raw' | wc -l)"
same 'fork: the child is a strand of its parent, and has its threads' '2 3' "$(figure fork strands | sort | paste -sd' ')"

recorded fork-later
same 'fork-later: threads of the child begin anew where those of its parent were' '3 2 3 2' "$(kinds fork-later 1 2)"
same 'fork-later: their waits have whole paths' 'path lock hold
path sleep hold' "$(grep -E '^path (lock|sleep)' fork-later | sort -u)"

# ---- call paths ----

recorded chain
same 'chain: a wait has its call path, up to the function of the thread' 'path semaphore innermost < middle < chain
path semaphore innermost < middle < outer < chain' "$(grep '^path semaphore' chain | sort)"
expect_match 'chain: that of the first thread goes on behind main' '^path join post_late < main < .*_start$' chain

recorded deep
same 'deep: a path has its 64 innermost frames' "path semaphore innermost$(printf ' < descend%.0s' {1..63})
path semaphore innermost$(printf ' < descend%.0s' {1..21}) < deep" "$(grep '^path semaphore' deep | sort -r)"

recorded take
same 'take: a release says where the lock was taken' 'held take' "$(grep '^held' take | sort -u)"

# A wait that a library begins (std::thread::join): its frames are on the path, too. One that it hands on by a jump
# (std::condition_variable::wait) has no frame of the library.
cat >library.cpp <<'END'
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unistd.h>
static std::mutex lock;
static std::condition_variable condition;
static bool ready;
__attribute__((noinline, noclone)) static int await(int n)
{
	std::unique_lock<std::mutex> held(lock);
	while (!ready)
		condition.wait(held);
	return n + ready;
}
__attribute__((noinline, noclone)) static int ask(int n) { return await(n) + 1; }
int main()
{
	std::thread thread([] { usleep(50000); { std::lock_guard<std::mutex> held(lock); ready = true; } condition.notify_one(); });
	int asked = ask(1);
	thread.join();
	return asked - 3;
}
END
g++ -O2 -g -pthread library.cpp -o library || exit
rm -rf session && mkdir session && printf 'lens\tflow\n' >session/session
check 'library: it behaves as it does alone' env SKEIN_SESSION="$tmp/session" LD_PRELOAD="$build/lib/skein/libskein-trace.so" ./library
./reader session/*.raw >library.txt
expect_match 'library: a wait for a condition has its path' '^path condition (std::condition_variable::wait\(.*\) < )?await\(int\) < ask\(int\) < main < ' library.txt
expect_match 'library: a wait that begins in libstdc++ has the path through it' '^path join std::thread::join\(\) < main < ' library.txt

# A program that is killed has lost nothing that was recorded.
cat >endless.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *body(void *unused)
{
	(void)unused;
	for (;;) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		usleep(100);
	}
	return NULL;
}
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, body, NULL);
	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&lock);
		usleep(100);
		pthread_mutex_unlock(&lock);
	}
	printf("going on\n");
	fflush(stdout);
	body(NULL);
	return 0;
}
END
cc -O2 -pthread endless.c -o endless || exit
rm -rf session && mkdir session && printf 'lens\tflow\n' >session/session
SKEIN_SESSION=$tmp/session LD_PRELOAD=$build/lib/skein/libskein-trace.so ./endless >out &
child=$!
for ((i = 0; i < 1000; i++)); do grep -q 'going on' out && break || sleep 0.02; done
kill -9 $child
wait $child 2>/dev/null
./reader session/*.raw >killed
same 'killed: the log can be read to its end' '0 0' "$(figure killed bad) $(figure killed failed)"
check 'killed: what happened before is there' [ "$(awk '/^object lock/ {print $4}' killed)" -ge 200 ]
expect_match 'killed: paths are whole' '^path sleep body < main < .*_start$' killed
expect_match 'killed: those of the other thread too' '^path sleep body$' killed
check 'killed: and the other thread' [ "$(figure killed strands)" -eq 2 ]

