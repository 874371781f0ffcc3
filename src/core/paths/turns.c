/* SPDX-License-Identifier: MIT */
/* turns.c: gives each copy whole functions, parts of functions, or every k-th call.
 *
 * Problem: the slowest of k copies should have as few hits as possible, in a future run. Where the time goes is
 * known from a run with another input, or guessed. Code that is hot there may be cold here, and the other way round:
 * if each copy has a few functions with a k-th of the hits together, another input may spend half of its time in
 * those of one copy.
 * Idea: divide each function as if it were the whole program, as far as that is worth its cost. Then it hardly
 * matters which function is hot. There are three ways:
 * - Whole, in one copy.
 * - In parts, by paths (split.c). This costs more in total than the whole, since a copy has hits on paths that it does
 *   not count.
 * - *By turns*: all copies make the same calls. Copy i counts all paths of each call whose number modulo k is i, and
 *   runs the original function in the other calls. Each call is counted in exactly one copy, so profiles are added,
 *   and stay exact. Each copy has one more hit per call, to check its turn. Nothing else divides a function that
 *   spends its time on one path. Calls are not equally long, and few calls are divided unevenly.
 * The ways are compared by half the load of the average copy plus half that of the worst copy (DOUBT): the first
 * counts if other functions even out the difference, the second if this function is the whole run. Parts are then
 * distributed, the most important functions first, the most expensive part of each to the copy with the least load.
 * With homes, light functions (LIGHT) come first and go to their homes; the heavy ones even out what that leaves uneven.
 * Code that was never executed takes part: a fifth of the program (UNSEEN) is weighted by code size, not by
 * measurement; otherwise all cold code would be in one copy.
 * Cost: paths_split for each function. */
#include <string.h>
#include "core/paths/split.h"

#define COST_OF_TURN 1.0
#define CALLS_MIN 2.0 /* one call cannot be divided */
#define DOUBT 0.5
#define UNSEEN 0.2
#define LIGHT (1.0 / 1024) /* of the estimated cost of all functions */

struct deal {
	struct paths_share *s;
	const struct paths_function *function;
	double *whole; /* cost of each undivided function */
	double *mass;  /* estimated cost of each function in a future run */
	double *load;  /* by copy: sum of masses */
	uint32_t *to;
	bool turns;
	const uint32_t *home;
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
		.home = how->home,
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

/* The part of the calls that the copy with the most calls has. */
static double largest_share(double calls, uint32_t copies)
{
	double share = calls / copies, turns = share >= 0 && share < 0x1p52 ? (double)(uint64_t)share : share; /* larger ones are whole */
	return turns * copies < calls ? (turns + 1) / calls : turns / calls;
}

/* Square root by Newton's method; x is not below 1. */
static double root(double x)
{
	double r = x;
	for (double next = (r + 1) / 2; next < r; next = (r + x / r) / 2)
		r = next;
	return r;
}

/* How many more hits the worst copy may have, since calls differ in length. If the lengths of n calls are
 * exponentially distributed, their deviation equals their mean. Then sums of n / k lengths deviate by root(n / k)
 * means, and the largest of k sums is about log2(k) / 2 times that above a k-th. */
static double unevenness(double calls, uint32_t copies)
{
	double above = 0;
	for (uint32_t c = copies; c > 1; c /= 2)
		above += 0.5;
	return above / root(calls * copies);
}

/* Like paths_worth, for a function by turns. */
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

/* Gives the most expensive part to the copy with the least load, or to its home, and so on. */
static void add_parts(struct deal *d, uint32_t f, const struct paths_parts *parts, bool at_home)
{
	struct paths_share *s = d->s;
	for (uint32_t r = 0; r < s->copies; r++)
		d->to[r] = at_home ? (d->home[f] + r) % s->copies : paths_idlest(d->load, s->copies, r);
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

static enum paths_status deal_out(struct deal *d, uint32_t f, bool at_home)
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
	add_parts(d, f, &parts, at_home);
	return PATHS_OK;
}

/* The cost of each function, and its estimated cost in a future run: partly by measured or guessed weights, partly
 * by its size. */
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

static bool is_light(const struct deal *d, uint32_t f, double total)
{
	return d->home && d->mass[f] < LIGHT * total;
}

static enum paths_status deal_out_all(struct deal *d)
{
	uint32_t count = d->s->functions, *order = paths_take(d->memory, count, sizeof *order);
	uint64_t *key = paths_take(d->memory, count, sizeof *key);
	if (d->memory->failed)
		return PATHS_NO_MEMORY;
	double total = 0;
	for (uint32_t f = 0; f < count; f++) {
		total += d->mass[f];
		order[f] = f;
		memcpy(&key[f], &d->mass[f], sizeof *key);
	}
	paths_sort(order, count, key);
	enum paths_status status = PATHS_OK;
	for (uint32_t i = 0; i < count && status == PATHS_OK; i++)
		if (is_light(d, order[i], total))
			status = deal_out(d, order[i], true);
	for (uint32_t i = 0; i < count && status == PATHS_OK; i++)
		if (!is_light(d, order[i], total))
			status = deal_out(d, order[i], false);
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
