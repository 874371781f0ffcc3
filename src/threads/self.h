/* SPDX-License-Identifier: MIT */
/* self.h: the one thread-local struct of the runtime.
 *
 * It lives in libskein-rt.so under the initial-exec model and stays under 512 bytes, or a runtime that comes in
 * through dlopen could not be loaded. Hooks reach it with one move from %fs. A thread that the runtime has not met has
 * a lane without a stack: every fast path then falls into its slow one.
 *
 * The lens's part comes first, because it is hot. Only the owner writes it; the helper thread reads what the lane
 * points to, never this struct. */
#ifndef SKEIN_THREADS_SELF_H
#define SKEIN_THREADS_SELF_H

#include <stdint.h>
#include "core/calls/calls.h"
#include "core/flow/hot.h"
#include "core/span/span.h"

struct block;
struct lane;
struct once;
struct raw_paths_open;
struct raw_thread;
struct running;
struct rt_frame;
struct rt_input;
struct rt_task;

/* Free blocks of the arena that the thread keeps for itself, one shelf for each of the smallest sizes: see arena.c. */
#define SELF_SHELVES 3
struct self_shelf {
	struct block *top;
	uint32_t count;
};

struct skein_self {
	struct calls_lane *calls; /* never NULL: a lane without a stack before the thread is met */
	uint64_t **tables;        /* counts: a table of site counters for each object; never NULL */
	uint64_t from;            /* counts: the caller of foreign code, as half a key | CALLS_ELSEWHERE; 0 in profiled code */
	struct span_lane *span;   /* span: never NULL: skein_no_span before the thread is met */
	struct rt_frame *frames;  /* span: open invocations that may be left by a jump, innermost first */
	uint64_t frame_serial;    /* span: of the last of those */
	struct rt_task *task;     /* span: what runs in this thread: the thread itself or an OpenMP task of it */
	struct rt_input *input;   /* input: NULL before the thread is met */
	/* paths: the next of its frames in a call that may not come back; never NULL: skein_no_frames before the thread is met */
	struct raw_paths_open *open;
	struct flow_hot *flow; /* never NULL: skein_no_flow, which has no room, where no routines are recorded */
	struct lane *lane;     /* NULL: not met yet, or already ended */
	struct raw_thread *record;
	struct once *once;       /* flow: the innermost call of pthread_once whose initialiser has not begun */
	void *inherited;         /* what the creating thread captured for it */
	struct running *running; /* the OpenMP tasks that it runs, innermost first */
	/* while something is captured: frame address of the function of the runtime's that the creator called, or 0 */
	uintptr_t entered;
	const void *wait_frame; /* stack address of the wait, or NULL: see threads_wait_begin */
	uint64_t wait_start;    /* tick at which the wait began */
	uint32_t wait_kind;
	uint32_t waiting;           /* 1: in a wait, 2: ending it; waits inside waits are part of the outermost */
	uint32_t inside;            /* > 0: the profiler's own code runs in this thread; interposers pass straight through */
	uint32_t vforked;           /* > 0: between vfork and the child's exec or exit, whose memory this is too */
	uint32_t ended_rounds;      /* rounds of key destructors seen; THREADS_ENDED: it will not be met again */
	uint32_t number;            /* of the thread */
	volatile uint32_t changing; /* 1: between its flag and n_working; a jump out of a handler can leave it there */
	uint32_t met_early;         /* 1: a signal handler ran in it before it had begun */
	/* 1: the shelves are being worked on; a jump out of a handler can leave it there, and the thread does without them */
	volatile uint32_t shelving;
	struct self_shelf shelves[SELF_SHELVES];
	/* of the wait that begins next: address of what is waited for, and return address of the call that waits, or creates a thread; or NULL */
	const void *wait_object, *wait_place;
};

extern _Thread_local struct skein_self skein_self __attribute__((tls_model("initial-exec"), visibility("default")));

#define SELF_TABLES_MAX 4096                                                         /* objects with site counters */
extern struct calls_lane self_nobody;                                                /* top and limit are NULL */
extern uint64_t *self_no_tables[SELF_TABLES_MAX];                                    /* all NULL */
extern struct raw_paths_open skein_no_frames __attribute__((visibility("default"))); /* a link that leads nowhere */
extern struct span_lane skein_no_span __attribute__((visibility("default")));        /* has no log that anybody reads */
extern struct flow_hot skein_no_flow;                                                /* is never written to */

_Static_assert(sizeof(struct skein_self) <= 512, "static TLS is scarce");

#endif
