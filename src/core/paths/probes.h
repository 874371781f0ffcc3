/* SPDX-License-Identifier: MIT */
/* probes.h: the probes of the copies of a function, as P3 counts them (FSE'15).
 *
 * P3 takes the number of arcs whose label is not 0 as the cost of an instance (section 2.1): each has a *probe*, which
 * increments a register. In plans that are not as published it is the number of arcs with an increment. Section 1
 * also calls the update of a counter a probe: these are counted apart. A probe *overlaps* if a path that another copy counts may execute it (section 5): what a
 * path costs then is paid in two copies.
 *
 *     struct paths_probes probes[4];
 *     paths_count_probes(probes, g, plan, chosen, 4, memory);
 *
 * Cost: copies times arcs and operations. Memory is taken from `memory` and given back. */
#ifndef SKEIN_CORE_PATHS_PROBES_H
#define SKEIN_CORE_PATHS_PROBES_H

#include "core/paths/plan.h"

struct paths_probes {
	uint32_t increments, updates;
	uint32_t overlapping; /* increments that a path of another copy may execute */
};

/* plan and chosen: by copy; chosen[i] NULL: all paths. */
enum paths_status paths_count_probes(struct paths_probes *probes, const struct paths_graph *g, const struct paths_plan *plan,
                                     uint8_t *const *chosen, uint32_t copies, struct paths_memory *memory);

#endif
