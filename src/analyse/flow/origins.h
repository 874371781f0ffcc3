/* SPDX-License-Identifier: MIT */
/* origins.h: where threads and tasks come from: the routine that created them, and the routines that were open there.
 *
 *     struct origins origins = {0};
 *     uint32_t set = origins_with(&origins, 0, routine);      a set of routines and one more; 0: the empty set
 *     uint32_t origin = origins_at(&origins, &(struct origin){.routine = routine, .set = set});
 *     origins.all[origin]…
 *     size_t count = origins_set(&origins, set, &routines);   what is in it
 *     origins_free(&origins);
 *
 * A million tasks come from few places: equal origins have one number, and so have equal sets. Memory: that of different ones. A set
 * has at most 512 routines, as in the lens calls. */
#ifndef SKEIN_ANALYSE_FLOW_ORIGINS_H
#define SKEIN_ANALYSE_FLOW_ORIGINS_H

#include <stddef.h>
#include <stdint.h>
#include "base/map.h"

struct origin {
	uint32_t routine; /* that created */
	uint32_t groups;  /* in which it was: routines.h */
	uint32_t states;  /* of its activation, as a caller */
	uint32_t set;     /* routines that were open */
};

struct origins_set {
	size_t first, count; /* in `routines`, in rising order */
};

struct origins {
	struct origin *all;
	size_t count, room;
	struct origins_set *sets; /* from number 1 on */
	size_t set_count, set_room;
	uint32_t *routines;
	size_t routine_count, routine_room;
	struct lookup by_content, sets_by_content;
	struct map more; /* a set and a routine: the set with it, + 1 */
};

uint32_t origins_at(struct origins *origins, const struct origin *what);
uint32_t origins_with(struct origins *origins, uint32_t set, uint32_t routine);
size_t origins_set(const struct origins *origins, uint32_t set, const uint32_t **routines); /* valid until the next call */
void origins_free(struct origins *origins);

#endif
