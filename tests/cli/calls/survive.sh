#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whatever a subject does, it behaves as it does without us, and what it did is recorded.
. "$(dirname "$0")/../../lib/lib.sh"
. "$tests/lib/subjects.sh"

for subject in longjmp.c exceptions.cpp forks.c ends.c cancel.c many_threads.c deep.c opens.c hostile.c signals.c; do
	test_subject "calls/$subject"
done

# within OPTIONS COMMAND: in a mount namespace of its own, with a file system of those options on $tmp/small
within() {
	mkdir -p "$tmp/small"
	unshare --mount --propagation private sh -c 'mount -t tmpfs -o "$1" small "$2" && shift 2 && exec "$@"' sh "$1" "$tmp/small" "${@:2}"
}

# behaved NAME: $tmp/out begins with what the subject prints natively
behaved() {
	local expected
	expected=$(grep -c . "$tmp/calls/hostile/native.out")
	if cmp -s <(head -n "$expected" "$tmp/out") "$tmp/calls/hostile/native.out"; then ok "$1"; else
		not_ok "$1" "the subject's output differs: $(head -c 300 "$tmp/out"); skein said: $(head -c 300 "$tmp/err")"
	fi
}

# A full disk is an error, never a signal: the subject runs to its end, and skein says what was lost. Where nothing can be
# mounted (not root, or a container) a limit on the size of files must do.
build_subject calls/hostile.c || not_ok 'hostile is built' "$(cat "$tmp/build.log")"
cd "$tmp/calls/hostile" || exit
./hostile chdir >native.out
if within size=64k true 2>/dev/null; then
	for size in 64k 600k; do
		within size=$size sh -c "cd '$tmp/small' && skein record calls -o full.skein -- '$tmp/calls/hostile/hostile' chdir; echo status \$? >&2" >"$tmp/out" 2>"$tmp/err"
		behaved "a disk of $size: the subject does not notice"
		expect_match "a disk of $size: skein ends with the subject's status, or with 125" '^status (0|125)$' "$tmp/err"
		expect_match "a disk of $size: skein says so" '[Ss]pace|lost' <(cat "$tmp/err" <(tail -n +3 "$tmp/out"))
	done
	within size=1m,ro sh -c "cd '$tmp/small' && exec skein record calls -o x.skein -- '$tmp/calls/hostile/hostile' chdir" >"$tmp/out" 2>"$tmp/err"
	same 'a read-only folder for the recording is refused' 125 $?
	expect_sentence 'a read-only folder: one sentence'
else
	skip 'a disk that is full or read-only' 'nothing can be mounted here'
fi
(ulimit -f 64 && exec skein record calls -o "$tmp/limited.skein" -- ./hostile chdir) >"$tmp/out" 2>"$tmp/err"
status=$?
behaved 'a limit on the size of files: the subject does not notice'
check 'a limit on the size of files: no signal' [ "$status" -eq 0 -o "$status" -eq 125 ]

# A daemon outlives the program that was started. What it has still to do is not lost in silence.
cat >"$tmp/daemon.c" <<'END'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
__attribute__((noinline)) void serve(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	if (argc != 2 || fork())
		exit(argc != 2);
	setsid();
	if (fork())
		exit(0);
	for (int i = 0; i < 64; i++)
		close(i);
	while (access(argv[1], F_OK))
		usleep(10000);
	for (int i = 0; i < 17; i++)
		serve();
	unlink(argv[1]);
	return 0;
}
END
cd "$tmp" && skein-cc -O2 -g daemon.c -o daemon
expect_status 0 'a daemon: skein ends with the program that was started' skein record calls -- ./daemon "$tmp/go"
expect_match 'a daemon: skein says that it still runs' '^Process [0-9]+ of the program is still running' "$tmp/err"
running=$(sed -n 's/^Process \([0-9]*\) of.*/\1/p' "$tmp/err")
touch "$tmp/go"
while [ -e "/proc/${running:-none}" ]; do sleep 0.05; done
expect_status 0 'a daemon: its session can be recovered' skein recover .daemon.skein.session-* -o daemon.skein
skein report daemon.skein --csv >daemon.csv
same 'a daemon: all its calls are there' 17 "$(csv_value daemon.csv routine=serve,worker=all,entry=all calls)"
same 'a daemon: no session is left' 0 "$(find . -maxdepth 1 -name '.daemon.skein.session-*' | wc -l)"

# Who stops a program twice (an impatient user, `timeout` to a group) does not stop the recording from being written.
printf '#include <unistd.h>\nint main(void) { write(1, "up\\n", 3); for (;;) pause(); }\n' >endless.c
skein-cc -O2 -g endless.c -o endless
: >"$tmp/up" # an earlier test's output in it would be taken for that of the program, which is not yet there
skein record calls -- ./endless >"$tmp/up" 2>"$tmp/err" &
recorder=$!
until grep -q up "$tmp/up"; do sleep 0.05; done
while kill -TERM "$recorder" 2>/dev/null; do :; done
wait "$recorder"
same 'stopped again and again: the status is the signal' 143 $?
expect_status 0 'stopped again and again: there is a recording' skein report endless.skein
same 'stopped again and again: nothing else is left' '' "$(find . -maxdepth 1 -name '.endless*')"

# Threads that go on while another one ends the process have not waited for longer than the run lasted. Without care 1 of 20 runs says so.
cat >late.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static volatile unsigned long sink;
__attribute__((noinline)) void nap(void)
{
	usleep(20);
	for (int i = 0; i < 2000; i++)
		sink += i;
}
static void *naps(void *unused)
{
	for (;;)
		nap();
	return unused;
}
int main(void)
{
	pthread_t thread;
	for (int i = 0; i < 8; i++)
		pthread_create(&thread, NULL, naps, NULL);
	for (int i = 0; i < 5; i++)
		nap();
	exit(0);
}
END
skein-cc -O2 -g -pthread late.c -o late
too_long=
for run in $(seq 20); do
	taskset -c 0 skein record calls -o late.skein -- ./late >/dev/null 2>&1
	skein report calls late.skein --csv >late.csv
	spent=$(awk -F, '$4 == "all" && $5 == "all" {sum += $8 + $11} END {printf "%d", sum}' late.csv)
	most=$(skein report calls late.skein --view summary --csv | awk -F, '{v[$1] = $2} END {printf "%d", v["workers"] * v["wall_ns"] + 1000}')
	[ "$spent" -gt 0 ] && [ "$spent" -le "$most" ] || too_long+="run $run: $spent ns in at most $most; "
done
same 'threads that go on have not waited for longer than the run' '' "$too_long"

# A program that is killed after several threads had a lane: it has not run for longer than it did.
cat >lanes.c <<'END'
#include <pthread.h>
#include <signal.h>
static volatile unsigned long sink;
__attribute__((noinline)) void work(void) { for (int i = 0; i < 20000000; i++) sink += i; }
static void *thread(void *unused) { work(); return unused; }
int main(void)
{
	for (int i = 0; i < 6; i++) {
		pthread_t id;
		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, NULL);
	}
	return raise(SIGKILL);
}
END
skein-cc -O2 -g -pthread lanes.c -o lanes
{ skein record calls -o lanes.skein -- ./lanes >/dev/null 2>&1; } 2>/dev/null
same 'killed after several threads: no more time was recorded than it took' 1 "$(sqlite3 lanes.skein 'select wall_ns > 0 and wall_ns <= lasted_ns from run')"
