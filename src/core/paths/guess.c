/* SPDX-License-Identifier: MIT */
/* guess.c: guesses frequencies from the shape of the code.
 *
 * Assumptions: all outcomes of a branch are equally likely, but a loop is left one time in STAY, and an outcome
 * whose only end is a call that does not return is very rare. A loop's head is then passed 1 / (1 - p) times as
 * often as it is entered, where p is the part that returns to the head (Wu and Larus, MICRO'94, section 4):
 * innermost loops first. The body of a loop is everything that leads to a back edge without passing the head. Loops
 * with two heads are counted as if they had one.
 * Cost: heads times edges. Calls are counted in a fixed number of rounds, one per level of calls; deeper levels
 * count with the last. The rounds also bound recursion. */
#include "core/paths/guess.h"
#include <stdbool.h>
#include <string.h>

#define STAY 10.0
#define RARE 0.001
#define COMES_BACK_MAX 0.99
enum { ROUNDS = 24 };

struct guess {
	const struct paths_graph *g;
	double *share;         /* by edge: its share among those of its block */
	double *passed, *back; /* by vertex: how often it is passed; how much of that returns to it */
	uint8_t *body;
	uint32_t *stack;
};

static bool is_forward(const struct paths_graph *g, uint32_t e)
{
	return g->arc_of[e] != PATHS_NONE && g->arc[g->arc_of[e]].kind != PATHS_TAIL;
}

/* Finds all vertices that lead to a back edge of the head without passing the head; not beyond cuts. */
static void find_body(struct guess *k, uint32_t head)
{
	const struct paths_graph *g = k->g;
	uint32_t depth = 0;
	memset(k->body, 0, g->vertices);
	k->body[head] = 1;
	for (uint32_t e = 0; e < g->edges; e++) {
		if (g->arc_of[e] == PATHS_NONE || is_forward(g, e) || g->edge[e].to != head || k->body[g->edge[e].from])
			continue;
		k->body[g->edge[e].from] = 1;
		k->stack[depth++] = g->edge[e].from;
	}
	while (depth) {
		uint32_t v = k->stack[--depth];
		for (uint32_t j = g->in[v]; j < g->in[v + 1]; j++) {
			uint32_t u = g->arc[g->in_arc[j]].from;
			if (u == g->entry || k->body[u])
				continue;
			k->body[u] = 1;
			k->stack[depth++] = u;
		}
	}
}

static void discourage_leaving(struct guess *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t a = g->out[g->entry]; a < g->out[g->entry + 1]; a++) {
		if (g->arc[a].kind != PATHS_HEAD)
			continue;
		find_body(k, g->arc[a].to);
		for (uint32_t e = 0; e < g->edges; e++)
			if (k->body[g->edge[e].from] && !k->body[g->edge[e].to])
				k->share[e] /= STAY;
	}
}

/* Marks in `body` the vertices from which every way ends in a call that does not return. */
static void discourage_dying(struct guess *k)
{
	const struct paths_graph *g = k->g;
	memset(k->body, 0, g->vertices);
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		bool dies = v != g->exit && v != g->entry;
		for (uint32_t a = g->out[v]; dies && a < g->out[v + 1]; a++) {
			const struct paths_arc *arc = &g->arc[a];
			dies = arc->kind == PATHS_STEP &&
				(k->body[arc->to] || (arc->to == g->exit && (g->edge[arc->edge].flags & PATHS_NORETURN)));
		}
		k->body[v] = dies;
	}
	for (uint32_t e = 0; e < g->edges; e++)
		if (k->body[g->edge[e].to])
			k->share[e] *= RARE;
}

static void make_shares(struct guess *k, double *sum)
{
	const struct paths_graph *g = k->g;
	for (uint32_t e = 0; e < g->edges; e++)
		k->share[e] = 1;
	discourage_leaving(k);
	discourage_dying(k);
	for (uint32_t e = 0; e < g->edges; e++)
		sum[g->edge[e].from] += k->share[e];
	for (uint32_t e = 0; e < g->edges; e++)
		k->share[e] /= sum[g->edge[e].from];
}

/* Computes how often vertices are passed if `from` is passed once; `inside`: in the body only. Cut edges are
 * followed too, in the order of their targets. */
static void flow(struct guess *k, uint32_t from, bool inside)
{
	const struct paths_graph *g = k->g;
	memset(k->passed, 0, g->vertices * sizeof *k->passed);
	k->passed[from] = 1;
	for (uint32_t i = 0; i < g->reached; i++) {
		uint32_t v = g->order[i];
		if (inside && !k->body[v])
			continue;
		if (v != from || !inside)
			k->passed[v] /= 1 - k->back[v];
		for (uint32_t a = g->out[v]; a < g->out[v + 1]; a++) {
			const struct paths_arc *arc = &g->arc[a];
			if (arc->kind == PATHS_STEP || arc->kind == PATHS_CUT_TAIL)
				k->passed[g->edge[arc->edge].to] += k->passed[v] * k->share[arc->edge];
		}
	}
}

static void find_loops(struct guess *k)
{
	const struct paths_graph *g = k->g;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t head = g->order[i];
		bool is_head = false;
		for (uint32_t j = g->in[head]; j < g->in[head + 1]; j++)
			is_head |= g->arc[g->in_arc[j]].kind == PATHS_HEAD;
		if (!is_head)
			continue;
		find_body(k, head);
		flow(k, head, true);
		double back = 0;
		for (uint32_t e = 0; e < g->edges; e++)
			if (g->arc_of[e] != PATHS_NONE && !is_forward(g, e) && g->edge[e].to == head)
				back += k->passed[g->edge[e].from] * k->share[e];
		k->back[head] = back < COMES_BACK_MAX ? back : COMES_BACK_MAX;
	}
}

enum paths_status paths_guess_edges(const struct paths_graph *g, double *edges, struct paths_memory *memory)
{
	struct paths_mark mark = paths_mark(memory);
	struct guess k = {
		.g = g,
		.share = paths_take(memory, g->edges, sizeof *k.share),
		.passed = paths_take(memory, g->vertices, sizeof *k.passed),
		.back = paths_take(memory, g->vertices, sizeof *k.back),
		.body = paths_take(memory, g->vertices, 1),
		.stack = paths_take(memory, g->vertices, sizeof *k.stack),
	};
	double *sum = paths_take(memory, g->vertices, sizeof *sum);
	if (memory->failed)
		return PATHS_NO_MEMORY;
	make_shares(&k, sum);
	find_loops(&k);
	flow(&k, g->entry, false);
	for (uint32_t e = 0; e < g->edges; e++)
		edges[e] = g->arc_of[e] == PATHS_NONE ? 0 : k.passed[g->edge[e].from] * k.share[e];
	paths_release(memory, mark);
	return PATHS_OK;
}

/* Each round adds the calls one level further down. Without a bound on rounds, recursion would never end. */
void paths_guess_calls(double *entries, uint32_t functions, const struct paths_call *calls, uint32_t count)
{
	const double most = 1e15;
	for (int round = 0; round < ROUNDS; round++) {
		bool changed = false;
		for (uint32_t i = 0; i < count; i++) {
			if (calls[i].caller >= functions || calls[i].callee >= functions || calls[i].caller == calls[i].callee)
				continue;
			double least = entries[calls[i].caller] * calls[i].times;
			if (least > most)
				least = most;
			if (entries[calls[i].callee] < least) {
				entries[calls[i].callee] = least;
				changed = true;
			}
		}
		if (!changed)
			break;
	}
}
