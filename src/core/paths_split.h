/* SPDX-License-Identifier: MIT */
/* paths_split.h: the search by which paths_share_best divides functions among copies; not for others.
 *
 * Functions that are not by turns are dealt out and divided, beginning with the loads that the copies have. whole: what each costs that is not divided. */
#ifndef SKEIN_CORE_PATHS_SPLIT_H
#define SKEIN_CORE_PATHS_SPLIT_H

#include "core/paths_share.h"

/* How much is tried. */
struct paths_effort {
	uint32_t arcs;      /* of a function, to divide it by */
	uint32_t targets;   /* copies, to give a part to */
	uint32_t divisions; /* in all */
	double arcs_priced; /* in all: what time it may take, some four million a second */
};

enum paths_status paths_split(struct paths_share *s, const struct paths_function *functions, const double *whole, struct paths_effort effort,
	struct paths_memory *memory);

/* The copy that has least, but for `rank` others. */
uint32_t paths_idlest(const struct paths_share *s, uint32_t rank);

#endif
