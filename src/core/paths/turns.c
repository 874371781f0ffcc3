/* SPDX-License-Identifier: MIT */
/* turns.c: whole functions, parts of them, or every k-th call.
 *
 * Problem: the slowest of k copies is to have as few hits as can be, in a run that nobody has seen. Where the time goes
 * is known from a run with another input, or guessed. What is hot there may be cold here and the other way round: if
 * each copy has a few functions that made a k-th of the hits together, another input may well spend half of its time in
 * those of one copy.
 * Idea: divide each function by itself, as if it were the whole program, as far as that is worth what it costs. Then it
 * does not matter much which function is hot. There are three ways:
 * - Whole, in one copy.
 * - In parts, by paths (split.c). Costs more in all than the whole, since a copy has hits on paths that it does not count.
 * - *By turns*: all copies do the same, call by call. Copy i counts all paths of each call whose number modulo k is i,
 *   and runs the function as it was in
 *   the others. Each call is counted in exactly one copy, so profiles are added up, and stay exact. Each copy has one
 *   hit more for each call, to see whose
 *   turn it is. Nothing else divides a function that spends its time on one path. Calls are not equally long, and few of them are uneven.
 * What is compared is half of what the average copy has and half of what the worst one has (DOUBT): the first counts if
 * other functions make up for the difference, the second if none does, because this one is all of the run.
 * Parts are then dealt out, the functions that matter most first, the dearest part of each to the copy that has least.
 * What was never executed is part of that: a fifth of the program (UNSEEN) is taken to be what its code says, not what
 * was measured; else all that was cold would be in one copy.
 * Cost: paths_split for each function. */
#include <string.h>
#include "core/paths/split.h"

#define COST_OF_TURN 1.0
#define CALLS_MIN 2.0 /* one call cannot be divided */
#define DOUBT 0.5
#define UNSEEN 0.2

struct deal {
	struct paths_share *s;
	const struct paths_function *function;
	double *whole; /* what a function costs that is not divided */
	double *mass;  /* what it is taken to cost in a run that nobody has seen */
	double *load;  /* of a copy, by mass */
	uint32_t *to;
	bool turns;
	struct paths_memory *memory;
};

