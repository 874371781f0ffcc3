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
 *     int d = (int)kernel_call(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);      a negative number is -errno
 *
 * The library's wrappers are interposed in this process, by Skein, by a sanitizer or by the subject, whose functions are
 * instrumented. Any thread and any signal handler may call these; a lock may be taken only where no handler that takes
 * it too can run. errno stays as it is. */
#ifndef SKEIN_RAW_KERNEL_H
#define SKEIN_RAW_KERNEL_H

#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "arch/arch.h"
#include "raw/filter.h"

/* A system call with up to six arguments, numbers or pointers. One that the subject has given up is not made. */
#define kernel_call(...) KERNEL_CALL(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define KERNEL_CALL(number, a, b, c, d, e, f, ...) kernel_call_six(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static inline __attribute__((always_inline)) long kernel_call_six(long number, long a, long b, long c, long d, long e, long f)
{
	if (__builtin_expect(atomic_load_explicit(&filter_newest, memory_order_acquire) != NULL, 0)) {
		long refused = filter_ask(number, (const long[]){a, b, c, d, e, f});
		if (refused)
			return refused;
	}
	return arch_system_call(number, a, b, c, d, e, f);
}

/* ---- memory and files ---- */

static inline void *kernel_map(void *at, size_t bytes, int how, int flags, int d, uint64_t offset) /* NULL: refused */
{
	long got = kernel_call(SYS_mmap, at, bytes, how, flags, d, offset);
	return got < 0 && got > -ARCH_PAGE_BYTES ? NULL : (void *)got;
}

static inline void kernel_unmap(void *at, size_t bytes)
{
	kernel_call(SYS_munmap, at, bytes);
}

static inline void kernel_advise(void *at, size_t bytes, int advice)
{
	kernel_call(SYS_madvise, at, bytes, advice);
}

static inline bool kernel_stat(const char *path, struct stat *s)
{
	*s = (struct stat){0};
	return kernel_call(SYS_newfstatat, AT_FDCWD, path, s, 0) == 0;
}

static inline bool kernel_stat_of(int d, struct stat *s)
{
	*s = (struct stat){0};
	return kernel_call(SYS_fstat, d, s) == 0;
}

static inline uint64_t kernel_limit(int which) /* RLIM_INFINITY if there is none */
{
	struct rlimit limit = {0};
	return kernel_call(SYS_prlimit64, 0, which, NULL, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

/* ---- signals ---- */

#define KERNEL_SIGSET_BYTES ((size_t)8) /* of the kernel's set, the first part of the library's */

static inline uint64_t kernel_signal(int number) /* as a bit of a set */
{
	return UINT64_C(1) << (number - 1);
}

/* All but the two signals that the C library keeps for itself: it waits for every thread to take them. */
static inline void kernel_set_all(sigset_t *set)
{
	*set = (sigset_t){{~(kernel_signal(32) | kernel_signal(33))}};
}

static inline void kernel_set_none(sigset_t *set)
{
	*set = (sigset_t){{0}};
}

static inline void kernel_set_add(sigset_t *set, int number)
{
	set->__val[0] |= kernel_signal(number);
}

static inline void kernel_set_remove(sigset_t *set, int number)
{
	set->__val[0] &= ~kernel_signal(number);
}

static inline bool kernel_set_has(const sigset_t *set, int number)
{
	return set->__val[0] & kernel_signal(number);
}

static inline bool kernel_set_signals(const sigset_t *blocked, sigset_t *before) /* `before` may be NULL */
{
	return kernel_call(SYS_rt_sigprocmask, SIG_SETMASK, blocked, before, KERNEL_SIGSET_BYTES) == 0;
}

/* Blocks all signals; `before` may be NULL. A sandbox may refuse even this: then `before` has SIGKILL, which no set of the
 * kernel's has, and the signals stay as they are. */
static inline void kernel_block_signals(sigset_t *before)
{
	sigset_t all;
	kernel_set_all(&all);
	if (before)
		kernel_set_none(before);
	if (!kernel_set_signals(&all, before) && before)
		kernel_set_add(before, SIGKILL);
}

/* Tried again: a subject whose signals stay blocked would not end by Ctrl-C. */
static inline void kernel_restore_signals(const sigset_t *before)
{
	for (int tries = 0; tries < 3 && !kernel_set_has(before, SIGKILL) && !kernel_set_signals(before, NULL); tries++)
		;
}

/* ---- locks ---- */

static inline void kernel_lock(atomic_flag *lock)
{
	for (unsigned turns = 0; atomic_flag_test_and_set_explicit(lock, memory_order_acquire); turns++) {
		arch_pause();
		if (turns > 100)
			kernel_call(SYS_sched_yield); /* the holder may have no core */
	}
}

static inline void kernel_unlock(atomic_flag *lock)
{
	atomic_flag_clear_explicit(lock, memory_order_release);
}

/* ---- processes, threads, descriptors ---- */

static inline uint32_t kernel_id(long call) /* SYS_getpid, SYS_getppid or SYS_gettid; 0: a sandbox refuses it */
{
	long id = kernel_call(call);
	return id > 0 ? (uint32_t)id : 0;
}

static inline uint32_t kernel_pid(void)
{
	return kernel_id(SYS_getpid);
}

static inline uint32_t kernel_tid(void)
{
	return kernel_id(SYS_gettid);
}

/* Gives a descriptor the number from + which, or a higher one, out of the way of subjects that expect the lowest
 * numbers. If numbers up to from + count are not allowed, it gets half of the highest allowed one; if that is refused, a
 * lower one. Returns the new number. */
static inline int kernel_move_up(int d, int from, unsigned which, unsigned count)
{
	uint64_t limit = kernel_limit(RLIMIT_NOFILE);
	if (limit <= (uint64_t)from + count)
		from = (int)limit / 2;
	int high = -1;
	for (int at = from + (int)which; high < 0 && at > d; at /= 2)
		high = (int)kernel_call(SYS_fcntl, d, F_DUPFD_CLOEXEC, at);
	if (high < 0)
		return d;
	kernel_call(SYS_close, d);
	return high;
}

/* ---- clocks ---- */

static inline uint64_t kernel_ns(const struct timespec *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
}

static inline struct timespec kernel_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

/* For CPU clocks, and where a system call does not matter: the library reads others without one. 0: there is no such clock. */
static inline uint64_t kernel_clock_ns(clockid_t clock)
{
	struct timespec t = {0};
	return kernel_call(SYS_clock_gettime, clock, &t) ? 0 : kernel_ns(&t);
}

/* The CPU clock of any thread of the process (see clock_getcpuclockid). */
static inline clockid_t kernel_cpu_clock(uint32_t tid)
{
	return (clockid_t)(~tid << 3 | 6);
}

#endif
