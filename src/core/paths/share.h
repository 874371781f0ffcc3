/* SPDX-License-Identifier: MIT */
/* share.h: decides which copy of a program counts which paths of which function.
 *
 * k copies run with the same input. The slowest copy decides the time. So the cost must be divided evenly, and
 * little of it may be executed in several copies. Each path of each function is counted in at least one copy.
 *
 * The steps for a function: its graph without cuts (limits {UINT64_MAX, …}); weights of edges, measured or by
 * guess.h; the graph again, with the weights in its limits, if it has too many paths for an array;
 * paths_arc_weights; then
 *
 *     struct paths_function f[] = {{&graph, weights, once}, …};
 *     paths_share_p3(&s, f, count, &(struct paths_p3){.copies = 4}, memory);
 *     const uint8_t *chosen = s.chosen[copy * s.functions + i];           NULL: nothing of function i is counted in this copy
 *     paths_plan_p3(&plan, f[i].graph, chosen, f[i].weights, memory);
 *
 * paths_share_p3 is P3 as published (FSE'15, Algorithm 2), PBL with `whole`; its plans are those of paths_plan_p3.
 * paths_share_best is Skein's own: see turns.c and split.c. Its plans are those of paths_plan_relaxed, and merge.h
 * merges their counts. A function that is counted by turns is counted whole by all copies, each in its own calls:
 * copy n modulo k counts call n, from 0, and the others run that call uncounted. Code that was not executed when
 * weights were measured should still have a weight: a hundredth of the guess is enough. Two copies may both count a
 * path: profiles are merged by the identity of paths, never by sum, unless by turns. Memory is taken from `memory`. */
#ifndef SKEIN_CORE_PATHS_SHARE_H
#define SKEIN_CORE_PATHS_SHARE_H

#include "core/paths/plan.h"

struct paths_function {
	const struct paths_graph *graph;
	const double *weights; /* by arc: how often it is passed in a run, measured or guessed */
	bool once;             /* the program has at most one call of the function */
};

struct paths_share {
	uint32_t copies, functions;
	uint32_t tasks, profitable; /* profitable: number of functions with more than one task */
	uint8_t **chosen;
	uint8_t *by_turns; /* by function */
	double *load;      /* by copy, in the unit of the sharing function */
};

struct paths_p3 {
	uint32_t copies;
	uint32_t threshold; /* approximate tasks per function; 0: arcs out of its entry or copies, whichever are more */
	bool whole;         /* PBL: no function is divided */
	bool measured;      /* the cost of a task is what the weights say is executed; otherwise its number of probes, as published */
};

enum paths_status paths_share_p3(struct paths_share *s, const struct paths_function *functions, uint32_t count, const struct paths_p3 *how,
                                 struct paths_memory *memory);
enum paths_status paths_plan_p3(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                struct paths_memory *memory);

struct paths_best {
	uint32_t copies;
	bool turns; /* functions may be counted by turns: there is one thread, or each thread behaves identically in all copies */
	/* By function, may be NULL: the copy that the first part of a light function goes to. Then another function that changes moves few
	 * parts of others, and functions with one home are mostly counted in few copies. */
	const uint32_t *home;
};

enum paths_status paths_share_best(struct paths_share *s, const struct paths_function *functions, uint32_t count,
                                   const struct paths_best *how, struct paths_memory *memory);

#endif
