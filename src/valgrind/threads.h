/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h: the subject's threads, of which one runs at a time.
 *
 * A thread has a lane with its shadow memory, which the next thread takes over when it has ended. The results of a
 * thread are its *tally*. The first THREADS_APART threads have one each; later threads share one per lane, as
 * RAW_THREAD in raw/format.h. */
#ifndef SKEIN_VALGRIND_THREADS_H
#define SKEIN_VALGRIND_THREADS_H

#include "valgrind/routines.h"

enum { THREADS_APART = 512, SIGNALS = 8, HEAP_NEST = 8 };

struct frame {
	Addr sp; /* when the routine began: where its return address is */
	struct routine *routine;
	uint32_t context;
	uint16_t chain; /* number of frames below that have the same sp: those that jumped here */
	Bool quiet, waits;
};

struct tally {
	struct tally *next; /* the tally that began before this one */
	uint32_t number, tid, lane, creator;
	Bool is_shared;
	uint64_t start_tsc, end_tsc;
	struct input_routines routines; /* of threads that have ended, or of the lane's thread: see tally_routines */
	struct input_map sources;
	uint64_t lost, renumbered;
};

struct thread {
	struct input_thread input;
	struct thread *next;  /* all lanes */
	struct tally *tally;  /* NULL: no thread has the lane */
	struct tally *shared; /* of this lane */
	uint32_t lane;
	uint64_t owner; /* owner of the thread's points: no other thread ever has the same */
	ThreadId tid;

	struct frame *frames;
	uint32_t depth, room;
	Addr home;                 /* addresses above it are outside the thread's own stack */
	Addr outside, outside_end; /* range of the stack that the kernel has written; above all addresses if none */

	uint64_t cost;      /* struct tool's, while another thread runs */
	uint64_t wait_cost; /* cost when a waiting routine began: nothing is added until it has ended */
	struct routine *current;
	Bool quiet;

	Addr hidden_sp; /* stack pointer at which the loader's resolver returns, or 0: until then nothing counts */
	uint64_t hidden_cost;
	Bool hidden_quiet;

	struct {
		uint32_t depth;
		struct routine *current;
	} interrupted[SIGNALS]; /* routines that a signal interrupted and that have not continued since */
	uint32_t signals;

	struct {
		uint32_t depth; /* of the allocator's frame */
		UChar kind;
		UWord first, second; /* arguments of the call */
	} heap[HEAP_NEST];
	uint32_t heaps;
};

void threads_start(void);       /* the events are tracked from now on */
void threads_run(ThreadId tid); /* the thread runs now; does nothing if it already did */
void threads_finish(void);      /* all have ended */
void threads_fork(void);        /* the process is a forked child: only the running thread exists, with empty counts */
const struct thread *threads_all(void);
const struct tally *threads_tallies(void); /* the newest first */
uint32_t threads_count(void);

/* The thread's routines: of a running thread they are still in its lane. */
const struct input_routines *tally_routines(const struct tally *tally);
const struct input_map *tally_sources(const struct tally *tally);

#endif
