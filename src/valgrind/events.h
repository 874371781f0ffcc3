/* SPDX-License-Identifier: GPL-2.0-or-later */
/* events.h: the memory accesses of a block, fewer than it makes.
 *
 * No other thread and no system call comes between the accesses of a block, and no routine begins or ends. So the
 * second access to the same cells is no news, unless it is the first write of them; a read and then a write of the same
 * bytes are one event, and so are neighbours of one kind that nothing comes between. Addresses are known to be the same
 * if they are the same distance from the same value. */
#ifndef SKEIN_VALGRIND_EVENTS_H
#define SKEIN_VALGRIND_EVENTS_H

#include "valgrind/access.h"

#include "libvex.h"
#include "libvex_ir.h"

struct event {
	enum access_kind kind;
	Int at;      /* before which statement */
	IRTemp base; /* IRTemp_INVALID: none, the address is the offset */
	Long offset; /* from it */
	UInt bytes;
	IRExpr *guard; /* NULL: always */
	UInt stretch;  /* how many ways out of the block there were before */
};

enum { EVENTS_MAX = 400 }; /* more than a block can have: Valgrind ends it after some sixty instructions */

struct events {
	struct event list[EVENTS_MAX];
	Int count;
	UInt reads, writes; /* accesses that there are in truth */
};

void events_find(struct events *events, const IRSB *block);

#endif
