/* SPDX-License-Identifier: MIT */
/* paths_graph.c: back edges by depth-first search, and the arcs that take their place.
 *
 * Cutting: from the exit backwards, a block whose edges have too many ways to the exit in all gives up edges until it has not: those that are passed
 * least for each way that they have, if that is known, else those that have most. Each that is given up counts as one way. So a block has at most twice `piece` ways unless it has
 * more edges than that, and the graph at most that times one more than there are heads and cuts. What is passed often is only cut where all is, and then
 * seldom: a walk over hot edges meets few cuts or none. */
#include <stdbool.h>
#include <string.h>
#include "core/paths_graph.h"

enum mark { FORWARD, BACK, CUT };
#define WAYS_MIN 4
#define SHARES_MAX 256 /* what has a share seldom needs all of it */

struct build {
	struct paths_graph *g;
	struct paths_memory *memory;
	uint32_t *first, *by_from; /* edges by where they come from */
	uint8_t *state;            /* of a vertex: not seen, open, done */
	uint8_t *mark;             /* of an edge */
	uint8_t *headed;           /* of a vertex: marks of edges by which it is a head */
	const double *weights;     /* of an edge, or NULL */
	double *share;             /* of a vertex: how often it is passed, of what the most passed one is; NULL: not known */
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
	b->state[g->exit] = DONE; /* is last in any case */
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

/* What to give up of v first: what is passed least for each way that is got rid of, or what has most ways; rather not what is pinned. */
static bool is_rather_cut(const struct build *b, const uint64_t *ways, uint32_t e, uint32_t other)
{
	unsigned pinned = b->g->edge[e].flags & PATHS_PINNED, other_pinned = b->g->edge[other].flags & PATHS_PINNED;
	if (pinned != other_pinned)
		return !pinned;
	double mine = (double)ways_of(b, ways, e), others = (double)ways_of(b, ways, other);
	return b->weights ? b->weights[e] * others < b->weights[other] * mine : mine > others;
}

/* *left: how many there are that might be. */
static uint32_t first_to_cut(const struct build *b, const uint64_t *ways, uint32_t v, uint32_t *left)
{
	uint32_t best = PATHS_NONE;
	*left = 0;
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++) {
		uint32_t e = b->by_from[i];
		if (ways_of(b, ways, e) <= 1)
			continue;
		++*left;
		if (best == PATHS_NONE || is_rather_cut(b, ways, e, best))
			best = e;
	}
	return best;
}

/* Cuts at v until it has few enough ways. If that is not rare, cutting v off altogether is cheaper: then the next to be cut are far. The heaviest edge
 * may have some more ways, or it would be cut for each one that is given up beside it. */
static void cut_at(struct build *b, uint64_t *ways, uint32_t v, uint64_t piece)
{
	double cut = 0, all = 0;
	uint32_t e, left, far = 64 - (uint32_t)__builtin_clzll(piece | 1);
	for (uint32_t i = b->first[v]; b->weights && i < b->first[v + 1]; i++)
		all += b->weights[b->by_from[i]];
	while ((e = first_to_cut(b, ways, v, &left)) != PATHS_NONE) {
		if (ways[v] <= (b->weights && left == 1 ? 2 * piece : piece) && cut * far <= all)
			break;
		b->mark[e] = CUT;
		b->g->cuts++;
		cut += b->weights ? b->weights[e] : 0;
		ways[v] = sum_of(b, ways, v);
	}
}

/* What is passed seldom may have few ways: then what leads to it, and is passed often, need not be cut. The cases of a switch are to share what it may have. */
static uint64_t limit_of(const struct build *b, uint32_t v, uint64_t piece, bool by_share)
{
	if (!by_share)
		return piece;
	double limit = (double)piece * b->share[v];
	return limit > WAYS_MIN ? (uint64_t)limit : WAYS_MIN;
}

