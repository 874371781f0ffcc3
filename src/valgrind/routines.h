/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routines.h: finds the routine of an address, and its special properties.
 *
 *     struct routine *r = routines_with(address);     by symbol; NULL: no symbol covers the address
 *     r = routines_from(address);                     the one that begins there, symbol or not; never NULL
 *
 * Routines are never freed: translated code has their addresses. */
#ifndef SKEIN_VALGRIND_ROUTINES_H
#define SKEIN_VALGRIND_ROUTINES_H

#include "valgrind/modules.h"

enum heap_kind { HEAP_NONE, HEAP_MALLOC, HEAP_CALLOC, HEAP_ALIGNED, HEAP_POSIX, HEAP_REALLOC, HEAP_FREE };

struct routine {
	Addr start;
	uint64_t key; /* place of the routine */
	struct module *module;
	UChar heap;       /* enum heap_kind */
	Bool is_quiet;    /* reads of the routine are not input: it synchronises, allocates, or saves where to jump */
	Bool waits;       /* cost of the routine does not count: it synchronises, which takes as long as other threads need */
	Bool is_part;     /* of another routine, set apart by the compiler: not called */
	Bool is_resolver; /* a routine of the loader, between a stub and its callee */
	uint64_t owner;   /* the owner for whom `points` was found: see contexts_points */
	struct input_routine *points;
};

extern struct routine routines_none; /* tool.current where the running routine is not known: a thread's first steps */

struct routine *routines_with(Addr address);
struct routine *routines_from(Addr address);
void routines_unmapped(Addr start, SizeT bytes);

#endif
