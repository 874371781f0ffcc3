/* SPDX-License-Identifier: MIT */
/* lcct.h: the logical calling-context tree (Tallent and Mellor-Crummey, PPoPP'09, section 3.2 and Appendix).
 *
 * A tree of X-structures: each holds a physical and a logical instruction pointer, one of which may be NIL (0), the
 * association of its bichord and its place in it. Bichords share a prefix under the Appendix's rule (lcct_sharable).
 *
 * One tree serves all threads of a process: insertion is lock-free, may run in a signal handler, and may be interrupted by
 * another insertion in the same thread. A thread that was stopped for good in the middle of an insertion (fork) holds up nobody: at worst
 * a node has a twin, which readers add up. Nodes and the hash table that finds a child in constant time live in memory that the port
 * hands out; both grow as needed and never move.
 *
 *     struct lcct tree;
 *     lcct_start(&tree, &port, context);
 *     uint32_t node = lcct_insert(&tree, path, count);     path: X-structures, outermost first; 0: no room
 *
 * A node's number is never 0: 0 is the synthetic root. Nodes are never removed. */
#ifndef SKEIN_CORE_LCCT_H
#define SKEIN_CORE_LCCT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "skein/agent.h"

struct lcct_x {
	uint64_t ip, lip;    /* 0: NIL */
	uint32_t note;       /* from 1, outermost first; a bichord begins at 1 */
	uint8_t association; /* enum skein_association */
};

/* A node as it is recorded: association is 0 until the row is complete, then enum skein_association + 1. */
struct lcct_node {
	uint32_t parent;
	uint32_t note : 24, association : 8;
	uint64_t ip, lip;
};

struct lcct_port {
	/* Room for further nodes, the first of which has the number `first`; *count is how many. Zeroed. NULL: no more. `used` of the
	 * chunk is raised by lcct_port.used when a row is complete. May be called by several threads at once: one of them wins, the others' is lost. */
	struct lcct_node *(*nodes)(void *context, uint32_t first, uint32_t *count, void **chunk);
	void (*used)(void *chunk, uint32_t rows); /* at least that many rows of the chunk may be looked at; those that are not complete say so themselves */
	void *(*memory)(void *context, size_t bytes); /* zeroed; never given back; NULL: no more */
};

/* The Appendix's test: whether the path may go on in this node. */
bool lcct_sharable(const struct lcct_node *node, const struct lcct_x *x);

#endif
