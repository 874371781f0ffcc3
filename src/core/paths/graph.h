/* SPDX-License-Identifier: MIT */
/* graph.h: the acyclic paths of a function, as a graph: Ball and Larus, MICRO'96, section 3.1.
 *
 * A *block* is a block of the function, block 0 is where it begins. An *edge* leads from one block to another; two
 * blocks may have several. A block where a frame ends (return, a call that does not return, resume) has an edge to
 * PATHS_EXIT. An execution is a walk over edges. A back edge (one that leads to a block that is open in a
 * depth-first search) cuts the walk: the part between two cuts is a *path*. An *arc* is an edge of the acyclic graph
 * whose ways from `entry` to `exit` are exactly the paths:
 *
 *     STEP   an edge that is not a back edge; the last edge of the graph, added here, leads from `entry` to block 0
 *     TAIL   from where a back edge begins to `exit`: a path ends with that back edge. One per back edge: a path
 *            knows which one ended it
 *     HEAD   from `entry` to where back edges lead: a path begins there. One for each such block
 *
 * Blocks from which the frame never ends lie in loops, so they have a TAIL. Blocks that cannot be reached have no
 * arcs.
 *
 * Functions with too many paths are cut further, at edges that are not back edges (if limits->whole is exceeded; then
 * there are at most limits->piece segments, or as few as can be). A path is then a chain of segments, each a way
 * through this graph:
 *
 *     CUT_TAIL  like TAIL: the segment ends here, the path goes on
 *     CUT_HEAD  like HEAD: a segment begins here that goes on with a path
 *
 * Each path can still be identified: at a cut the number of the segment, which says where the segment began and
 * which cut ended it, is looked up in a table that fills during the run. The index in that table, from 1, becomes
 * the *prefix* of the next segment: key = prefix * paths + number of the segment. A key without a prefix is a whole
 * path; a key with one stands for the key in the table at that place, and then its own segment. By induction over
 * the cuts two different paths have different keys, and a key and the table give the path back. Paths that meet no
 * cut have keys below `paths`: with a small limits->whole and weights these are the hot ones, and an array can count
 * them; a hash counts the others.
 *
 *     struct paths_graph g;
 *     paths_graph_build(&g, blocks, edges, count, NULL, NULL, &memory);
 *     for (uint32_t a = g.out[v]; a < g.out[v + 1]; a++) …    arcs out of v
 *     for (uint32_t i = g.in[v]; i < g.in[v + 1]; i++) …      arcs into v are g.in_arc[i]
 *
 * Linear in blocks and edges (cutting: times the edges of a block). All memory is taken from `memory`; nothing is
 * changed after the build. */
#ifndef SKEIN_CORE_PATHS_GRAPH_H
#define SKEIN_CORE_PATHS_GRAPH_H

#include <stdint.h>
#include "core/paths/memory.h"

#define PATHS_EXIT UINT32_MAX /* target of an edge that leaves the frame */
#define PATHS_NONE UINT32_MAX

enum paths_edge_flags {
	PATHS_PINNED = 1,  /* an edge on which code should not be put if possible (indirectbr, landing pads) */
	PATHS_NORETURN = 2 /* to PATHS_EXIT: the frame ends in a call that does not return */
};

struct paths_edge {
	uint32_t from, to;
	uint32_t flags;
};

enum paths_arc_kind { PATHS_STEP, PATHS_TAIL, PATHS_HEAD, PATHS_CUT_TAIL, PATHS_CUT_HEAD };

struct paths_arc {
	uint32_t from, to;
	uint32_t edge; /* PATHS_NONE for HEAD and CUT_HEAD */
	uint8_t kind;
};

struct paths_limits {
	uint64_t whole, piece;
	/* how often the caller's edges and the added one are passed, to cut where that is rare; NULL: not known */
	const double *weights;
};
#define PATHS_WHOLE_MAX (1ull << 62)
#define PATHS_PIECE_MAX (1ull << 32)

struct paths_graph {
	uint32_t blocks;
	uint32_t entry, exit, vertices; /* blocks come first */
	uint32_t edges;                 /* number of the caller's edges + 1 */
	uint32_t arcs;
	uint32_t reached; /* vertices that have arcs */
	uint32_t cuts;    /* number of edges that are cut though they are not back edges */
	struct paths_edge *edge;
	struct paths_arc *arc; /* sorted by source */
	uint32_t *out, *in, *in_arc;
	uint32_t *order;      /* `reached` vertices in topological order: entry first, exit last */
	uint32_t *arc_of;     /* by edge: its STEP, TAIL or CUT_TAIL; PATHS_NONE: not reachable */
	uint32_t *head_of;    /* by edge: the HEAD or CUT_HEAD of a cut edge, else PATHS_NONE */
	const uint8_t *stops; /* by block: the block has a call that may not return; NULL: no block has one */
};

/* The graph keeps a pointer to `stops`, and to no other memory of the caller. limits: NULL for PATHS_WHOLE_MAX and
 * PATHS_PIECE_MAX. */
enum paths_status paths_graph_build(struct paths_graph *g, uint32_t blocks, const struct paths_edge *edges, uint32_t count,
                                    const uint8_t *stops, const struct paths_limits *limits, struct paths_memory *memory);

/* Turns weights of edges into weights of arcs: a HEAD has the sum of its back edges. If weights into and out of each
 * block are equal for edges, they are for arcs. */
void paths_arc_weights(const struct paths_graph *g, const double *edges, double *arcs);

enum paths_kind { PATHS_ENTRY_TO_EXIT, PATHS_ENTRY_TO_BACK, PATHS_BACK_TO_BACK, PATHS_BACK_TO_EXIT };

/* The kind of a whole path, by its first and its last arc. */
enum paths_kind paths_kind(const struct paths_graph *g, uint32_t first, uint32_t last);

#endif
