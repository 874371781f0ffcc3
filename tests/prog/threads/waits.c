/* SPDX-License-Identifier: MIT */
/* waits.c: each way of waiting, once, in a second thread: while it waits one thread works, and afterwards the
 * books show one wait of its kind, at least as long as it was made to last. */
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>
#include "standin.h"

#define LASTS_MS 5

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_spinlock_t spin;
static sem_t semaphore;
static mtx_t c11_mutex;
static cnd_t c11_cond;
static pthread_t waiter;
static atomic_bool left; /* the waiter has done waiting */
static int pair[2], listener, queue, sem_set, locked_fd;
static struct sockaddr_un address;
static mqd_t messages;
static char byte;
static struct iovec vector = {&byte, 1};

static struct timespec soon(clockid_t clock, long ms)
{
	struct timespec t;
	clock_gettime(clock, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}
#define REAL_SOON (&(struct timespec[1]){soon(CLOCK_REALTIME, LASTS_MS)}[0])
#define MONO_SOON (&(struct timespec[1]){soon(CLOCK_MONOTONIC, LASTS_MS)}[0])
#define FOR_MS(ms) (&(struct timespec){.tv_nsec = (ms) * 1000000L})

/* Ends what other threads wait for; called by main after the pause. */
static void nothing(void) {}
static void await(void) { while (!atomic_load(&left)) ; } /* a time-out */
static void unlock(void) { pthread_mutex_unlock(&mutex); }
static void rw_unlock(void) { pthread_rwlock_unlock(&rwlock); }
static void spin_unlock(void) { pthread_spin_unlock(&spin); }
static void c11_unlock(void) { mtx_unlock(&c11_mutex); }
static void await_unlock(void) { await(); unlock(); }
static void await_rw_unlock(void) { await(); rw_unlock(); }
static void await_c11_unlock(void) { await(); c11_unlock(); }
static void post(void) { sem_post(&semaphore); }
static void lock(void) { pthread_mutex_lock(&mutex); }
static void rw_lock(void) { pthread_rwlock_wrlock(&rwlock); }
static void spin_lock(void) { pthread_spin_lock(&spin); }
static void c11_lock(void) { mtx_lock(&c11_mutex); }
static void broadcast(void) { pthread_mutex_lock(&mutex); pthread_cond_broadcast(&cond); pthread_mutex_unlock(&mutex); }
static void c11_broadcast(void) { mtx_lock(&c11_mutex); cnd_broadcast(&c11_cond); mtx_unlock(&c11_mutex); }

/* The first signal may come just before the waiter sleeps. */
static void signal_waiter(void)
{
	for (uint64_t start = now_ns(); !atomic_load(&left); start = now_ns()) {
		pthread_kill(waiter, SIGUSR1);
		while (!atomic_load(&left) && now_ns() < start + 10000000)
			;
	}
}

/* Main may not wait while the other thread does: by system call. */
static void feed(void) { syscall(1, pair[0], "x", 1); }
static void meet(void) { pthread_barrier_wait(&barrier); }

#define WAYS(X)                                                                                                          \
	X(pthread_mutex_lock, LOCK, lock, unlock, pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex))              \
	X(pthread_mutex_timedlock, LOCK, lock, await_unlock, pthread_mutex_timedlock(&mutex, REAL_SOON))                       \
	X(pthread_mutex_clocklock, LOCK, lock, await_unlock, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, MONO_SOON))      \
	X(pthread_rwlock_rdlock, LOCK, rw_lock, rw_unlock, pthread_rwlock_rdlock(&rwlock); pthread_rwlock_unlock(&rwlock)) \
	X(pthread_rwlock_wrlock, LOCK, rw_lock, rw_unlock, pthread_rwlock_wrlock(&rwlock); pthread_rwlock_unlock(&rwlock)) \
	X(pthread_rwlock_timedrdlock, LOCK, rw_lock, await_rw_unlock, pthread_rwlock_timedrdlock(&rwlock, REAL_SOON))          \
	X(pthread_rwlock_timedwrlock, LOCK, rw_lock, await_rw_unlock, pthread_rwlock_timedwrlock(&rwlock, REAL_SOON))          \
	X(pthread_rwlock_clockrdlock, LOCK, rw_lock, await_rw_unlock, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, MONO_SOON)) \
	X(pthread_rwlock_clockwrlock, LOCK, rw_lock, await_rw_unlock, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, MONO_SOON)) \
	X(pthread_spin_lock, LOCK, spin_lock, spin_unlock, pthread_spin_lock(&spin); pthread_spin_unlock(&spin))         \
	X(sem_wait, SEMAPHORE, nothing, post, sem_wait(&semaphore))                                                           \
	X(sem_timedwait, SEMAPHORE, nothing, nothing, sem_timedwait(&semaphore, REAL_SOON))                                   \
	X(sem_clockwait, SEMAPHORE, nothing, nothing, sem_clockwait(&semaphore, CLOCK_MONOTONIC, MONO_SOON))                  \
	X(semop, SEMAPHORE, nothing, sem_up, semop(sem_set, &(struct sembuf){.sem_op = -1}, 1))                               \
	X(semtimedop, SEMAPHORE, nothing, nothing, semtimedop(sem_set, &(struct sembuf){.sem_op = -1}, 1, FOR_MS(LASTS_MS)))  \
	X(mtx_lock, LOCK, c11_lock, c11_unlock, mtx_lock(&c11_mutex); mtx_unlock(&c11_mutex))                            \
	X(mtx_timedlock, LOCK, c11_lock, await_c11_unlock, mtx_timedlock(&c11_mutex, REAL_SOON))                               \
	X(flock, LOCK, file_lock, file_unlock, int f = open("locked", O_RDWR); flock(f, LOCK_EX); close(f))              \
	X(fcntl, LOCK, prepare_hold, let_go, await_child_lock())                                                         \
	X(pthread_cond_wait, CONDITION, nothing, broadcast, lock(); pthread_cond_wait(&cond, &mutex); unlock())          \
	X(pthread_cond_timedwait, CONDITION, nothing, nothing, lock(); pthread_cond_timedwait(&cond, &mutex, REAL_SOON); unlock()) \
	X(pthread_cond_clockwait, CONDITION, nothing, nothing, lock(); pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, MONO_SOON); unlock()) \
	X(cnd_wait, CONDITION, nothing, c11_broadcast, c11_lock(); cnd_wait(&c11_cond, &c11_mutex); c11_unlock())        \
	X(cnd_timedwait, CONDITION, nothing, nothing, c11_lock(); cnd_timedwait(&c11_cond, &c11_mutex, REAL_SOON); c11_unlock()) \
	X(sleep, SLEEP, nothing, nothing, sleep(1))                                                                      \
	X(usleep, SLEEP, nothing, nothing, usleep(LASTS_MS * 1000))                                                      \
	X(nanosleep, SLEEP, nothing, nothing, nanosleep(FOR_MS(LASTS_MS), NULL))                                         \
	X(clock_nanosleep, SLEEP, nothing, nothing, clock_nanosleep(CLOCK_MONOTONIC, 0, FOR_MS(LASTS_MS), NULL))         \
	X(thrd_sleep, SLEEP, nothing, nothing, thrd_sleep(FOR_MS(LASTS_MS), NULL))                                       \
	X(pause, SLEEP, nothing, signal_waiter, pause())                                                                 \
	X(sigsuspend, SLEEP, nothing, signal_waiter, sigset_t none; sigemptyset(&none); sigsuspend(&none))               \
	X(sigwait, SLEEP, nothing, signal_waiter, int n; sigset_t one = usr1(); sigwait(&one, &n))                       \
	X(sigwaitinfo, SLEEP, nothing, signal_waiter, sigset_t one = usr1(); sigwaitinfo(&one, NULL))                    \
	X(sigtimedwait, SLEEP, nothing, nothing, sigset_t one = usr1(); sigtimedwait(&one, NULL, FOR_MS(LASTS_MS)))      \
	X(wait, JOIN, child, let_go, wait(NULL))                                                                        \
	X(waitpid, JOIN, child, let_go, waitpid(-1, NULL, 0))                                                           \
	X(wait3, JOIN, child, let_go, wait3(NULL, 0, NULL))                                                             \
	X(wait4, JOIN, child, let_go, wait4(-1, NULL, 0, NULL))                                                         \
	X(waitid, JOIN, child, let_go, siginfo_t i; waitid(P_ALL, 0, &i, WEXITED))                                      \
	X(system, JOIN, nothing, nothing, if (system("sleep 0.1")) {})                                                   \
	X(read, IO, nothing, feed, if (read(pair[1], &byte, 1)) {})                                                      \
	X(readv, IO, nothing, feed, if (readv(pair[1], &vector, 1)) {})                                                  \
	X(recv, IO, nothing, feed, recv(pair[1], &byte, 1, 0))                                                           \
	X(recvfrom, IO, nothing, feed, recvfrom(pair[1], &byte, 1, 0, NULL, NULL))                                       \
	X(recvmsg, IO, nothing, feed, struct msghdr h = {.msg_iov = &vector, .msg_iovlen = 1}; recvmsg(pair[1], &h, 0))  \
	X(recvmmsg, IO, nothing, feed, struct mmsghdr h = {.msg_hdr = {.msg_iov = &vector, .msg_iovlen = 1}}; recvmmsg(pair[1], &h, 1, 0, NULL)) \
	X(accept, IO, nothing, dial, close(accept(listener, NULL, NULL)))                                                \
	X(accept4, IO, nothing, dial, close(accept4(listener, NULL, NULL, 0)))                                           \
	X(poll, IO, nothing, nothing, poll(&(struct pollfd){.fd = pair[1], .events = POLLIN}, 1, LASTS_MS))              \
	X(ppoll, IO, nothing, nothing, ppoll(&(struct pollfd){.fd = pair[1], .events = POLLIN}, 1, FOR_MS(LASTS_MS), NULL)) \
	X(select, IO, nothing, nothing, select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = LASTS_MS * 1000}))      \
	X(pselect, IO, nothing, nothing, pselect(0, NULL, NULL, NULL, FOR_MS(LASTS_MS), NULL))                           \
	X(epoll_wait, IO, nothing, nothing, struct epoll_event e; int p = epoll_create1(0); epoll_wait(p, &e, 1, LASTS_MS); close(p)) \
	X(epoll_pwait, IO, nothing, nothing, struct epoll_event e; int p = epoll_create1(0); epoll_pwait(p, &e, 1, LASTS_MS, NULL); close(p)) \
	X(msgrcv, IO, nothing, message, struct { long type; char text; } m; if (msgrcv(queue, &m, 1, 0, 0)) {})          \
	X(mq_timedreceive, IO, nothing, nothing, char m[64]; mq_timedreceive(messages, m, sizeof m, NULL, REAL_SOON))    \
	X(pthread_barrier_wait, BARRIER, nothing, meet, meet())

