/* SPDX-License-Identifier: MIT */
/* input.h: how much input an activation of a routine really reads, by Coppa, Demetrescu, Finocchi and Marotta (2014).
 *
 * Three sizes are computed at once for every activation (enum input_metric): RMS counts the cells that it, with all
 * that it calls, accesses first by reading; TRMS also counts reads of what another thread or the kernel has written
 * since the activation accessed the cell last (an induced first access); RMS + external leaves out those that other
 * threads have written. Whose a value is, is said by the last write before it is read.
 *
 * This file is what two forms of the algorithm have in common: serial.h, where threads run one at a time, and
 * concurrent.h, where they run at once. A thread has a counter that grows at each call, and at each event after which
 * others may have written. A cell's stamp in a thread is the counter at the thread's last access, and a bit that says
 * that it was a write:
 *
 *     stamp >= limit                 the top activation has accessed the cell, and nobody can have written it since: a read is no news.
 *     stamp >= limit and a write     everybody knows that this thread wrote it last: a write is none either.
 *
 * with limit the later of the start of the top activation and the last such event. So an access is one look-up nearly
 * always (fast.h). Else, a stamp earlier than the start of the top activation means a first access: it is news to the
 * activations that started after it, all of which are on the stack. The top one gets 1 and the latest that had accessed
 * the cell loses 1; what a frame has got, added up from it to the top, is its size (Invariant 2). Mostly it is the top
 * one's caller that had accessed the cell: stamp >= deep says so. Such accesses are counted in `firsts` and put into
 * the frames when the stack changes.
 *
 *     input_call(&t, input_routine_of(&t.routines, key));     t.cost += …, read, write
 *     input_return(&t, NULL);                                 adds to the routine's points
 *
 * The lowest frame is the thread's own, with the routine that it was started with, and ends with it: a return too many
 * does nothing. A call that finds no memory for its frame is counted in `lost`, and what it does belongs to its caller. */
#ifndef SKEIN_CORE_INPUT_H
#define SKEIN_CORE_INPUT_H

#include "core/input/points.h"
#include "core/input/shadow.h"

#define INPUT_INLINE static inline __attribute__((always_inline))
#define INPUT_RARELY(x) __builtin_expect(!!(x), 0)
#define INPUT_SLOW __attribute__((visibility("default"))) /* inlined code in other objects calls them */

#define INPUT_WRITTEN 1u
#define INPUT_COUNT_MAX (UINT32_MAX >> 2) /* so that stamps are below 2^31, which vectors of signed numbers can compare */
#define INPUT_KERNEL UINT32_MAX           /* who writes what comes from outside */

struct input_frame {
	uint32_t start;                /* the counter when it began */
	uint32_t limit, deep;          /* its caller's, at that time */
	uint32_t is_induced;           /* from `beyond` on there is something */
	struct input_routine *routine; /* NULL: there was no memory for it */
	uint64_t cost;                 /* of the thread when it began */
	uint64_t callees;              /* cost of what it called */
	uint64_t firsts;               /* while it is not the top one: the thread's, when it made its call */
	/* by RMS, partial: see Invariant 2. Its own firsts are to be added, those of the frame above it taken away */
	int64_t size;
	int64_t beyond[INPUT_METRICS - 1]; /* what the other metrics count beyond RMS: partial */
	uint64_t thread, external;
};

/* A thread, and the lane in which others come after it. Zeroed before the first. */
struct input_thread {
	struct input_lane lane; /* first: a chunk knows it */
	uint32_t limit;         /* a stamp: see above */
	/* a stamp: the later of the start of the top activation's caller and `base`; without a caller it is the limit */
	uint32_t deep;
	uint32_t base; /* the counter at the last event after which others may have written */
	uint32_t count, count_max;
	uint32_t depth;          /* frames that are there; 0: the thread has ended */
	uint32_t room, too_deep; /* of frames; calls that found none and have not returned. While there are any, depth is room */
	struct input_frame *frames;
	uint64_t firsts; /* of the top activation: first accesses to what its caller had accessed */
	uint64_t cost;   /* so far: the producer adds to it */
	uint32_t id;     /* of the thread, from 1 */
	uint32_t had;    /* the frame that was found last to have accessed a cell */
	uint64_t lost;   /* calls and accesses for which there was no memory */
	uint64_t renumbered;
	struct input_routines routines;           /* port and sizes_max are set by whoever starts the thread */
	struct input_map sources;                 /* id of a writer, or INPUT_KERNEL: how many induced reads were of its writes */
	void (*renumber)(struct input_thread *t); /* the counter has come to its end: makes it small */
	void *form;                               /* whose thread it is */
	struct input_thread *next;
};

/* The thread's first frame. The lane may have had threads before: their stamps are older than it. false: no memory,
 * nothing may be done with it. */
bool input_thread_start(struct input_thread *t, uint32_t id, struct input_routine *routine);
void input_thread_end(struct input_thread *t);   /* returns from all frames; routines and sources can be read then */
void input_thread_clear(struct input_thread *t); /* … and have been: the next thread of the lane begins without */

void input_call(struct input_thread *t, struct input_routine *routine);
void input_return(struct input_thread *t, struct input_activation *ended); /* ended: filled in, if it is not NULL and a frame ends */
void input_return_to(struct input_thread *t, uint32_t depth);              /* longjmp, exceptions: until there are so many frames */

/* For the forms: */
void input_tick(struct input_thread *t);                                  /* the counter grows */
void input_look_again(struct input_thread *t);                            /* … since others may have written */
void input_first(struct input_thread *t, uint32_t stamp, uint32_t cells); /* reads that are first accesses, and not induced */
void input_induced(struct input_thread *t, uint32_t stamp, uint32_t writer, uint32_t cells); /* reads of what another wrote */
uint32_t input_rank(const struct input_frame *frames, uint32_t count, uint32_t at);          /* how many frames began at or before it */

INPUT_INLINE struct input_frame *input_top(const struct input_thread *t)
{
	return &t->frames[t->depth - 1];
}

INPUT_INLINE uint32_t input_later(const struct input_thread *t, const struct input_frame *f)
{
	return (f->start > t->base ? f->start : t->base) << 1;
}

INPUT_INLINE void input_set_limit(struct input_thread *t)
{
	const struct input_frame *top = input_top(t);
	t->limit = input_later(t, top);
	t->deep = INPUT_RARELY(t->depth < 2) ? t->limit : input_later(t, top - 1);
}

/* Whether a stamp is of a thread that had the lane before. */
INPUT_INLINE bool input_is_stale(const struct input_thread *t, uint32_t stamp)
{
	return stamp >> 1 < t->frames[0].start;
}

#endif
