/* SPDX-License-Identifier: MIT */
/* graph.c: the graphs of functions as tables: a row for each block, and for each edge. Functions with most executed instructions come
 * first, their rows together; with --path, the blocks or edges of that path in its order. */
#include <math.h>
#include <stdlib.h>

#include "report/paths/view.h"
#include "report/view.h"

/* ---- functions ---- */

struct ranked {
	uint32_t profile;
	double flow;
};

static int by_flow(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->flow > y->flow || x->flow < y->flow)
		return x->flow > y->flow ? -1 : 1;
	return x->profile < y->profile ? -1 : x->profile > y->profile;
}

static double flow_of(const struct paths *p, const struct paths_profile *f)
{
	double sum = 0;
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct paths_block *block = &p->blocks[f->first_block + b];
		sum += (double)block->count * (double)block->instructions;
	}
	return sum;
}

/* Of a function of which only some paths were counted, counts of blocks and edges are not known. */
static int64_t if_known(const struct paths_profile *f, uint64_t count)
{
	return paths_is_partial(f) ? RUN_UNKNOWN : (int64_t)count;
}

struct graph_ask {
	const struct paths_data *data;
	const char *path; /* only what lies on it; NULL: all */
	struct sheet *sheet;
	double flow; /* of the program */
};

static void each_function(const struct graph_ask *g, const char *routine,
                          void (*rows)(const struct graph_ask *g, uint32_t profile, const struct view_paths_way *way))
{
	const struct paths *p = &g->data->paths;
	struct ranked *list = memory_zeroed(p->profile_count, sizeof *list);
	for (uint32_t i = 0; i < p->profile_count; i++)
		list[i] = (struct ranked){i, flow_of(p, &p->profiles[i])};
	if (p->profile_count)
		qsort(list, p->profile_count, sizeof *list, by_flow);
	for (size_t i = 0; i < p->profile_count; i++) {
		const struct paths_profile *f = &p->profiles[list[i].profile];
		struct view_paths_way way = {0};
		if (!view_paths_wants(g->data, routine, f))
			continue;
		if (!g->path)
			rows(g, list[i].profile, NULL);
		else if (view_paths_way(p, f, g->path, &way))
			rows(g, list[i].profile, &way);
		free(way.steps);
	}
	free(list);
}

/* ---- blocks ---- */

struct block_row {
	const struct graph_ask *ask;
	const struct paths_profile *profile;
	const struct paths_block *block;
	uint32_t number, graph;
	const char *file;
	int64_t line;
};

static double flow_pct(const struct block_row *r)
{
	double flow = (double)r->block->count * (double)r->block->instructions;
	return paths_is_partial(r->profile) ? NAN : paths_share(flow, r->ask->flow);
}

static const char *block_text(struct sheet *s, const struct block_row *r)
{
	return view_paths_block_lines(&s->pool, &r->ask->data->paths, r->profile, r->number);
}

static void put_block(struct sheet *s, const struct block_row *r)
{
	COLUMN(s, NAME, "function", NULL, view_paths_routine(&r->ask->data->paths, r->profile)->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line);
	COLUMN(s, ID, "block", NULL, r->number);
	COLUMN(s, TEXT, "lines", NULL, block_text(s, r));
	COLUMN(s, COUNT, "count", NULL, if_known(r->profile, r->block->count));
	COLUMN(s, COUNT, "instructions", NULL, r->block->instructions);
	COLUMN(s, PERCENT, "flow_pct", "flow%", flow_pct(r), .meaning = "share of all executed instructions");
	COLUMN(s, ID, "graph", NULL, r->graph);
	COLUMN(s, COUNT, NULL, "count", if_known(r->profile, r->block->count));
	COLUMN(s, COUNT, NULL, "insns", r->block->instructions, .meaning = "instructions of the block");
	COLUMN(s, ID, NULL, "block", r->number);
	COLUMN(s, NAME, NULL, "function", view_name(s, view_paths_routine(&r->ask->data->paths, r->profile)));
	COLUMN(s, CODE, NULL, "lines", block_text(s, r));
}

static void add_block(const struct graph_ask *g, uint32_t profile, uint32_t number)
{
	const struct paths *p = &g->data->paths;
	const struct paths_profile *f = &p->profiles[profile];
	struct block_row row = {.ask = g, .profile = f, .block = &p->blocks[f->first_block + number], .number = number, .graph = profile};
	view_paths_place(p, f, number, false, &row.file, &row.line);
	sheet_row(g->sheet, 0);
	sheet_about(g->sheet, f->routine);
	put_block(g->sheet, &row);
}

static void add_blocks(const struct graph_ask *g, uint32_t profile, const struct view_paths_way *way)
{
	const struct paths_profile *f = &g->data->paths.profiles[profile];
	if (!way) {
		for (uint32_t b = 0; b < f->blocks; b++)
			add_block(g, profile, b);
		return;
	}
	struct paths_walk walk = view_paths_walk(&g->data->paths, f, way);
	for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE;)
		add_block(g, profile, b);
}

static void fill_blocks(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	struct graph_ask g = {d, d->asked.path, s, (double)paths_instructions(&d->paths)};
	put_block(s, &(struct block_row){0});
	each_function(&g, ask->routine, add_blocks);
}

const struct view view_paths_blocks = {
	.name = "blocks",
	.help = "blocks of functions, with counts",
	.top = 20,
	.group = "graph",
	.check = view_paths_check_way,
	.fill = fill_blocks,
};

/* ---- edges ---- */

struct edge_row {
	const struct graph_ask *ask;
	const struct paths_profile *profile;
	uint32_t graph, edge, from, to; /* edge and from PATHS_NONE: the function's beginning */
	const char *kind, *file;
	int64_t line;
	uint64_t count, of;
};

