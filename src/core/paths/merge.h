/* SPDX-License-Identifier: MIT */
/* merge.h: merges the counts of several copies into the profile of a function.
 *
 * A counter belongs to one path, but with relaxed plans (plan.h) it also counts others. The plans tell which
 * counters a path passes in which copy. So each counter is the sum of the counts of known paths. The count of a path
 * is known as soon as those of all other paths of its counter are.
 *
 *     struct paths_copy copy[] = {{&plan0, counted0, n0}, {NULL, NULL, 0}, {&plan2, counted2, n2}};
 *     status = paths_merge(g, copy, 3, &found, &count, memory);
 *     found[i].arcs, found[i].length, found[i].count, found[i].copy
 *
 * Paths that were never taken are not listed. A path that several copies count must have the same count in all of them,
 * and no count may be below 0: otherwise the copies did not behave identically, and PATHS_DISAGREE is returned with
 * what was found so far; found[i].copy is PATHS_NONE where the count is not known or copies contradict each other. A
 * single copy works too. Graphs with cuts are not supported: one copy counts them, and their prefixes must be
 * followed.
 * Cost: the lengths of all paths that were counted, times the copies.
 *
 * paths_merge_stops does the same for frames that never ended: the block and register in each copy together tell the
 * ways that the frames took.
 *
 *     found[i].block, found[i].count, found[i].ways               1: found[i].arcs is the way, entry or head first;
 *                                                                 else this many are possible, 0: not known */
#ifndef SKEIN_CORE_PATHS_MERGE_H
#define SKEIN_CORE_PATHS_MERGE_H

#include "core/paths/plan.h"

struct paths_counted {
	uint64_t index, count;
};

struct paths_copy {
	const struct paths_plan *plan;       /* NULL: the copy counted nothing of this function */
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

/* Merges a function that is counted by turns: counts are added. found[i].copy is the first copy that counted the
 * path. */
enum paths_status paths_merge_turns(const struct paths_graph *g, const struct paths_copy *copies, uint32_t count,
                                    struct paths_found **found, uint32_t *paths, struct paths_memory *memory);

/* Frames that never ended. */
struct paths_stopped {
	uint32_t block;
	uint64_t reg, count;
};

struct paths_stopped_copy {
	const struct paths_plan *plan; /* NULL: the copy counted nothing of this function */
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

/* Copies together must count all paths; a single copy that counts some paths tells the ways that begin these. Blocks
 * are numbers of the graph's blocks, and have `stops` set (graph.h). */
enum paths_status paths_merge_stops(const struct paths_graph *g, const struct paths_stopped_copy *copies, uint32_t count,
                                    struct paths_stop_found **found, uint32_t *stops, struct paths_memory *memory);

/* By arc, the index of its first operation in the plan, whose operations are sorted by arc; plan->count: no
 * operations. Operations of a HEAD are on each of its back edges, and the first is taken. NULL: no memory. */
uint32_t *paths_ops_by_arc(const struct paths_plan *plan, const struct paths_graph *g, struct paths_memory *memory);

#endif