static sigset_t usr1(void)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
	return one;
}

static void sem_up(void) { syscall(65, sem_set, &(struct sembuf){.sem_op = 1}, 1L); }
static void file_lock(void) { locked_fd = open("locked", O_RDWR | O_CREAT, 0600); flock(locked_fd, LOCK_EX); }
static void file_unlock(void) { close(locked_fd); }
static void message(void) { syscall(69, queue, &(struct { long type; char text; }){1, 'x'}, 1L, 0L); }

static void dial(void)
{
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	syscall(42, s, &address, sizeof address);
	close(s);
}

/* Processes that do as they are told, then last until main lets go. */
static int hold[2];
static void let_go(void) { close(hold[1]); }
static void prepare_hold(void) { if (pipe(hold)) perror("pipe"); }

static pid_t child_that(void (*does)(int), int argument)
{
	pid_t pid = fork();
	if (pid == 0) {
		close(hold[1]);
		if (does)
			does(argument);
		if (read(hold[0], &byte, 1)) {}
		_exit(0);
	}
	close(hold[0]);
	return pid;
}

static void child(void)
{
	prepare_hold();
	child_that(NULL, 0);
}

static void lock_file(int f) { fcntl(f, F_SETLK, &(struct flock){.l_type = F_WRLCK}); }

