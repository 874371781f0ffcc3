/* SPDX-License-Identifier: MIT */
/* interpose_unshare.c: the profiler's own thread, and system calls that only a process with one thread may make.
 *
 * A program with one thread has two when the profiler has one beside it, and the kernel refuses unshare(CLONE_NEWUSER), and setns into such
 * a namespace, with EINVAL. So the profiler's thread ends before such a call and begins again behind it. Where the kernel then
 * allows no further thread (CLONE_NEWPID), it stays away, and its lens is told. A system call past the C library is not
 * seen, and is refused. */
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "keys/session.h"
#include "raw/kernel.h"
#include "threads/helpers.h"
#include "threads/interpose.h"

#include <linux/futex.h>

enum { MOST_TURNS = 100000 };

static struct {
	struct threads_hidden what;
	atomic_bool is_there;
	_Atomic uint32_t ends; /* a futex */
	_Atomic uint32_t tid;  /* 0: the thread has not begun */
} hidden;

static void *begin_hidden(void *unused)
{
	skein_self.inside = 1;
	kernel_call(SYS_prctl, PR_SET_NAME, SESSION_HELPER);
	atomic_store(&hidden.tid, kernel_tid());
	hidden.what.run();
	return unused;
}

/* Returns how many turns are left. */
static int wait_for_begin(int turns)
{
	while (!atomic_load(&hidden.tid) && turns-- > 0)
		kernel_call(SYS_sched_yield);
	return turns;
}

/* A subject that gives up system calls (seccomp) as its first act gives up those of its other threads: the C library aborts if a thread that begins
 * cannot make its own. So the thread has begun when this returns.
 *
 * The thread's stack also holds the static thread-local memory of every library: not the smallest there is. */
static int create(void)
{
	sigset_t before;
	pthread_attr_t attr;
	pthread_t thread;

	atomic_store(&hidden.tid, 0);
	atomic_store(&hidden.ends, 0);
	helpers.pthread_attr_init(&attr);
	helpers.pthread_attr_setstacksize(&attr, 256 << 10);
	helpers.pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	kernel_block_signals(&before);
	int result = real.pthread_create(&thread, &attr, begin_hidden, NULL);
	kernel_restore_signals(&before);
	helpers.pthread_attr_destroy(&attr);
	atomic_store(&hidden.is_there, result == 0);
	if (result == 0)
		wait_for_begin(MOST_TURNS);
	return result;
}

int threads_create_hidden(const struct threads_hidden *what)
{
	hidden.what = *what;
	return create();
}

bool threads_hidden_sleep(uint64_t ns)
{
	struct timespec time = kernel_timespec(ns);

	kernel_call(SYS_futex, &hidden.ends, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0);
	return !atomic_load(&hidden.ends);
}

/* Not joined: what a join waits for comes before the kernel has forgotten the thread. */
static void end_hidden(void)
{
	int turns = wait_for_begin(MOST_TURNS);

	atomic_store(&hidden.ends, 1);
	kernel_call(SYS_futex, &hidden.ends, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	while (turns-- > 0 && kernel_call(SYS_tgkill, kernel_pid(), atomic_load(&hidden.tid), 0) == 0)
		kernel_call(SYS_sched_yield);
	atomic_store(&hidden.is_there, false);
}

static bool is_alone(void)
{
	unsigned alive = 0;

	for (unsigned i = 0; i < lane_count(); i++)
		alive += atomic_load(&lane_at(i)->alive) != 0;
	return alive == 1;
}

/* Whether there is a thread that must begin again. */
static bool make_way(void)
{
	int error = errno;
	bool makes = threads_started() && atomic_load(&hidden.is_there) && !skein_self.vforked && is_alone();

	if (makes)
		end_hidden();
	errno = error;
	return makes;
}

static int come_back(bool makes, int result)
{
	int error = errno;

	if (makes && create() != 0 && hidden.what.is_gone)
		hidden.what.is_gone();
	errno = error;
	return result;
}

EXPORT int unshare(int flags)
{
	bool makes = flags & (CLONE_NEWUSER | CLONE_THREAD | CLONE_SIGHAND | CLONE_VM) && make_way();

	return come_back(makes, real.unshare(flags));
}

EXPORT int setns(int fd, int type)
{
	bool makes = make_way();

	return come_back(makes, real.setns(fd, type));
}
