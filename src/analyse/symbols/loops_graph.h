/* SPDX-License-Identifier: MIT */
/* loops_graph.h: the natural loops of a directed graph.
 *
 *     struct loops_graph g = {.count = n, .first = first, .to = to};    the edges of node i are to[first[i]] … to[first[i + 1] - 1]
 *     loops_graph_find(&g);
 *     … g.heads[k], g.parents[k], g.innermost[i] …
 *     loops_graph_free(&g);                                             what it found, not the edges
 *
 * Node 0 is where the graph is entered. What cannot be reached from it is entered at a node without a known predecessor
 * or, failing that, at its first node; edges that lead from there into what was reached before are ignored, so that
 * an unknown entry hides no loop. */
#ifndef SKEIN_LOOPS_GRAPH_H
#define SKEIN_LOOPS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "analyse/symbols/loops_code.h"

struct loops_graph {
	uint32_t count;
	const uint32_t *first, *to;
	/* results */
	uint32_t loop_count;
	uint32_t *heads;     /* of each loop, the node that dominates it; an inner loop comes before the one around it */
	uint32_t *parents;   /* of each loop, the one around it, or LOOPS_NONE */
	uint32_t *innermost; /* of each node, the innermost loop, or LOOPS_NONE */
};

void loops_graph_find(struct loops_graph *g);
bool loops_graph_holds(const struct loops_graph *g, uint32_t loop, uint32_t node);
void loops_graph_free(struct loops_graph *g);

#endif
