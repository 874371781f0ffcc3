/* SPDX-License-Identifier: MIT */
/* lcct.h: the logical calling-context tree (Tallent and Mellor-Crummey, PPoPP'09, section 3.2 and Appendix).
 *
 * A tree of X-structures: each holds a physical and a logical instruction pointer, one of which may be NIL (0), the
 * association of its bichord and its position in the bichord. Bichords share a prefix under the Appendix's rule
 * (lcct_sharable).
 *
 * One tree serves all threads of a process: insertion is lock-free, may run in a signal handler, and may be interrupted
 * by another insertion in the same thread. A thread that never resumes in the middle of an insertion (fork) blocks
 * no other thread: at worst a node exists twice, and readers add both. Nodes and the hash table that finds a child
 * in constant time live in memory that the port hands out; both grow as needed and never move.
 *
 *     static struct lcct tree;                             zeroed; large, but unused pages are never touched
 *     lcct_start(&tree, &port, context);
 *     uint32_t node = lcct_insert(&tree, path, count);     path: X-structures, outermost first; 0: no room, or an empty path
 *
 * A node's number is never 0: 0 is the synthetic root. A parent's number is lower than its children's. Nodes are never removed.
 *
 * Reading back: the path of a node is the chain of its ancestors, a bichord begins at each note 1, and how many p-notes
 * and l-notes a bichord has is seen from the chain alone. So bichords of different length that share a prefix are
 * distinguished by where the chain leaves the prefix. The association of a shared node is that of the shortest
 * bichord that ends there or passes it (the base-case flag: 1-1 or 1-0 as soon as there was one); a cost in a node
 * says that samples were taken there (the sample-point flag). */
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
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wpadded" /* rows of recordings */
struct lcct_node {
	uint32_t parent;
	union {
		struct {
			uint32_t note : 24, association : 8;
		};
		uint32_t form; /* both in one word, written at once */
	};
	uint64_t ip, lip;
};
#pragma GCC diagnostic pop

#define LCCT_ROWS 1024u /* nodes are allocated in multiples of this */
#define LCCT_NODES_MAX (1u << 24)

struct lcct_port {
	/* Room for *count further nodes, zeroed, the first of which has the number `first`; *count is a multiple of
	 * LCCT_ROWS. NULL: no more. lcct_port.used raises `used` of the chunk when a row is complete. Several
	 * threads may call this at once: the chunk of one is used, those of the others are wasted. */
	struct lcct_node *(*nodes)(void *context, uint32_t first, uint32_t *count, void **chunk);
	/* Readers may read at least this many rows of the chunk; an incomplete row is marked as such. */
	void (*used)(void *chunk, uint32_t rows);
	void *(*memory)(void *context, size_t bytes); /* zeroed, aligned to 8 bytes; never freed; NULL: no more */
};

struct lcct_chunk;
struct lcct_table;

struct lcct {
	const struct lcct_port *port;
	void *context;
	_Atomic(struct lcct_table *) table;                             /* the newest table of children, which links to the older ones */
	_Atomic uint32_t next;                                          /* number of the next node */
	_Atomic uint32_t end;                                           /* the first number that has no row yet */
	_Atomic(struct lcct_chunk *) pages[LCCT_NODES_MAX / LCCT_ROWS]; /* where the rows of each LCCT_ROWS numbers are, from number 1 on */
};

void lcct_start(struct lcct *tree, const struct lcct_port *port, void *context);
uint32_t lcct_insert(struct lcct *tree, const struct lcct_x *path, size_t count);                /* returns the innermost node */
uint32_t lcct_extend(struct lcct *tree, uint32_t node, const struct lcct_x *path, size_t count); /* the same below a node; 0: the root */
uint32_t lcct_child(struct lcct *tree, uint32_t parent, const struct lcct_x *x);                 /* one step of lcct_insert; 0: no room */
const struct lcct_node *lcct_at(const struct lcct *tree, uint32_t number); /* `number` must come from the functions above */

/* The Appendix's test: whether the path may go on in this node. */
bool lcct_sharable(const struct lcct_node *node, const struct lcct_x *x);

#endif