/* A lock that another process holds for a while, taken with F_SETLKW. */
static void await_child_lock(void)
{
	struct flock whole = {.l_type = F_WRLCK};
	int f = open("locked2", O_RDWR | O_CREAT, 0600);
	pid_t holder = child_that(lock_file, f);
	for (struct flock seen = whole; fcntl(f, F_GETLK, &seen) == 0 && seen.l_type == F_UNLCK; seen = whole)
		;
	fcntl(f, F_SETLKW, &whole);
	syscall(61, holder, NULL, 0L, NULL);
	close(f);
}

#define X(name, kind, prepare, finish, ...) \
	static void *by_##name(void *unused) \
	{                                    \
		__VA_ARGS__;                 \
		atomic_store(&left, true);   \
		return unused;               \
	}
WAYS(X)
#undef X

static const struct way {
	const char *name;
	enum raw_wait kind;
	void (*prepare)(void), (*finish)(void);
	void *(*waiter)(void *);
} ways[] = {
#define X(name, kind, prepare, finish, ...) {#name, RAW_WAIT_##kind, prepare, finish, by_##name},
	WAYS(X)
#undef X
};

static bool begun_are(void *n)
{
	return atomic_load(&standin->begun) == (int)(uintptr_t)n;
}

static void try(const struct way *way)
{
	/* main joins, and at a barrier even the last to come waits for a moment */
	uint64_t mains = (way->kind == RAW_WAIT_JOIN) + (way->kind == RAW_WAIT_BARRIER);
	char name[100];

	way->prepare();
	uint64_t waits = standin_waits(way->kind), ns = standin_wait_ns(way->kind);
	int begun = atomic_load(&standin->begun);
	atomic_store(&left, false);
	pthread_create(&waiter, NULL, way->waiter, NULL);
	bool idle = comes_true(begun_are, (void *)(uintptr_t)(begun + 1)) && working_becomes(1);
	for (uint64_t start = now_ns(); now_ns() < start + LASTS_MS * 1000000;)
		;
	way->finish();
	pthread_join(waiter, NULL);
	waits = standin_waits(way->kind) - waits - mains;
	ns = standin_wait_ns(way->kind) - ns;
	snprintf(name, sizeof name, "%s is seen as one wait", way->name);
	CHECK(name, idle && waits == 1 && ns >= LASTS_MS * 990000 && working_becomes(1),
	      "idle %d, %d waits, %.3f ms, %d working", idle, (int)waits, (double)ns / 1e6, (int)skein_n_working);
	recv(pair[1], &byte, 1, MSG_DONTWAIT);
}

