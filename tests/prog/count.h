/* SPDX-License-Identifier: MIT */
/* count.h: for subjects that know how often each of their routines is called.
 *
 * The head of a subject tells tests/lib/subjects.sh how to treat it:
 *     flags: the compiler's       with: further sources       library: source of a library that it opens
 *     run: arguments, one line a run (none: one run without)  needs: root
 *
 *     COUNTED(work);
 *     ROUTINE void work(void) { COUNT(work); … }
 *     … EXPECT(work);       prints "expect work 17"
 *     expect("fib", 21891);   when a formula knows
 *     counted("on_alarm", n); when the number differs from run to run
 *
 * ROUTINE keeps a function out of line; counting makes it do something, so that no call of it is optimised away. Lines
 * are written at once and not buffered: a subject may die or fork at any moment. */
#ifndef SUBJECT_COUNT_H
#define SUBJECT_COUNT_H

#include <stdio.h>

#define ROUTINE __attribute__((noinline))
#define COUNTED(name) static unsigned long count_of_##name
#define COUNT(name) ((void)__atomic_fetch_add(&count_of_##name, 1, __ATOMIC_RELAXED))
#define EXPECT(name) expect(#name, count_of_##name)

/* A routine is a name, name@FILE, or a pattern for a sum over several: "kind_*". */
static inline void expect(const char *routine, unsigned long calls)
{
	dprintf(1, "expect %s %lu\n", routine, calls);
}

static inline void counted(const char *routine, unsigned long calls)
{
	dprintf(1, "counted %s %lu\n", routine, calls);
}

/* Who called, or who created the thread or task that began with it. */
static inline void arc(const char *caller, const char *callee, unsigned long calls)
{
	dprintf(1, "arc %s %s %lu\n", caller, callee, calls);
}

/* Calls that fib(n) makes, itself included: 2 F(n+1) - 1. */
static inline unsigned long fib_calls(unsigned n)
{
	unsigned long a = 1, b = 1;
	while (n--) {
		unsigned long next = a + b;
		a = b;
		b = next;
	}
	return 2 * a - 1;
}

#endif
