/* SPDX-License-Identifier: MIT */
/* dot.c: the graph of a function as text for graphviz: blocks with their lines and counts, edges with theirs, one path
 * in red: that of --path, or the hottest.
 *
 *     skein report paths --dot compress | dot -Tsvg >compress.svg */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/graphviz.h"
#include "report/paths/view.h"

static int functions_meant(const struct paths_data *d, const struct view_ask *ask, const struct paths_profile **first)
{
	int count = 0;
	for (size_t i = 0; i < d->paths.profile_count; i++)
		if (view_paths_wants(d, ask->routine, &d->paths.profiles[i]) && count++ == 0)
			*first = &d->paths.profiles[i];
	return count;
}

static int check_dot(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct paths_profile *f;
	if (!ask->routine)
		return fail_set(why, FAIL_USAGE, "the view dot draws one function: skein report paths --dot FUNCTION");
	if (functions_meant(data, ask, &f) > 1 && strpbrk(ask->routine, "*?["))
		return fail_set(why, FAIL_USAGE, "%.200s matches several functions, but --dot draws one: give its whole name",
		                ask->routine);
	return view_paths_check_way(data, ask, why);
}

/* The path to be marked: as asked for, else the one with most flow. */
static bool marked_path(const struct paths_data *d, const struct paths_profile *f, struct view_paths_way *way)
{
	const struct paths_path *best = NULL;
	struct pool pool = {0};
	for (size_t i = 0; i < f->paths; i++) {
		const struct paths_path *path = &d->paths.list[f->first_path + i];
		if (!best || paths_flow(path) > paths_flow(best))
			best = path;
	}
	const char *name = d->asked.path ? d->asked.path : best ? view_paths_name(&pool, &d->paths, best) : NULL;
	bool found = name && view_paths_way(&d->paths, f, name, way);
	pool_free(&pool);
	return found;
}

static const char *title(struct sheet *s, const struct paths_data *d, const char *name, const struct view_paths_way *way)
{
	const struct paths_path *path = way->taken;
	if (!path)
		return pool_print(&s->pool, "  label=\"%s: path %s, never taken\";", name, graphviz_quoted(&s->pool, d->asked.path));
	return pool_print(&s->pool, "  label=\"%s: path %s, taken %s times, %s of all instructions\";", name,
	                  view_paths_name(&s->pool, &d->paths, path), text_count(&s->pool, (int64_t)path->count),
	                  text_percent(&s->pool, paths_share((double)paths_flow(path), d->rank.flow)));
}

static void block_lines(struct sheet *s, const struct paths *p, const struct paths_profile *f, const uint8_t *marked)
{
	for (uint32_t b = 0; b < f->blocks; b++) {
		const struct paths_block *block = &p->blocks[f->first_block + b];
		const char *lines = paths_lines(&s->pool, p, (struct paths_walk){.paths = p, .profile = f, .at = b});
		graphviz_line(s,
		              pool_print(&s->pool, "  b%u [label=\"%u: %s\\n%" PRIu64 " x %u\"%s%s];", b, b,
		                         graphviz_quoted(&s->pool, lines), block->count, block->instructions,
		                         block->count ? "" : " style=dashed", marked[b] ? " color=red penwidth=2" : ""));
	}
}

static void edge_lines(struct sheet *s, const struct paths *p, const struct paths_profile *f, const uint8_t *marked)
{
	for (uint32_t e = 0; e < f->edges; e++) {
		const struct paths_edge *edge = &p->edges[f->first_edge + e];
		uint64_t passed = p->passed[f->first_edge + e];
		const char *to = edge->to == PATHS_EXIT ? "end" : pool_print(&s->pool, "b%u", edge->to);
		graphviz_line(s,
		              pool_print(&s->pool, "  b%u -> %s [label=\"%" PRIu64 "\"%s%s];", edge->from, to, passed,
		                         passed ? "" : " style=dashed", marked[e] ? " color=red penwidth=2" : ""));
	}
}

static void fill_dot(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct paths_data *d = data;
	const struct paths *p = &d->paths;
	const struct paths_profile *f = NULL;
	s->is_plain = true;
	graphviz_columns(s);
	if (!functions_meant(d, ask, &f))
		return;
	uint8_t *blocks = memory_zeroed(f->blocks, 1), *edges = memory_zeroed(f->edges, 1);
	struct view_paths_way way = {0};
	bool marked = marked_path(d, f, &way);
	const char *name = graphviz_quoted(&s->pool, view_paths_routine(p, f)->name);
	if (marked) {
		struct paths_walk walk = view_paths_walk(p, f, &way);
		for (uint32_t b; (b = paths_walk_next(&walk)) != PATHS_NONE;)
			blocks[b] = 1;
		for (uint32_t i = 0; i < way.length; i++)
			edges[way.steps[i]] = 1;
	}
	graphviz_line(s, pool_print(&s->pool, "digraph \"%s\" {", name));
	graphviz_line(s, "  node [shape=box fontname=monospace];");
	if (marked)
		graphviz_line(s, title(s, d, name, &way));
	graphviz_line(s, "  begin [shape=plaintext];");
	graphviz_line(s, "  end [shape=plaintext];");
	graphviz_line(s,
	              pool_print(&s->pool, "  begin -> b0 [label=\"%" PRIu64 "\"%s];", p->passed[f->first_edge + f->edges],
	                         marked && way.begin == PATHS_NONE ? " color=red penwidth=2" : ""));
	block_lines(s, p, f, blocks);
	edge_lines(s, p, f, edges);
	graphviz_line(s, "}");
	free(blocks);
	free(edges);
	free(way.steps);
}

const struct view view_paths_dot = {
	.name = "dot",
	.help = "graph of --dot FUNCTION, for graphviz",
	.chosen_by = OPTION_DOT,
	.check = check_dot,
	.fill = fill_dot,
};
