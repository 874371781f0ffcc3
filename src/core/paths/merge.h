/* SPDX-License-Identifier: MIT */
/* merge.h: the profile of a function from what several copies counted of it.
 *
 * A counter is a path's, but with relaxed plans (plan.h) it counts others with it. Which counters a path passes in
 * which copy follows from the plans. So each counter says: this path, and those, together so often. A path is known as
 * soon as all others that its counter counts are.
 *
 *     struct paths_copy copy[] = {{&plan0, counted0, n0}, {NULL, NULL, 0}, {&plan2, counted2, n2}};
 *     status = paths_merge(g, copy, 3, &found, &count, memory);
 *     found[i].arcs, found[i].length, found[i].count, found[i].copy
 *
 * Paths that were never taken are not listed. A path that several copies count must have the same count in all of them,
 * and none may come out below 0: else the copies did not do the same, and PATHS_DISAGREE is returned with what was
 * found so far, found[i].copy being PATHS_NONE where nothing could be told or copies contradict each other. One copy is
 * as good: nothing has to be told apart then. Not for graphs with cuts, which are one copy's anyway: their prefixes
 * have to be followed.
 * Cost: the lengths of all paths that were counted, times the copies.
 *
 * paths_merge_stops does the same for frames that never ended: what each copy knows of them, block and register, put
 * together tells the ways that they took.
 *
 *     found[i].block, found[i].count, found[i].ways               1: found[i].arcs is the way, entry or head first; else so many are
 *                                                                 possible, 0: nobody can tell */
#ifndef SKEIN_CORE_PATHS_MERGE_H
#define SKEIN_CORE_PATHS_MERGE_H

#include "core/paths/plan.h"

struct paths_counted {
	uint64_t index, count;
};

struct paths_copy {
	const struct paths_plan *plan;       /* NULL: it counted nothing of this function */
	const struct paths_counted *counted; /* each index once */
	uint32_t counters;
};

struct paths_found {
	const uint32_t *arcs;
	uint32_t length;
	uint32_t copy;
	uint64_t count;
};

enum paths_status paths_merge(const struct paths_graph *g, const struct paths_copy *copies, uint32_t count, struct paths_found **found,
                              uint32_t *paths, struct paths_memory *memory);

/* The same for a function that is by turns: counts are added up. found[i].copy is that of the first that counted it. */
enum paths_status paths_merge_turns(const struct paths_graph *g, const struct paths_copy *copies, uint32_t count,
                                    struct paths_found **found, uint32_t *paths, struct paths_memory *memory);

/* Frames that never ended. */
struct paths_stopped {
	uint32_t block;
	uint64_t reg, count;
};

struct paths_stopped_copy {
	const struct paths_plan *plan; /* NULL: as above */
	const struct paths_stopped *stopped;
	uint32_t stops;
};

struct paths_stop_found {
	const uint32_t *arcs;
	uint32_t length;
	uint32_t block;
	uint32_t ways;
	uint64_t count;
};

/* Copies must together count all paths; a single one that counts some tells the ways that begin those. Blocks are the
 * graph's, and stop (graph.h). */
enum paths_status paths_merge_stops(const struct paths_graph *g, const struct paths_stopped_copy *copies, uint32_t count,
                                    struct paths_stop_found **found, uint32_t *stops, struct paths_memory *memory);

/* Of each arc, where its operations begin in the plan; those of an arc stand together. No operations: plan->count. A
 * HEAD's are on each of its back edges, the first of which will do. NULL: no memory. */
uint32_t *paths_ops_by_arc(const struct paths_plan *plan, const struct paths_graph *g, struct paths_memory *memory);

#endif
