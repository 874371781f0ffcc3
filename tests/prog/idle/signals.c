/* SPDX-License-Identifier: MIT */
/* flags: -O2 -g -D_GNU_SOURCE -pthread */
/* The signals that a sampler might want are the subject's: SIGURG with a handler, queued, from a socket, from a timer and waited for; SIGPROF from its
 * own interval timer; SIGUSR1 on an alternate stack. It tells what it saw: every signal that it sent and not one that it did not. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include "truth.h"

enum { QUEUED = 50 };

BURNS(between_signals)
BURNS(in_handler)
BURNS(with_all_blocked)

static volatile int queued, from_socket, from_timer, strange, profs, on_alternate;

static void on_urgent(int number, siginfo_t *info, void *unused)
{
	(void)unused;
	if (number == SIGURG && info->si_code == SI_QUEUE && info->si_value.sival_int == 1234)
		queued++;
	else if (number == SIGURG && info->si_code == SI_TIMER && info->si_value.sival_int == 77)
		from_timer++;
	else if (number == SIGURG && info->si_code == SI_KERNEL)
		from_socket++;
	else
		strange++;
}

static void on_prof(int number) { profs += number == SIGPROF; }

static void on_usr1(int number)
{
	stack_t stack;
	(void)number;
	sigaltstack(NULL, &stack);
	on_alternate += (stack.ss_flags & SS_ONSTACK) != 0;
	in_handler(20 * MS);
}

static void handle(int number, void (*handler)(int, siginfo_t *, void *), void (*plain)(int), int flags)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_flags = flags;
	if (handler)
		action.sa_sigaction = handler;
	else
		action.sa_handler = plain;
	sigaction(number, &action, NULL);
}

/* One byte out of band over a connection to itself; the owner of the descriptor gets SIGURG. */
static void urgent_data(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), from = socket(AF_INET, SOCK_STREAM, 0), to;
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&address, &length) ||
	    connect(from, (struct sockaddr *)&address, sizeof address) || (to = accept(listener, NULL, NULL)) < 0) {
		dprintf(1, "no socket: %s\n", strerror(errno));
		exit(1);
	}
	fcntl(to, F_SETOWN, getpid());
	send(from, "!", 1, MSG_OOB);
	for (int i = 0; i < 1000 && !from_socket; i++)
		usleep(1000);
	close(from);
	close(to);
	close(listener);
}

static void own_timers(void)
{
	struct itimerval every = {{0, 5000}, {0, 5000}}, never = {{0, 0}, {0, 0}};
	struct itimerspec often = {{0, 5 * MS}, {0, 5 * MS}};
	struct sigevent event;
	timer_t timer;
	memset(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_SIGNAL;
	event.sigev_signo = SIGURG;
	event.sigev_value.sival_int = 77;
	setitimer(ITIMER_PROF, &every, NULL);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, NULL);
	/* A clock of CPU time may tick as seldom as the kernel's, where others want the cores. */
	for (int i = 0; i < 100 && (profs <= 3 || from_timer <= 3); i++)
		between_signals(100 * MS);
	timer_delete(timer);
	setitimer(ITIMER_PROF, &never, NULL);
}

/* All signals are blocked: no SIGURG waits but the one that was sent, and the mask is what it was set to. */
static void take_waiting(const char *when)
{
	sigset_t one, now;
	siginfo_t info;
	struct timespec no_time = {0, 0};
	sigemptyset(&one);
	sigaddset(&one, SIGURG);
	errno = 0;
	int none = sigtimedwait(&one, &info, &no_time) == -1 && errno == EAGAIN;
	pthread_kill(pthread_self(), SIGURG);
	truth_spin(50 * truth_turns);
	int own = sigtimedwait(&one, &info, &no_time) == SIGURG && (info.si_code == SI_TKILL || info.si_code == SI_USER) && info.si_pid == getpid();
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	dprintf(1, "%s: nothing waits %d, then its own %d, the mask is whole %d\n", when, none, own, sigismember(&now, SIGURG) && sigismember(&now, SIGPROF));
}

static void *masked(void *when)
{
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	truth_begin();
	if (when)
		truth_spin(600 * truth_turns); /* with a handler of the subject's: seen by nobody until the thread ends */
	else
		with_all_blocked(60 * MS);
	take_waiting(when ? when : "without a handler");
	truth_end();
	return NULL;
}

static void in_masked_thread(const char *when)
{
	pthread_t thread;
	pthread_create(&thread, NULL, masked, (void *)(size_t)when);
	WAITING(pthread_join(thread, NULL));
}

int main(void)
{
	struct sigaction before;
	stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
	union sigval value = {.sival_int = 1234};
	sigaction(SIGURG, NULL, &before);
	dprintf(1, "SIGURG is free: %d\n", before.sa_handler == SIG_DFL);
	truth_start();
	between_signals(50 * MS);
	in_masked_thread(NULL);
	handle(SIGURG, on_urgent, NULL, SA_SIGINFO | SA_RESTART);
	handle(SIGPROF, NULL, on_prof, SA_RESTART);
	handle(SIGUSR1, NULL, on_usr1, SA_ONSTACK | SA_RESTART);
	sigaction(SIGURG, NULL, &before);
	dprintf(1, "SIGURG is ours: %d\n", before.sa_sigaction == on_urgent && (before.sa_flags & SA_SIGINFO) != 0);
	sigaltstack(&stack, NULL);
	for (int i = 0; i < QUEUED; i++) {
		between_signals(1 * MS);
		sigqueue(getpid(), SIGURG, value);
	}
	urgent_data();
	own_timers();
	raise(SIGUSR1);
	in_masked_thread("with a handler");
	between_signals(50 * MS);
	dprintf(1, "queued %d\nfrom the socket: %d\nfrom the timer: %d\nprofs: %d\non the alternate stack %d\nstrange %d\n", queued, from_socket > 0, from_timer > 3,
	        profs > 3, on_alternate, strange);
	truth_print();
	return 0;
}
