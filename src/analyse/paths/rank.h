/* SPDX-License-Identifier: MIT */
/* rank.h: what of all paths matters most. Paths are weighed by their flow: how often they were taken, times their instructions.
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
	size_t *order; /* indices of paths->list; by flow, count and place there */
	size_t count;
	double flow, taken; /* of all of them */
};

void paths_rank(const struct paths *paths, struct paths_rank *rank);
void paths_rank_free(struct paths_rank *rank);
size_t paths_rank_enough(const struct paths *paths, const struct paths_rank *rank, double percent);

double paths_share(double part, double whole); /* in percent; 0 of nothing is 0 */

/* ---- of one function ---- */

/* A way that a branch can go. Edges of one block that lead to the same place are one (cases of a switch); the way to a
 * landing pad is none, and a block that is left by one way alone is no branch. */
struct paths_outcome {
	uint32_t block, to; /* PATHS_EXIT: out of the function */
	uint32_t edge;      /* the first */
	uint64_t taken;
	uint64_t of; /* how often the block was come to */
};
/* by block; the caller frees */
struct paths_outcome *paths_outcomes(const struct paths *paths, const struct paths_profile *f, size_t *count);

struct paths_figures {
	double flow, taken;
	size_t enough;            /* paths for 90 % of the flow */
	uint32_t outcomes, never; /* of branches that were come to, and those that were never taken */
};
struct paths_figures paths_figures(const struct paths *paths, const struct paths_profile *f);

/* What one copy executes; what all would, if there were one. Not known, and no numbers, where only some paths were
 * asked for: others pass operations, too. */
struct paths_hits paths_copy_hits(const struct paths *paths, uint32_t copy);
struct paths_hits paths_sequential_hits(const struct paths *paths);
double paths_hits_sum(const struct paths_hits *hits); /* increments and updates */
uint32_t paths_slowest(const struct paths *paths);    /* the copy that has most of them */
/* what some copy must have, however many there are: it counts the path that was taken most often, each time */
uint64_t paths_hits_floor(const struct paths *paths);
bool paths_is_divided(const struct paths_profile *f); /* copies share its paths, or take turns */

/* The outcome of a branch that sets the way of a path apart from the others of its function: the edge of it whose block
 * has most flow that goes elsewhere. */
struct paths_decision {
	uint32_t edge;         /* or PATHS_NONE: nobody went another way */
	double along, apart;   /* flow of paths through the block, by this edge and by others */
	uint64_t taken, other; /* how often the block was left by this edge, and by others */
};
struct paths_decision paths_decide(const struct paths *paths, const struct paths_path *path);

#endif
