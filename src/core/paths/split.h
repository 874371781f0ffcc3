/* SPDX-License-Identifier: MIT */
/* split.h: the parts that paths_share_best divides a function into; not for others.
 *
 *     struct paths_parts p;
 *     paths_split(&p, &function, whole, copies, doubt, memory);
 *     p.chosen[i], p.load[i]                                     of part i; NULL and 0: there is none
 *
 * Each path is in one part at least. What is to be small is paths_worth of the loads: that of the largest part and that
 * of the average copy, the first as far as is doubted that other functions make up for the difference. */
#ifndef SKEIN_CORE_PATHS_SPLIT_H
#define SKEIN_CORE_PATHS_SPLIT_H

#include "core/paths/share.h"

struct paths_parts {
	uint32_t copies;
	uint8_t **chosen; /* arcs */
	double *load;
};

/* whole: what it costs if it is not divided. doubt: above 0, up to 1. */
enum paths_status paths_split(struct paths_parts *p, const struct paths_function *f, double whole, uint32_t copies, double doubt,
                              struct paths_memory *memory);

double paths_worth(const double *load, uint32_t copies, double doubt);

/* Which of the copies has least, but for `rank` others. */
uint32_t paths_idlest(const double *load, uint32_t copies, uint32_t rank);

#endif
