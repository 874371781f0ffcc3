/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h: the memory accesses of a block, reduced to those that matter.
 *
 * No other thread and no system call comes between the accesses of a block, and no routine begins or ends. So a
 * second access to the same cells changes nothing, unless it is their first write; a read and then a write of the
 * same bytes are one event, and so are consecutive accesses of one kind to neighbouring cells. Addresses are known
 * to be the same if they are the same distance from the same value. */
#ifndef SKEIN_VALGRIND_EVENTS_H
#define SKEIN_VALGRIND_EVENTS_H

#include "valgrind/access.h"

#include "libvex.h"
#include "libvex_ir.h"

struct event {
	enum access_kind kind;
	Int at;      /* before which statement */
	IRTemp base; /* IRTemp_INVALID: none, the address is the offset */
	Long offset; /* distance from the base */
	UInt bytes;
	IRExpr *guard; /* NULL: always */
	UInt stretch;  /* number of exits of the block before the access */
};

enum { EVENTS_MAX = 400 }; /* more than a block can have: Valgrind ends it after some sixty instructions */

struct events {
	struct event list[EVENTS_MAX];
	Int count;
	UInt reads, writes; /* accesses that the block makes */
};

void events_find(struct events *events, const IRSB *block);
Bool events_is_linkage(const IRExpr *address); /* the address is constant, and in a linkage table */

#endif
