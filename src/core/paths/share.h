/* SPDX-License-Identifier: MIT */
/* share.h: which copy of a program counts which paths of which function.
 *
 * k copies run with the same input. What one of them has to count it need not leave to the others, and the slowest
 * decides: so the cost is to be divided evenly, and what is executed in several copies is to be little. Each path of
 * each function is counted in at least one copy.
 *
 * The whole way of a function: its graph without cuts (limits {UINT64_MAX, …}); weights of edges, measured or by
 * guess.h; the graph again, with them as limits, if it has too many paths for an array; paths_arc_weights; then
 *
 *     struct paths_function f[] = {{&graph, weights, once}, …};
 *     paths_share_p3(&s, f, count, &(struct paths_p3){.copies = 4}, memory);
 *     const uint8_t *chosen = s.chosen[copy * s.functions + i];           NULL: nothing of function i is counted in this copy
 *     paths_plan_p3(&plan, f[i].graph, chosen, f[i].weights, memory);
 *
 * paths_share_p3 is P3 as published (FSE'15, Algorithm 2), PBL with `whole`; its plans are those of paths_plan_p3.
 * paths_share_best is ours: see turns.c and split.c. Its plans are those of paths_plan_relaxed, and what they count is
 * put together by merge.h. A function that is by turns is counted whole by all copies, each in its own calls: call n,
 * from 0, is that of copy n modulo k, and runs uncounted in the others. What was not executed when weights were
 * measured should still have some: a hundredth of a guess will do. Two copies may both count a path: profiles are
 * merged by the identity of paths, never by sum, unless by turns. Memory is taken from `memory`. */
#ifndef SKEIN_CORE_PATHS_SHARE_H
#define SKEIN_CORE_PATHS_SHARE_H

#include "core/paths/plan.h"

struct paths_function {
	const struct paths_graph *graph;
	const double *weights; /* of its arcs: how often they are passed in a run, measured or guessed */
	bool once;             /* there is at most one call of it */
};

struct paths_share {
	uint32_t copies, functions;
	uint32_t tasks, profitable; /* functions that have more than one task */
	uint8_t **chosen;
	uint8_t *by_turns; /* of a function */
	double *load;      /* of a copy, in the unit of whoever shared */
};

struct paths_p3 {
	uint32_t copies;
	uint32_t threshold; /* tasks of a function, about; 0: the larger of the arcs out of its entry and of the copies */
	bool whole;         /* PBL: no function is divided */
	bool measured;      /* a task costs what weights say is executed; else it costs its probes, as published */
};

enum paths_status paths_share_p3(struct paths_share *s, const struct paths_function *functions, uint32_t count, const struct paths_p3 *how,
                                 struct paths_memory *memory);
enum paths_status paths_plan_p3(struct paths_plan *plan, const struct paths_graph *g, const uint8_t *chosen, const double *weights,
                                struct paths_memory *memory);

struct paths_best {
	uint32_t copies;
	bool turns; /* functions may be taken by turns: there is one thread, or each does the same in all copies */
};

enum paths_status paths_share_best(struct paths_share *s, const struct paths_function *functions, uint32_t count,
                                   const struct paths_best *how, struct paths_memory *memory);

#endif
