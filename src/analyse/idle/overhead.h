/* SPDX-License-Identifier: MIT */
/* overhead.h: whether a sample was taken in work or in parallel overhead, and of which kind (Tallent and Mellor-Crummey, section 2.2).
 *
 *     struct overhead_frame path[] = {                                   innermost first, as they are on the stack
 *             {OVERHEAD_NEUTRAL, "__lll_lock_wait", NULL},
 *             {OVERHEAD_NEUTRAL, "pthread_mutex_lock", NULL},
 *             {overhead_module("/usr/bin/prog"), "main", NULL}};
 *     overhead_path(path, 3)                                             IDLES_OVERHEAD_SYNC
 *
 * From the innermost frame outwards: a mark decides; a frame of a threading runtime, or a thread function of the C
 * library, decides; a frame of a library that serves work and runtimes alike goes on to its caller; a frame of the
 * user's ends the search, it is work.
 *
 *   kind               what it is
 *   synchronisation    locks, conditions, barriers, joins, atomics and ordered sections
 *   scheduling         parts of loops and tasks given out, taken and stolen; a worker's own loop
 *   task creation      tasks, threads and teams made and ended
 *   memory management  allocation by a runtime, for itself
 *   other overhead     runtime code without a known name, and marks of other kinds
 *
 * Routines are given by linkage name. Nothing here keeps state or memory. */
#ifndef SKEIN_OVERHEAD_H
#define SKEIN_OVERHEAD_H

#include <stddef.h>
#include "analyse/idle/idle.h"

enum overhead_module {
	OVERHEAD_USER,    /* the program and its libraries */
	OVERHEAD_NEUTRAL, /* the C and C++ libraries, the loader, the vdso, Skein's interposers (which stand for what they wrap) */
	OVERHEAD_RUNTIME  /* a threading runtime: OpenMP, TBB, Cilk, a separate libpthread */
};

struct overhead_frame {
	enum overhead_module module;
	const char *routine; /* linkage name, or what symbols.h says instead of one */
	const char *mark;    /* symbols_place.overhead, or NULL */
};

enum overhead_module overhead_module(const char *path);

/* The kind of a routine of a runtime or a thread function of the C library; NONE for all else, malloc and memcpy included. */
enum idles_overhead overhead_routine(const char *linkage);

enum idles_overhead overhead_kind_of_mark(const char *kind); /* never NONE */
enum idles_overhead overhead_path(const struct overhead_frame *frames, size_t count);

#endif
