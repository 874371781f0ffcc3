/* SPDX-License-Identifier: MIT */
/* calls.h: counts and times the calls between routines, by state, as cprof does.
 *
 * Problem: Malony's facade routines (cprof, section 4) update the profile of the routine, of its caller and of the arc
 * between them at each entry and exit, under locks, and must tell recursion from concurrency.
 * Idea: everything that happens to an activation is counted in one row: that of the *arc* through which it was
 * entered, in the state at its entry, in the worker that runs it. Only that worker writes the row, so there are no
 * locks and nothing is lost; a routine's totals are sums over its arcs (see struct calls_arc). The row is found by
 * hashing a key that the caller's frame has half prepared; the shadow stack gives the caller.
 * Cost: one probe, a push and a pop, and two readings of the clock, unless the call is not timed.
 *
 * Not every call needs to be timed. A call of an arc with weight w is timed with the probability 1/w. What every other
 * call takes is told by a clock that stands still between readings: `last`, the worker's newest reading, for whatever
 * reason it was taken. Where a call is timed, the difference between its real time and what `last` showed counts w
 * times: sums are right on average, whatever `last` is worth (a difference estimator), and since `last` lags behind by
 * microseconds, they are near even where one call in a million is long, waits, or contains the whole run.
 * For that to hold, what `last` shows of a call must not depend on whether it is timed: see calls_seen.
 *
 * Differs from the paper: one row holds both roles that section 4.1.1 gives a facade (caller and callee), so the
 * temporary variables of section 4.2.2 are not needed. The cost of the hooks is taken off as it arises (bias).
 * Recursion (section 4.4.1) goes by the worker's own stack and by what its thread inherited from its creators, not by
 * incrementing every worker's entry count. The C-C case exists.
 *
 * A worker's `struct calls_lane` is written only by the thread that runs in it; another thread may read `top` and
 * the frames below it at any time and sees the old or the new value of each word. Memory comes from the caller. All
 * of this may run in a signal handler that interrupts itself: a handler's frames are pushed above the interrupted
 * ones and popped again before they continue. */
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
	uint32_t skip; /* weight of a timed call, less 1: 0 if every call is timed */
	uint32_t left; /* number of calls that are not timed before the next one that is */
	uint64_t calls;
	uint64_t elapsed_ticks;   /* time of all activations, recursive ones too: the arc's time */
	uint64_t outer_ticks;     /* time of activations that are not recursive: the routine's inclusive time in this worker */
	uint64_t nested_ticks;    /* time of activations that are outermost here but recursive by ancestry in another worker */
	uint64_t callee_calls;    /* calls made by these activations */
	uint64_t callee_ticks;    /* time in those calls */
	uint64_t wait_ticks;      /* time waited by these activations themselves */
	uint64_t displaced_ticks; /* time in which the worker ran another task on top of a waiting activation */
	uint64_t same_calls;      /* estimated number of concurrent calls made while another worker was inside the same routine */
	uint64_t skipped_calls;   /* calls that are not timed, with those in `left`, which are to come */
	/* in units of CALLS_SQUARE ticks squared, with y for the difference between a timed call's time and what `last` showed of it */
	uint64_t squares;  /* sum of w y y, with y cut at CALLS_UNUSUAL: estimates the sum of y y over all calls */
	uint64_t variance; /* sum of w (w - 1) y y: estimates the variance of elapsed_ticks */
};

#define CALLS_SQUARE 256u
#define CALLS_UNUSUAL (UINT64_C(1) << 18) /* ticks, about 0.1 ms: the thread may have lost its core meanwhile */
#define CALLS_LOG2_WEIGHTS 10u            /* weights are powers of two, at most 1024 */
#pragma GCC diagnostic pop

/* Flags of an arc. The first three are the low bits of its key. */
enum {
	CALLS_CONCURRENT = 1,        /* n_working > 1 when the callee was entered (the state of the call arc, the callee's entry) */
	CALLS_CALL_CONCURRENT = 2,   /* the calling activation itself had forked (callee call, section 3.4.2) */
	CALLS_CALLER_CONCURRENT = 4, /* the calling activation had been entered concurrently */
	/* stands for an activation in another worker that created this thread, team or task: caller is 0, callee the
	 * creator, and only callee_calls and callee_ticks count */
	CALLS_ELSEWHERE = 8
};

#define CALLS_ROUTINES_MAX (1u << 20) /* routine numbers are below this */
#define CALLS_ROUTINES_ALL (1u << 21) /* includes numbers shared by objects that were loaded too late to get their own */
#define CALLS_OUTSIDE 0u              /* the routine number of "no profiled caller" */

/* An activation. `as_caller` is the caller's half of the keys of its calls: the routine in the upper 32 bits,
 * CALLS_CALLER_CONCURRENT and CALLS_CALL_CONCURRENT below. */
struct calls_frame {
	uint64_t as_caller;
	struct calls_arc *arc;
	uint64_t start;  /* if it is timed */
	void *fork;      /* belongs to the runtime, if this activation created threads or teams */
	uint64_t before; /* the lane's `last` when it was entered */
	uint64_t weight; /* of its time; 0: not timed */
};