static const char *end_text(struct sheet *s, const struct edge_row *r, uint32_t block, bool last)
{
	const struct paths *p = &r->ask->data->paths;
	return pool_print(&s->pool, "%u: %s", block, view_paths_where(&s->pool, p, r->profile, block, last));
}

static const char *from_text(struct sheet *s, const struct edge_row *r)
{
	return r->from == PATHS_NONE ? "the call" : end_text(s, r, r->from, true);
}

static const char *to_text(struct sheet *s, const struct edge_row *r)
{
	return r->to == PATHS_EXIT ? "out of the function" : end_text(s, r, r->to, false);
}

static int64_t number_of(uint32_t number)
{
	return number == PATHS_NONE ? RUN_UNKNOWN : (int64_t)number;
}

static double taken_pct(const struct edge_row *r)
{
	return r->of && !paths_is_partial(r->profile) ? paths_share((double)r->count, (double)r->of) : NAN;
}

static void put_edge(struct sheet *s, const struct edge_row *r)
{
	COLUMN(s, NAME, "function", NULL, view_paths_routine(&r->ask->data->paths, r->profile)->name);
	COLUMN(s, TEXT, "file", NULL, r->file);
	COLUMN(s, ID, "line", NULL, r->line);
	COLUMN(s, ID, "from", NULL, number_of(r->from));
	COLUMN(s, ID, "to", NULL, number_of(r->to));
	COLUMN(s, COUNT, "count", "count", if_known(r->profile, r->count));
	COLUMN(s, TEXT, "kind", NULL, r->kind);
	COLUMN(s, PERCENT, "taken_pct", "taken%", taken_pct(r), .meaning = "share of the times that the block was left");
	COLUMN(s, ID, "edge", NULL, number_of(r->edge));
	COLUMN(s, ID, "graph", NULL, r->graph);
	COLUMN(s, TEXT, NULL, "from", from_text(s, r));
	COLUMN(s, TEXT, NULL, "to", to_text(s, r));
	COLUMN(s, TEXT, NULL, "kind", r->kind, .drop = 1);
	COLUMN(s, NAME, NULL, "function", view_name(s, view_paths_routine(&r->ask->data->paths, r->profile)));
}

static void add_entry(const struct graph_ask *g, uint32_t profile)
{
	const struct paths *p = &g->data->paths;
	const struct paths_profile *f = &p->profiles[profile];
	const struct run_routine *routine = view_paths_routine(p, f);
	uint64_t count = p->passed[f->first_edge + f->edges];
	sheet_row(g->sheet, 0);
	sheet_about(g->sheet, f->routine);
	put_edge(g->sheet,
	         &(struct edge_row){g, f, profile, PATHS_NONE, PATHS_NONE, 0, "entry", routine->file, view_line(routine), count, count});
}

static const char *kind_of(const struct paths_edge *edge, bool is_back)
{
	if (edge->flags & PATHS_NORETURN)
		return "no-return";
	return edge->to == PATHS_EXIT ? "exit" : is_back ? "back" : "forward";
}

static void add_edge(const struct graph_ask *g, uint32_t profile, uint32_t number, bool is_back, uint64_t of)
{
	const struct paths *p = &g->data->paths;
	const struct paths_profile *f = &p->profiles[profile];
	const struct paths_edge *edge = &p->edges[f->first_edge + number];
	struct edge_row row = {
		g, f, profile, number, edge->from, edge->to, kind_of(edge, is_back), NULL, 0, p->passed[f->first_edge + number], of};
	view_paths_place(p, f, edge->from, true, &row.file, &row.line);
	sheet_row(g->sheet, 0);
	sheet_about(g->sheet, f->routine);
	put_edge(g->sheet, &row);
}

/* By edge, whether it is a back edge. */
static uint8_t *back_edges(const struct paths *p, const struct paths_profile *f)
{
	struct paths_memory memory;
	struct paths_graph graph;
	uint8_t *is_back = memory_zeroed(f->edges, 1);
	paths_memory_start(&memory);
	if (paths_graph_of(p, f, &graph, &memory))
		for (uint32_t e = 0; e < f->edges; e++)
			is_back[e] = graph.arc_of[e] != PATHS_NONE && graph.arc[graph.arc_of[e]].kind == PATHS_TAIL;
	paths_memory_free(&memory);
	return is_back;
}

/* How often each block was left: what stopped in it was not. */
static uint64_t *times_left(const struct paths *p, const struct paths_profile *f)
{
	uint64_t *left = memory_zeroed(f->blocks, sizeof *left);
	for (uint32_t e = 0; e < f->edges; e++)
		left[p->edges[f->first_edge + e].from] += p->passed[f->first_edge + e];
	return left;
}

static void add_edges(const struct graph_ask *g, uint32_t profile, const struct view_paths_way *way)
{
	const struct paths *p = &g->data->paths;
	const struct paths_profile *f = &p->profiles[profile];
	uint8_t *is_back = back_edges(p, f);
	uint64_t *left = times_left(p, f);
	uint32_t count = way ? way->length : f->edges;
	if (!way || way->begin == PATHS_NONE)
		add_entry(g, profile);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t e = way ? way->steps[i] : i;
		add_edge(g, profile, e, is_back[e], left[p->edges[f->first_edge + e].from]);
	}
	free(is_back);
	free(left);
}

static void fill_edges(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	struct graph_ask g = {.data = d, .path = d->asked.path, .sheet = s};
	put_edge(s, &(struct edge_row){0});
	each_function(&g, ask->routine, add_edges);
}

const struct view view_paths_edges = {
	.name = "edges",
	.help = "edges between blocks, with counts",
	.top = 20,
	.group = "graph",
	.check = view_paths_check_way,
	.fill = fill_edges,
};
