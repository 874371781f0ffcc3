/* SPDX-License-Identifier: MIT */
/* input.h: measures how much input an activation of a routine reads, by Coppa, Demetrescu, Finocchi and Marotta
 * (2014).
 *
 * Three sizes are computed at once for every activation (enum input_metric): RMS counts the cells that the
 * activation and its callees access first by reading; TRMS also counts reads of what another thread or the kernel
 * has written since the activation accessed the cell last (an induced first access); RMS + external leaves out those
 * that other threads have written. The last write before a read decides who wrote the value.
 *
 * Two forms of the algorithm share this file: serial.h, where threads run one at a time, and concurrent.h, where
 * they run in parallel. A thread has a counter that grows at each call, and at each event after which others may
 * have written. A cell's stamp in a thread is the counter at the thread's last access, and a bit that is set if it
 * was a write:
 *
 *     stamp >= limit                 the top activation has accessed the cell, and no other thread has since: a read
 *                                    changes nothing.
 *     stamp >= limit and a write     all threads know that this thread wrote it last: a write changes nothing.
 *
 * with limit the later of the start of the top activation and the last such event. So an access is one look-up nearly
 * always (fast.h). Else, a stamp earlier than the start of the top activation means a first access: it counts for
 * the activations that started after the stamp, all of which are on the stack. The top one gets 1 and the latest
 * that had accessed the cell loses 1; the sum over the frames from one to the top is that one's size (Invariant 2).
 * Mostly the caller of the top activation had accessed the cell: stamp >= deep says so. Such accesses are counted in
 * `firsts` and put into the frames when the stack changes.
 *
 *     input_call(&t, input_routine_of(&t.routines, key));     t.cost += …, read, write
 *     input_return(&t, NULL);                                 adds to the routine's points
 *
 * The lowest frame is the thread's own, with the routine that it was started with, and ends with the thread: a
 * return too many does nothing. A call that finds no memory for its frame is counted in `lost`, and its accesses
 * belong to its caller. */
#ifndef SKEIN_CORE_INPUT_H
#define SKEIN_CORE_INPUT_H

#include "core/input/points.h"
#include "core/input/shadow.h"

#define INPUT_INLINE static inline __attribute__((always_inline))
#define INPUT_RARELY(x) __builtin_expect(!!(x), 0)
/* Inlined code in other objects calls these functions, by names that a subject does not have. */
#define INPUT_SLOW __attribute__((visibility("default")))
#pragma redefine_extname input_hand_down skein_input_hand_down
#pragma redefine_extname input_concurrent_sync skein_input_sync
#pragma redefine_extname input_concurrent_read_slow skein_input_read_slow
#pragma redefine_extname input_concurrent_write_slow skein_input_write_slow

#define INPUT_WRITTEN 1u
#define INPUT_COUNT_MAX (UINT32_MAX >> 2) /* stamps stay below 2^31, which vectors of signed numbers can compare */
#define INPUT_KERNEL UINT32_MAX           /* the writer of data from outside */

struct input_frame {
	uint32_t start;                /* the counter when the activation began */
	uint32_t limit, deep;          /* limit and deep of the thread at that time */
	uint8_t is_induced;            /* `beyond` is in use */
	uint8_t is_parents;            /* began before the process forked: the parent counts it */
	uint16_t chosen;               /* functions that the activation called through pointers (choice.h) */
	struct input_routine *routine; /* NULL: no memory for the routine, or the parent counts it */
	uint64_t cost;                 /* cost of the thread when the activation began */
	uint64_t callees;              /* cost of callees */
	uint64_t firsts;               /* while the frame is not the top: firsts of the thread when the frame made its call */
	/* partial size by RMS: see Invariant 2. Add the frame's own firsts, subtract those of the frame above. */
	int64_t size;
	int64_t beyond[INPUT_METRICS - 1]; /* partial counts of the other metrics beyond RMS */
	uint64_t thread, external;
};

/* A thread, and the lane that later threads take over. Zeroed before the first. */
struct input_thread {
	struct input_lane lane; /* must be the first member: a chunk points to it */
	uint32_t limit;         /* a stamp: see the head of this file */
	/* a stamp: the later of the start of the top activation's caller and `base`; without a caller it is the limit */
	uint32_t deep;
	uint32_t base; /* the counter at the last event after which others may have written */
	uint32_t count, count_max;
	uint32_t depth;          /* number of frames; 0: the thread has ended */
	uint32_t room, too_deep; /* room for frames; number of open calls that found no room. While it is above 0, depth == room */
	struct input_frame *frames;
	uint64_t firsts; /* first accesses of the top activation to cells that its caller had accessed */
	uint64_t cost;   /* cost so far: the producer adds to it */
	uint32_t id;     /* id of the thread, from 1 */
	uint32_t had;    /* the last frame that was found to have accessed a cell */
	uint64_t lost;   /* calls and accesses for which there was no memory */
	uint64_t renumbered;
	struct input_routines routines;           /* the code that starts the thread sets port and sizes_max */
	struct input_map sources;                 /* from a writer (INPUT_KERNEL or an id) to the number of induced reads of its writes */
	void (*renumber)(struct input_thread *t); /* called when the counter reaches its end: makes it small */
	void *form;                               /* the serial or concurrent form of the thread */
	struct input_thread *next;
};

/* Starts a thread with its first frame. The lane may have had threads before, whose stamps are older. False: no
 * memory; the thread must not be used. */
bool input_thread_start(struct input_thread *t, uint32_t id, struct input_routine *routine);
void input_thread_end(struct input_thread *t);   /* returns from all frames; routines and sources can be read then */
void input_thread_clear(struct input_thread *t); /* call this after reading them: the next thread of the lane begins without */

void input_call(struct input_thread *t, struct input_routine *routine);
void input_return(struct input_thread *t, struct input_activation *ended); /* `ended` is filled in, if not NULL and a frame ends */
void input_return_to(struct input_thread *t, uint32_t depth);              /* for longjmp and exceptions: keeps `depth` frames */
void input_forked(struct input_thread *t); /* in a child: open activations are the parent's; they stay open */

/* For the two forms: */
void input_tick(struct input_thread *t);                                  /* the counter grows */
void input_look_again(struct input_thread *t);                            /* the counter grows, since others may have written */
void input_first(struct input_thread *t, uint32_t stamp, uint32_t cells); /* reads that are first accesses, and not induced */
void input_induced(struct input_thread *t, uint32_t stamp, uint32_t writer, uint32_t cells); /* reads of cells that another thread wrote */
uint32_t input_rank(const struct input_frame *frames, uint32_t count, uint32_t at);          /* frames that began at or before `at` */

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
