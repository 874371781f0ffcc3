/* SPDX-License-Identifier: MIT */
/* helpers.h: functions of the C library that the runtime itself needs, as pointers.
 *
 *     helpers.clock_gettime(CLOCK_MONOTONIC, &now);
 *
 * By name, such a call could end in a function of the subject's that has the name, which is instrumented. real.c finds
 * the C library's own (libc.h); in a static program, where nothing can be found, they are what the program was linked with. What
 * only needs the kernel asks the kernel (raw/kernel.h). Any thread; signal handlers as far as the function allows. */
#ifndef SKEIN_THREADS_HELPERS_H
#define SKEIN_THREADS_HELPERS_H

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <ucontext.h>

struct dl_phdr_info;

/* type, name, (parameters), (arguments) */
/* clang-format off */
#define HELPERS_LIST(X)                                                                                                  \
	X(int, clock_gettime, (clockid_t clock, struct timespec *now), (clock, now))                                     \
	X(int, pthread_key_create, (pthread_key_t *key, void (*end)(void *)), (key, end))                                \
	X(int, pthread_setspecific, (pthread_key_t key, const void *value), (key, value))                                \
	X(int, sigaction, (int number, const struct sigaction *action, struct sigaction *old), (number, action, old))    \
	X(void, exit, (int status), (status))

/* For what a static program does not have: interposers, and the sampler. */
#define HELPERS_MORE_LIST(X)                                                                                             \
	X(int, pthread_attr_init, (pthread_attr_t *attr), (attr))                                                        \
	X(int, pthread_attr_destroy, (pthread_attr_t *attr), (attr))                                                     \
	X(int, pthread_attr_setstacksize, (pthread_attr_t *attr, size_t bytes), (attr, bytes))                           \
	X(int, pthread_attr_setdetachstate, (pthread_attr_t *attr, int state), (attr, state))                            \
	X(void, pthread_testcancel, (void), ())                                                                          \
	X(int, getcontext, (ucontext_t *context), (context))                                                             \
	X(void, makecontext, (ucontext_t *context, void (*start)(void), int count), (context, start, count))             \
	X(unsigned long, getauxval, (unsigned long type), (type))                                                        \
	X(int, dl_iterate_phdr, (int (*callback)(struct dl_phdr_info *, size_t, void *), void *data), (callback, data))
/* clang-format on */

extern struct helpers {
#define X(type, name, parameters, arguments) type(*name) parameters;
	HELPERS_LIST(X)
	HELPERS_MORE_LIST(X)
#undef X
} helpers __attribute__((visibility("hidden")));

#endif
