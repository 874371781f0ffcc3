/* SPDX-License-Identifier: MIT */
/* graph.c: finds back edges by depth-first search, and makes the arcs that replace them.
 *
 * Cutting goes from the exit backwards. An edge is cut if it has more ways to the exit than its frequency allows; it
 * then counts as one way. The limit grows with the square root of the edge's share, so that a wrong guess does
 * little harm. So rarely taken exits that many blocks lead to, as for errors, count for little, and a walk over hot
 * edges meets few cuts or none. The limit is found by trial: the largest for which the whole graph has few enough
 * paths. */
#include "core/paths/graph.h"
#include <stdbool.h>
#include <string.h>

enum mark { FORWARD, BACK, CUT };
#define LARGE (1ull << 20) /* measures above this are tried in large steps */

struct build {
	struct paths_graph *g;
	struct paths_memory *memory;
	uint32_t *first, *by_from; /* edges by source */
	uint8_t *state;            /* by vertex: not seen, open, done */
	uint8_t *mark;             /* by edge */
	uint8_t *headed;           /* by vertex: 1 << mark of edges that lead to it */
	const double *weights;     /* by edge, or NULL */
	double most;
};

/* How many ways to the exit an edge may have. */
struct measure {
	uint64_t few;   /* any edge may have this many */
	uint64_t piece; /* the heaviest edge may have this many */
};

static uint64_t add_saturating(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

static enum paths_status take_edges(struct build *b, const struct paths_edge *edges, uint32_t count)
{
	struct paths_graph *g = b->g;
	for (uint32_t e = 0; e < count; e++) {
		g->edge[e] = edges[e];
		if (edges[e].to == PATHS_EXIT)
			g->edge[e].to = g->exit;
		else if (edges[e].to >= g->blocks)
			return PATHS_BAD_EDGE;
		if (edges[e].from >= g->blocks)
			return PATHS_BAD_EDGE;
	}
	g->edge[count] = (struct paths_edge){g->entry, 0, 0};
	for (uint32_t e = 0; e < g->edges; e++)
		b->first[g->edge[e].from + 1]++;
	for (uint32_t v = 0; v < g->vertices; v++)
		b->first[v + 1] += b->first[v];
	for (uint32_t e = g->edges; e-- > 0;)
		b->by_from[--b->first[g->edge[e].from + 1]] = e;
	/* now first[v + 1] is where v begins */
	memmove(b->first, b->first + 1, g->vertices * sizeof *b->first);
	b->first[g->vertices] = g->edges;
	return PATHS_OK;
}

/* Depth first without recursion. Fills g->order from its end. */
static enum paths_status search(struct build *b)
{
	enum { NEW, OPEN, DONE };
	struct paths_graph *g = b->g;
	struct paths_mark mark = paths_mark(b->memory);
	uint32_t *stack = paths_take(b->memory, g->vertices, sizeof *stack);
	uint32_t *next = paths_take(b->memory, g->vertices, sizeof *next);
	if (b->memory->failed)
		return PATHS_NO_MEMORY;
	uint32_t depth = 0, place = g->vertices;
	stack[depth++] = g->entry;
	b->state[g->entry] = OPEN;
	next[g->entry] = b->first[g->entry];
	b->state[g->exit] = DONE; /* the exit is last in any case */
	g->order[--place] = g->exit;
	while (depth) {
		uint32_t v = stack[depth - 1];
		if (next[v] == b->first[v + 1]) {
			if (b->first[v] == b->first[v + 1])
				return PATHS_NO_WAY_OUT;
			b->state[v] = DONE;
			g->order[--place] = v;
			depth--;
			continue;
		}
		uint32_t e = b->by_from[next[v]++], w = g->edge[e].to;
		if (b->state[w] == OPEN)
			b->mark[e] = BACK;
		if (b->state[w] != NEW)
			continue;
		b->state[w] = OPEN;
		next[w] = b->first[w];
		stack[depth++] = w;
	}
	g->reached = g->vertices - place;
	memmove(g->order, g->order + place, g->reached * sizeof *g->order);
	paths_release(b->memory, mark);
	return PATHS_OK;
}

static uint64_t ways_of(const struct build *b, const uint64_t *ways, uint32_t e)
{
	return b->mark[e] == FORWARD ? ways[b->g->edge[e].to] : 1;
}

static uint64_t sum_of(const struct build *b, const uint64_t *ways, uint32_t v)
{
	uint64_t sum = v == b->g->exit;
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
		sum = add_saturating(sum, ways_of(b, ways, b->by_from[i]));
	return sum;
}

static double weight(const struct build *b, uint32_t e)
{
	return b->weights ? b->weights[e] : 1;
}

/* The weight of the heaviest block: the sum of the edges into it. */
static double heaviest(const struct build *b)
{
	double most = 0;
	for (uint32_t v = 0; v < b->g->vertices; v++) {
		double sum = 0;
		for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
			sum += weight(b, b->by_from[i]);
		most = sum > most ? sum : most;
	}
	return most;
}

/* How many segments the graph will have. A block may be the head of both kinds. */
static uint64_t segments(struct build *b, const uint64_t *ways)
{
	uint64_t all = ways[b->g->entry];
	memset(b->headed, 0, b->g->vertices);
	for (uint32_t e = 0; e < b->g->edges; e++) {
		uint32_t head = b->g->edge[e].to, kind = 1u << b->mark[e];
		if (b->mark[e] == FORWARD || b->headed[head] & kind)
			continue;
		b->headed[head] |= (uint8_t)kind;
		all = add_saturating(all, ways[head]);
	}
	return all;
}

/* Whether an edge may have this many ways: they are few, or not too many for the edge's frequency. */
static bool may_have(const struct build *b, const struct measure *m, uint32_t e, uint64_t ways)
{
	double n = (double)ways, piece = (double)m->piece;
	return ways <= m->few || n * n * b->most <= piece * piece * weight(b, e);
}

/* Counts the ways from each vertex to the exit, and cuts edges that have too many. */
static uint64_t cut_by(struct build *b, uint64_t *ways, const struct measure *m)
{
	struct paths_graph *g = b->g;
	g->cuts = 0;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		for (uint32_t k = b->first[v]; k < b->first[v + 1]; k++) {
			uint32_t e = b->by_from[k];
			b->mark[e] = b->mark[e] == CUT ? FORWARD : b->mark[e];
			if (v == g->entry || may_have(b, m, e, ways_of(b, ways, e)))
				continue;
			b->mark[e] = CUT;
			g->cuts++;
		}
		ways[v] = sum_of(b, ways, v);
	}
	return segments(b, ways);
}

