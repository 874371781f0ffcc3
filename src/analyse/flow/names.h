/* SPDX-License-Identifier: MIT */
/* names.h: what to call a lock or the like that is in no variable.
 *
 *     struct flow_names names = {0};
 *     uint32_t number = flow_names_add(&names, kind, &run, frames, count);     of each object: the calls that led to its first event
 *     flow_names_settle(&names);
 *     const char *name = flow_names_of(&names, number);                        "lock at queue.c:31 < pool.c:120"
 *
 * Objects that the same calls led to are one. A program that has functions of its own for locking takes all its locks at one line; so a
 * name has as many calls as are needed to tell a few objects apart, and one call if there are many. */
#ifndef SKEIN_ANALYSE_FLOW_NAMES_H
#define SKEIN_ANALYSE_FLOW_NAMES_H

#include "analyse/blame_place.h"
#include "base/map.h"
#include "base/memory.h"

enum { FLOW_NAMES_DEPTH = 4, FLOW_NAMES_FEW = 16 };

struct flow_named {
	const char *kind, *calls[FLOW_NAMES_DEPTH]; /* innermost first; "" behind the last one */
	const char *name;
};

struct flow_names {
	struct flow_named *list;
	size_t count, room;
	struct lookup index;
	struct pool pool;
};

uint32_t flow_names_add(struct flow_names *names, const char *kind, const struct run *run, const struct blame_frame *frames, size_t count);
void flow_names_settle(struct flow_names *names);
const char *flow_names_of(const struct flow_names *names, uint32_t number);
void flow_names_free(struct flow_names *names);

#endif
