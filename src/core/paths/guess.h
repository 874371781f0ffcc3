/* SPDX-License-Identifier: MIT */
/* guess.h: guesses how often edges are passed and functions called, when nothing was measured.
 *
 *     paths_guess_edges(g, edges, memory);                   for one call of the function
 *     paths_guess_calls(entries, functions, calls, count);   entries[i]: in, 1 for functions called from outside
 *                                                            (main), else 0; out, how often i is called
 *
 * Only proportions mean anything. See guess.c for what is assumed. */
#ifndef SKEIN_CORE_PATHS_GUESS_H
#define SKEIN_CORE_PATHS_GUESS_H

#include "core/paths/graph.h"

enum paths_status paths_guess_edges(const struct paths_graph *g, double *edges, struct paths_memory *memory);

struct paths_call {
	uint32_t caller, callee;
	double times; /* how often the block of the call is passed, for one call of the caller */
};
void paths_guess_calls(double *entries, uint32_t functions, const struct paths_call *calls, uint32_t count);

#endif
