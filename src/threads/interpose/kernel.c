/* SPDX-License-Identifier: MIT */
/* kernel.c: system calls that Skein must make way for.
 *
 * A program with one thread has two when the profiler has one beside it, and the kernel refuses unshare(CLONE_NEWUSER), and setns into such
 * a namespace, with EINVAL. So the profiler's thread ends before such a call and begins again behind it. Where the kernel then
 * allows no further thread (CLONE_NEWPID), it stays away, and its lens is told.
 *
 * A program that gives up system calls (seccomp) gives up Skein's, too: raw/filter.h learns what they are, and the profiler's thread
 * ends before that and begins again only if it may do all that it needs. A lens is told if its signal handlers could not return any more, or not
 * read the clock.
 *
 * A system call past the C library is not seen. */
#include "raw/kernel.h"
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include "raw/filter.h"
#include "threads/interpose/futex.h"
#include "threads/interpose/hidden.h"
#include "threads/interpose/interpose.h"
#include "threads/interpose/strict.h"

static bool has_hidden(void)
{
	return threads_started() && hidden_is_there() && !skein_self.vforked;
}

/* ---- a process with one thread ---- */

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
	bool makes = has_hidden() && is_alone();

	if (makes)
		hidden_end();
	errno = error;
	return makes;
}

static int come_back(bool makes, int result)
{
	int error = errno;

	if (makes)
		hidden_begin();
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

/* ---- system calls that are given up ---- */

/* What the thread needs, and what the C library does when one begins and ends. */
static bool may_have_hidden(void)
{
	static const short needed[] = {SYS_clone3,          SYS_clone, SYS_mmap,   SYS_mprotect,    SYS_munmap,         SYS_madvise,
	                               SYS_set_robust_list, SYS_rseq,  SYS_futex,  SYS_prctl,       SYS_rt_sigprocmask, SYS_gettid,
	                               SYS_tgkill,          SYS_exit,  SYS_getpid, SYS_sched_yield, SYS_clock_gettime};

	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!filter_allows(needed[i]))
			return false;
	return true;
}

struct given_up {
	struct filter *filter; /* NULL: the kernel will refuse it */
	bool makes;            /* the profiler's thread made way */
};

/* Before it is in force for Skein: what makes way needs system calls. */
static struct given_up give_up(bool is_strict, const void *program)
{
	int error = errno;
	struct given_up g = {.filter = is_strict ? filter_strict() : filter_read(program)};

	g.makes = g.filter && has_hidden();
	if (g.makes)
		hidden_end();
	if (is_strict)
		strict_prepare();
	if (g.filter && threads_started() && (is_strict || !filter_passes(g.filter, SYS_rt_sigreturn)) && threads_client.no_signals)
		threads_client.no_signals();
	if (g.filter)
		filter_add(g.filter);
	errno = error;
	return g;
}

static void given_up(const struct given_up *g, bool is_refused)
{
	int error = errno;

	if (is_refused && g->filter)
		filter_drop(g->filter);
	if (g->makes && may_have_hidden())
		hidden_begin();
	else if (g->makes)
		hidden_stay_away();
	errno = error;
}

/* The flag TSYNC makes the kernel return the number of a thread that could not follow: nothing was installed then. */
static bool is_refused(unsigned flags, long result)
{
	bool is_thread = flags & SECCOMP_FILTER_FLAG_TSYNC && !(flags & SECCOMP_FILTER_FLAG_NEW_LISTENER) && result > 0;
	return result < 0 || is_thread;
}

EXPORT int prctl(int option, ...)
{
	va_list list;
	unsigned long a, b, c, d;

	va_start(list, option);
	a = va_arg(list, unsigned long);
	b = va_arg(list, unsigned long);
	c = va_arg(list, unsigned long);
	d = va_arg(list, unsigned long);
	va_end(list);
	if (option != PR_SET_SECCOMP || (a != SECCOMP_MODE_STRICT && a != SECCOMP_MODE_FILTER) || skein_self.vforked)
		return real.prctl(option, a, b, c, d);
	struct given_up g = give_up(a == SECCOMP_MODE_STRICT, (const void *)b);
	int result = real.prctl(option, a, b, c, d);
	return given_up(&g, result < 0), result;
}

static long seccomp(unsigned long operation, unsigned long flags, const void *program)
{
	struct given_up g = give_up(operation == SECCOMP_SET_MODE_STRICT, program);
	long result = real.syscall(SYS_seccomp, (long)operation, (long)flags, (long)program, 0, 0);

	return given_up(&g, is_refused((unsigned)flags, result)), result;
}

/* Libraries ask the kernel what it knows by requests that it refuses. */
static bool is_strict(long operation, long flags, long program)
{
	return operation == SECCOMP_SET_MODE_STRICT && flags == 0 && program == 0;
}

static bool is_seen(long number, long a, long b, long c)
{
	switch (number) {
	case SYS_unshare:
	case SYS_setns: return true;
	case SYS_prctl: return a == PR_SET_SECCOMP;
	case SYS_futex: return futex_is_seen(b);
	case SYS_seccomp: return (is_strict(a, b, c) || a == SECCOMP_SET_MODE_FILTER) && !skein_self.vforked;
	default: return false;
	}
}

static __attribute__((noinline, cold)) long seen(long number, long a, long b, long c, long d, long e)
{
	switch (number) {
	case SYS_futex: return futex_jump(number, a, b, c, d, e); /* a jump, from here as from any_call */
	case SYS_unshare: return unshare((int)a);
	case SYS_setns: return setns((int)a, (int)b);
	case SYS_prctl: return prctl((int)a, b, c, d, e);
	default: return seccomp((unsigned long)a, (unsigned long)b, (const void *)c);
	}
}

/* `syscall`, which <unistd.h> declares with any arguments. Calls that are not seen are left to the C library as they came, by a jump: its
 * function may return twice, or on another stack. The sixth argument is on the stack, if it was given, and stays there: what else is there
 * may be a word that other threads write. */
#pragma redefine_extname any_call syscall
EXPORT long any_call(long number, long a, long b, long c, long d, long e);
EXPORT long any_call(long number, long a, long b, long c, long d, long e)
{
	if (__builtin_expect(is_seen(number, a, b, c), 0))
		return seen(number, a, b, c, d, e);
	return real.syscall(number, a, b, c, d, e);
}
