/* SPDX-License-Identifier: MIT */
/* kernel.h: system calls for code inside a subject, past the C library.
 *
 *     sigset_t before;
 *     kernel_block_signals(&before);
 *     kernel_lock(&flag);
 *     …
 *     kernel_unlock(&flag);
 *     kernel_restore_signals(&before);
 *
 * The library's wrappers are interposed in this process, by Skein or by a sanitizer. Any thread and any signal
 * handler may call these; a lock may be taken only where no handler that takes it too can run. errno may change
 * where a system call fails: callers restore the subject's. */
#ifndef SKEIN_RAW_KERNEL_H
#define SKEIN_RAW_KERNEL_H

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"

#define KERNEL_SIGSET_BYTES ((size_t)8) /* of the kernel's set, the first part of the library's */

static inline void kernel_block_signals(sigset_t *before) /* blocks all signals; `before` may be NULL */
{
	sigset_t all;
	sigfillset(&all);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, before, KERNEL_SIGSET_BYTES);
}

static inline void kernel_restore_signals(const sigset_t *before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, before, NULL, KERNEL_SIGSET_BYTES);
}

static inline void kernel_lock(atomic_flag *lock)
{
	for (unsigned turns = 0; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); turns++) {
		arch_pause();
		if (turns > 100)
			syscall(SYS_sched_yield); /* the holder may have no core */
	}
}

static inline void kernel_unlock(atomic_flag *lock)
{
	atomic_flag_clear_explicit(lock, memory_order_release);
}

static inline uint32_t kernel_tid(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* Gives a descriptor the number from + which, or a higher one, out of the way of subjects that expect the lowest
 * numbers. If numbers up to from + count are not allowed, it gets half of the highest allowed one. Returns the new
 * number. */
static inline int kernel_move_up(int d, int from, unsigned which, unsigned count)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= (rlim_t)from + count)
		from = (int)limit.rlim_cur / 2;
	int high = (int)syscall(SYS_fcntl, d, F_DUPFD_CLOEXEC, from + (int)which);
	if (high < 0)
		return d;
	syscall(SYS_close, d);
	return high;
}

static inline uint64_t kernel_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static inline struct timespec kernel_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

/* CPU clocks; for a clock that the library reads without a system call ask clock_gettime. 0: there is no such clock. */
static inline uint64_t kernel_clock_ns(clockid_t clock)
{
	struct timespec t;
	return syscall(SYS_clock_gettime, clock, &t) ? 0 : kernel_ns(&t);
}

/* The CPU clock of any thread of the process (see clock_getcpuclockid). */
static inline clockid_t kernel_cpu_clock(uint32_t tid)
{
	return (clockid_t)(~tid << 3 | 6);
}

#endif
