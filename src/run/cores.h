/* SPDX-License-Identifier: MIT */
/* cores.h: how long a program's threads ran, and how long they could have run but had no core.
 *
 *     struct cores cores = {0};
 *     cores_look(&cores, child);              now and then, and once more before the child is waited for
 *     cores_sum(&cores)                       of all threads of the child and of its descendants
 *     cores_free(&cores);
 *
 * The kernel counts both for each thread (/proc/PID/task/TID/schedstat). They are read from outside: a subject that opened
 * files of its own for this could be seen to do so. What a thread did after the last look is missed, and so is a
 * thread that began and ended between two looks; the share of time without a core is that of what was seen. The profiler's own
 * threads in the program, which have the name SESSION_HELPER, are left out. */
#ifndef SKEIN_RUN_CORES_H
#define SKEIN_RUN_CORES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "base/map.h"

struct cores_times {
	uint64_t ran_ns;    /* on a core */
	uint64_t wanted_ns; /* ready to run, without a core */
};

struct cores {
	struct map threads;       /* by tid */
	struct cores_times ended; /* of threads whose number was given to another one */
};

void cores_look(struct cores *cores, pid_t process);
struct cores_times cores_sum(const struct cores *cores);
void cores_free(struct cores *cores);

#endif
