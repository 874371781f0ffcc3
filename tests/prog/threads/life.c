/* SPDX-License-Identifier: MIT */
/* life.c: threads begin and end in every way, and the books balance: lanes are reused, one thread works in
 * the end, nothing that was captured is still held. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include "standin.h"

static void *returns(void *unused) { return unused; }
static void *exits(void *unused) { pthread_exit(unused); }
static int c11_returns(void *value) { return (int)(intptr_t)value; }
static int c11_exits(void *value) { thrd_exit((int)(intptr_t)value); }

static bool begun_are(void *n)
{
	return atomic_load(&standin->begun) == (int)(uintptr_t)n;
}

static bool ended_are(void *n)
{
	return atomic_load(&standin->ended) == (int)(uintptr_t)n;
}

static bool is_balanced(void *unused)
{
	(void)unused;
	return standin->ended == standin->begun - 1 && skein_n_working == 1 && standin->held == 0
	       && standin->wait_begins == standin->wait_ends && standin->bad_waits == 0;
}

#define CHECK_BALANCE(name)                                                                                            \
	CHECK(name, comes_true(is_balanced, NULL), "%d begun, %d ended, %d working, %d held, %d of %d waits ended", standin->begun, standin->ended, \
	      (int)skein_n_working, standin->held, standin->wait_ends, standin->wait_begins)

static void one_after_another(void)
{
	uint64_t before = standin_threads();

	for (int i = 0; i < 10000; i++) {
		pthread_t t;
		pthread_create(&t, NULL, i & 1 ? returns : exits, NULL);
		pthread_join(t, NULL);
	}
	CHECK("10,000 threads one after another need two lanes", standin_lanes() == 2 && standin_threads() == before + 10000,
	      "%u lanes, %d threads", standin_lanes(), (int)standin_threads());
	CHECK("their records are bounded", standin->records <= 4096 + 2, "%d records", standin->records);
	CHECK_BALANCE("they balance");
}

static pthread_barrier_t all;

static void *meets(void *unused)
{
	pthread_barrier_wait(&all);
	return unused;
}

static void all_at_once(void)
{
	enum { N = 500 };
	pthread_t t[N];
	pthread_attr_t small;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	pthread_barrier_init(&all, NULL, N);
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], &small, meets, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	CHECK("500 threads at once need 501 lanes", standin_lanes() == N + 1, "%u lanes", standin_lanes());
	CHECK_BALANCE("they balance");
}

static void detached(void)
{
	int begun = standin->begun;
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 50; i++) {
		pthread_t t;
		pthread_create(&t, &attr, returns, NULL);
	}
	comes_true(begun_are, (void *)(uintptr_t)(begun + 50));
	CHECK_BALANCE("detached threads balance");
}

static void c11(void)
{
	thrd_t a, b;
	int one = 0, two = 0;

	thrd_create(&a, c11_returns, (void *)-7);
	thrd_create(&b, c11_exits, (void *)8);
	thrd_join(a, &one);
	thrd_join(b, &two);
	CHECK("C11 threads keep their results", one == -7 && two == 8, "%d and %d", one, two);
	CHECK_BALANCE("C11 threads balance");
}

static void failing(void)
{
	pthread_attr_t huge;
	pthread_t t;

	pthread_attr_init(&huge);
	pthread_attr_setstacksize(&huge, (size_t)1 << 46);
	CHECK("a thread that cannot be created is an error", pthread_create(&t, &huge, returns, NULL) != 0, "it was created");
	CHECK_BALANCE("and leaves nothing behind");
}

/* Cancellation in each kind of wait. */
static int pair[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static pthread_t sleeper;
static char byte;

static void unlock(void *m) { pthread_mutex_unlock(m); }

#define POINTS(X)                                                                    \
	X(read, if (read(pair[1], &byte, 1)) {})                                     \
	X(recv, recv(pair[1], &byte, 1, 0))                                          \
	X(poll, poll(NULL, 0, -1))                                                   \
	X(select, select(0, NULL, NULL, NULL, NULL))                                 \
	X(nanosleep, nanosleep(&(struct timespec){.tv_sec = 1000}, NULL))            \
	X(sleep, sleep(1000))                                                        \
	X(pause, pause())                                                            \
	X(sem_wait, sem_wait(&semaphore))                                            \
	X(pthread_join, pthread_join(sleeper, NULL))                                 \
	X(waitpid, waitpid(-1, NULL, 0))                                             \
	X(pthread_cond_wait, pthread_mutex_lock(&mutex); pthread_cleanup_push(unlock, &mutex) \
	                     pthread_cond_wait(&cond, &mutex); pthread_cleanup_pop(1))
#define X(name, ...)                            \
	static void *in_##name(void *unused)    \
	{                                       \
		for (;;) {                      \
			__VA_ARGS__;            \
		}                               \
		return unused;                  \
	}
POINTS(X)
#undef X

static const struct point {
	const char *name;
	void *(*wait)(void *);
} points[] = {
#define X(name, ...) {#name, in_##name},
	POINTS(X)
#undef X
};

static void cancelled(void)
{
	char name[100];

	int before = standin->begun;
	pthread_create(&sleeper, NULL, in_pause, NULL);
	comes_true(begun_are, (void *)(uintptr_t)(before + 1));
	pid_t child = fork();
	if (child == 0) /* its waits would count here */
		for (;;)
			syscall(SYS_pause);
	for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
		pthread_t t;
		void *result = NULL;
		int begun = standin->begun;
		pthread_create(&t, NULL, points[i].wait, NULL);
		bool idle = comes_true(begun_are, (void *)(uintptr_t)(begun + 1)) && working_becomes(1);
		pthread_cancel(t);
		pthread_join(t, &result);
		snprintf(name, sizeof name, "a thread cancelled in %s is over", points[i].name);
		CHECK(name, idle && result == PTHREAD_CANCELED && working_becomes(1) && standin->wait_begins - standin->wait_ends == 1,
		      "idle %d, %d working, %d of %d waits ended", idle, (int)skein_n_working, standin->wait_ends, standin->wait_begins);
	}
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	pthread_cancel(sleeper);
	pthread_join(sleeper, NULL);
	CHECK_BALANCE("cancelled threads balance");
}