static enum paths_status begin(struct deal *d, struct paths_share *s, const struct paths_function *functions, uint32_t count,
                               const struct paths_best *how, struct paths_memory *memory)
{
	uint32_t copies = how->copies;
	*s = (struct paths_share){
		.copies = copies,
		.functions = count,
		.tasks = count,
		.chosen = paths_take(memory, (size_t)copies * count, sizeof *s->chosen),
		.by_turns = paths_take(memory, count, 1),
		.load = paths_take(memory, copies, sizeof *s->load),
	};
	*d = (struct deal){
		.s = s,
		.function = functions,
		.turns = how->turns && copies > 1,
		.memory = memory,
		.whole = paths_take(memory, count, sizeof *d->whole),
		.mass = paths_take(memory, count, sizeof *d->mass),
		.load = paths_take(memory, copies, sizeof *d->load),
		.to = paths_take(memory, copies, sizeof *d->to),
	};
	return memory->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

static double calls_of(const struct paths_function *f)
{
	return f->weights ? f->weights[f->graph->arc_of[f->graph->edges - 1]] : 1;
}

/* What of its calls the copy has that has most of them. */
static double largest_share(double calls, uint32_t copies)
{
	double turns = (double)(uint64_t)(calls / copies);
	return turns * copies < calls ? (turns + 1) / calls : turns / calls;
}

/* Newton's; x is not below 1. */
static double root(double x)
{
	double r = x;
	for (double next = (r + 1) / 2; next < r; next = (r + x / r) / 2)
		r = next;
	return r;
}

/* What the worst copy may have more of the hits, since calls are not alike. If n of them vary as exponentially
 * distributed lengths do, by as much as their mean, then sums of n / k vary by root(n / k) such means, and the largest
 * of k sums is about log2(k) / 2 times that above a k-th. */
static double unevenness(double calls, uint32_t copies)
{
	double above = 0;
	for (uint32_t c = copies; c > 1; c /= 2)
		above += 0.5;
	return above / root(calls * copies);
}

/* As paths_worth, by turns. */
static double worth_of_turns(const struct deal *d, uint32_t f)
{
	uint32_t copies = d->s->copies;
	double calls = calls_of(&d->function[f]), most = largest_share(calls, copies) + unevenness(calls, copies);
	return calls * COST_OF_TURN + d->whole[f] * (DOUBT * (most < 1 ? most : 1) + (1 - DOUBT) / copies);
}

static enum paths_status take_turns(struct deal *d, uint32_t f)
{
	struct paths_share *s = d->s;
	double calls = calls_of(&d->function[f]);
	uint32_t arcs = d->function[f].graph->arcs;
	s->by_turns[f] = 1;
	for (uint32_t c = 0; c < s->copies; c++) {
		uint8_t *chosen = s->chosen[(size_t)c * s->functions + f] = paths_take(d->memory, arcs, 1);
		if (!chosen)
			return PATHS_NO_MEMORY;
		memset(chosen, 1, arcs);
		s->load[c] += d->whole[f] * largest_share(calls, s->copies) + calls * COST_OF_TURN;
	}
	return PATHS_OK;
}

/* The dearest part to the copy that has least, and so on. */
static void add_parts(struct deal *d, uint32_t f, const struct paths_parts *parts)
{
	struct paths_share *s = d->s;
	for (uint32_t r = 0; r < s->copies; r++)
		d->to[r] = paths_idlest(d->load, s->copies, r);
	for (uint32_t r = 0; r < s->copies; r++) {
		uint32_t part = paths_idlest(parts->load, s->copies, s->copies - 1 - r), copy = d->to[r];
		if (!parts->chosen[part])
			continue;
		s->chosen[(size_t)copy * s->functions + f] = parts->chosen[part];
		s->load[copy] += parts->load[part];
		d->load[copy] += d->whole[f] > 0 ? d->mass[f] * (parts->load[part] / d->whole[f]) : d->mass[f];
		s->tasks += r > 0;
	}
}

static enum paths_status deal_out(struct deal *d, uint32_t f)
{
	struct paths_mark mark = paths_mark(d->memory);
	struct paths_parts parts;
	enum paths_status status = paths_split(&parts, &d->function[f], d->whole[f], d->s->copies, DOUBT, d->memory);
	if (status != PATHS_OK)
		return status;
	if (d->turns && calls_of(&d->function[f]) >= CALLS_MIN && worth_of_turns(d, f) < paths_worth(parts.load, parts.copies, DOUBT)) {
		paths_release(d->memory, mark);
		return take_turns(d, f);
	}
	add_parts(d, f, &parts);
	return PATHS_OK;
}

/* What each costs, and in a run that nobody has seen: in part as measured or guessed, in part as its size is. */
static enum paths_status weigh(struct deal *d)
{
	enum paths_status status = PATHS_OK;
	double total = 0, arcs = 0;
	for (uint32_t f = 0; f < d->s->functions && status == PATHS_OK; f++) {
		status = paths_price(&d->whole[f], d->function[f].graph, NULL, d->function[f].weights, d->memory);
		total += d->whole[f];
		arcs += d->function[f].graph->arcs;
	}
	for (uint32_t f = 0; f < d->s->functions; f++)
		d->mass[f] = d->whole[f] + UNSEEN * total * d->function[f].graph->arcs / arcs;
	return status;
}

static enum paths_status deal_out_all(struct deal *d)
{
	uint32_t count = d->s->functions, *order = paths_take(d->memory, count, sizeof *order);
	uint64_t *key = paths_take(d->memory, count, sizeof *key);
	if (d->memory->failed)
		return PATHS_NO_MEMORY;
	for (uint32_t f = 0; f < count; f++) {
		order[f] = f;
		memcpy(&key[f], &d->mass[f], sizeof *key);
	}
	paths_sort(order, count, key);
	enum paths_status status = PATHS_OK;
	for (uint32_t i = 0; i < count && status == PATHS_OK; i++)
		status = deal_out(d, order[i]);
	return status;
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

enum paths_status paths_share_best(struct paths_share *s, const struct paths_function *functions, uint32_t count,
                                   const struct paths_best *how, struct paths_memory *memory)
{
	struct deal d;
	enum paths_status status = begin(&d, s, functions, count, how, memory);
	if (status == PATHS_OK)
		status = weigh(&d);
	if (status == PATHS_OK)
		status = deal_out_all(&d);
	if (status == PATHS_OK)
		count_profitable(s);
	return status;
}
