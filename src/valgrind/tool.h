/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tool.h: the state that the parts of the Valgrind tool share.
 *
 * The tool runs any program and computes the input sizes of its routines (core/input/serial.h). Valgrind translates the
 * program's code block by block; instrument.c adds to each block what follows it:
 *
 *     cost                   one addition per block (or the number of its instructions)
 *     tool.current           the routine whose code runs. A call sets it to NULL, so that the next block of a routine looks (stack.h)
 *     loads and stores       a call with the address (access.c), which returns at once if the access changes nothing
 *     returns                a call with the stack pointer (stack.h)
 *
 * Valgrind runs one thread at a time and calls the tool with its own lock held, so nothing here is atomic. struct
 * tool belongs to the running thread; threads.c saves it for the others. Nothing here prints, and no failure stops
 * the subject: failures are counted. */
#ifndef SKEIN_VALGRIND_TOOL_H
#define SKEIN_VALGRIND_TOOL_H

#include "pub_tool_basics.h"

#include "core/input/serial.h"

struct routine;
struct thread;

struct tool {
	/* Generated code has the addresses of these. */
	uint64_t cost; /* of the running thread */
	uint64_t reads, writes;
	struct routine *current; /* NULL: a routine is about to begin */
	uint64_t through;        /* where the last call or jump through a pointer went; 0: that routine has begun */

	Bool quiet; /* reads are not input: synchronisation, allocation, linkage */
	Bool exits; /* the process, or its last thread, has asked for its end */
	struct thread *running;
	struct input_serial serial;

	uint64_t kernel_reads, kernel_writes, switches, forgotten, cut, unseen;
};

extern struct tool tool;

/* --skein-NAME=VALUE; said once, before the subject starts. */
struct options {
	const HChar *session; /* folder of the recording; NULL: from SKEIN_SESSION */
	UInt cell_bytes;      /* 1, 2, 4, 8 or 16 */
	UInt cell_log2;
	UInt sizes_max;
	UInt count_max; /* for tests: the counter ends there */
	UInt period_ms; /* between recordings */
	Bool every;     /* for tests: no accesses are merged */
	Bool cost_in_instructions;
	Bool count_returns; /* reads of return addresses, linkage tables and the thread control block are input, and what a pop reads */
	Bool count_locks;   /* accesses to synchronisation objects count */
	Bool keep_freed;    /* freed memory does not start afresh */
	Bool contexts;      /* points of calling contexts, not of routines */
};

extern struct options options;

extern const struct input_port memory_port; /* memory.c */

#endif
