/* SPDX-License-Identifier: MIT */
/* paths_turns.c: whole functions, parts of them, or every k-th call.
 *
 * Problem: whatever way paths are divided, one copy counts the hottest of them, each time that it is walked: a program that spends its time on one path
 * cannot be divided by paths. And which functions are hot is not known before the first run.
 * Idea: all copies do the same, call by call. A function that is called often can be taken *by turns*: copy i counts all paths of each call whose number
 * modulo k is i, and runs the function as it was in the others. Each call is counted in exactly one copy, so profiles are added up, and stay exact. Each
 * copy has a k-th of the hits, and one for each call, to see whose turn it is. That pays where a call costs much more than that one, as with loops; where
 * there are few calls turns are uneven, and it is the copy with most of them that counts. All else is divided by paths (paths_split.c). Several limits for what pays are tried, and what comes out best is
 * taken, if weights were measured.
 * Guesses say little of which functions are hot, and most of a run may be one of them: so if there are only guesses each
 * function that is not by turns is divided among all copies by itself, and what of it costs most goes to the copy that has least. */
#include <string.h>
#include "core/paths_split.h"

#define COST_OF_TURN 1.0
#define CALLS_MIN 2.0 /* one call cannot be divided; */
#define CALLS_EACH 4.0 /* with fewer for each copy than that, they may be still fewer next time */
#define FEW_WORTH 0.97 /* so they must promise more */
#define RATHER_TURNS 1.25 /* may be so much slower: they are even with any input, parts only with one like that which was measured */

static const double limits[] = {0, 0.1, 0.3, 0.7};
enum { LIMITS = sizeof limits / sizeof *limits, LIMIT_IF_GUESSED = LIMITS - 1 };

/* Which functions are taken by turns. */
struct policy {
	double limit; /* what turns may cost, of what the function does */
	bool few;     /* also those with few calls */
};

static enum paths_status begin(struct paths_share *s, uint32_t count, uint32_t copies, struct paths_memory *memory)
{
	*s = (struct paths_share){
		.copies = copies, .functions = count, .tasks = count,
		.chosen = paths_take(memory, (size_t)copies * count, sizeof *s->chosen),
		.by_turns = paths_take(memory, count, 1),
		.load = paths_take(memory, copies, sizeof *s->load),
	};
	return memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

static double calls_of(const struct paths_function *f)
{
	return f->weights ? f->weights[f->graph->arc_of[f->graph->edges - 1]] : 1;
}

/* What of its calls the copy has that has most of them: with few calls, turns are uneven. */
static double largest_share(double calls, uint32_t copies)
{
	double turns = (double)(uint64_t)(calls / copies);
	return turns * copies < calls ? (turns + 1) / calls : turns / calls;
}

/* Functions for which what is spent on turns is at most so much of what they cost. */
static enum paths_status take_turns(struct paths_share *s, const struct paths_function *functions, const double *whole, const struct policy *p,
	struct paths_memory *memory)
{
	double least = p->few ? CALLS_MIN : CALLS_EACH * s->copies;
	for (uint32_t f = 0; f < s->functions && s->copies > 1; f++) {
		double calls = calls_of(&functions[f]);
		uint32_t arcs = functions[f].graph->arcs;
		if (calls < least || calls * COST_OF_TURN * s->copies > p->limit * whole[f])
			continue;
		s->by_turns[f] = 1;
		for (uint32_t c = 0; c < s->copies; c++) {
			uint8_t *chosen = s->chosen[(size_t)c * s->functions + f] = paths_take(memory, arcs, 1);
			if (!chosen)
				return PATHS_NO_MEMORY;
			memset(chosen, 1, arcs);
			s->load[c] += whole[f] * largest_share(calls, s->copies) + calls * COST_OF_TURN;
		}
	}
	return PATHS_OK;
}

/* The dearest part of a function to the copy that has least, and so on. */
static void add_parts(struct paths_share *s, uint32_t f, const struct paths_share *parts, uint32_t *to)
{
	for (uint32_t r = 0; r < s->copies; r++)
		to[r] = paths_idlest(s, r);
	for (uint32_t r = 0; r < s->copies; r++) {
		uint32_t part = paths_idlest(parts, s->copies - 1 - r);
		s->chosen[(size_t)to[r] * s->functions + f] = parts->chosen[part];
		s->load[to[r]] += parts->load[part];
	}
	s->tasks += parts->tasks - 1;
}

static enum paths_status divide_each(struct paths_share *s, const struct paths_function *functions, const double *whole, struct paths_memory *memory)
{
	const struct paths_effort effort = {16, 1, 3 * s->copies, 1e6};
	uint32_t *to = paths_take(memory, s->copies, sizeof *to);
	enum paths_status status = to ? PATHS_OK : PATHS_NO_MEMORY;
	for (uint32_t f = 0; f < s->functions && status == PATHS_OK; f++) {
		struct paths_share parts;
		if (s->by_turns[f])
			continue;
		status = begin(&parts, 1, s->copies, memory);
		if (status == PATHS_OK)
			status = paths_split(&parts, &functions[f], &whole[f], effort, memory);
		if (status == PATHS_OK)
			add_parts(s, f, &parts, to);
	}
	return status;
}

static enum paths_status share(struct paths_share *s, const struct paths_function *functions, uint32_t count, const struct paths_best *how, const double *whole,
	const struct policy *policy, struct paths_memory *memory)
{
	const struct paths_effort effort = {40, 2, 100 * how->copies, 1e7};
	enum paths_status status = begin(s, count, how->copies, memory);
	if (status == PATHS_OK && how->turns)
		status = take_turns(s, functions, whole, policy, memory);
	if (status != PATHS_OK)
		return status;
	return how->measured ? paths_split(s, functions, whole, effort, memory) : divide_each(s, functions, whole, memory);
}

static double slowest(const struct paths_share *s)
{
	return s->load[paths_idlest(s, s->copies - 1)];
}

static void count_profitable(struct paths_share *s)
{
	for (uint32_t f = 0; f < s->functions; f++) {
		uint32_t parts = 0;
		for (uint32_t c = 0; c < s->copies; c++)
			parts += s->chosen[(size_t)c * s->functions + f] != NULL;
		s->profitable += parts > 1;
	}
}

enum paths_status paths_share_best(struct paths_share *s, const struct paths_function *functions, uint32_t count, const struct paths_best *how,
	struct paths_memory *memory)
{
	double *whole = paths_take(memory, count, sizeof *whole), least = 0;
	enum paths_status status = whole ? PATHS_OK : PATHS_NO_MEMORY;
	struct policy best = {limits[LIMIT_IF_GUESSED], true};
	for (uint32_t f = 0; f < count && status == PATHS_OK; f++)
		status = paths_price(&whole[f], functions[f].graph, NULL, functions[f].weights, memory);
	for (unsigned i = 0; i < 2 * LIMITS && how->measured && how->turns && status == PATHS_OK; i++) {
		struct paths_mark mark = paths_mark(memory);
		const struct policy p = {limits[i % LIMITS], i >= LIMITS};
		status = share(s, functions, count, how, whole, &p, memory);
		if (status == PATHS_OK && (i == 0 || slowest(s) < least * (p.few ? FEW_WORTH : RATHER_TURNS))) {
			best = p;
			least = i == 0 || slowest(s) < least ? slowest(s) : least;
		}
		paths_release(memory, mark);
	}
	if (status == PATHS_OK)
		status = share(s, functions, count, how, whole, &best, memory);
	if (status == PATHS_OK)
		count_profitable(s);
	return status;
}
