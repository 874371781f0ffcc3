/* SPDX-License-Identifier: GPL-2.0-or-later */
/* threads.h: the subject's threads, one of which runs.
 *
 * A thread has a lane, which the next thread takes over when it has ended, with all shadow memory. What was found out
 * about it is its *tally*. The first THREADS_APART threads have one each; later ones share one a lane, as raw/format.h
 * says of RAW_THREAD. */
#ifndef SKEIN_VALGRIND_THREADS_H
#define SKEIN_VALGRIND_THREADS_H

#include "valgrind/routines.h"

enum { THREADS_APART = 512, SIGNALS = 8, HEAP_NEST = 8 };

struct frame {
	Addr sp; /* when the routine began: where its return address is */
	struct routine *routine;
	uint32_t context;
	uint16_t chain; /* frames before it that have the same sp: it was reached by so many jumps */
	Bool quiet, waits;
};

struct tally {
	struct tally *next; /* the one that began before it */
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
	uint64_t owner; /* of its points: no other thread ever had or will have it */
	ThreadId tid;

	struct frame *frames;
	uint32_t depth, room;
	Addr home;                 /* addresses above it are not of the thread's own stack */
	Addr outside, outside_end; /* of its stack: where the kernel has written. Above all, if it has not */

	uint64_t cost;      /* struct tool's, while another thread runs */
	uint64_t wait_cost; /* … when what waits began: none is added until it has ended */
	struct routine *current;
	Bool quiet;

	Addr hidden_sp; /* 0, or the loader looks for a routine: when it returns here, nothing has happened */
	uint64_t hidden_cost;
	Bool hidden_quiet;

	struct {
		uint32_t depth;
		struct routine *current;
	} interrupted[SIGNALS]; /* what ran when a signal came, and has not gone on since */
	uint32_t signals;

	struct {
		uint32_t depth; /* of the allocator's frame */
		UChar kind;
		UWord first, second; /* its arguments */
	} heap[HEAP_NEST];
	uint32_t heaps;
};

void threads_start(void);       /* the events are tracked from now on */
void threads_run(ThreadId tid); /* it is the one that runs; nothing if it is so already */
void threads_finish(void);      /* all have ended */
void threads_fork(void);        /* this is a child: only the running thread is there, and nothing has been counted */
const struct thread *threads_all(void);
const struct tally *threads_tallies(void); /* the newest first */
uint32_t threads_count(void);

/* What is known of the thread now: of a thread that runs it is still in its lane. */
const struct input_routines *tally_routines(const struct tally *tally);
const struct input_map *tally_sources(const struct tally *tally);

#endif
