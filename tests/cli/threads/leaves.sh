#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Threads that end by the system call itself, which ends one thread: the program ends when its own last thread does.
. "$(dirname "$0")/../../lib/lib.sh"

cd "$tmp" || exit
cat >leaves.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
static void *beside(void *longer)
{
	usleep(longer ? 300000 : 1000);
	work();
	write(1, "beside\n", 7);
	syscall(SYS_exit, 9);
	return NULL;
}
static void said(void) { write(1, "at exit\n", 8); }
int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;
	atexit(said);
	work();
	if (strcmp(how, "named") == 0)
		prctl(PR_SET_NAME, "a) R (b) 7");
	if (strstr(how, "thread"))
		pthread_create(&thread, NULL, beside, strstr(how, "longer"));
	if (strcmp(how, "library") == 0)
		pthread_exit(NULL);
	if (strcmp(how, "thread") == 0)
		usleep(300000);
	syscall(SYS_exit, 5);
}
END
skein-cc -O1 -g -pthread leaves.c -o leaves

# Where the first thread does not end last, newer kernels take the status of another one, which is not known then.
status() { if [ "$1" = thread-longer ] && { [ "$2" -eq 5 ] || [ "$2" -eq 9 ]; }; then echo 'status 5 or 9'; else echo "status $2"; fi; }

for how in alone named library thread thread-longer; do
	./leaves $how >native
	status $how $? >>native
	for lens in calls 'calls --counts' span input paths idle; do
		# shellcheck disable=SC2086 # a lens and its option
		timeout -s KILL 60 skein record $lens -q -o run.skein -- ./leaves $how >out
		status $how $? >>out
		equal "$how: $lens" native out
		check "$how: $lens: the recording opens" skein report "${lens%% *}" run.skein
	done
done
finish
