/* SPDX-License-Identifier: MIT */
/* weights.c: how often edges are passed in a run.
 *
 * Guessed: what one call of the function passes (core/paths/guess.h), times how often it is called, by the call graph
 * from whatever can be called from outside. Measured: as it was, and a little of what is guessed for one call. Then
 * guesses are kept beside it: they say what would have been done without. */
#include "pass/paths/paths.h"

#include <stdlib.h>
#include <string.h>
#include "core/paths/guess.h"

/* An edge to where a call returns again is no way that is taken: it has next to nothing. */
#define AGAIN 1e-6

static void guess(struct paths_pass *s, struct paths_routine *r)
{
	static const struct paths_limits none = {.whole = UINT64_MAX, .piece = PATHS_PIECE_MAX};
	struct paths_mark mark = paths_mark(&s->memory);
	uint32_t real = r->edges - r->agains;
	struct paths_graph g;
	enum paths_status status = paths_graph_build(&g, r->blocks, r->edge, real, r->stops, &none, &s->memory);
	r->guessed = pass_zeroed(r->edges + 1, sizeof *r->guessed);
	double *passed = pass_zeroed(real + 1, sizeof *passed);
	if (status == PATHS_OK)
		status = paths_guess_edges(&g, passed, &s->memory);
	if (status != PATHS_OK)
		pass_fail("the paths of %s cannot be counted: its blocks are not a valid graph (%d)", s->p->routines[r->index].name,
		          (int)status);
	for (uint32_t e = 0; e < r->edges; e++)
		r->guessed[e] = e < real ? passed[e] : AGAIN;
	r->guessed[r->edges] = passed[real];
	free(passed);
	paths_release(&s->memory, mark);
}

static double sum_into(const struct paths_routine *r, const double *passed, uint32_t block)
{
	double sum = block == 0 ? passed[r->edges] : 0;
	for (uint32_t e = 0; e < r->edges; e++)
		sum += r->edge[e].to == block ? passed[e] : 0;
	return sum;
}

double paths_passed_into(const struct paths_routine *r, uint32_t block)
{
	return sum_into(r, r->passed, block);
}

struct call_list {
	struct paths_call *all;
	size_t count;
};

/* Callers and callees are routines of the program here. */
static void add_calls(const struct paths_pass *s, const struct paths_routine *r, struct call_list *calls)
{
	for (uint32_t b = 0; b < r->blocks; b++) {
		double times = -1;
		for (LLVMValueRef i = LLVMGetFirstInstruction(r->place[b].block); i; i = LLVMGetNextInstruction(i)) {
			int callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) ? paths_routine_of(s, LLVMGetCalledValue(i)) : -1;
			if (callee < 0)
				continue;
			times = times < 0 ? sum_into(r, r->guessed, b) : times;
			calls->all = pass_grow(calls->all, calls->count, sizeof *calls->all);
			calls->all[calls->count++] = (struct paths_call){r->index, (uint32_t)callee, times};
		}
	}
}

static bool can_be_called_from_outside(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage) || shim_address_taken(function);
}

static void scale(struct paths_routine *r, double calls)
{
	for (uint32_t e = 0; e <= r->edges; e++)
		r->guessed[e] *= calls;
}

static void guess_calls(struct paths_pass *s)
{
	struct call_list calls = {0};
	double *entries = pass_zeroed(s->p->routine_count, sizeof *entries);
	for (size_t i = 0; i < s->count; i++)
		add_calls(s, &s->routines[i], &calls);
	for (size_t i = 0; i < s->p->routine_count; i++)
		entries[i] = can_be_called_from_outside(s->p->routines[i].function);
	paths_guess_calls(entries, (uint32_t)s->p->routine_count, calls.all, (uint32_t)calls.count);
	for (size_t i = 0; i < s->count; i++)
		scale(&s->routines[i], entries[s->routines[i].index]);
	free(entries);
	free(calls.all);
}

static void measure(struct paths_routine *r)
{
	r->passed = pass_zeroed(r->edges + 1, sizeof *r->passed);
	memcpy(r->passed, r->guessed, (r->edges + 1) * sizeof *r->passed);
	paths_body_weigh(r->passed, r->counted, r->edges);
}

void paths_weigh(struct paths_pass *s)
{
	s->measured = paths_read_measured(s);
	for (size_t i = 0; i < s->count; i++)
		guess(s, &s->routines[i]);
	for (size_t i = 0; s->measured && i < s->count; i++)
		measure(&s->routines[i]);
	guess_calls(s);
	for (size_t i = 0; !s->measured && i < s->count; i++)
		s->routines[i].passed = s->routines[i].guessed;
}