static double passed_at_cuts(const struct build *b)
{
	double sum = 0;
	for (uint32_t e = 0; e < b->g->edges; e++)
		sum += b->mark[e] == CUT ? weight(b, e) : 0;
	return sum;
}

/* Tries several limits, and takes the one whose cuts are passed least often. */
static void cut_graph(struct build *b, uint64_t *ways, const struct paths_limits *limits)
{
	static const uint32_t few[] = {32, 8, 1};
	struct measure best = {1, 1};
	double least = -1;
	b->most = heaviest(b);
	if (cut_by(b, ways, &(struct measure){UINT64_MAX, UINT64_MAX}) <= limits->whole)
		return;
	for (size_t i = 0; i < sizeof few / sizeof *few; i++)
		for (struct measure m = {few[i], PATHS_WHOLE_MAX}; m.piece; m.piece /= m.piece > LARGE ? 16 : 2) {
			bool fits = cut_by(b, ways, &m) <= limits->piece;
			double cost = passed_at_cuts(b);
			if (!fits || (least >= 0 && cost >= least))
				continue;
			best = m;
			least = cost;
		}
	cut_by(b, ways, &best);
}

static void add_arc(struct paths_graph *g, uint32_t from, uint32_t to, uint32_t edge, unsigned kind)
{
	g->arc[g->arcs++] = (struct paths_arc){from, to, edge, (uint8_t)kind};
}

/* Adds an arc from the entry to each vertex that edges with this mark lead to. The entry's other arc was added just
 * before. */
static void add_heads(struct build *b, enum mark mark, unsigned kind, uint32_t *head)
{
	struct paths_graph *g = b->g;
	memset(head, 0xff, g->vertices * sizeof *head);
	for (uint32_t e = 0; e < g->edges; e++) {
		uint32_t w = g->edge[e].to;
		if (b->mark[e] != mark)
			continue;
		if (head[w] == PATHS_NONE) {
			head[w] = g->arcs;
			add_arc(g, g->entry, w, PATHS_NONE, kind);
		}
		g->head_of[e] = head[w];
	}
}

static void add_arcs(struct build *b, uint32_t *head)
{
	static const uint8_t kind_of[] = {[FORWARD] = PATHS_STEP, [BACK] = PATHS_TAIL, [CUT] = PATHS_CUT_TAIL};
	struct paths_graph *g = b->g;
	for (uint32_t v = 0; v < g->vertices; v++) {
		g->out[v] = g->arcs;
		for (uint32_t i = b->first[v]; b->state[v] && i < b->first[v + 1]; i++) {
			uint32_t e = b->by_from[i];
			g->arc_of[e] = g->arcs;
			add_arc(g, v, b->mark[e] == FORWARD ? g->edge[e].to : g->exit, e, kind_of[b->mark[e]]);
		}
		if (v == g->entry) {
			add_heads(b, BACK, PATHS_HEAD, head);
			add_heads(b, CUT, PATHS_CUT_HEAD, head);
		}
	}
	g->out[g->vertices] = g->arcs;
}