/* A signal handler, key destructors of the subject and names. */
static pthread_key_t key;
static int destroyed_alive;

static void destroy(void *value)
{
	(void)value;
	destroyed_alive += skein_n_working == 2;
}

static void *with_key(void *unused)
{
	pthread_setspecific(key, &key);
	prctl(PR_SET_NAME, "by prctl");
	return unused;
}

static void *burns(void *unused)
{
	struct timespec t;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	while (t.tv_nsec < 20000000);
	return unused;
}

static bool stopped(void *flag) { return *(atomic_bool *)flag; }
static void *until(void *flag) { comes_true(stopped, flag); return NULL; }

static void details(void)
{
	pthread_t t;
	atomic_bool stop = false;
	unsigned first = (unsigned)standin_threads();

	pthread_key_create(&key, destroy);
	pthread_create(&t, NULL, with_key, NULL);
	while (pthread_tryjoin_np(t, NULL))
		;
	CHECK("a thread outlives the subject's own key destructors", destroyed_alive == 1, "it had ended");
	CHECK("a name given by prctl is recorded", !strcmp(standin_name(first), "by prctl"), "%s", standin_name(first));
	pthread_create(&t, NULL, burns, NULL);
	pthread_join(t, NULL);
	CHECK("CPU time is recorded", standin_cpu_ns(first + 1) >= 20000000, "%.3f ms", (double)standin_cpu_ns(first + 1) / 1e6);
	int begun = standin->begun;
	pthread_create(&t, NULL, until, &stop);
	comes_true(begun_are, (void *)(uintptr_t)(begun + 1));
	pthread_setname_np(t, "from outside");
	CHECK("a name given by another thread is recorded", !strcmp(standin_name(first + 2), "from outside"), "%s", standin_name(first + 2));
	stop = true;
	pthread_join(t, NULL);
	CHECK_BALANCE("they balance");
}

/* Handlers that wait, in threads that begin, wait and end. */
static void on_alarm(int number)
{
	int error = errno;
	(void)number;
	if (write(pair[0], "x", 1) == 1 && recv(pair[1], &byte, 1, MSG_DONTWAIT)) {}
	poll(NULL, 0, 0);
	errno = error;
}

static void *busy(void *unused)
{
	for (int i = 0; i < 300; i++) {
		pthread_mutex_lock(&mutex);
		poll(NULL, 0, 0);
		pthread_mutex_unlock(&mutex);
		errno = 77;
		sem_post(&semaphore);
		sem_wait(&semaphore);
		if (errno != 77)
			abort();
	}
	return unused;
}

static void storm(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	pthread_t t[4];

	sigaction(SIGALRM, &(struct sigaction){.sa_handler = on_alarm, .sa_flags = SA_RESTART}, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 4; i++)
			pthread_create(&t[i], NULL, busy, NULL);
		for (int i = 0; i < 4; i++)
			pthread_join(t[i], NULL);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	CHECK_BALANCE("a storm of signals whose handler waits leaves the books balanced, and errno as it was");
}

/* Out of waits and of the shims around them, again and again. */
static sigjmp_buf back;
static void on_jump(int number) { (void)number; siglongjmp(back, 1); }

static void jumps(void)
{
	static volatile int jumped;
	uint64_t sleeps = standin_wait_ns(RAW_WAIT_IO), start = now_ns();

	signal(SIGALRM, on_jump);
	if (sigsetjmp(back, 1))
		jumped++;
	while (jumped < 2000) {
		ualarm((useconds_t)(50 + jumped % 7), 0);
		for (;;)
			poll(NULL, 0, jumped % 3 - 1);
	}
	signal(SIGALRM, SIG_IGN);
	sleeps = standin_wait_ns(RAW_WAIT_IO) - sleeps;
	CHECK("after 2,000 jumps out of waits one thread works", working_becomes(1), "%d working", (int)skein_n_working);
	CHECK("their waits are not longer than they lasted", sleeps <= (now_ns() - start) * 11 / 10, "%.3f ms", (double)sleeps / 1e6);
}

/* main leaves by pthread_exit; the last thread reports and ends the process. */
static void *survivor(void *unused)
{
	CHECK("main may leave by pthread_exit", comes_true(ended_are, (void *)(uintptr_t)(standin->begun - 1)) && working_becomes(1),
	      "%d begun, %d ended, %d working", standin->begun, standin->ended, (int)skein_n_working);
	exit(failures > 0);
	return unused;
}

int main(void)
{
	pthread_t t;

	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	sem_init(&semaphore, 0, 0);
	details();
	one_after_another();
	all_at_once();
	detached();
	c11();
	failing();
	cancelled();
	storm();
	jumps();
	pthread_create(&t, NULL, survivor, NULL);
	pthread_exit(NULL);
}
