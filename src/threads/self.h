/* SPDX-License-Identifier: MIT */
/* self.h: the one thread-local struct of the runtime.
 *
 * It lives in libskein-rt.so under the initial-exec model and stays under 512 bytes, or a runtime that comes in
 * through dlopen could not be loaded. Hooks reach it with one move from %fs. A thread that the runtime has not met has
 * a lane without a stack: every fast path then falls into its slow one.
 *
 * The lens's part comes first, because it is hot. The owner alone writes; the helper thread reads what the lane
 * points to, never this. */
#ifndef SKEIN_THREADS_SELF_H
#define SKEIN_THREADS_SELF_H

#include <stdint.h>
#include "core/calls.h"

struct lane;
struct raw_thread;

struct skein_self {
	struct calls_lane *calls;   /* never NULL: a lane without a stack before the thread is met */
	uint64_t **tables;          /* counts: a table of site counters for each object; never NULL */
	uint64_t from;              /* counts: who called foreign or unknown code, as half a key; 0 in profiled code */
	struct lane *lane;          /* NULL: not met yet, or already ended */
	struct raw_thread *record;
	uint64_t wait_start;        /* tick at which the outermost wait began */
	uint32_t wait_kind;
	uint32_t wait_depth;        /* waits inside waits count once */
	uint32_t inside;            /* > 0: the profiler's own code runs in this thread; interposers pass straight through */
	uint32_t ended_rounds;      /* rounds of key destructors seen */
	uint32_t idle_runtime;      /* an OpenMP runtime says that this thread has nothing to do */
	uint32_t number;            /* of the thread */
	void *task;                 /* what the current OpenMP task inherited */
};

extern _Thread_local struct skein_self skein_self __attribute__((tls_model("initial-exec"), visibility("default")));
_Static_assert(sizeof(struct skein_self) <= 512, "static TLS is scarce");

#endif
