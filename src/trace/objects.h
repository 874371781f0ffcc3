/* SPDX-License-Identifier: MIT */
/* objects.h: locks and the like, by their address.
 *
 *     struct object *o = object_find(lock, RAW_FLOW_LOCK, address);      NULL: no memory
 *     record.field[0] = o->number;
 *
 * Objects are made at their first event and stay. Any thread may call, with signals blocked where an object may be new. What
 * only a lock's holder reads and writes needs no lock of ours. */
#ifndef SKEIN_TRACE_OBJECTS_H
#define SKEIN_TRACE_OBJECTS_H

#include <stdatomic.h>
#include "raw/format.h"

struct object {
	struct object *next; /* in its bucket */
	const void *address;
	struct raw_flow_object *row;
	uint32_t number;
	uint64_t clock; /* see clock.h */
	/* of a lock; written by its holder */
	uint32_t owner;     /* number + 1 of the thread that has it, or had it last */
	uint32_t depth;     /* how often the owner has it: more than once if it is recursive */
	bool alone;         /* a read-write lock: for writing */
	uint32_t weight;    /* how many acquisitions the measured one stands for */
	uint64_t taken;     /* tick of the acquisition; 0: not measured */
	uintptr_t taken_by; /* return address of the call that acquired it */
};

struct object *object_find(const void *address, enum raw_flow_what what, uintptr_t caller);
void object_restart(void); /* in a forked child: there are none */

#endif
