/* SPDX-License-Identifier: MIT */
/* calls.h: who called whom, how often, how long, and in which state: cprof's counting and timing.
 *
 * Problem: Malony's facade routines (cprof, section 4) update the profile of the routine, of its caller and of the arc
 * between them at each entry and exit, under locks, and must tell recursion from concurrency.
 * Idea: everything that happens to an activation is counted in one row, that of the *arc* through which it was entered
 * in the state of that moment, in the worker that runs it. Nobody else writes there, so there are no locks and nothing
 * is lost; a routine's totals are sums over its arcs (see struct calls_arc). The row is found by hashing a key that the
 * caller's frame has half prepared; the shadow stack gives the caller.
 * Cost: one probe, a push and a pop, and two readings of the clock.
 * Differs from the paper: one row holds both roles that section 4.1.1 gives a facade (caller and callee), so the
 * temporary variables of section 4.2.2 are not needed. The cost of the hooks is taken off as it arises (bias).
 * Recursion (section 4.4.1) goes by the worker's own stack and by what its thread inherited from its creators, not by
 * incrementing every worker's entry count. The C-C case exists.
 *
 * A worker's `struct calls_lane` is written by the thread that runs in it and by nobody else; another thread may read
 * `top` and the frames below it at any time and sees each word as it was or as it will be. Memory comes from the
 * caller. All of this may run in a signal handler that interrupts itself: a handler's frames are pushed above the
 * interrupted ones and popped again before they continue. */
#ifndef SKEIN_CORE_CALLS_H
#define SKEIN_CORE_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include "arch/arch.h"
#include "core/hash.h"

#define CALLS_LIKELY(x) __builtin_expect(!!(x), 1)

/* What one worker did along one arc in one state. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded" /* rows of recordings */
struct calls_arc {
	uint32_t caller, callee;
	uint32_t flags;
	uint32_t unused;
	uint64_t calls;
	uint64_t elapsed_ticks;   /* of every activation, recursive ones too: the arc's time */
	uint64_t outer_ticks;     /* of activations that are not recursive: the routine's inclusive time in this worker */
	uint64_t nested_ticks;    /* of activations that are outermost here but recursive by ancestry in another worker */
	uint64_t callee_calls;    /* calls made by these activations */
	uint64_t callee_ticks;    /* time in those calls */
	uint64_t wait_ticks;      /* time waited by these activations themselves */
	uint64_t displaced_ticks; /* time in which the worker ran another task on top of a waiting activation */
	uint64_t same_calls;      /* of concurrent calls: estimated number made while another worker was inside the same routine */
};
#pragma GCC diagnostic pop

/* Flags of an arc. The first three are the low bits of its key. */
enum {
	CALLS_CONCURRENT = 1,        /* n_working > 1 when the callee was entered (the state of the call arc, the callee's entry) */
	CALLS_CALL_CONCURRENT = 2,   /* the calling activation itself had forked (callee call, section 3.4.2) */
	CALLS_CALLER_CONCURRENT = 4, /* the calling activation had been entered concurrently */
	CALLS_ELSEWHERE = 8          /* stands for an activation that runs in another worker and created this thread, team or
	                              * task: caller is 0, callee the creator, and only callee_calls and callee_ticks count */
};

#define CALLS_ROUTINES_MAX (1u << 20) /* routine numbers are below this */
#define CALLS_ROUTINES_ALL (1u << 21) /* … but for objects that came too late to have numbers of their own */
#define CALLS_OUTSIDE 0u              /* the routine number of "no profiled caller" */

/* An activation. `as_caller` is its half of the keys of the calls that it makes: the routine in the upper 32 bits,
 * CALLS_CALLER_CONCURRENT and CALLS_CALL_CONCURRENT below. */
struct calls_frame {
	uint64_t as_caller;
	struct calls_arc *arc;
	uint64_t start;
	void *fork; /* the runtime's, if this activation created threads or teams */
};

struct calls_slot {
	uint64_t key; /* 0: empty */
	struct calls_arc *arc;
};

/* One a worker. Invariants: base[0] exists and is an ELSEWHERE frame; base <= top < limit; active[r] counts in its
 * lower half the frames of r on this stack, in its upper half those that its thread inherited. */
