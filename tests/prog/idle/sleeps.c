/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* A second thread burns while main waits in each of several ways: in calls of the library that are seen (nanosleep, poll, read), and in
 * system calls that nobody wraps (nanosleep, futex and read by syscall). All of it is time in which one core idles. */
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include "truth.h"

BURNS(while_sleeping)
BURNS(while_polling)
BURNS(while_reading)
BURNS(while_raw_sleeping)
BURNS(while_raw_waiting)
BURNS(while_raw_reading)
BURNS(beside)

enum { PHASES = 6, PHASE_MS = 60 };
static int pipes[2], word;

/* The other thread goes from phase to phase with main: it begins one when main says so, and its end ends main's waiting. */
static pthread_barrier_t begun;
static void (*const burns[PHASES])(long) = {while_sleeping, while_polling, while_reading, while_raw_sleeping, while_raw_waiting, while_raw_reading};

static void end_wait(int phase)
{
	if (phase == 1 || phase == 2 || phase == 5)
		(void)!write(pipes[1], "", 1);
	if (phase == 4) {
		__atomic_store_n(&word, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

static void *other(void *unused)
{
	for (int phase = 0; phase < PHASES; phase++) {
		pthread_barrier_wait(&begun);
		truth_begin();
		burns[phase](PHASE_MS * MS);
		end_wait(phase);
		truth_end();
		pthread_barrier_wait(&begun);
	}
	return unused;
}

/* Longer than the other burns, unless it must share its core. */
static void wait_for(int phase)
{
	struct timespec time = {0, 3 * PHASE_MS * MS};
	struct pollfd in = {pipes[0], POLLIN, 0};
	char c;
	switch (phase) {
	case 0: nanosleep(&time, NULL); break;
	case 1: poll(&in, 1, -1); /* fall through */
	case 2: (void)!read(pipes[0], &c, 1); break;
	case 3: syscall(SYS_nanosleep, &time, NULL); break;
	case 4:
		while (!__atomic_load_n(&word, __ATOMIC_ACQUIRE))
			syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
		break;
	case 5: syscall(SYS_read, pipes[0], &c, 1); break;
	}
}

int main(void)
{
	pthread_t thread;
	truth_start();
	pthread_barrier_init(&begun, NULL, 2);
	if (pipe(pipes))
		return 1;
	pthread_create(&thread, NULL, other, NULL);
	for (int phase = 0; phase < PHASES; phase++) {
		WAITING(pthread_barrier_wait(&begun));
		WAITING(wait_for(phase));
		WAITING(pthread_barrier_wait(&begun));
		beside(10 * MS);
	}
	pthread_join(thread, NULL);
	truth_print();
	return 0;
}
