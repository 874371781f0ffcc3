/* SPDX-License-Identifier: MIT */
/* concurrent.h: input sizes where threads run in parallel, as in a compiled subject.
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
 *  - every thread syncs at each acquire and each release, atomic write, fence and system call, and when it enters or
 *    leaves code that is not instrumented (before or after the operation: between the last access before it and the
 *    first access after it);
 *  - the program has no races *by cell*: two ints in one cell of 8 bytes race on the cell. For a race, the result is
 *    that of one of the possible orders.
 *
 * All functions with a thread are called by that thread, except while it is stopped. Several threads call the port's
 * functions at once. Nothing waits, nothing is locked. A signal handler may call everything; the accesses of a
 * handler that interrupted one of these functions are not seen, but counted in `interrupted`.
 *
 * 2^30 epochs of threads (in which they wrote something) can be told apart. After that words are renumbered, for which
 * all other threads have to stand still: `stop` does that, and returns true when all are outside of the functions
 * above, where they stay until `go`. Without `stop`, or when it returns false, words are reused: then a thread that
 * reads a cell again 16,384 such epochs later may mistake a new value for the old one. `reused` counts how often a
 * word was reused.
 *
 * To read a thread's routines, or to stop it, another thread sets `held` and makes it visible (membarrier); when
 * `busy` is 0 after that, the thread is outside of the functions above, and waits where it would enter one until
 * `held` is 0 again. */
#ifndef SKEIN_CORE_INPUT_CONCURRENT_H
#define SKEIN_CORE_INPUT_CONCURRENT_H

#include "arch/arch.h"
#include "core/input/input.h"
#include "core/input/writers.h"

struct input_concurrent_thread {
	struct input_thread t; /* must be the first member */
	struct input_concurrent *all;
	uint32_t word;        /* the word of its writes now: this thread, this epoch */
	uint8_t wrote;        /* the thread has written with this word */
	uint8_t busy;         /* the thread is in one of the functions */
	uint8_t held;         /* atomic: see above */
	uint64_t interrupted; /* calls and accesses of a signal handler that interrupted one of the functions */
};

struct input_concurrent {
	struct input_shadow shadow;
	struct input_writers writers;
	struct input_thread *threads; /* atomic; all threads that ever ran, linked by `next` */
	bool (*stop)(void *context);  /* may be NULL */
	void (*go)(void *context);
	void *context;
	uint32_t count_max;    /* INPUT_COUNT_MAX, or less in tests of its overflow */
	uint32_t shared_epoch; /* epoch of reused words */
	uint64_t reused, renumbered;
};

/* Brackets the thread's own use of its tables. False: a signal handler has interrupted one of the functions. */
INPUT_INLINE bool input_concurrent_enter(struct input_concurrent_thread *me)
{
	if (INPUT_RARELY(me->busy)) {
		me->interrupted++;
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

void input_concurrent_call(struct input_concurrent_thread *me, struct input_routine *routine);
void input_concurrent_return(struct input_concurrent_thread *me);
/* For longjmp and exceptions: `depth` is t.depth at the target. */
void input_concurrent_return_to(struct input_concurrent_thread *me, uint32_t depth);
INPUT_SLOW void input_concurrent_sync(struct input_concurrent_thread *me);
void input_concurrent_kernel_write(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);
void input_concurrent_forget(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);
INPUT_SLOW void input_concurrent_read_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes); /* any length */
INPUT_SLOW void input_concurrent_write_slow(struct input_concurrent_thread *me, uint64_t address, uint64_t bytes);

/* A chunk and a world of the concurrent form. */
struct input_concurrent_chunk {
	struct input_chunk head;
	uint64_t changes;           /* of the world, when the thread last looked */
	uint32_t quiet;             /* the thread's counter since when it has found the world as it is, but for its own writes */
	uint32_t word;              /* with which the thread last told the world of a write */
	uint32_t seen[INPUT_CELLS]; /* the cell's word at the thread's last access */
};

struct input_concurrent_world {
	struct input_world head;
	uint64_t changes;            /* atomic: epochs in which a thread, or the kernel, wrote here */
	uint32_t words[INPUT_CELLS]; /* atomic: the last writer of the cell */
};

/* concurrent_renumber.c */
void input_concurrent_renumber_times(struct input_thread *t);
bool input_concurrent_renumber_words(struct input_concurrent *all); /* all other threads must stand still; false: no memory */

#endif
