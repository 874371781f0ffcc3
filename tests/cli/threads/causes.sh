#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is lost, or cannot be written, is said with its cause: a limit on the size of files, a storm of signals.
. "$(dirname "$0")/../../lib/lib.sh"
cd "$tmp" || exit

cat >one.c <<'END'
#include <stdio.h>
__attribute__((noinline)) void step(int n) { printf("%d\n", n); }
int main(void) { step(1); return 0; }
END
skein-cc -g -O1 one.c -o one || exit
for lens in calls span input paths idle; do
	skein record $lens -o one.skein -- ./one >/dev/null 2>&1 # linked before there is a limit
	for blocks in 4 64; do
		refused 125 "$lens: files of $blocks blocks" "nothing was recorded: the limit on the size of files, $((1024 * blocks)) bytes, is too small for a raw recording; raise it with .ulimit -f unlimited." \
			bash -c "ulimit -f $blocks; exec skein record $lens -o limited.skein -- ./one"
		same "$lens: files of $blocks blocks: the program has run" 1 "$(cat "$tmp/out")"
	done
done

# A recording that is larger than a raw one.
for i in $(seq 1500); do echo "__attribute__((noinline)) int a_long_name_of_a_function_that_is_number_$i(int x) { __asm__ volatile(\"\"); return x + $i; }"; done >many.c
{
	echo 'int main(void) { volatile int x = 0;'
	for i in $(seq 1500); do echo "x += a_long_name_of_a_function_that_is_number_$i(x);"; done
	echo 'return 0; }'
} >>many.c
skein-cc -g -O1 many.c -o many && skein record calls -o many.skein -- ./many >/dev/null 2>&1
check 'the recording is large' [ "$(stat -c %s many.skein)" -gt $((256 * 1024)) ]
refused 125 'a recording that would be too large' 'cannot write the recording large.skein: it would exceed the limit on the size of files; raise the limit with .ulimit -f unlimited.; the raw recording is kept: when that is solved, run .skein recover ' \
	bash -c 'ulimit -f 256; exec skein record calls -o large.skein -- ./many'
check 'nothing is half written' test ! -e large.skein
expect_status 0 'without the limit it is recovered' bash -c "$(sed -n 's/.*run `\(skein recover [^`]*\)`.*/\1/p' "$tmp/err") -o large.skein"
same 'and is whole' "$(sqlite3 many.skein 'select count(*) from calls_routine')" "$(sqlite3 large.skein 'select count(*) from calls_routine')"

# A handler that interrupts a hook is not seen, which is no lack of memory. It runs until it has interrupted one.
cat >storm.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>
#include <unistd.h>
static volatile long sum;
static volatile sig_atomic_t hits;
static int cells[4096];
__attribute__((noinline)) void take(int n) { sum += n; }
static void on_signal(int number) { take(number); hits++; }
__attribute__((noinline)) long walk(int from)
{
	long all = 0;
	for (int i = 0; i < 4096; i += 16)
		all += cells[(from + i) % 4096];
	return all;
}
int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	pid_t me = getpid(), child;
	sigaction(SIGALRM, &action, 0);
	if ((child = fork()) == 0)
		while (kill(me, SIGALRM) == 0)
			;
	for (int i = 0; hits < 20000; i++) {
		walk(i);
		take(i);
	}
	kill(child, SIGKILL);
	puts("done");
	return 0;
}
END
skein-cc -g -O1 storm.c -o storm || exit
for lens in calls span input paths idle; do
	expect_status 0 "$lens: a storm of signals" skein record $lens -o storm.skein -- ./storm
	tr '\n' ' ' <"$tmp/err" | tr -s ' ' >said
	same "$lens: no lack of memory or space is blamed for it" '' "$(grep -oE 'no memory left|could not grow' said)"
done
same 'input: what handlers did meanwhile is counted with its cause' 1 "$(sqlite3 storm.skein "select count(*) from run join lost using (run) where lens = 'input' and text like '%signal handler%'")"
