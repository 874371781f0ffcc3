#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Parts of a run (--last, --after, a snapshot), and what leads from one process to another.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cc -O2 -g -pthread "$tests/prog/flow/pipes.c" -o pipes || exit
figure() { skein report flow "$1" --view summary --csv | awk -F, -v name="$2" '$1 == name {print $2}'; }
# near A B: within 2 %, or 3 ms, which starting a thread and a process take
near() { awk -v a="$1" -v b="$2" 'BEGIN {d = a > b ? a - b : b - a; exit !(d <= 0.02 * b || d <= 3000000)}'; }

skein record flow -q -o pipes.skein -- ./pipes >out
truth=$(awk '{print $2}' out)
if [ -n "$(figure pipes.skein switches)" ]; then
	check 'pipes: the minimum is what their work takes one after another' near "$(figure pipes.skein minimum_ns)" "$truth"
else
	skip 'pipes: the minimum is what their work takes one after another' 'the kernel does not show context switches'
fi
check 'pipes: they wait for each other, not for something outside of the run' \
	[ "$(skein report flow pipes.skein --view waits --csv | awk -F, '$5 == "io" && $7 != "" {n += $9} END {print n}')" -ge 18 ]
same 'pipes: each of four directions has been read from five times' '5 5 5 5' \
	"$(skein report flow pipes.skein --view objects --top 0 --csv | awk -F, '$2 == "pipe" && $5 {print $5}' | paste -sd' ')"
same 'pipes: two processes' 2 "$(figure pipes.skein processes)"

# Two threads that take turns for as long as they are let.
cat >turns.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
static sem_t mine, yours;
static void *body(void *unused)
{
	for (;;) {
		sem_wait(&yours);
		sem_post(&mine);
	}
	return unused;
}
int main(void)
{
	pthread_t thread;
	printf("going\n");
	fflush(stdout);
	sem_init(&mine, 0, 0);
	sem_init(&yours, 0, 0);
	pthread_create(&thread, NULL, body, NULL);
	for (;;) {
		sem_post(&yours);
		sem_wait(&mine);
	}
}
END
cc -O1 -g -pthread turns.c -o turns || exit

skein record flow -q --for 2 --after 1 -o after.skein -- ./turns >/dev/null
check 'after: the first second is left out' [ "$(figure after.skein skipped_ns)" -ge 1000000000 ]
check 'after: the rest is not longer than the rest' [ "$(figure after.skein wall_ns)" -le 1900000000 ]
skein report flow after.skein >text
expect_match 'after: that is said' 'The first .* of the run are left out' text
same 'after: both threads are there' 2 "$(skein report flow after.skein --view threads --csv | awk -F, 'NR > 1 && $8 > 0' | wc -l)"

skein record flow -q --for 2 --last 64K -o last.skein -- ./turns >/dev/null
check 'last: only the newest events are there' [ "$(figure last.skein skipped_ns)" -gt 1000000 ]
check 'last: and a few thousand of them' [ "$(figure last.skein events)" -ge 1000 ]
same 'last: the sum of its parts is the whole' "$(figure last.skein wall_ns)" \
	"$(($(figure last.skein minimum_ns) + $(figure last.skein load_ns) + $(figure last.skein latency_ns)))"
# Two threads that work on one core, long after they began: who they are was told in a part of their logs that is gone.
cat >busy.c <<'END'
#include <pthread.h>
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static void *body(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&one);
		pthread_mutex_unlock(&one);
		pthread_mutex_lock(&other);
		pthread_mutex_unlock(&other);
	}
	return unused;
}
int main(void)
{
	pthread_t threads[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, body, NULL);
	pthread_join(threads[0], NULL);
}
END
cc -O1 -g -pthread busy.c -o busy || exit
core=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
at_most() { awk -v is="$1" -v most="$2" -v switches="$(figure "$busy" switches)" 'BEGIN {
	most += 2000 * switches; if (is == "" || is > most) {print is " is more than " most; exit 1}}'; }
for option in '--last 2M' '--after 1'; do
	busy=busy${option%% *}.skein
	taskset -c "$core" skein record flow -q --for 2 $option -o "$busy" -- ./busy >/dev/null
	wall=$(figure "$busy" wall_ns)
	if [ -n "$(figure "$busy" switches)" ]; then
		check "$option: two threads on one core do not work for longer than it goes on" at_most "$(figure "$busy" threads_work_ns)" $((wall * 102 / 100))
		check "$option: one of them lacks it at any time" at_most $((wall * 98 / 100)) "$(figure "$busy" threads_load_ns)"
	else
		skip "$option: work on one core" 'the kernel does not show context switches'
	fi
	skein report flow "$busy" --view threads --csv >threads
	check "$option: who waits for them all the time does not work" at_most "$(csv_value threads thread=0 work_ns)" $((wall / 50))
done
for name in after busy--last; do
	skein report flow $name.skein --view events --csv --top 0 >events
	check "$name: there are events" [ "$(wc -l <events)" -gt 1000 ]
	same "$name: they have their thread" '' "$(awk -F, 'NR > 1 && $2 == ""' events | head -n 1)"
done
expect_status 2 'last: a size that is none' skein record flow --last x -- ./turns

skein record flow -q --for 4 -o whole.skein -- ./turns >going &
recorder=$!
for ((i = 0; i < 1000; i++)); do grep -q going going && break || sleep 0.02; done
sleep 0.5
skein snapshot $recorder -o now.skein >told
expect_match 'snapshot: it says what it found' 'Recorded in now.skein' told
check 'snapshot: it is of a part of the run' [ "$(figure now.skein wall_ns)" -lt 3900000000 ]
check 'snapshot: and not of nothing' [ "$(figure now.skein events)" -gt 100 ]
rm now.skein
kill -USR2 $recorder
for ((i = 0; i < 500; i++)); do [ -e turns.now.skein ] && break || sleep 0.02; done
check 'snapshot: a signal makes one, too' [ "$(figure turns.now.skein events)" -gt 100 ]
wait $recorder
check 'snapshot: the recording of the whole run is written, too' [ "$(figure whole.skein wall_ns)" -gt "$(figure turns.now.skein wall_ns)" ]
same 'snapshot: no session is left' '' "$(find . -name '.*session*')"
expect_status 127 'snapshot: a process that is not recorded' skein snapshot $$
expect_status 2 'snapshot: no number' skein snapshot now
