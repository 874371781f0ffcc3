/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modules.h: the files that code comes from.
 *
 *     struct module *m = modules_at(address);      made when it is new; never NULL: module 0 is for code that is of no file
 *     uint64_t place = module_place(m, address);   see raw/format.h
 *
 * A module stays after its file has been unmapped: what ran in it is still to be told. */
#ifndef SKEIN_VALGRIND_MODULES_H
#define SKEIN_VALGRIND_MODULES_H

#include "valgrind/tool.h"

struct module {
	struct module *next;
	uint32_t number;
	Addr start, end; /* of its code */
	Addr bias;
	Bool is_gone;
	Bool is_loader; /* of programs: what it maps is no input */
	/* the C library or a runtime of threads: what it reads when it was called to synchronise or to allocate is no input */
	Bool is_library;
	Bool is_static;     /* a program that contains its C library */
	Bool is_threads;    /* a runtime of threads: all that it reads for itself is */
	HChar build_id[41]; /* in hex; "" if it has none */
	HChar *path;
};

extern struct module *modules; /* the newest first */

struct module *modules_at(Addr address);
Bool modules_unmapped(Addr start, SizeT bytes); /* whether any code went */

static inline uint64_t module_place(const struct module *m, Addr address)
{
	return (uint64_t)m->number << 48 | ((address - m->bias) & 0xffffffffffffull);
}

#endif
