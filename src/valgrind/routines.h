/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routines.h: which routine an address belongs to, and what is special about it.
 *
 *     struct routine *r = routines_with(address);     by its symbol; NULL: no symbol covers it
 *     r = routines_from(address);                     the one that begins there, symbol or not; never NULL
 *
 * Routines are never freed: translated code has their addresses. */
#ifndef SKEIN_VALGRIND_ROUTINES_H
#define SKEIN_VALGRIND_ROUTINES_H

#include "valgrind/modules.h"

enum heap_kind { HEAP_NONE, HEAP_MALLOC, HEAP_CALLOC, HEAP_ALIGNED, HEAP_POSIX, HEAP_REALLOC, HEAP_FREE };

struct routine {
	Addr start;
	uint64_t key; /* its place */
	struct module *module;
	UChar heap;       /* enum heap_kind */
	Bool is_quiet;    /* what it reads is no input: it synchronises, allocates, or saves where to jump */
	Bool waits;       /* … and what it executes is no cost: it synchronises, which takes as long as others need */
	Bool is_part;     /* of another routine, set apart by the compiler: not called */
	Bool is_resolver; /* the loader's, on the way from a stub to what it stands for */
	uint64_t owner;   /* for whom `points` was found: see contexts_points */
	struct input_routine *points;
};

extern struct routine routines_none; /* tool.current where it is not known which routine runs: a thread's first steps */

struct routine *routines_with(Addr address);
struct routine *routines_from(Addr address);
void routines_unmapped(Addr start, SizeT bytes);

#endif
