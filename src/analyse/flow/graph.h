/* SPDX-License-Identifier: MIT */
/* graph.h: the dynamic call graph of a session: a pass of its own over its events, for programs that were recorded with routines.
 *
 *     flow_graph_take(flows, session, &input, way, ns_per_tick, &kept);      way: the last stretch of the critical path */
#ifndef SKEIN_ANALYSE_FLOW_GRAPH_H
#define SKEIN_ANALYSE_FLOW_GRAPH_H

#include "analyse/flow/flows.h"
#include "analyse/flow/kept.h"
#include "analyse/flow/pass.h"

struct flow_way;
/* kept->numbers are those of the routines that were called. */
void flow_graph_take(struct flows *flows, struct session *session, const struct flow_input *input, const struct flow_way *way,
                     double ns_per_tick, struct flows_kept *kept);

#endif
