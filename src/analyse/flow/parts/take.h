/* SPDX-License-Identifier: MIT */
/* take.h: from tasks and marks to rows of flows.h: spots become places, strands become threads, and what looks alike then is one row.
 *
 *     flow_parts_tasks(flows, &tasks, &spots, ns_per_tick);
 *     flow_parts_marks(flows, &marks, &spots, &tally, ns_per_tick); */
#ifndef SKEIN_ANALYSE_FLOW_PARTS_TAKE_H
#define SKEIN_ANALYSE_FLOW_PARTS_TAKE_H

#include "analyse/flow/parts/marks.h"
#include "analyse/flow/parts/tasks.h"
#include "analyse/flow/spots.h"
#include "analyse/flow/tally.h"

void flow_parts_tasks(struct flows *flows, const struct flow_tasks *tasks, struct flow_spots *spots, double ns_per_tick);
void flow_parts_marks(struct flows *flows, const struct flow_marks *marks, struct flow_spots *spots, const struct flow_tally *tally,
                      double ns_per_tick);

#endif