/* Ways from each vertex to the exit; at most its limit or twice that by cutting. Returns how many the graph will have. */
static uint64_t count_ways(struct build *b, uint64_t *ways, uint64_t piece, bool by_share)
{
	struct paths_graph *g = b->g;
	for (uint32_t i = g->reached; i-- > 0;) {
		uint32_t v = g->order[i];
		uint64_t limit = limit_of(b, v, piece, by_share);
		ways[v] = sum_of(b, ways, v);
		if (v != g->entry && ways[v] > limit)
			cut_at(b, ways, v, limit);
	}
	uint64_t all = ways[g->entry];
	memset(b->headed, 0, g->vertices);
	for (uint32_t e = 0; e < g->edges; e++) {
		uint8_t *headed = &b->headed[g->edge[e].to];
		if (b->mark[e] == FORWARD || *headed & 1 << b->mark[e])
			continue;
		*headed |= (uint8_t)(1 << b->mark[e]);
		all = add_saturating(all, ways[g->edge[e].to]);
	}
	return all;
}

/* Cuts so that no block has more ways than `piece`, or than its share of it. Returns how many the graph will have. */
static uint64_t cut_to(struct build *b, uint64_t *ways, uint64_t piece, bool by_share)
{
	for (uint32_t e = 0; e < b->g->edges; e++)
		b->mark[e] = b->mark[e] == CUT ? FORWARD : b->mark[e];
	b->g->cuts = 0;
	return count_ways(b, ways, piece, by_share);
}

static double passed_at_cuts(const struct build *b)
{
	double sum = 0;
	for (uint32_t e = 0; e < b->g->edges; e++)
		sum += b->mark[e] == CUT ? (b->weights ? b->weights[e] : 1) : 0;
	return sum;
}

/* A way to cut, and what it costs: -1 if it leaves too many ways. */
struct cutting {
	uint64_t piece;
	bool by_share;
	double cost;
};

static void try_cutting(struct build *b, uint64_t *ways, const struct paths_limits *limits, struct cutting c, struct cutting *best)
{
	bool fits = cut_to(b, ways, c.piece, c.by_share) <= limits->whole;
	c.cost = passed_at_cuts(b);
	if (fits && (best->cost < 0 || c.cost < best->cost))
		*best = c;
}

/* Many cuts make many beginnings: smaller pieces make fewer ways of them. And a cut that comes early, where little is lost by it, may spare one where much would be. So several
 * sizes are tried. */
static void cut_graph(struct build *b, uint64_t *ways, const struct paths_limits *limits)
{
	struct cutting best = {1, false, -1};
	if (count_ways(b, ways, UINT64_MAX, false) <= limits->whole)
		return;
	for (uint64_t piece = limits->piece; piece; piece /= 4)
		try_cutting(b, ways, limits, (struct cutting){piece, false, 0}, &best);
	for (uint64_t piece = limits->whole < UINT64_MAX / SHARES_MAX ? SHARES_MAX * limits->whole : limits->whole; b->share && piece; piece /= 4)
		try_cutting(b, ways, limits, (struct cutting){piece, true, 0}, &best);
	cut_to(b, ways, best.piece, best.by_share);
}

static void find_shares(struct build *b)
{
	const struct paths_graph *g = b->g;
	double most = 0;
	for (uint32_t e = 0; e < g->edges; e++)
		b->share[g->edge[e].to] += b->weights[e];
	for (uint32_t v = 0; v < g->blocks; v++)
		most = b->share[v] > most ? b->share[v] : most;
	for (uint32_t v = 0; v < g->vertices; v++)
		b->share[v] = most > 0 ? b->share[v] / most : 1;
}

static void add_arc(struct paths_graph *g, uint32_t from, uint32_t to, uint32_t edge, unsigned kind)
{
	g->arc[g->arcs++] = (struct paths_arc){from, to, edge, (uint8_t)kind};
}

/* One for each vertex that edges with this mark lead to; they come from the entry, whose other arc was added just before. */
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
	if (b->weights) {
		b->share = paths_take(b->memory, g->vertices, sizeof *b->share);
		if (!b->share)
			return PATHS_NO_MEMORY;
		find_shares(b);
	}
	cut_graph(b, ways, limits);
	memset(g->arc_of, 0xff, g->edges * sizeof *g->arc_of);
	memset(g->head_of, 0xff, g->edges * sizeof *g->head_of);
	add_arcs(b, head);
	index_in(g);
	return PATHS_OK;
}

enum paths_status paths_graph_build(struct paths_graph *g, uint32_t blocks, const struct paths_edge *edges, uint32_t count, const uint8_t *stops,
	const struct paths_limits *limits, struct paths_memory *memory)
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
