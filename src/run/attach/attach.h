/* SPDX-License-Identifier: MIT */
/* attach.h: looks at a process that already runs, from outside, and leaves a session of the idle lens.
 *
 *     struct attach attach = {.pid = pid, .folder = folder, .period_ns = 1000000, .quota = quota};
 *     if (attach_run(&attach, &why) < 0) …                  the system does not allow it, or there is no such process
 *     … attach.lost, attach.sees_kernel, attach.has_ended …
 *
 * Nothing is loaded into the process, and nothing stops it: the kernel takes samples (look.h), skein unwinds them (stacks.h) and reckons
 * what they mean (account.h). It ends with the process, after limit_ns if that is set, or with a signal that asks skein to end, which must be held. */
#ifndef SKEIN_RUN_ATTACH_ATTACH_H
#define SKEIN_RUN_ATTACH_ATTACH_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/fail.h"

struct attach {
	pid_t pid;
	const char *folder;
	uint32_t lens; /* enum raw_lens */
	uint64_t period_ns;
	uint32_t quota;               /* of cores, 0: none */
	uint64_t limit_ns;            /* 0: none */
	void (*begun)(void *context); /* the process is looked at from now on */
	void *context;
	uint64_t lasted_ns, lost;
	bool sees_kernel, has_ended;
};

/* The file of the process's program, and its command line; false: there is no such process, or it is not ours to see. */
bool attach_program(pid_t pid, char path[PATH_MAX]);
void attach_command(pid_t pid, char *text, size_t room);
int attach_run(struct attach *attach, struct fail *why);

#endif