struct calls_lane {
	struct calls_frame *top;
	struct calls_frame *limit; /* frames from here on are not backed yet */
	struct calls_slot *index;  /* open addressing, a power of two */
	uint64_t shift;            /* 64 - log2 of its size */
	uint64_t *active;          /* a counter a routine */
	struct calls_frame *base;
	uint64_t arcs;            /* in the index */
	uint64_t bias;            /* ticks that the hooks have taken so far: frames live in time without them */
	uint64_t inside, outside; /* what one call's hooks take between its two readings of the clock, and beside them */
	uint32_t number;
};

/* A worker's own time: the clock less what the hooks took. */
static inline uint64_t calls_time(const struct calls_lane *lane, uint64_t clock)
{
	return clock - lane->bias;
}

static inline uint64_t calls_key(uint64_t as_caller, uint32_t callee, uint64_t concurrent)
{
	return as_caller | (uint64_t)callee << 4 | concurrent;
}

static inline uint32_t calls_routine_of(uint64_t as_caller)
{
	return (uint32_t)(as_caller >> 32);
}

static inline uint64_t calls_hash(uint64_t key, uint64_t shift)
{
	return hash_spread(key) >> shift;
}

/* The arc of a key if it is in its first slot, else NULL: the fast half of calls_find. */
static inline struct calls_arc *calls_probe(const struct calls_lane *lane, uint64_t key)
{
	const struct calls_slot *slot = &lane->index[calls_hash(key, lane->shift)];
	return CALLS_LIKELY(slot->key == key) ? slot->arc : (struct calls_arc *)0;
}

#define CALLS_STEP() __asm__ volatile("" : : : "memory")

/* Enter: the caller has checked that top + 1 < limit and found the arc of the key. `inherit` is for the body of a
 * parallel construct, which is its creator's code: what it calls is called in its creator's states. The clock is read
 * last on the way in and first on the way out. `start` and `now` are in the worker's own time (calls_time): sums may
 * come out a few ticks below zero, as two's complement, where the hooks took less than they usually do.
 * A signal handler that comes before top is set uses the same frame, so what it holds is stored again afterwards; one
 * that comes behind finds a frame that it can call from. */
static inline struct calls_frame *calls_push(struct calls_lane *lane, struct calls_arc *arc, uint32_t routine, uint64_t concurrent,
                                             bool inherit)
{
	struct calls_frame *caller = lane->top, *mine = caller + 1;
	uint64_t as_caller = (uint64_t)routine << 32 |
		(inherit ? caller->as_caller & (CALLS_CALL_CONCURRENT | CALLS_CALLER_CONCURRENT) : concurrent << 2);
	arch_add(&arc->calls, 1);
	arch_add(&caller->arc->callee_calls, 1);
	lane->active[routine]++;
	mine->as_caller = as_caller;
	mine->arc = arc;
	CALLS_STEP();
	lane->top = mine;
	CALLS_STEP();
	mine->as_caller = as_caller;
	mine->arc = arc;
	mine->fork = 0;
	return mine;
}

/* Leave: mine is the top. */
static inline void calls_pop(struct calls_lane *lane, struct calls_frame *mine, uint32_t routine, uint64_t now)
{
	uint64_t spent = now - mine->start;
	struct calls_arc *arc = mine->arc;
	uint64_t left = --lane->active[routine];
	arch_add(&arc->elapsed_ticks, spent);
	if (left == 0)
		arch_add(&arc->outer_ticks, spent);
	else if ((uint32_t)left == 0)
		arch_add(&arc->nested_ticks, spent);
	arch_add(&mine[-1].arc->callee_ticks, spent);
	CALLS_STEP();
	lane->top = mine - 1;
}

/* The slow halves, in calls.c. */
struct calls_arc *calls_find(const struct calls_lane *lane, uint64_t key);                    /* NULL: not there */
bool calls_index_has_room(const struct calls_lane *lane);                                     /* for one more */
void calls_insert(struct calls_lane *lane, uint64_t key, struct calls_arc *arc);              /* names and inserts it */
void calls_point(struct calls_lane *lane, uint64_t key, struct calls_arc *arc);               /* one arc for many keys: not named */
void calls_index_move(struct calls_lane *lane, struct calls_slot *into, unsigned log2_slots); /* into is all zero */
void calls_drop(struct calls_lane *lane, struct calls_frame *keep, uint64_t now);             /* ends every frame above keep */
/* pushes a frame that stands for an activation elsewhere */
void calls_adopt(struct calls_lane *lane, struct calls_arc *elsewhere, uint64_t as_caller, uint64_t now);
/* counts all open frames until now as if they ended and began again */
void calls_split(struct calls_lane *lane, uint64_t now);

#endif
