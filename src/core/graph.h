/* SPDX-License-Identifier: MIT */
/* graph.h: what a call graph proves about routines: which of them are steady, and which may be open twice.
 *
 * Problem: a routine is steady if its caller certainly gets control back from it: it is so by itself, and so is all that it calls. A
 * routine may be open twice if it can be called again before it has returned. Both are questions about a graph with one node for a
 * routine, and one for everything else: foreign code may call whatever it was given the address of or can find by name.
 * Idea: those that can call each other in a circle are a strongly connected component, and components are found in an order in which
 * callees come first (Tarjan 1972). So a component is steady if its own nodes are and all components that they lead to are.
 * Cost: linear in nodes and edges. No recursion: programs are deeper than a stack.
 *
 *     nodes[0].steady = true;                      each is so by itself, or not
 *     nodes[1].first = 3;                          and its edges begin there: one more at the end
 *     graph_solve(&(struct graph){nodes, 1, to}); */
#ifndef SKEIN_CORE_GRAPH_H
#define SKEIN_CORE_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct graph_node {
	size_t first;       /* of its edges */
	bool steady;        /* before: by itself. After: with all that it leads to */
	bool recursive;     /* may be open twice */
	uint32_t component; /* from 1. Those of one may call each other in a circle */
	/* while it is solved */
	bool on_stack;
	uint32_t index, low, stack, path;
	size_t next;
};

struct graph {
	struct graph_node *nodes; /* one more than `count` */
	size_t count;
	const uint32_t *to; /* the node that an edge leads to */
};

void graph_solve(const struct graph *graph);

#endif