static void on_signal(int number) { (void)number; }

/* A read that is left by a jump out of a handler is over. */
static sigjmp_buf back;
static void on_alarm(int number) { (void)number; siglongjmp(back, 1); }

static void jump_out_of_read(void)
{
	signal(SIGALRM, on_alarm);
	if (sigsetjmp(back, 1) == 0) {
		ualarm(LASTS_MS * 1000, 0);
		if (read(pair[1], &byte, 1)) {}
	}
	CHECK("a wait that is left by siglongjmp is over", n_working_is((void *)1), "%d working", (int)skein_n_working);
}

int main(void)
{
	signal(SIGUSR1, on_signal);
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_spin_init(&spin, 0);
	sem_init(&semaphore, 0, 0);
	mtx_init(&c11_mutex, mtx_timed);
	cnd_init(&c11_cond);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	address.sun_family = AF_UNIX;
	strcpy(address.sun_path, "socket");
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 5))
		perror("socket");
	queue = msgget(IPC_PRIVATE, 0600);
	sem_set = semget(IPC_PRIVATE, 1, 0600);
	messages = mq_open("/skein-test-threads", O_RDWR | O_CREAT, 0600, &(struct mq_attr){.mq_maxmsg = 1, .mq_msgsize = 64});
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		try(&ways[i]);
	jump_out_of_read();
	CHECK("waits of the lens begin and end in turn", standin->bad_waits == 0, "%d do not", standin->bad_waits);
	msgctl(queue, IPC_RMID, NULL);
	semctl(sem_set, 0, IPC_RMID);
	mq_unlink("/skein-test-threads");
	return failures > 0;
}
