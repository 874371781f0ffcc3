/* SPDX-License-Identifier: MIT */
/* cores.h: how long a program's threads ran, and how long they could have run but had no core, and why.
 *
 *     struct cores cores = {.looked_ns = now_ns};          when the program starts
 *     cores_look(&cores, child, now_ns);                   now and then, and once more before the child is waited for
 *     cores_sum(&cores)                       of all threads of the child and of its descendants
 *     cores_free(&cores);
 *
 * The kernel counts both for each thread (/proc/PID/task/TID/schedstat). They are read from outside: a subject that opened
 * files of its own for this could be seen to do so. What a thread did after the last look is missed, and so is a
 * thread that began and ended between two looks; the share of time without a core is that of what was seen. The profiler's own
 * threads in the program, which have the name SESSION_HELPER, are left out.
 *
 * Of the time without a core, the program itself caused what was ready beyond the cores that it may use: eight threads that
 * are ready for a second on two cores cannot have more than two seconds between them, however idle the machine is. Other programs
 * caused the rest. Both are told from sums between two looks. */
#ifndef SKEIN_RUN_CORES_H
#define SKEIN_RUN_CORES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/map.h"

struct cores_times {
	uint64_t ran_ns;    /* on a core */
	uint64_t wanted_ns; /* ready to run, without a core */
	uint64_t crowd_ns;  /* part of wanted_ns: more threads were ready than there are cores for the program */
};

struct cores {
	struct map threads;       /* by tid */
	struct cores_times ended; /* of threads whose number was given to another one */
	struct cores_times last;  /* sums at the last look */
	uint64_t looked_ns;       /* when that was, by any clock */
	unsigned allowed;         /* cores that the program may use; 0: not known yet */
};

void cores_look(struct cores *cores, pid_t process, uint64_t now_ns);
struct cores_times cores_sum(const struct cores *cores);
void cores_free(struct cores *cores);

#endif
