/* SPDX-License-Identifier: MIT */
/* hidden.c: the profiler's own thread. */
#include "threads/interpose/hidden.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "keys/session.h"
#include "raw/kernel.h"
#include "threads/helpers.h"
#include "threads/real.h"
#include "threads/threads.h"

#include <linux/futex.h>

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

static bool has_begun(void)
{
	return atomic_load(&hidden.tid) != 0;
}

static bool has_left(void)
{
	return kernel_call(SYS_tgkill, kernel_pid(), atomic_load(&hidden.tid), 0) != 0;
}

/* Other programs may keep the thread from a core: a wait may last seconds, but not for ever. */
static void wait_until(bool (*holds)(void))
{
	enum { YIELDS = 1000, SLEEPS = 50000 };
	struct timespec nap = kernel_timespec(100000);

	for (int turn = 0; turn < YIELDS + SLEEPS && !holds(); turn++)
		if (turn < YIELDS)
			kernel_call(SYS_sched_yield);
		else
			kernel_call(SYS_nanosleep, &nap, NULL);
}

/* The kernel takes a thread out of its tables before it takes it out of the list of the process's threads, both under the lock of the process's
 * signal handlers: a thread that has had that lock finds both done. */
static void wait_for_lock_of_handlers(void)
{
	unsigned long handler[4]; /* as large as the kernel's struct sigaction */

	kernel_call(SYS_rt_sigaction, SIGUSR1, NULL, handler, KERNEL_SIGSET_BYTES);
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
		wait_until(has_begun);
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
void hidden_end(void)
{
	wait_until(has_begun);
	atomic_store(&hidden.ends, 1);
	kernel_call(SYS_futex, &hidden.ends, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	wait_until(has_left);
	wait_for_lock_of_handlers();
	atomic_store(&hidden.is_there, false);
}

bool hidden_is_there(void)
{
	return atomic_load(&hidden.is_there);
}

void hidden_stay_away(void)
{
	if (hidden.what.is_gone)
		hidden.what.is_gone();
}

void hidden_begin(void)
{
	if (create() != 0)
		hidden_stay_away();
}