static void index_in(struct paths_graph *g)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		g->in[g->arc[a].to + 1]++;
	for (uint32_t v = 0; v < g->vertices; v++)
		g->in[v + 1] += g->in[v];
	for (uint32_t a = g->arcs; a-- > 0;)
		g->in_arc[--g->in[g->arc[a].to + 1]] = a;
	memmove(g->in, g->in + 1, g->vertices * sizeof *g->in);
	g->in[g->vertices] = g->arcs;
}

static enum paths_status take_room(struct build *b, uint32_t blocks, uint32_t count)
{
	struct paths_graph *g = b->g;
	struct paths_memory *m = b->memory;
	*g = (struct paths_graph){.blocks = blocks, .entry = blocks + 1, .exit = blocks, .vertices = blocks + 2, .edges = count + 1};
	g->edge = paths_take(m, g->edges, sizeof *g->edge);
	g->arc = paths_take(m, g->edges + (size_t)2 * g->vertices, sizeof *g->arc);
	g->out = paths_take(m, g->vertices + 2, sizeof *g->out);
	g->in = paths_take(m, g->vertices + 2, sizeof *g->in);
	g->in_arc = paths_take(m, g->edges + (size_t)2 * g->vertices, sizeof *g->in_arc);
	g->order = paths_take(m, g->vertices, sizeof *g->order);
	g->arc_of = paths_take(m, g->edges, sizeof *g->arc_of);
	g->head_of = paths_take(m, g->edges, sizeof *g->head_of);
	return m->failed ? PATHS_NO_MEMORY : PATHS_OK;
}

static enum paths_status build(struct build *b, const struct paths_edge *edges, uint32_t count, const struct paths_limits *limits)
{
	struct paths_graph *g = b->g;
	b->first = paths_take(b->memory, g->vertices + 2, sizeof *b->first);
	b->by_from = paths_take(b->memory, g->edges, sizeof *b->by_from);
	b->state = paths_take(b->memory, g->vertices, 1);
	b->mark = paths_take(b->memory, g->edges, 1);
	b->headed = paths_take(b->memory, g->vertices, 1);
	uint64_t *ways = paths_take(b->memory, g->vertices, sizeof *ways);
	uint32_t *head = paths_take(b->memory, g->vertices, sizeof *head);
	if (b->memory->failed)
		return PATHS_NO_MEMORY;
	enum paths_status status = take_edges(b, edges, count);
	if (status == PATHS_OK)
		status = search(b);
	if (status != PATHS_OK)
		return status;
	b->weights = limits->weights;
	cut_graph(b, ways, limits);
	memset(g->arc_of, 0xff, g->edges * sizeof *g->arc_of);
	memset(g->head_of, 0xff, g->edges * sizeof *g->head_of);
	add_arcs(b, head);
	index_in(g);
	return PATHS_OK;
}

enum paths_status paths_graph_build(struct paths_graph *g, uint32_t blocks, const struct paths_edge *edges, uint32_t count,
                                    const uint8_t *stops, const struct paths_limits *limits, struct paths_memory *memory)
{
	static const struct paths_limits usual = {PATHS_WHOLE_MAX, PATHS_PIECE_MAX, NULL};
	struct build b = {.g = g, .memory = memory};
	if (!blocks)
		return PATHS_BAD_EDGE;
	if (blocks > UINT32_MAX / 8 || count > UINT32_MAX / 8)
		return PATHS_TOO_LARGE;
	enum paths_status status = take_room(&b, blocks, count);
	if (status != PATHS_OK)
		return status;
	g->stops = stops;
	struct paths_mark mark = paths_mark(memory);
	status = build(&b, edges, count, limits ? limits : &usual);
	paths_release(memory, mark);
	return status;
}

void paths_arc_weights(const struct paths_graph *g, const double *edges, double *arcs)
{
	for (uint32_t a = 0; a < g->arcs; a++)
		arcs[a] = 0;
	for (uint32_t e = 0; e < g->edges; e++) {
		if (g->arc_of[e] != PATHS_NONE)
			arcs[g->arc_of[e]] = edges[e];
		if (g->head_of[e] != PATHS_NONE)
			arcs[g->head_of[e]] += edges[e];
	}
}

enum paths_kind paths_kind(const struct paths_graph *g, uint32_t first, uint32_t last)
{
	bool from_back = g->arc[first].kind == PATHS_HEAD, to_back = g->arc[last].kind == PATHS_TAIL;
	if (from_back)
		return to_back ? PATHS_BACK_TO_BACK : PATHS_BACK_TO_EXIT;
	return to_back ? PATHS_ENTRY_TO_BACK : PATHS_ENTRY_TO_EXIT;
}
