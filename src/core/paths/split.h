/* SPDX-License-Identifier: MIT */
/* split.h: the parts into which paths_share_best divides a function; for turns.c only.
 *
 *     struct paths_parts p;
 *     paths_split(&p, &function, whole, copies, doubt, memory);
 *     p.chosen[i], p.load[i]                                     of part i; NULL and 0: no such part
 *
 * Each path is in one part at least. The goal is a small paths_worth of the loads: the load of the largest part,
 * weighted by the doubt that other functions even out the difference, and the load of the average copy. */
#ifndef SKEIN_CORE_PATHS_SPLIT_H
#define SKEIN_CORE_PATHS_SPLIT_H

#include "core/paths/share.h"

struct paths_parts {
	uint32_t copies;
	uint8_t **chosen; /* by arc, for each part */
	double *load;
};

/* `whole`: the cost of the undivided function. `doubt`: above 0, up to 1. */
enum paths_status paths_split(struct paths_parts *p, const struct paths_function *f, double whole, uint32_t copies, double doubt,
                              struct paths_memory *memory);

double paths_worth(const double *load, uint32_t copies, double doubt);

/* The copy with the least load, except for `rank` others. */
uint32_t paths_idlest(const double *load, uint32_t copies, uint32_t rank);

#endif
