/* SPDX-License-Identifier: GPL-2.0-or-later */
/* modules.h: the files that code comes from.
 *
 *     struct module *m = modules_at(address);      added if new; never NULL: module 0 is for code without a file
 *     uint64_t place = module_place(m, address);   see raw/format.h
 *
 * A module stays after its file has been unmapped, since the recording still names its routines. */
#ifndef SKEIN_VALGRIND_MODULES_H
#define SKEIN_VALGRIND_MODULES_H

#include "valgrind/tool.h"

struct module {
	struct module *next;
	uint32_t number;
	Addr start, end; /* of its code */
	Addr bias;
	Bool is_gone;
	Bool is_loader; /* the program loader: files that it maps are not input */
	/* The C library or a threading runtime: its reads while it synchronises or allocates are not input. */
	Bool is_library;
	Bool is_static;     /* a program that contains its C library */
	Bool is_threads;    /* a threading runtime: all its own reads are not input */
	HChar build_id[41]; /* in hex; "" if the file has none */
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
