/* SPDX-License-Identifier: MIT */
/* strict.h: a subject in the strict mode of seccomp, in which the kernel also takes the cycle counter away.
 *
 * Its hooks read the counter at every call, and would get the subject killed. So before the mode begins, SIGSEGV gets a handler that lets
 * these reads have the last tick: routines are counted, and time stands still for them. Any other fault is the subject's own. */
#ifndef SKEIN_THREADS_STRICT_H
#define SKEIN_THREADS_STRICT_H

void strict_prepare(void);

#endif
