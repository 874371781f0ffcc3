#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What must hold of every recording of the flow lens holds of recordings of many kinds, and lies are found out.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/flow/complaints.sh"

cd "$tmp" || exit
cc -O2 -g -pthread "$tests/../examples/flow/journal.c" -o journal || exit
cc -O2 -g -pthread "$tests/prog/flow/forms.c" -o forms || exit
cc -O2 -g -pthread "$tests/prog/flow/pipes.c" -o pipes || exit
cc -O2 -g -pthread "$tests/prog/flow/waits.c" -o waits || exit
clang-19 -O2 -g -pthread -fopenmp "$tests/prog/flow/openmp.c" -o openmp || exit

# holds NAME OPTION… -- COMMAND…: records it, and asks
holds() {
	local name=$1
	shift
	skein record flow -q -o "$name.skein" "$@" >out 2>err || not_ok "$name is recorded" "$(head -c 300 err)"
	same "$name: it holds what every recording must" '' "$(flow_complaints "$name.skein")"
}

holds journal -- ./journal 4 4000
holds early -- ./journal 3 4000 early
for part in nested pipeline readers queue tree broadcast; do holds forms-$part -- ./forms $part; done
for part in own semaphore condition share fork fork-later chain; do holds waits-$part -- ./waits $part; done
for part in barrier critical tasks; do holds openmp-$part -- ./openmp $part; done
holds pipes -- ./pipes
holds alone -- /bin/true
holds shell -- sh -c 'sleep 0.1; ls / | sort | wc -l'

# Parts of runs, with ends of all kinds: a thread that waits, one that works, one that sleeps.
cat >endless.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static volatile unsigned long sum;
static void *waits(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
	return unused;
}
static void *works(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		for (int i = 0; i < 1000; i++)
			sum += i;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}
int main(void)
{
	pthread_t threads[3];
	pthread_create(&threads[0], NULL, waits, NULL);
	pthread_create(&threads[1], NULL, works, NULL);
	pthread_create(&threads[2], NULL, works, NULL);
	for (;;)
		usleep(1000);
}
END
cc -O2 -g -pthread endless.c -o endless || exit
holds stopped --for 1 -- ./endless
holds after --for 2 --after 1 -- ./endless
holds last --for 2 --last 64K -- ./endless
holds without --for 1 --no-events -- ./endless
same 'without: no events are there' unwanted "$(sqlite3 without.skein 'select kept from flow_total')"

# Lies.
lies() { # NAME SQL
	cp forms-queue.skein lie.skein
	sqlite3 lie.skein "$2"
	check "$1 is found out" [ -n "$(flow_complaints lie.skein)" ]
}
lies 'a minimum that is too short' 'update flow_total set minimum_ns = minimum_ns - 10'
lies 'an idle machine that is slower' 'update flow_total set idle_ns = wall_ns + 1'
lies 'a thread that worked more' 'update flow_thread set work_ns = work_ns + 1000000000 where traced = 1'
lies 'a thread that waited less' 'update flow_thread set waited_ns = waited_ns / 2 where traced = (select traced from flow_thread order by waited_ns desc limit 1)'
lies 'a critical path with a hole' 'update flow_stretch set ns = ns / 2 where stretch = (select stretch from flow_stretch order by ns desc limit 1)'
lies 'an object that harms when it is free' 'update flow_object set idle_if_free_ns = (select wall_ns + 5 from flow_total) where object = 0'
lies 'a wait that is longer than its longest' 'update flow_wait set waited_ns = count * longest_ns + 1000000 + waited_ns where rowid = 1'
lies 'a slice that is too long' 'update flow_slice set work_ns = work_ns + 1000000000 where slice = (select max(slice) from flow_slice)'
lies 'levels that are too long' 'update flow_level set ns = ns * 2'
lies 'one core that is too fast' 'update flow_cores set ns = 1 where cores = 1'
lies 'events that are missing' 'delete from flow_log'
lies 'an object with a name twice' 'update flow_object set name = (select name from flow_object where object = 0), kind = (select kind from flow_object where object = 0)'
