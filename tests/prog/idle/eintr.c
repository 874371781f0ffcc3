/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* Blocking calls that a signal would interrupt: twenty of each, each after some work, while two other threads burn. A subject that is sampled
 * must see as few EINTR as one that is not: none. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include "truth.h"

enum { TIMES = 20 };
#define SHORT_NS (2 * MS)

BURNS(before_waiting)
BURNS(meanwhile)

static volatile int stop;
static int nothing[2], pipes[2], epoll;
static sem_t never;

static void *burner(void *unused)
{
	truth_begin();
	while (!stop)
		meanwhile(1 * MS);
	truth_end();
	return unused;
}

static void *writer(void *unused)
{
	for (int i = 0; i < TIMES; i++) {
		usleep(SHORT_NS / 1000);
		(void)!write(pipes[1], "", 1);
	}
	return unused;
}

static int do_poll(void) { struct pollfd in = {nothing[0], POLLIN, 0}; return poll(&in, 1, SHORT_NS / MS); }
static int do_raw_poll(void) { struct pollfd in = {nothing[0], POLLIN, 0}; return (int)syscall(SYS_poll, &in, 1, SHORT_NS / MS); }
static int do_epoll(void) { struct epoll_event got; return epoll_wait(epoll, &got, 1, SHORT_NS / MS); }
static int do_select(void) { struct timeval time = {0, SHORT_NS / 1000}; return select(0, NULL, NULL, NULL, &time); }
static int do_nanosleep(void) { struct timespec time = {0, SHORT_NS}; return nanosleep(&time, NULL); }
static int do_raw_nanosleep(void) { struct timespec time = {0, SHORT_NS}; return (int)syscall(SYS_nanosleep, &time, NULL); }
static int do_usleep(void) { return usleep(SHORT_NS / 1000); }
static int do_read(void) { char c; return (int)read(pipes[0], &c, 1); }

static int do_sem(void)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += SHORT_NS;
	if (until.tv_nsec >= 1000000000L) {
		until.tv_nsec -= 1000000000L;
		until.tv_sec++;
	}
	return sem_timedwait(&never, &until);
}

static void times(const char *name, int (*call)(void))
{
	int clean = 0;
	for (int i = 0; i < TIMES; i++) {
		before_waiting(1500000);
		errno = 0;
		truth_end();
		clean += call() >= 0 || errno != EINTR;
		truth_begin();
	}
	dprintf(1, "%s %d of %d\n", name, clean, TIMES);
}

int main(void)
{
	pthread_t burners[2], pipe_writer;
	if (pipe(nothing) || pipe(pipes) || sem_init(&never, 0, 0) || (epoll = epoll_create1(0)) < 0)
		return 1;
	truth_start();
	for (int i = 0; i < 2; i++)
		pthread_create(&burners[i], NULL, burner, NULL);
	times("poll", do_poll);
	times("poll by syscall", do_raw_poll);
	times("epoll_wait", do_epoll);
	times("select", do_select);
	times("nanosleep", do_nanosleep);
	times("nanosleep by syscall", do_raw_nanosleep);
	times("usleep", do_usleep);
	times("sem_timedwait", do_sem);
	pthread_create(&pipe_writer, NULL, writer, NULL);
	times("read", do_read);
	stop = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(burners[i], NULL);
	pthread_join(pipe_writer, NULL);
	truth_print();
	return 0;
}