struct calls_slot {
	uint64_t key; /* 0: empty */
	struct calls_arc *arc;
};

/* The state of one worker. Invariants: base[0] exists and is an ELSEWHERE frame; base <= top < limit; active[r]
 * counts the frames of r: on this stack in the lower half, inherited by the thread in the upper half. */
struct calls_lane {
	struct calls_frame *top;
	struct calls_frame *limit; /* frames from here on are not backed yet */
	struct calls_slot *index;  /* open addressing, a power of two, at most a quarter full */
	uint64_t shift;            /* 64 - log2 of the index's size */
	uint64_t *active;          /* one counter per routine */
	struct calls_frame *base;
	uint64_t arcs;            /* number of arcs in the index */
	uint64_t bias;            /* ticks that the hooks have taken so far; frames use time without these */
	uint64_t inside, outside; /* ticks that the hooks of one call take between the two readings of the clock, and outside of them */
	uint64_t untimed;         /* ticks that the hooks of a call take that is not timed */
	uint64_t last;            /* newest reading of the clock, in the worker's own time; another thread may set it, too */
	uint64_t chance;          /* state of the generator of random numbers */
	uint32_t number;
};

/* A worker's own time: the clock minus the ticks of the hooks. */
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

/* Finds the arc of a key in the first two slots that it may have: the fast half of calls_find. */
static inline bool calls_probe(const struct calls_lane *lane, uint64_t key, struct calls_arc **arc)
{
	uint64_t i = calls_hash(key, lane->shift);
	if (!CALLS_LIKELY(lane->index[i].key == key) && lane->index[i ^= 1].key != key)
		return false;
	*arc = lane->index[i].arc;
	return true;
}

#define CALLS_STEP() __asm__ volatile("" : : : "memory")

/* Enters a routine. The caller has checked that top + 1 < limit and found the arc of the key. `inherit` is for the
 * body of a parallel construct, which is part of its creator's code: its calls have the creator's states. The clock
 * is read last on the way in and first on the way out. `start` and `now` are in the worker's own time (calls_time):
 * sums may come out a few ticks below zero, as two's complement, where the hooks took less than they usually do.
 * A signal handler that runs before top is set uses the same frame, so the frame is stored again afterwards; a
 * handler that runs later finds a frame that it can call from. */
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

/* Begins the time of an activation that was just pushed and is timed. */
static inline void calls_time_from(struct calls_lane *lane, struct calls_frame *mine, uint64_t weight, uint64_t now)
{
	mine->before = lane->last;
	mine->weight = weight;
	mine->start = now;
	lane->last = now;
}

static inline void calls_time_not(struct calls_lane *lane, struct calls_frame *mine)
{
	mine->before = lane->last;
	mine->weight = 0;
}

/* What `last` shows of an activation at its end. A timed one set `last` itself when it began. If the clock was not read
 * again since, `last` would stand where it stood before, had this call not been timed. */
static inline uint64_t calls_seen(const struct calls_lane *lane, const struct calls_frame *mine)
{
	uint64_t last = lane->last;
	return mine->weight && last == mine->start ? 0 : last - mine->before;
}

/* Leaves a routine, in which `spent` was spent. `mine` must be the top. */
static inline void calls_pop(struct calls_lane *lane, struct calls_frame *mine, uint32_t routine, uint64_t spent)
{
	struct calls_arc *arc = mine->arc;
	uint64_t left = --lane->active[routine];
	if (spent) {
		arch_add(&arc->elapsed_ticks, spent);
		if (left == 0)
			arch_add(&arc->outer_ticks, spent);
		else if ((uint32_t)left == 0)
			arch_add(&arc->nested_ticks, spent);
		arch_add(&mine[-1].arc->callee_ticks, spent);
	}
	CALLS_STEP();
	lane->top = mine - 1;
}

/* The slow paths, in calls.c. */
struct calls_arc *calls_find(const struct calls_lane *lane, uint64_t key); /* NULL: not there */
void calls_draw(struct calls_lane *lane, struct calls_arc *arc);           /* how many calls are not timed before the next one that is */
uint64_t calls_spent(struct calls_lane *lane, const struct calls_frame *mine, uint64_t now);  /* by an activation until now, as it counts */
bool calls_index_has_room(const struct calls_lane *lane);                                     /* there is room for one more arc */
void calls_insert(struct calls_lane *lane, uint64_t key, struct calls_arc *arc);              /* sets the arc's names and inserts it */
void calls_point(struct calls_lane *lane, uint64_t key, struct calls_arc *arc);               /* one arc for many keys, without names */
void calls_index_move(struct calls_lane *lane, struct calls_slot *into, unsigned log2_slots); /* `into` must be zeroed */
void calls_drop(struct calls_lane *lane, struct calls_frame *keep, uint64_t now);             /* ends every frame above keep */
/* pushes a frame that stands for an activation in another worker */
void calls_adopt(struct calls_lane *lane, struct calls_arc *elsewhere, uint64_t as_caller, uint64_t now);
/* Counts all open frames until now as if they ended and began again. */
void calls_split(struct calls_lane *lane, uint64_t now);

#endif
