/* SPDX-License-Identifier: MIT */
/* rank.h: ranks all paths by how much they matter. Paths are weighed by their flow: how often they were taken, times
 * their instructions.
 *
 *     struct paths_rank rank;
 *     paths_rank(paths, &rank);
 *     paths->list[rank.order[0]]                the hottest
 *     paths_rank_enough(paths, &rank, 90)       how few make 90 % of all flow
 *     paths_rank_free(&rank); */
#ifndef SKEIN_PATHS_RANK_H
#define SKEIN_PATHS_RANK_H

#include "analyse/paths/paths.h"

struct paths_rank {
	size_t *order; /* indices of paths->list, by flow, then count, then index */
	size_t count;
	double flow, taken; /* of all paths */
};

void paths_rank(const struct paths *paths, struct paths_rank *rank);
void paths_rank_free(struct paths_rank *rank);
size_t paths_rank_enough(const struct paths *paths, const struct paths_rank *rank, double percent);

double paths_share(double part, double whole); /* in percent; 0 of nothing is 0 */

/* ---- of one function ---- */

/* An outcome of a branch. Edges of one block to the same place are one outcome (cases of a switch). An edge to a
 * landing pad is not an outcome, and a block with a single outcome is not a branch. */
struct paths_outcome {
	uint32_t block, to; /* PATHS_EXIT: out of the function */
	uint32_t edge;      /* the first edge of the outcome */
	uint64_t taken;
	uint64_t of; /* how often the block was reached */
};
/* sorted by block; the caller frees */
struct paths_outcome *paths_outcomes(const struct paths *paths, const struct paths_profile *f, size_t *count);

struct paths_figures {
	double flow, taken;
	size_t enough;            /* paths for 90 % of the flow */
	uint32_t outcomes, never; /* outcomes of branches that were reached, and those that were never taken */
};
struct paths_figures paths_figures(const struct paths *paths, const struct paths_profile *f);

/* Operations that one copy executes, and those of a single copy. Not a number where only some paths were asked for,
 * since other paths pass operations too. */
struct paths_hits paths_copy_hits(const struct paths *paths, uint32_t copy);
struct paths_hits paths_sequential_hits(const struct paths *paths);
double paths_hits_sum(const struct paths_hits *hits); /* increments and updates */
/* Operations in the code, whether executed or not. */
struct paths_probes paths_copy_probes(const struct paths *paths, uint32_t copy);
struct paths_probes paths_sequential_probes(const struct paths *paths);
uint32_t paths_slowest(const struct paths *paths); /* the copy with the most operations */
/* Operations that some copy must execute, however many copies there are: each time that the most frequent path is
 * taken */
uint64_t paths_hits_floor(const struct paths *paths);
bool paths_is_divided(const struct paths_profile *f); /* copies share the paths of the function, or take turns */

/* The branch that distinguishes a path from the others of its function: the edge of the path whose block has the most
 * flow along other edges. */
struct paths_decision {
	uint32_t edge;         /* PATHS_NONE: no path took another outcome */
	double along, apart;   /* flow of paths through the block, by this edge and by others */
	uint64_t taken, other; /* how often the block was left by this edge, and by others */
};
struct paths_decision paths_decide(const struct paths *paths, const struct paths_path *path);

#endif
