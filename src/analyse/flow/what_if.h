/* SPDX-License-Identifier: MIT */
/* what_if.h: what a run would take if threads never waited for some of its objects, or if routines were faster, from the events that a
 * recording keeps.
 *
 *     flows_ask_alone(flows, &kept, objects, count);              each by itself: free_ns and free_idle_ns of the objects
 *     uint64_t ns = flows_ask_together(flows, &kept, objects, count);
 *     ns = flows_ask_faster(flows, &kept, groups, 0.5);           groups[routine of the run]: 1 if it is one of them
 *
 * What they take together, or faster, is told for an idle machine with the cores of this one. Objects are numbers in flows.objects. Work under
 * a routine is that of its activations, of what they call, and of threads and tasks that they create. Cost: a pass over all events for each
 * FLOW_QUESTIONS of the objects, and for routines one over theirs, too. */
#ifndef SKEIN_ANALYSE_FLOW_WHAT_IF_H
#define SKEIN_ANALYSE_FLOW_WHAT_IF_H

#include "analyse/flow/kept.h"

void flows_ask_alone(struct flows *flows, const struct flows_kept *kept, const uint32_t *objects, size_t count);
uint64_t flows_ask_together(const struct flows *flows, const struct flows_kept *kept, const uint32_t *objects, size_t count);
/* Each routine by itself: ns[i] is what the run would take if routines[i] took `factor` of its time. At most FLOW_QUESTIONS. */
void flows_ask_each_faster(const struct flows *flows, const struct flows_kept *kept, const uint32_t *routines, size_t count, double factor,
                           uint64_t *ns);
uint64_t flows_ask_faster(const struct flows *flows, const struct flows_kept *kept, const uint32_t *groups, double factor);

#endif
