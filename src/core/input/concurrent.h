/* SPDX-License-Identifier: MIT */
/* concurrent.h: input sizes where threads run at once: in a compiled subject.
 *
 *     static struct input_concurrent all;
 *     input_concurrent_start(&all, &port, 2);                          cells of 4 bytes; false: no memory
 *     input_concurrent_thread_start(&all, me, id, routine);            me is zeroed, or of a thread that has ended
 *     input_concurrent_read_slow(me, address, bytes);                  reads by the kernel too; fast.h has what is inlined
 *     input_concurrent_write_slow(me, address, bytes);
 *     input_concurrent_call(me, routine); input_concurrent_return(me);
 *     input_concurrent_sync(me);                                       see below
 *     input_concurrent_kernel_write(me, address, bytes);               what a system call of this thread left in memory
 *     input_concurrent_forget(me, address, bytes);                     before free or munmap: cells that lie wholly in it start afresh,
 *                                                                      for all threads
 *     input_concurrent_thread_end(me);                                 then me->t.routines and me->t.sources can be read, and cleared
 *
 * Exact, if
 *  - every thread syncs at each acquire and each release, atomic write, fence and system call, and when it comes from
 *  or goes to code that is not instrumented
 *    (before or after the operation: between the last access before it and the first access after it);
 *  - the program has no races *by cell*: two ints in one cell of 8 bytes race on the cell. Where there is a race one of the orders is seen.
 *
 * All functions with a thread are called by that thread, except while it is stopped. The port's are called by several
 * at once. Nothing waits, nothing is locked. A signal handler may call everything; where it came into the middle of one
 * of these functions, what it does is not seen, and is counted in t.lost.
 *
 * 2^30 epochs of threads (in which they wrote something) can be told apart. After that words are renumbered, for which
 * all other threads have to stand still: `stop` does that, and returns true when all are outside of the functions
 * above, where they stay until `go`. Without it, or when it returns false, words are used again: then a thread that has
 * seen a value, and looks for it again 16,384 such epochs later, may take the new one for the old one. `reused` counts
 * how often a thread had to.
 *
 * Another thread that wants to look at a thread's routines, or to stop it, sets `held` and makes sure that the thread
 * can see it (membarrier); when `busy` is 0 after that, the thread is outside of the functions above, and waits where
 * it would enter one until `held` is 0 again. */
#ifndef SKEIN_CORE_INPUT_CONCURRENT_H
#define SKEIN_CORE_INPUT_CONCURRENT_H

#include "arch/arch.h"
#include "core/input/input.h"
#include "core/input/writers.h"

struct input_concurrent_thread {
	struct input_thread t; /* first */
	struct input_concurrent *all;
	uint32_t word; /* what it writes now: by this thread, in this epoch */
	uint8_t wrote; /* … and has written already */
	uint8_t busy;  /* in one of the functions */
	uint8_t held;  /* atomic: see above */
};

struct input_concurrent {
	struct input_shadow shadow;
	struct input_writers writers;
	struct input_thread *threads; /* atomic; all that ever ran, by `next` */
	bool (*stop)(void *context);  /* may be NULL */
	void (*go)(void *context);
	void *context;
	uint32_t count_max;    /* INPUT_COUNT_MAX, unless it is made small to see it end */
	uint32_t shared_epoch; /* of words that are used again */
	uint64_t reused, renumbered;
};

/* Around what the thread does with its tables by itself. false: a signal handler came into the middle of a function. */
INPUT_INLINE bool input_concurrent_enter(struct input_concurrent_thread *me)
{
	if (INPUT_RARELY(me->busy)) {
		me->t.lost++;
		return false;
	}
	me->busy = 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	while (INPUT_RARELY(__atomic_load_n(&me->held, __ATOMIC_ACQUIRE))) {
		__atomic_store_n(&me->busy, 0, __ATOMIC_RELEASE);
		arch_pause();
		me->busy = 1;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	}
	return true;
}

INPUT_INLINE void input_concurrent_leave(struct input_concurrent_thread *me)
{
	__atomic_store_n(&me->busy, 0, __ATOMIC_RELEASE);
}

bool input_concurrent_start(struct input_concurrent *all, const struct input_port *port, unsigned cell_log2);
bool input_concurrent_thread_start(struct input_concurrent *all, struct input_concurrent_thread *me, uint32_t id,
                                   struct input_routine *routine);
void input_concurrent_thread_end(struct input_concurrent_thread *me);

INPUT_SLOW void input_concurrent_call(struct input_concurrent_thread *me, struct input_routine *routine);
INPUT_SLOW void input_concurrent_return(struct input_concurrent_thread *me);
/* longjmp, exceptions: t.depth as it was there */
INPUT_SLOW void input_concurrent_return_to(struct input_concurrent_thread *me, uint32_t depth);
INPUT_SLOW void input_concurrent_sync(struct input_concurrent_thread *me);
INPUT_SLOW void input_concurrent_kernel_write(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);
INPUT_SLOW void input_concurrent_forget(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);
INPUT_SLOW void input_concurrent_read_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes); /* any length */
INPUT_SLOW void input_concurrent_write_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);

/* A chunk and a world of this form. */
struct input_concurrent_chunk {
	struct input_chunk head;
	uint32_t seen[INPUT_CELLS]; /* the word that was there when the thread accessed the cell last */
};

struct input_concurrent_world {
	struct input_world head;
	uint32_t words[INPUT_CELLS]; /* atomic: who wrote the cell last */
};

/* concurrent_renumber.c */
void input_concurrent_renumber_times(struct input_thread *t);
bool input_concurrent_renumber_words(struct input_concurrent *all); /* while all others stand still; false: no memory */

#endif
