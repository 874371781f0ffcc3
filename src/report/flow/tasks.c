/* SPDX-License-Identifier: MIT */
/* tasks.c: threads, processes and tasks of OpenMP by what created them: as rows, and as a graph for graphviz. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/flow/view.h"
#include "report/graphviz.h"

/* ---- rows ---- */

struct task_row {
	const struct flows *flows;
	const struct flows_task *task;
	uint64_t created; /* what these created */
};

static void put_task(struct sheet *s, const struct task_row *r)
{
	const struct flows_task *t = r->task;
	COLUMN(s, TEXT, "kind", "kind", flows_task_kinds[t->kind]);
	COLUMN(s, NAME, "routine", "created in", view_flow_routine(s, r->flows, &t->created));
	COLUMN(s, TEXT, "file", NULL, t->created.file);
	COLUMN(s, ID, "line", NULL, view_flow_line(&t->created));
	COLUMN(s, TEXT, NULL, "at", view_flow_place(s, &t->created));
	COLUMN(s, COUNT, "count", "count", (int64_t)t->count);
	COLUMN(s, COUNT, "most", "at once", (int64_t)t->most, .drop = 2, .meaning = "the most that had begun and not ended");
	COLUMN(s, NS, "work_ns", "work", view_flow_ns(r->flows, t->work_ns), .meaning = "without that of tasks that ran in them");
	COLUMN(s, NS, "longest_ns", "longest", view_flow_ns(r->flows, t->longest_ns), .drop = 1, .meaning = "work of one of them");
	COLUMN(s, NS, "load_ns", "no core", view_flow_ns(r->flows, t->load_ns), .drop = 3);
	COLUMN(s, NS, "waited_ns", "waited", view_flow_ns(r->flows, t->waited_ns), .meaning = "for others of the program");
	COLUMN(s, NS, "outside_ns", "outside", view_flow_ns(r->flows, t->outside_ns), .drop = 4,
	       .meaning = "waited for input, output, a clock, or the kernel");
	COLUMN(s, COUNT, "created", "created", (int64_t)r->created, .drop = 5, .meaning = "what they created themselves");
}

static uint64_t created_by(const struct flows *f, uint32_t task)
{
	uint64_t count = 0;
	for (size_t i = 0; i < f->edge_count; i++)
		count += f->edges[i].from == task && f->edges[i].wait == FLOWS_CREATES ? f->edges[i].count : 0;
	return count;
}

static void fill_tasks(const void *data, const struct view_ask *ask, struct sheet *s)
{
	const struct flows *f = &((const struct flow_data *)data)->flows;
	put_task(s, &(struct task_row){f, &(struct flows_task){.created = {0, "", 0}}, 0});
	for (uint32_t i = 0; i < f->task_count; i++) {
		if (ask->routine && !view_wants(ask->routine, &f->run->routines[f->tasks[i].created.routine]))
			continue;
		sheet_row(s, 0);
		put_task(s, &(struct task_row){.flows = f, .task = &f->tasks[i], .created = created_by(f, i)});
	}
}

const struct view view_flow_tasks = {
	.name = "tasks",
	.help = "threads, processes and OpenMP tasks by what created them",
	.sort = "work_ns",
	.sort_else = "count",
	.top = 20,
	.fill = fill_tasks,
};

/* ---- the graph ---- */

/* A page has room for so many nodes and edges: those with most work, and those with most waiting. */
enum { MOST_NODES = 24, MOST_EDGES = 40 };

struct graph {
	struct sheet *sheet;
	const struct flows *flows;
	uint32_t nodes[MOST_NODES];
	size_t node_count;
};

static uint64_t weight(const struct flows_task *t)
{
	return t->work_ns + t->waited_ns + t->outside_ns;
}

static bool has_node(const struct graph *g, uint32_t task)
{
	for (size_t i = 0; i < g->node_count; i++)
		if (g->nodes[i] == task)
			return true;
	return false;
}

static void choose_nodes(struct graph *g)
{
	const struct flows *f = g->flows;
	while (g->node_count < MOST_NODES && g->node_count < f->task_count) {
		uint32_t best = UINT32_MAX;
		for (uint32_t i = 0; i < f->task_count; i++)
			if (!has_node(g, i) && (best == UINT32_MAX || weight(&f->tasks[i]) > weight(&f->tasks[best])))
				best = i;
		g->nodes[g->node_count++] = best;
	}
}

