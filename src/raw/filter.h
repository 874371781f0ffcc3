/* SPDX-License-Identifier: MIT */
/* filter.h: the subject's own filters of system calls (seccomp), which Skein keeps to before the kernel must.
 *
 * A subject that gives up system calls is killed for the first one that it makes nevertheless, and Skein's would count as its own. So each
 * filter is copied when the subject installs it, and asked before each system call of Skein's (see kernel.h).
 *
 *     struct filter *f = filter_read(program);
 *     filter_add(f);                        before the kernel has it, since other threads go on
 *     if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) < 0)
 *             filter_drop(f);
 *
 * Filters of one thread bind all threads of Skein's. Any thread and any signal handler may call these. */
#ifndef SKEIN_RAW_FILTER_H
#define SKEIN_RAW_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filter;

/* The newest one; NULL: there is none. */
extern _Atomic(const struct filter *) filter_newest __attribute__((visibility("hidden")));

/* What the kernel would find (SECCOMP_RET_…) by this code; SECCOMP_RET_KILL_PROCESS if the kernel would not take it. */
uint32_t filter_run(const struct sock_filter *code, size_t count, const struct seccomp_data *data);

/* NULL: the kernel will refuse this program, too. It may be any address: what the subject gave to the kernel. */
struct filter *filter_read(const struct sock_fprog *program);
struct filter *filter_strict(void);                      /* read, write, exit and the return from a signal handler remain */
bool filter_passes(const struct filter *f, long number); /* this one alone; arguments are 0 */
void filter_add(struct filter *f);
void filter_drop(struct filter *f);

/* 0 if the filters let a system call through, else -errno, and it is counted as one that could not be made. */
long filter_ask(long number, const long arguments[6]);
bool filter_allows(long number); /* all of them; arguments are 0; not counted */

#endif