/* Several threads are "4 threads". */
static const char *title(struct pool *pool, const struct flows_task *t)
{
	if (t->count == 1 && t->kind == FLOWS_THREAD && t->created.routine == RUN_OUTSIDE)
		return "the first thread";
	return t->count == 1 ? flows_task_kinds[t->kind]
			     : pool_print(pool, "%s %s%s", text_count(pool, (int64_t)t->count), flows_task_kinds[t->kind],
	                                  t->kind == FLOWS_PROCESS ? "es" : "s");
}

static void put_node(struct graph *g, uint32_t task)
{
	struct pool *pool = &g->sheet->pool;
	const struct flows_task *t = &g->flows->tasks[task];
	const char *routine = view_flow_routine(g->sheet, g->flows, &t->created), *place = view_flow_place(g->sheet, &t->created);
	const char *at = *place ? pool_print(pool, " (%s)", graphviz_quoted(pool, place)) : "";
	const char *where = *routine ? pool_print(pool, "\\ncreated in %s%s", graphviz_quoted(pool, routine), at) : "";
	graphviz_line(g->sheet,
	              pool_print(pool, "  t%u [label=\"%s%s\\nwork %s, waited %s\"];", task, title(pool, t), where,
	                         text_ns(pool, (double)t->work_ns), text_ns(pool, (double)t->waited_ns)));
}

static int edge_order(const void *a, const void *b)
{
	const struct flows_edge *x = a, *y = b;
	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->count > y->count ? -1 : x->count < y->count;
}

/* An arrow leads to who waited from what it waited for, as work does. */
static void put_edge(struct graph *g, const struct flows_edge *e)
{
	struct pool *pool = &g->sheet->pool;
	const char *count = text_count(pool, (int64_t)e->count);
	if (e->wait == FLOWS_CREATES)
		graphviz_line(g->sheet, pool_print(pool, "  t%u -> t%u [label=\"creates %s\"];", e->from, e->to, count));
	else
		graphviz_line(g->sheet,
		              pool_print(pool, "  t%u -> t%u [style=dashed label=\"%s wait%s (%s), %s\"];", e->to, e->from, count,
		                         e->count == 1 ? "" : "s", flows_wait_name(e->wait), text_ns(pool, (double)e->ns)));
}

static void put_edges(struct graph *g)
{
	const struct flows *f = g->flows;
	struct flows_edge *edges = memory_zeroed(f->edge_count + 1, sizeof *edges);
	size_t count = 0, waits = 0;
	for (size_t i = 0; i < f->edge_count; i++)
		if (has_node(g, f->edges[i].from) && has_node(g, f->edges[i].to))
			edges[count++] = f->edges[i];
	qsort(edges, count, sizeof *edges, edge_order);
	for (size_t i = 0; i < count; i++)
		if (edges[i].wait == FLOWS_CREATES || waits++ < MOST_EDGES)
			put_edge(g, &edges[i]);
	free(edges);
}

static int check_dot(const void *data, const struct view_ask *ask, struct fail *why)
{
	const struct flow_data *mine = data;
	(void)ask;
	if (mine->dot && strcmp(mine->dot, "tasks") != 0)
		return fail_set(why, FAIL_USAGE, "there is no graph %.100s: skein report flow --dot tasks", mine->dot);
	return 0;
}

static void fill_dot(const void *data, const struct view_ask *ask, struct sheet *s)
{
	struct graph g = {.sheet = s, .flows = &((const struct flow_data *)data)->flows};
	(void)ask;
	s->is_plain = true;
	graphviz_columns(s);
	choose_nodes(&g);
	graphviz_line(s, "digraph \"tasks\" {");
	graphviz_line(s, "  node [shape=box fontname=monospace];");
	if (g.node_count < g.flows->task_count)
		graphviz_line(s,
		              pool_print(&s->pool, "  label=\"%zu of %zu kinds of threads and tasks: those with most work and waiting\";",
		                         g.node_count, g.flows->task_count));
	for (size_t i = 0; i < g.node_count; i++)
		put_node(&g, g.nodes[i]);
	put_edges(&g);
	graphviz_line(s, "}");
}

const struct view view_flow_dot = {
	.name = "dot",
	.help = "which tasks created and waited for which, for graphviz",
	.chosen_by = OPTION_DOT,
	.check = check_dot,
	.fill = fill_dot,
};
